"""Remarks on Pods: rows 46 to 48; and that no remark changes a verdict."""

from __future__ import annotations

from diagnosis_dump import Site
from diagnosis_objects import ago
from diagnosis_report import report
from diagnosis_stages import GRANT

APP, NODE_UID = "c9s.run/app", "c9s.run/direct-node-uid"
POD = "Pod lab/a-5d9f-pod"


def test_a_grant_of_another_pod_is_a_remark_and_the_pod_is_queued() -> None:
    site = Site(per_host=1)
    pod = site.queue(site.node("lab/a"), made=20)
    pod["metadata"]["annotations"][GRANT] = "other"
    found = report(site)
    found.expect("grant-stale", "I", POD, state="note", remedies=[])
    assert (found.verdict, found.primary, found.remedies) == ("healthy", None, ["none"])
    assert found.counts["hosts"]["worker-1"]["queued"] == 1


def test_a_device_that_names_no_installation_is_a_remark() -> None:
    site = Site()
    pod = site.run(site.node("lab/a"), made=40)
    del pod["metadata"]["labels"][APP]
    found = report(site)
    found.expect("unlabelled-workload", "I", POD, state="note", remedies=[])
    assert found.counts["hosts"] == {}


def test_a_device_that_names_no_node_is_a_remark_and_an_orphan_while_it_boots() -> None:
    site = Site(per_host=1)
    pod = site.boot(site.node("lab/a"), runs=400)
    site.queue(site.node("lab/b"), made=5000)
    del pod["metadata"]["annotations"][NODE_UID]
    found = report(site)
    found.expect("unlabelled-workload", "I", POD, state="note")
    found.expect("orphan-boot", "H", POD, state="stuck")


def test_devices_of_another_installation_are_none_of_ours() -> None:
    site = Site(batch=1, per_host=1)
    other = site.boot(site.node("other/a", admitted=False), runs=4000)
    other["metadata"]["labels"][APP] = "lab9"
    del other["metadata"]["annotations"][NODE_UID]
    other["metadata"]["annotations"][GRANT] = "x"
    site.remove(
        *(one for one in site.objects if one["kind"] == "Node" and one["metadata"]["name"] == "a")
    )
    site.queue(site.node("lab/b"), made=20)
    found = report(site)
    assert (found.codes, found.counts["hosts"]["worker-1"]["booting"]) == ([], 0)


def test_another_name_of_the_installation_is_found_by_its_manager() -> None:
    site = Site(batch=1, app="lab9")
    site.leaderless()
    site.run(site.node("lab/a"))
    found = report(site)
    found.expect("manager-no-leader", "G", "Lease c9s/lab9-manager")
    site.leaderless(renewed=1)
    site.pool["status"]["availableReplicas"] = 0
    site.node("lab/b")
    found = report(site)
    found.expect("planner-pool-starved", "G", "Node lab/b")
    assert "lab9-planner-pool" in found.text("planner-pool-starved")


def test_a_missing_probe_is_a_remark_where_boots_are_counted() -> None:
    site = Site(per_host=1)
    pod = site.run(site.node("lab/a"))
    del pod["spec"]["containers"][0]["startupProbe"]
    report(site).expect("startup-probe-missing", "I", POD, state="note", remedies=["fix-probe"])
    site.config["spec"]["rollout"] = {}
    assert report(site).codes == []
    lab = site.topology("lab/t", maxConcurrentPerHost=3)
    other = site.run(site.node("lab/b", lab))
    del other["spec"]["containers"][0]["startupProbe"]
    report(site).expect("startup-probe-missing", "I", "Pod lab/b-5d9f-pod")


def test_a_pod_that_is_no_device_is_nothing_to_us() -> None:
    site = Site(per_host=1)
    pod = site.boot(site.node("lab/a"), runs=9000)
    pod["metadata"]["labels"] = {APP: "clabernetes"}
    pod["metadata"]["annotations"][GRANT] = "other"
    site.remove(
        *(
            one
            for one in site.objects
            if one["metadata"].get("namespace") == "lab" and one is not pod
        )
    )
    assert report(site).codes == []


def test_remarks_stand_after_all_causes_and_never_count() -> None:
    site = Site(per_host=1)
    lab = site.topology("lab/t")
    lab["metadata"]["labels"]["c9s.run/ignoreReconcile"] = ""
    site.node("lab/p")["metadata"]["labels"]["c9s.run/ignoreReconcile"] = ""
    pods = [site.boot(site.node(f"lab/{name}"), runs=20, gate="passed") for name in "ab"]
    for pod in pods:
        del pod["spec"]["containers"][0]["startupProbe"]
    pod = pods[-1]
    pod["metadata"]["annotations"][GRANT] = "x"
    pod["metadata"]["deletionTimestamp"] = ago(1)
    found = report(site)
    states = {one["state"] for one in found.data["causes"]}
    assert (states, found.verdict, found.primary) == ({"note"}, "healthy", None)
    assert found.codes == [
        "topology-ignored", "ignored-primary", "grant-stale", "startup-probe-missing",
    ]  # fmt: skip
