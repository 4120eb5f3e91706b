"""Hosts that are silent or short of something: rows 3, 5 and 22 of the table of causes."""

from __future__ import annotations

from diagnosis_dump import Site
from diagnosis_faults import CNI
from diagnosis_objects import ago
from diagnosis_report import report
from diagnosis_stages import running, terminate, waiting

UNREACHABLE = "node.kubernetes.io/unreachable"


def test_a_silent_host_is_blamed_with_the_nodes_that_block_or_boot_there() -> None:
    site = Site(batch=9, per_host=1)
    site.not_ready("worker-2", 400)
    site.blocked(site.node("lab/blocks"), host="worker-2")
    site.boot(site.node("lab/boots"), runs=500, host="worker-2", gate="passed")
    site.run(site.node("lab/runs"), host="worker-2")
    site.queue(site.node("lab/queued"), host="worker-2")
    site.run(site.node("lab/else"), host="worker-1")
    found = report(site)
    objects = {"Node lab/blocks", "Node lab/boots", "Host worker-2"}
    found.expect(
        "host-not-ready", "GH", objects, state="stuck", over=True, remedies=["repair-host"]
    )
    assert found.codes == ["host-not-ready"]
    assert "Kubelet stopped posting node status." in found.text("host-not-ready")


def test_a_silent_host_holds_no_slot_that_nobody_waits_for() -> None:
    site = Site(per_host=2)
    site.not_ready("worker-2", 400)
    site.boot(site.node("lab/boots"), runs=500, host="worker-2")
    site.queue(site.node("lab/queued"), made=100, host="worker-1")
    report(site).expect("host-not-ready", "I", {"Node lab/boots", "Host worker-2"}, state="stuck")


def test_a_host_counts_since_its_transition_and_not_before_the_pod() -> None:
    site = Site(batch=1)
    site.not_ready("worker-2", 5000)
    site.blocked(site.node("lab/a"), since=280, made=299, host="worker-2")
    assert report(site).cause("host-not-ready")["since"] == ago(299)
    assert report(site).cause("host-not-ready")["state"] == "slow"


def test_a_taint_tells_that_a_host_cannot_be_reached() -> None:
    site = Site(batch=1)
    taint = {"key": UNREACHABLE, "effect": "NoExecute", "timeAdded": ago(310)}
    site.hosts["worker-2"]["spec"]["taints"] = [taint]
    site.blocked(site.node("lab/a"), host="worker-2")
    found = report(site)
    found.expect("host-not-ready", "G", {"Node lab/a", "Host worker-2"}, state="stuck")
    assert UNREACHABLE in found.text("host-not-ready")


def test_a_host_that_is_gone_is_blamed_if_hosts_were_collected() -> None:
    site = Site(batch=1)
    site.blocked(site.node("lab/a"), host="worker-9")
    report(site).expect("host-not-ready", "G", {"Node lab/a", "Host worker-9"})
    assert report(site, without=["Host"]).codes == ["sandbox-failed"]


def test_a_host_that_fell_silent_just_now_does_not_hide_what_was_wrong_before() -> None:
    site = Site(batch=1)
    site.not_ready("worker-1", 20)
    pod = site.blocked(site.node("lab/a"), since=900)
    assert report(site).codes == []
    site.event(pod, "FailedCreatePodSandBox", CNI, 30)
    report(site).expect("sandbox-failed", "G", "Node lab/a", state="stuck")


def test_a_pod_that_started_on_a_silent_host_and_terminates_is_row_5() -> None:
    site = Site(batch=1)
    site.not_ready("worker-2", 900)
    terminate(site.run(site.node("lab/a"), made=9000, host="worker-2"), 500, "example.com/x")
    found = report(site)
    found.expect("old-pod-terminating", "G", "Node lab/a", state="stuck")
    text = found.text("old-pod-terminating")
    assert "worker-2" in text
    assert "example.com/x" in text
    assert "Kubelet stopped posting node status." in text


def test_a_pod_that_boots_on_a_silent_host_and_terminates_is_row_3() -> None:
    site = Site(batch=1)
    site.not_ready("worker-2", 900)
    terminate(site.boot(site.node("lab/a"), runs=900, host="worker-2"), 500)
    found = report(site)
    found.expect("host-not-ready", "G", {"Node lab/a", "Host worker-2"}, state="stuck")


def test_pressure_goes_before_what_follows_from_it() -> None:
    site = Site(batch=1)
    site.pressed("worker-2", "DiskPressure", 400)
    pod = site.blocked(site.node("lab/a"), host="worker-2")
    site.event(pod, "FailedCreatePodSandBox", CNI)
    found = report(site)
    found.expect("host-pressure", "G", {"Node lab/a", "Host worker-2"}, sub="DiskPressure")
    assert found.codes == ["host-pressure"]


def test_who_runs_or_boots_under_pressure_is_not_blamed() -> None:
    site = Site(per_host=1)
    site.pressed("worker-1", "MemoryPressure", 400)
    site.run(site.node("lab/a"))
    site.boot(site.node("lab/b"), runs=20)
    assert report(site).codes == []


def test_an_evicted_pod_is_history_once_there_is_a_new_one() -> None:
    site = Site(batch=1)
    node = site.node("lab/a")
    site.blocked(node, since=900, phase="Failed", reason="Evicted", message="low on memory")
    found = report(site)
    found.expect("host-pressure", "G", {"Node lab/a", "Host worker-1"}, sub="Evicted")
    site.pod(node, 300, again="new", primary=running(290, started=True))
    assert report(site).codes == []


def test_a_pod_that_failed_otherwise_says_why() -> None:
    site = Site(batch=1)
    pod = site.blocked(
        site.node("lab/a"), since=900, phase="Failed", reason="UnexpectedAdmissionError"
    )
    pod["status"]["message"] = "Allocate failed due to no free devices"
    found = report(site)
    found.expect("sandbox-failed", "G", "Node lab/a", sub="unexplained")
    assert "UnexpectedAdmissionError: Allocate failed" in found.text("sandbox-failed")


def test_a_device_whose_node_is_being_deleted_still_keeps_its_slot() -> None:
    site = Site(per_host=1)
    node = site.node("lab/a")
    node["metadata"]["deletionTimestamp"] = ago(100)
    pod = site.pod(node, 900, primary=waiting("CrashLoopBackOff", restarts=4), gate="passed")
    site.queue(site.node("lab/b"))
    found = report(site)
    found.expect("primary-crashloop", "H", f"Pod lab/{pod['metadata']['name']}", state="stuck")


def test_an_event_tells_that_a_pod_was_evicted() -> None:
    site = Site(batch=1)
    pod = site.blocked(site.node("lab/a"), since=900, phase="Failed")
    site.event(pod, "Evicted", "The node was low on resource: ephemeral-storage.")
    found = report(site)
    found.expect("host-pressure", "G", {"Node lab/a", "Host worker-1"}, sub="Evicted")
    assert "ephemeral-storage" in found.text("host-pressure")


def test_an_older_pod_on_a_silent_host_holds_its_slot_beside_a_new_one() -> None:
    site = Site(per_host=1)
    node = site.node("lab/a")
    terminate(site.boot(node, runs=900, host="worker-2", gate="passed"), 500)
    site.run(node, made=400, again="new", gate="passed")
    site.queue(site.node("lab/q"), made=5000, host="worker-2")
    site.not_ready("worker-2", 600)
    objects = {"Node lab/a", "Host worker-2"}
    report(site).expect("host-not-ready", "H", objects, state="stuck")


def test_two_silent_hosts_of_one_workload_are_both_named() -> None:
    site = Site(batch=1)
    node = site.node("lab/a")
    terminate(site.boot(node, runs=900, host="worker-2"), 500)
    site.pod(node, 600, "worker-1", again="new", sandbox="False")
    for name in ("worker-1", "worker-2"):
        site.not_ready(name, 600)
    objects = {"Node lab/a", "Host worker-1", "Host worker-2"}
    found = report(site)
    found.expect("host-not-ready", "G", objects, state="stuck", since=ago(600))
    assert found.codes == ["host-not-ready", "replacement-blocks"]
