"""Groups, holds and inventories: rows 6 to 10 and 45 of the table of causes."""

from __future__ import annotations

from typing import Any

import pytest
from diagnosis_dump import Site
from diagnosis_objects import ago, condition
from diagnosis_report import report


def test_every_node_of_a_circle_is_named_and_none_that_only_leads_there() -> None:
    site = Site(batch=5)
    for name, other in (("a", "b"), ("b", "c"), ("c", "a"), ("tail", "a")):
        site.node(f"lab/{name}", shares=other)
    found = report(site)
    found.expect("network-mode-cycle", "G", {"Node lab/a", "Node lab/b", "Node lab/c"})
    assert "a -> b -> c -> a" in found.text("network-mode-cycle")


def test_a_circle_that_is_not_admitted_yet_is_named_whole_once_one_node_is() -> None:
    site = Site(batch=1)
    site.node("lab/a", shares="b")
    site.node("lab/b", shares="a", admitted=False)
    report(site).expect("network-mode-cycle", "G", {"Node lab/a", "Node lab/b"})


@pytest.mark.parametrize("flags", [{"admitted": False}, {"hold": "some-uid"}])
def test_a_circle_behind_its_gate_has_no_cause(flags: dict[str, Any]) -> None:
    site = Site(batch=1)
    site.node("lab/a", shares="b", **flags)
    site.node("lab/b", shares="a", **flags)
    assert "network-mode-cycle" not in report(site).codes


def test_a_node_that_names_itself_is_no_circle() -> None:
    site = Site(batch=1)
    site.run(site.node("lab/a", shares="a"))
    assert report(site).codes == []


def test_a_circle_without_limits_is_stuck_and_holds_nothing() -> None:
    site = Site()
    site.node("lab/a", shares="b")
    site.node("lab/b", shares="a")
    report(site).expect("network-mode-cycle", "I", {"Node lab/a", "Node lab/b"}, state="stuck")


def test_a_missing_primary_holds_its_topology_and_never_the_installation() -> None:
    site = Site(batch=2)
    lab = site.topology("lab/fabric", batch=1)
    site.node("lab/s", lab, hold=True, shares="gone")
    site.node("lab/t", lab, hold=True, shares="s")
    site.node("lab/w", lab, hold=True)
    found = report(site)
    found.expect(
        "network-mode-missing-primary", "T", {"Node lab/s", "Node lab/t"}, state="stuck",
        remedies=["fix-spec"], blocks=1,
    )  # fmt: skip
    assert "gone" in found.text("network-mode-missing-primary")
    assert found.counts["topologies"]["lab/fabric"]["complete"] is False


def test_a_missing_primary_outside_a_topology_that_holds_is_information() -> None:
    site = Site(batch=2)
    lab = site.topology("lab/fabric", batch=1)
    site.node("lab/s", lab, shares="gone", admitted=False)
    site.node("lab/x", shares="nobody", admitted=False)
    found = report(site)
    objects = {"Node lab/s", "Node lab/x"}
    found.expect("network-mode-missing-primary", "I", objects, state="stuck")
    assert found.verdict == "stalled"


@pytest.mark.parametrize(("age", "state"), [(59, None), (60, "slow"), (300, "stuck")])
def test_a_missing_primary_is_judged_by_the_age_of_the_node(age: float, state: str | None) -> None:
    site = Site()
    lab = site.topology("lab/fabric", batch=1)
    site.node("lab/s", lab, hold=True, shares="gone", made=age)
    site.node("lab/w", lab, hold=True, made=age)
    found = report(site)
    assert ("network-mode-missing-primary" in found.codes) == (state is not None)
    if state:
        found.expect("network-mode-missing-primary", "T", "Node lab/s", state=state)


def test_a_primary_that_is_being_deleted_is_not_missing_yet() -> None:
    site = Site()
    site.node("lab/p")["metadata"]["deletionTimestamp"] = ago(5)
    site.node("lab/s", shares="p")
    assert report(site).codes == []


def test_nodes_with_a_foreign_hold_are_named_members_too() -> None:
    site = Site()
    lab = site.topology("lab/fabric", batch=2)
    site.run(site.node("lab/a", lab))
    site.node("lab/b", lab, hold="old-uid", made=1)
    site.node("lab/c", lab, hold="old-uid", shares="b")
    site.node("lab/d", lab, hold=True)
    site.node("lab/alone", hold="old-uid")
    found = report(site)
    objects = {"Node lab/b", "Node lab/c", "Node lab/alone"}
    found.expect(
        "hold-foreign-topology", "T", objects, state="stuck", remedies=["reemit-node"], blocks=2
    )
    assert "lab/fabric" in found.text("hold-foreign-topology")
    assert found.verdict == "stalled"


def test_a_conflict_of_names_ends_an_inventory() -> None:
    site = Site()
    lab = site.topology("lab/fabric", made=10, batch=1)
    site.node("lab/a", lab, hold=True, made=5)
    lab["status"]["conditions"] = [
        condition("TopologyReady", "False", 5, "ChildResourceConflict", "a name is taken")
    ]
    lab["status"] |= {"error": "Node/core7 belongs to nobody of ours", "nodeCount": 2}
    found = report(site)
    found.expect(
        "inventory-incomplete", "T", "Topology lab/fabric", sub="ChildResourceConflict", state="stuck",
        remedies=["fix-spec"], blocks=1,
    )  # fmt: skip
    assert "Node/core7 belongs to nobody of ours" in found.text("inventory-incomplete")
    assert report(site, without=["Node"]).codes == ["inventory-incomplete"]


@pytest.mark.parametrize(("age", "state"), [(59, None), (60, "slow"), (300, "stuck")])
def test_missing_nodes_are_waited_for(age: float, state: str | None) -> None:
    site = Site()
    lab = site.topology("lab/fabric", made=age)
    site.run(site.node("lab/a", lab, made=5000), made=4000)
    lab["status"]["nodeCount"] = 2
    found = report(site)
    assert found.verdict == {None: "healthy", "slow": "slow", "stuck": "stalled"}[state]
    if state:
        found.expect(
            "inventory-incomplete", "T", "Topology lab/fabric", sub="missing-nodes", state=state
        )
    assert report(site, without=["Node"]).codes == []


def test_nodes_that_still_come_are_not_missing() -> None:
    site = Site()
    lab = site.topology("lab/fabric", made=900, batch=1)
    site.node("lab/a", lab, hold=True, made=59)
    lab["status"]["nodeCount"] = 2000
    assert report(site).codes == []


def test_the_sub_of_an_inventory_is_that_of_most_topologies() -> None:
    site = Site()
    labs = [site.topology(f"lab/{name}") for name in "abc"]
    for lab in labs:
        lab["status"]["nodeCount"] = 1
    labs[0]["status"]["conditions"] = [
        condition("TopologyReady", "False", 900, "ChildResourceConflict")
    ]
    site.run(site.node("lab/x"))
    names = {f"Topology lab/{name}" for name in "abc"}
    report(site).expect("inventory-incomplete", "T", names, sub="missing-nodes")
    site.remove(labs[2])
    report(site).expect(
        "inventory-incomplete", "T", names - {"Topology lab/c"}, sub="ChildResourceConflict"
    )


@pytest.mark.parametrize("holds", [True, False])
def test_a_topology_left_out_matters_while_it_holds(holds: bool) -> None:  # noqa: FBT001 - of the parameters
    site = Site()
    lab = site.topology("lab/fabric", batch=1)
    lab["metadata"]["labels"]["c9s.run/ignoreReconcile"] = ""
    site.node("lab/a", lab, **({"hold": True} if holds else {"made": 5}))
    found = report(site)
    state, scope = ("stuck", "T") if holds else ("note", "I")
    found.expect(
        "topology-ignored", scope, "Topology lab/fabric", state=state, remedies=["remove-label"]
    )
    assert found.verdict == ("stalled" if holds else "healthy")


def test_a_primary_left_out_is_a_remark_with_its_members() -> None:
    site = Site(batch=1)
    primary = site.node("lab/p", admitted=True)
    primary["metadata"]["labels"]["c9s.run/ignoreReconcile"] = "yes"
    site.node("lab/s", shares="p", admitted=False)
    found = report(site)
    objects = {"Node lab/p", "Node lab/s"}
    found.expect("ignored-primary", "I", objects, state="note", remedies=["remove-label"])
    assert (found.verdict, found.codes) == ("healthy", ["ignored-primary"])


def test_a_held_or_pending_node_has_no_cause_of_its_own() -> None:
    site = Site(batch=1)
    lab = site.topology("lab/fabric", batch=1)
    for name, flags in (("a", {"hold": True}), ("b", {"admitted": False})):
        node = site.node(f"lab/{name}", lab, made=9000, **flags)
        site.say(node, "PlanApplied", "False", "PlanInvalidInput", 8000)
    site.run(site.node("lab/c", lab))
    assert report(site).codes == []


def test_a_cause_that_is_not_reported_yet_hides_none_that_is() -> None:
    site = Site()
    lab = site.topology("lab/fabric", made=900, batch=1)
    lab["metadata"]["labels"]["c9s.run/ignoreReconcile"] = ""
    site.node("lab/a", lab, hold=True, made=5)
    lab["status"]["nodeCount"] = 2
    report(site).expect("topology-ignored", "T", "Topology lab/fabric", state="stuck")
    site.objects[-1]["metadata"]["creationTimestamp"] = ago(500)
    report(site).expect("inventory-incomplete", "T", "Topology lab/fabric", state="stuck")
    assert report(site).codes == ["inventory-incomplete"]


def test_the_youngest_node_tells_whether_more_come() -> None:
    site = Site()
    lab = site.topology("lab/fabric", made=900, batch=1)
    for name, made in (("a", 800), ("b", 20), ("c", 700)):
        site.node(f"lab/{name}", lab, hold=True, made=made)
    lab["status"]["nodeCount"] = 9
    assert report(site).codes == []
