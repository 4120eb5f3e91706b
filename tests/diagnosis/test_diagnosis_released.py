"""A Node that its Topology has held for long waits for the Config only since the batch before it was through."""

from __future__ import annotations

import pytest
from diagnosis_dump import Site
from diagnosis_objects import ago
from diagnosis_report import report

UNSEEN = "config-not-observed"


@pytest.mark.parametrize(("through", "late"), [(5, False), (119, False), (120, True)])
def test_the_age_of_a_node_does_not_count_while_it_was_held(through: int, *, late: bool) -> None:
    site = Site()
    site.edit(site.config, 600)
    lab = site.topology("lab/t", batchSize=1)
    site.run(site.node("lab/a", lab), since=through)
    site.node("lab/b", lab, made=890)
    found = report(site)
    assert (UNSEEN in found.codes) == late
    if late:
        assert found.cause(UNSEEN)["since"] == ago(through)


def test_a_topology_without_batches_holds_nobody() -> None:
    site = Site()
    site.edit(site.config, 600)
    lab = site.topology("lab/t")
    site.run(site.node("lab/a", lab), since=5)
    site.node("lab/b", lab, made=890)
    assert UNSEEN in report(site).codes
