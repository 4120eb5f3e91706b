"""Which limits are in force: rows 40 and 42 to 44 of the table of causes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from diagnosis_dump import Site
from diagnosis_report import report
from diagnosis_stages import running

if TYPE_CHECKING:
    from diagnosis_objects import Json


def test_a_config_elsewhere_is_read_by_nobody() -> None:
    site = Site()
    site.configure("lab-k", batchSize=3)
    found = report(site)
    found.expect(
        "config-misplaced",
        "I",
        "Config lab-k/clabernetes",
        state="config",
        remedies=["move-config"],
    )
    assert (found.verdict, found.primary) == ("misconfigured", "config-misplaced")
    assert found.remedies == ["move-config"]
    site.remove(site.config)
    found = report(site)
    found.expect("config-missing", "I", [], state="note", remedies=["create-config"])
    assert (found.codes, found.counts["global"]["limit"]) == (
        ["config-misplaced", "config-missing"],
        0,
    )


def test_without_any_config_none_is_missing() -> None:
    site = Site()
    site.run(site.node("lab/a"))
    assert report(site, without=["Config"]).codes == []


def starting(site: Site, count: int, lab: Json | None = None, first: int = 0) -> None:
    for number in range(first, first + count):
        node = site.node(f"lab/{number}", lab, made=20)
        site.pod(node, 15, sandbox="False", since=10)


@pytest.mark.parametrize(("count", "many"), [(100, False), (101, True)])
def test_many_starts_without_any_limit_are_worth_a_remark(count: int, *, many: bool) -> None:
    site = Site()
    starting(site, count)
    found = report(site)
    assert found.codes == (["limit-disabled"] if many else [])
    if many:
        found.expect("limit-disabled", "I", [], state="note", remedies=["set-limit"])
    assert (found.verdict, found.remedies) == ("healthy", ["none"])


@pytest.mark.parametrize("limit", ["batch", "host", "topology batch", "topology host"])
def test_any_limit_is_one(limit: str) -> None:
    site = Site(batch=int(limit == "batch") * 200, per_host=int(limit == "host"))
    starting(site, 101)
    if limit.startswith("topology"):
        site.topology("other/t", **{"batchSize" if "batch" in limit else "maxConcurrentPerHost": 1})
    assert "limit-disabled" not in report(site).codes


def test_devices_that_boot_count_and_those_that_have_started_do_not() -> None:
    site = Site()
    starting(site, 100)
    site.run(site.node("lab/runs"))
    assert report(site).codes == []
    site.boot(site.node("lab/boots"))
    assert report(site).codes == ["limit-disabled"]


def labs(site: Site, *counts: int, batch: int = 2) -> None:
    for number, count in enumerate(counts):
        lab = site.topology(f"lab/t{number}", batchSize=batch)
        starting(site, count, lab, first=number * 10)


@pytest.mark.parametrize(
    ("counts", "burst"),
    [((2, 1), True), ((1, 1), False), ((2,), False), ((2, 0), False), ((1, 1, 1), True)],
)
def test_batches_that_add_up_to_more_than_each_are_a_burst(
    counts: tuple[int, ...], *, burst: bool
) -> None:
    site = Site()
    labs(site, *counts)
    found = report(site)
    assert found.codes == (["combined-burst"] if burst else [])
    if burst:
        names = {f"Topology lab/t{number}" for number in range(len(counts))}
        found.expect("combined-burst", "I", names, state="note", remedies=["set-limit"])
        assert found.verdict == "healthy"


def test_a_global_batch_bounds_a_burst() -> None:
    site = Site(batch=2)
    labs(site, 2, 2)
    assert report(site).codes == []


def test_topologies_without_a_batch_have_no_burst() -> None:
    site = Site()
    labs(site, 2, 2, batch=0)
    assert report(site).codes == []
    site.run(site.node("lab/x"), primary=running(5))
    assert report(site).codes == []


def test_a_burst_is_more_than_the_largest_batch() -> None:
    site = Site()
    for number, (batch, count) in enumerate(((5, 3), (1, 1))):
        starting(site, count, site.topology(f"lab/t{number}", batchSize=batch), first=number * 10)
    assert report(site).codes == []


def test_devices_that_are_left_out_are_no_burst() -> None:
    site = Site()
    labs(site, 2, 1)
    for one in site.objects:
        if one["kind"] == "Node" and one["metadata"]["name"] == "10":
            one["metadata"]["labels"]["c9s.run/ignoreReconcile"] = ""
    assert report(site).codes == ["ignored-primary"]
