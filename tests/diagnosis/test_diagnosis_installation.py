"""Who leads and who paces: rows 1, 2 and 35 of the table of causes."""

from __future__ import annotations

import pytest
from diagnosis_dump import HOME, Site, lease
from diagnosis_objects import ago, condition
from diagnosis_report import report
from diagnosis_stages import ended

LEASE = "Lease c9s/clabernetes-manager"
OURS = "toolkit.c9s.run/startup"


def test_nothing_wrong_is_healthy() -> None:
    site = Site(batch=2, per_host=2)
    site.run(site.node("lab/a"))
    found = report(site)
    assert (found.verdict, found.primary, found.codes) == ("healthy", None, [])
    assert found.remedies == ["none"]


def test_a_lease_counts_until_its_duration_is_over() -> None:
    site = Site()
    site.leaderless(renewed=60)
    assert report(site).codes == []
    site.leaderless(renewed=61)
    found = report(site)
    found.expect("manager-no-leader", "G", LEASE, state="stuck", remedies=["restore-manager"])
    assert found.cause("manager-no-leader")["since"] == ago(61)
    assert (found.verdict, found.primary) == ("stalled", "manager-no-leader")


def test_a_lease_without_a_holder_is_nobodys() -> None:
    site = Site()
    site.lease["spec"]["holderIdentity"] = ""
    report(site).expect("manager-no-leader", "G", LEASE)


def test_an_absent_lease_is_blamed_if_any_lease_was_collected() -> None:
    site = Site()
    site.remove(site.lease)
    assert report(site).codes == []
    site.add(lease(f"{HOME}/clabernetes-init", "x"))
    found = report(site)
    found.expect("manager-no-leader", "G", LEASE)
    assert found.cause("manager-no-leader")["since"] is None


def test_a_holder_that_is_no_pod_or_does_not_run_leads_nobody() -> None:
    site = Site()
    holder = site.managers[0]
    holder["status"]["phase"] = "Pending"
    assert "does not run" in report(site).text("manager-no-leader")
    site.remove(holder)
    assert "no manager Pod" in report(site).text("manager-no-leader")


def test_without_a_ready_manager_nobody_leads() -> None:
    site = Site()
    for manager in site.managers:
        manager["status"]["conditions"] = [condition("Ready", "False", 5)]
    report(site).expect("manager-no-leader", "G", LEASE)


def test_a_standby_may_be_unready() -> None:
    site = Site()
    site.managers[1]["status"]["conditions"] = [condition("Ready", "False", 5)]
    assert report(site).codes == []


def test_without_pods_of_the_managers_namespace_its_deployment_tells() -> None:
    site = Site()
    site.remove(*site.managers, *site.workers)
    site.run(site.node("lab/a"))
    assert report(site, manager=HOME).codes == []
    site.manager["status"]["availableReplicas"] = 0
    report(site, manager=HOME).expect("manager-no-leader", "G", LEASE)


def test_no_leader_holds_topologies_that_hold_and_hosts_with_a_queue() -> None:
    site = Site(batch=1)
    site.leaderless()
    site.run(site.node("lab/a"))
    site.node("lab/waits", admitted=False)
    lab = site.topology("lab/fabric", batch=1)
    site.node("lab/held", lab, hold=True)
    site.queue(site.node("lab/queued"))
    found = report(site)
    found.expect("manager-no-leader", "GTH", LEASE, blocks=3)


def test_without_a_leader_only_the_lease_is_blamed_for_what_it_does_not_do() -> None:
    site = Site(batch=5)
    site.leaderless()
    a, b = site.node("lab/a"), site.node("lab/b")
    site.link(a, b, tunnel=None)
    site.node("lab/c")
    site.deployment(site.node("lab/d"), 900)
    site.deployment(site.node("lab/e"), 20)
    site.pool["status"]["availableReplicas"] = 0
    assert report(site).codes == ["manager-no-leader"]
    site.leaderless(renewed=1)
    assert set(report(site).codes) == {
        "plan-waiting-links", "planner-pool-starved", "no-pod-unknown", "deployment-controller-lag",
    }  # fmt: skip


def test_gates_stay_shut_without_a_manager_though_no_limit_is_set() -> None:
    site = Site()
    site.leaderless()
    site.queue(site.node("lab/a"))
    site.queue(site.node("lab/b"), made=5)
    site.run(site.node("lab/c"), gate="passed")
    found = report(site)
    assert found.codes[:2] == ["manager-no-leader", "gate-without-manager"]
    pods = {"Pod lab/a-5d9f-pod", "Pod lab/b-5d9f-pod"}
    found.expect(
        "gate-without-manager", "H", pods, state="stuck", remedies=["restore-manager"], blocks=2
    )


@pytest.mark.parametrize("where", ["Config", "Topology"])
def test_with_a_limit_the_gates_wait_for_their_turn(where: str) -> None:
    site = Site(per_host=int(where == "Config"))
    site.leaderless()
    lab = site.topology("lab/t", maxConcurrentPerHost=1) if where == "Topology" else None
    site.queue(site.node("lab/a", lab))
    assert report(site).codes == ["manager-no-leader"]


def test_a_pacer_at_work_is_no_cause_and_leaves_no_other() -> None:
    site = Site(batch=2)
    site.add(lease(f"{HOME}/c9s-reconciler", "pacer-1", renewed=60))
    site.gated(site.node("lab/a"), OURS, since=5000)
    assert report(site).codes == []


@pytest.mark.parametrize(("holder", "renewed"), [("pacer-1", 61), ("", 1)])
def test_a_pacer_whose_lease_is_nobodys_is_down(holder: str, renewed: float) -> None:
    site = Site(batch=2)
    site.add(lease(f"{HOME}/c9s-reconciler", holder, renewed))
    site.gated(site.node("lab/a"), OURS, since=5)
    site.gated(site.node("lab/b"), OURS, since=500)
    found = report(site)
    found.expect("pacer-down", "G", "Lease c9s/c9s-reconciler", remedies=["restore-pacer"])
    assert found.codes == ["pacer-down"]
    assert found.cause("pacer-down")["since"] == ago(renewed)


def test_without_any_lease_nothing_is_said_of_leader_and_pacer() -> None:
    site = Site(batch=2)
    site.gated(site.node("lab/a"), OURS, since=500)
    site.pod(site.node("lab/b"), planner=ended(40))
    assert report(site, without=["Lease"]).codes == []
