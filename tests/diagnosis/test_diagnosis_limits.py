"""Which limits are in force, and whether the leader knows them: rows 36, 40 and 42 to 44 of the table of causes."""

from __future__ import annotations

from typing import Any

import pytest
from diagnosis_dump import HOME, Site
from diagnosis_objects import Json, ago, condition
from diagnosis_report import report
from diagnosis_stages import running

CONFIG = f"Config {HOME}/clabernetes"
UNSEEN = "config-not-observed"


def edited(since: float = 600, **limits: Any) -> Site:
    """Give a site whose limits were edited while the leader runs."""
    site = Site(**limits)
    site.edit(site.config, since)
    return site


@pytest.mark.parametrize(("age", "late"), [(119, False), (120, True)])
def test_nodes_that_no_limit_keeps_are_planned_within_two_minutes(
    age: float, *, late: bool
) -> None:
    site = edited(age)
    site.run(site.node("lab/fine", admitted=True))
    site.node("lab/a", made=5000)
    found = report(site)
    assert (UNSEEN in found.codes) == late
    if late:
        found.expect(
            UNSEEN, "G", CONFIG, state="stuck", remedies=["restore-manager"], since=ago(age)
        )
        assert found.codes == [UNSEEN]


@pytest.mark.parametrize(("age", "late"), [(119, False), (120, True)])
def test_pods_with_room_on_their_host_are_granted_within_two_minutes(
    age: float, *, late: bool
) -> None:
    site = edited(age, per_host=4)
    site.boot(site.node("lab/a"), runs=500, gate="passed")
    site.queue(site.node("lab/b"), made=5000)
    found = report(site)
    assert (UNSEEN in found.codes) == late
    if late:
        found.expect(UNSEEN, "H", CONFIG, state="stuck", blocks=1)
        assert found.verdict == "stalled"


def test_a_limit_that_is_gone_keeps_both() -> None:
    site = edited()
    site.node("lab/a", made=5000)
    site.queue(site.node("lab/b"), made=5000)
    report(site).expect(UNSEEN, "GH", CONFIG)


def test_a_batch_that_nobody_blocks_is_let_through() -> None:
    site = edited(batch=3)
    site.run(site.node("lab/a"))
    site.node("lab/b", admitted=False, made=5000)
    report(site).expect(UNSEEN, "G", CONFIG, since=ago(599), blocks=1)


def test_between_two_batches_nobody_waits_for_long() -> None:
    site = edited(batch=3)
    site.run(site.node("lab/a"), made=1000, since=119)
    site.node("lab/b", admitted=False, made=5000)
    assert report(site).codes == []


def test_a_slot_that_was_left_just_now_is_not_granted_yet() -> None:
    site = edited(per_host=1)
    pod = site.run(site.node("lab/a"), made=5000, gate="passed")
    site.queue(site.node("lab/b"), made=5000)
    report(site).expect(UNSEEN, "H", CONFIG)
    # It was ready a second ago; or it is not yet, and may have started as late as its probe allows.
    pod["status"]["conditions"][-1] = condition("Ready", "True", 1)
    assert report(site).codes == []
    pod["status"]["conditions"][-1] = condition("Ready", "False", 4000)
    pod["status"]["containerStatuses"][0]["state"]["running"]["startedAt"] = ago(1000)
    assert report(site).codes == []
    pod["status"]["containerStatuses"][0]["state"]["running"]["startedAt"] = ago(1030)
    report(site).expect(UNSEEN, "H", CONFIG)


@pytest.mark.parametrize("flaw", ["early", "unknown", "leaderless", "partial"])
def test_it_takes_an_edit_after_the_leader_began(flaw: str) -> None:
    site = edited(per_host=4)
    site.boot(site.node("lab/a"), runs=500)
    site.queue(site.node("lab/b"), made=5000)
    options: dict[str, Any] = {}
    if flaw == "early":
        site.edit(site.config, 7300)
    elif flaw == "unknown":
        del site.config["metadata"]["managedFields"]
    elif flaw == "leaderless":
        site.leaderless()
    else:
        options["namespace"] = "lab"
    assert UNSEEN not in report(site, **options).codes


def test_a_leader_that_restarted_has_read_the_limits() -> None:
    site = edited(per_host=4)
    site.queue(site.node("lab/b"), made=5000)
    site.managers[0]["status"]["containerStatuses"][0]["state"]["running"]["startedAt"] = ago(500)
    assert report(site).codes == []


def test_nodes_that_wait_for_something_else_are_no_sign() -> None:
    site = edited()
    a, b = site.node("lab/a", made=5000), site.node("lab/b", made=5000)
    site.run(b, made=4000)
    site.link(a, b, tunnel=None)
    assert report(site).codes == ["plan-waiting-links"]


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
