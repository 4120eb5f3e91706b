"""The table of what pages find on the cluster has no row that nobody needs."""

from __future__ import annotations

from cluster_setups import SETUPS
from page_blocks import blocks
from page_places import pages, text_of


def test_every_row_is_of_a_page_that_is_played_on_the_cluster() -> None:
    live = {name for name in pages() if any(one.marker.bed for one in blocks(text_of(name)))}
    assert SETUPS.keys() <= live
