"""The commands and examples of every page do what the page says."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from page_blocks import blocks, problems
from page_markers import MarkerError
from page_places import ROOT, pages, text_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from bed_own import OwnBed

PAGES = pages()


def played(name: str, *, bed: bool) -> bool:
    """Tell whether a page has a block to play, here or on a bed."""
    try:
        return any(one.marker.runs and one.marker.bed == bed for one in blocks(text_of(name)))
    except MarkerError:
        return False  # test_every_shell_block_has_a_marker says it


def compare(name: str, page: str, now: str, *, update_golden: bool) -> None:
    """Compare a page with what it should read, or write it anew."""
    if update_golden:
        assert page == text_of(name), "the page was changed while it was played"
        (ROOT / name).write_text(now, encoding="utf-8")
    else:
        assert now == page


@pytest.mark.parametrize("name", PAGES)
def test_every_shell_block_has_a_marker_and_every_marker_a_block(name: str) -> None:
    assert problems(text_of(name)) == []


@pytest.mark.parametrize("name", [name for name in PAGES if played(name, bed=False)])
def test_a_page_does_what_it_says(
    name: str, player: Callable[..., str], *, update_golden: bool
) -> None:
    page = text_of(name)
    compare(name, page, player(page), update_golden=update_golden)


@pytest.mark.parametrize("name", [name for name in PAGES if played(name, bed=True)])
def test_a_page_does_what_it_says_on_a_cluster(
    name: str, player: Callable[..., str], page_bed: OwnBed, *, update_golden: bool
) -> None:
    page = text_of(name)
    compare(name, page, player(page, page_bed.kubeconfig), update_golden=update_golden)
