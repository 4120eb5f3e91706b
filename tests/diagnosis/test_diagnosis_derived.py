"""What comes beside a stuck cause, and a Topology that is gone: rows 34 and 37 to 39 of the table of causes."""

from __future__ import annotations

import pytest
from diagnosis_dump import Site
from diagnosis_faults import FULL
from diagnosis_objects import Json, ago
from diagnosis_report import report
from diagnosis_stages import running, terminate

BEHIND, OTHER, AGAIN = (
    "topology-stalled-behind-global",
    "blocked-by-other-lab",
    "replacement-blocks",
)


def blocked_site() -> tuple[Site, Json]:
    """Give an installation that is blocked by a Node without a Topology, and a Topology that waits."""
    site = Site(batch=2)
    site.unbound(site.node("prod/core7"), FULL)
    lab = site.topology("lab/fabric", batch=2)
    site.run(site.node("lab/runs", lab))
    site.node("lab/waits", lab, admitted=False)
    return site, lab


def test_a_lab_that_waits_for_others_is_named_and_not_at_fault() -> None:
    site, _ = blocked_site()
    site.node("alone/x", admitted=False)
    found = report(site)
    found.expect("unschedulable", "G", "Node prod/core7", blocks=2)
    found.expect(OTHER, "G", "Topology lab/fabric", state="stuck", remedies=[])
    assert "prod/core7" in found.text(OTHER)
    assert found.codes == ["unschedulable", OTHER]
    assert (found.primary, found.remedies) == ("unschedulable", ["add-capacity"])


def test_a_lab_that_holds_nodes_stalls_behind_others() -> None:
    site, lab = blocked_site()
    site.node("lab/held", lab, hold=True)
    found = report(site)
    found.expect(BEHIND, "T", "Topology lab/fabric", state="stuck", remedies=[])
    assert OTHER not in found.codes


def test_a_lab_that_blocks_itself_is_behind_nobody() -> None:
    site, lab = blocked_site()
    site.unbound(site.node("lab/bad", lab), FULL)
    assert report(site).codes == ["unschedulable"]


def test_a_lab_without_anything_pending_waits_for_nobody() -> None:
    site, lab = blocked_site()
    site.remove(*(one for one in site.objects if one["metadata"]["name"] == "waits"))
    lab["status"]["nodeCount"] -= 1
    assert report(site).codes == ["unschedulable"]


def test_who_is_only_slow_stalls_nobody() -> None:
    site, _ = blocked_site()
    for one in site.objects:
        if one["metadata"]["name"] == "core7-5d9f-pod":
            one["status"]["conditions"][-1]["lastTransitionTime"] = ago(200)
    found = report(site)
    assert (found.codes, found.verdict) == (["unschedulable"], "slow")


def test_a_pacer_that_is_down_stalls_labs_as_well() -> None:
    site, _ = blocked_site()
    site.remove(*(one for one in site.objects if one["metadata"].get("namespace") == "prod"))
    site.gated(site.node("prod/core8"), "toolkit.c9s.run/startup")
    assert report(site).codes == ["pacer-down", OTHER]


@pytest.mark.parametrize(("late", "again"), [(600, False), (601, True)])
def test_a_pod_much_younger_than_its_deployment_is_a_replacement(
    late: float, *, again: bool
) -> None:
    site = Site(batch=2)
    site.unbound(site.node("lab/a", made=9000), FULL, since=400, deployed=400 + late)
    found = report(site)
    assert (AGAIN in found.codes) == again
    if again:
        found.expect(AGAIN, "G", "Node lab/a", state="stuck", remedies=[], since=ago(400))


def test_a_pod_that_terminates_shows_that_the_device_ran_before() -> None:
    site = Site()
    lab = site.topology("lab/fabric", batch=1)
    node = site.node("lab/a", lab)
    terminate(site.run(node, made=500), 20)
    site.pod(node, 400, again="new", sandbox="False", since=400)
    site.node("lab/held", lab, hold=True)
    found = report(site)
    found.expect("sandbox-failed", "T", "Node lab/a")
    found.expect(AGAIN, "T", "Node lab/a", blocks=1)


def test_a_replacement_that_blocks_nobody_is_not_told() -> None:
    site = Site()
    site.unbound(site.node("lab/a", made=9000), FULL, since=400, deployed=8000)
    assert report(site).codes == ["unschedulable"]


def test_a_replacement_that_is_only_slow_is_not_told() -> None:
    site = Site(batch=1)
    site.unbound(site.node("lab/a", made=9000), FULL, since=200, deployed=8000)
    assert report(site).codes == ["unschedulable"]


def lost_topology(age: float) -> Site:
    site = Site(per_host=1)
    lab = site.topology("lab/gone")
    site.topology("lab/there")
    site.queue(site.node("lab/a", lab), made=age)
    site.remove(lab)
    return site


@pytest.mark.parametrize(
    ("age", "state"), [(59, None), (60, "slow"), (299, "slow"), (300, "stuck")]
)
def test_a_queued_pod_needs_its_topology(age: float, state: str | None) -> None:
    found = report(lost_topology(age))
    assert ("owner-topology-missing" in found.codes) == (state is not None)
    if state:
        found.expect(
            "owner-topology-missing", "H", "Pod lab/a-5d9f-pod", state=state, remedies=["restore-object"], blocks=1
        )  # fmt: skip


def test_it_is_slow_while_others_of_the_batch_go_on() -> None:
    site = lost_topology(900)
    site.config["spec"]["rollout"]["batchSize"] = 5
    site.pod(site.node("lab/b"), made=30, primary=running(20, started=True))
    report(site).expect("owner-topology-missing", "H", "Pod lab/a-5d9f-pod", state="slow")


def test_topologies_that_were_not_collected_are_not_missing() -> None:
    assert report(lost_topology(900), without=["Topology"]).codes == []


def test_a_host_over_its_limit_is_told_with_who_waits_there() -> None:
    site = lost_topology(900)
    site.boot(site.node("lab/b"), runs=5)
    site.boot(site.node("lab/c"), runs=5)
    report(site).expect("owner-topology-missing", "H", "Pod lab/a-5d9f-pod", over=True)


def test_a_node_of_no_topology_needs_none() -> None:
    site = Site(per_host=1)
    site.topology("lab/there")
    site.queue(site.node("lab/a"), made=900)
    assert report(site).codes == []
