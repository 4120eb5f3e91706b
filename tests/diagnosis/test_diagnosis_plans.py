"""Profiles, plans, Links and the planner pool: rows 11 to 14 of the table of causes."""

from __future__ import annotations

import pytest
from diagnosis_dump import Site
from diagnosis_objects import ago, written
from diagnosis_report import report

OLD, NEW = "registry.example/c9s/manager:0.10.0", "registry.example/c9s/manager:0.10.1"


def test_a_condition_counts_only_for_the_present_generation() -> None:
    site = Site(batch=1)
    node = site.node("lab/a")
    site.say(node, "PlanApplied", "False", "PlanInvalidInput", 500)
    node["metadata"]["generation"] = 2
    report(site).expect("no-pod-unknown", "G", "Node lab/a", sub="no-plan")


def test_a_profile_goes_before_the_plan_it_spoils() -> None:
    site = Site(batch=1)
    node = site.node("lab/a")
    site.say(node, "NodeProfileResolved", "False", "NodeProfileConflict", 500)
    site.say(node, "PlanApplied", "False", "PlanInvalidInput", 500)
    found = report(site)
    found.expect("profile-unresolved", "G", "Node lab/a", sub="NodeProfileConflict")
    assert found.codes == ["profile-unresolved"]


def test_a_plan_that_is_pending_has_not_failed() -> None:
    site = Site(batch=1)
    site.say(site.node("lab/a", made=5000), "PlanApplied", "False", "PlanPending", 30)
    assert report(site).codes == []


def test_the_message_of_a_failed_plan_is_quoted() -> None:
    site = Site(batch=1)
    site.say(site.node("lab/a"), "PlanApplied", "False", "OCIMetadataConfigTooLarge", 5)
    assert "what OCIMetadataConfigTooLarge says" in report(site).text("plan-failed")


def test_a_node_that_runs_is_not_blamed_for_its_next_plan() -> None:
    site = Site(batch=1)
    node = site.node("lab/a")
    site.run(node)
    site.say(node, "PlanApplied", "False", "PlanInvalidInput", 500)
    assert report(site).codes == []


def test_the_sub_of_failed_plans_is_the_most_frequent_and_its_remedy_goes_first() -> None:
    site = Site(batch=3)
    for name, reason in (
        ("a", "PlanInvalidInput"),
        ("b", "DeploymentInvalid"),
        ("c", "DeploymentInvalid"),
    ):
        site.say(site.node(f"lab/{name}"), "PlanApplied", "False", reason, 500)
    found = report(site)
    nodes = {"Node lab/a", "Node lab/b", "Node lab/c"}
    entry = found.expect(
        "plan-failed", "G", nodes, sub="DeploymentInvalid", remedies=["fix-policy", "fix-spec"]
    )
    assert entry["remedy"]["code"] == "fix-policy"
    assert found.remedies == ["fix-policy", "fix-spec"]


@pytest.mark.parametrize("tunnel", [None, 7])
def test_missing_input_is_that_of_a_link_if_one_is_not_ready(tunnel: int | None) -> None:
    site = Site(batch=2)
    a, b = site.node("lab/a"), site.node("lab/b")
    site.run(b)
    site.link(a, b, tunnel=tunnel)
    site.say(a, "PlanApplied", "False", "PlanMissingInput", 800)
    found = report(site)
    if tunnel is None:
        found.expect("plan-waiting-links", "G", "Node lab/a", sub="no-tunnel-id")
        assert "lab/a-b" in found.text("plan-waiting-links")
    else:
        found.expect("plan-failed", "G", "Node lab/a", sub="PlanMissingInput")


def test_links_within_one_pod_and_to_unknown_nodes_need_no_tunnel() -> None:
    site = Site(batch=2)
    a, s, gone = site.node("lab/a"), site.node("lab/s", shares="a"), site.node("lab/gone")
    site.link(a, s, tunnel=None)
    site.link(a, gone, tunnel=None)
    site.remove(gone)
    report(site).expect("no-pod-unknown", "G", "Node lab/a", sub="no-plan")


def test_a_link_of_a_member_keeps_the_whole_workload() -> None:
    site = Site(batch=2)
    site.node("lab/a")
    s, b = site.node("lab/s", shares="a"), site.node("lab/b")
    site.run(b)
    site.link(s, b, refused="EndpointConflict")
    report(site).expect("plan-waiting-links", "G", "Node lab/a", sub="EndpointConflict")


def test_without_links_nothing_is_said_of_them() -> None:
    site = Site(batch=2)
    a, b = site.node("lab/a"), site.node("lab/b")
    site.run(b)
    site.link(a, b, tunnel=None)
    assert report(site, without=["Link"]).codes == ["no-pod-unknown"]


@pytest.mark.parametrize(
    ("available", "nodes", "starved"), [(0, 1, True), (1, 1, False), (1, 2, True), (2, 2, False)]
)
def test_a_pool_with_some_workers_starves_several_nodes(
    available: int, nodes: int, *, starved: bool
) -> None:
    site = Site(batch=5)
    site.pool["status"]["availableReplicas"] = available
    names = {f"Node lab/{number}" for number in range(nodes)}
    for number in range(nodes):
        site.node(f"lab/{number}")
    found = report(site)
    code = "planner-pool-starved" if starved else "no-pod-unknown"
    found.expect(code, "G", names, state="stuck")
    assert not starved or f"{available} of 2 workers of clabernetes-planner-pool" in found.text(
        code
    )


def test_nodes_whose_plan_has_failed_do_not_wait_for_the_pool() -> None:
    site = Site(batch=5)
    site.pool["status"]["availableReplicas"] = 1
    site.node("lab/a")
    site.say(site.node("lab/b"), "PlanApplied", "False", "PlanInvalidInput", 500)
    assert report(site).codes == ["plan-failed", "no-pod-unknown"]


@pytest.mark.parametrize(("other", "starved"), [(2, True), (1, False)])
def test_workers_of_another_version_than_the_manager_do_not_serve(
    other: int, *, starved: bool
) -> None:
    site = Site(batch=1)
    site.node("lab/a")
    for worker in site.workers[:other]:
        worker["spec"]["containers"][0]["image"] = NEW
    found = report(site)
    found.expect("planner-pool-starved" if starved else "no-pod-unknown", "G", "Node lab/a")
    assert not starved or NEW in found.text("planner-pool-starved")


def test_templates_are_compared_where_there_are_no_pods_of_the_pool() -> None:
    site = Site(batch=1)
    site.node("lab/a")
    site.remove(*site.workers)
    assert report(site).codes == ["no-pod-unknown"]
    site.pool["spec"]["template"]["spec"]["containers"][0]["image"] = NEW
    report(site).expect("planner-pool-starved", "G", "Node lab/a")


def test_a_node_that_was_planned_before_does_not_starve() -> None:
    site = Site(batch=1)
    site.pool["status"]["availableReplicas"] = 0
    node = site.node("lab/a")
    site.replica_set(node, 800)
    site.say(node, "PlanApplied", "False", "PlanPending", 700)
    report(site).expect("no-pod-unknown", "G", "Node lab/a", sub="no-plan")


def test_since_is_the_mark_if_it_tells_when_it_was_written() -> None:
    site = Site(batch=1)
    node = site.node("lab/a", made=9000)
    node["metadata"]["managedFields"] = [written("c9s.run/startup-admitted", 70)]
    report(site).expect("no-pod-unknown", "I", "Node lab/a", state="slow", since=ago(70))


def test_of_several_links_the_upper_reason_of_the_table_counts() -> None:
    site = Site(batch=4)
    a = site.node("lab/a")
    for name, refused in (("b", ""), ("c", "EndpointConflict"), ("d", "EndpointsUnresolved")):
        peer = site.node(f"lab/{name}")
        site.run(peer, made=9000)
        site.link(a, peer, tunnel=None, refused=refused)
    found = report(site)
    found.expect("plan-waiting-links", "G", "Node lab/a", sub="EndpointsUnresolved")
    assert "lab/a-b" in found.text("plan-waiting-links")
