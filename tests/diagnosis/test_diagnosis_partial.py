"""What was not looked at: kinds that a dump lacks, and one namespace alone (causes.md §4, notCollected)."""

from __future__ import annotations

from typing import Any

import pytest
from diagnosis_dump import HOME, Site
from diagnosis_faults import FULL
from diagnosis_objects import ago
from diagnosis_report import report
from diagnosis_stages import waiting

HEADER = {"c9sSnapshot": {"version": 1, "at": ago(0), "collected": []}}


def test_kinds_without_an_item_count_as_not_collected() -> None:
    site = Site()
    site.run(site.node("lab/a"))
    found = report(site)
    missing = ["topologies.c9s.run", "links.c9s.run", "nodeprofiles.c9s.run", "events"]
    assert sorted(found.data["notCollected"]) == sorted(missing)
    site.topology("lab/t")
    site.event(site.objects[-2], "Pulled", "x")["type"] = "Normal"
    assert sorted(report(site).data["notCollected"]) == ["links.c9s.run", "nodeprofiles.c9s.run"]


def snapshot(*collected: str, namespace: str | None = None) -> dict[str, Any]:
    header: dict[str, Any] = {"version": 1, "at": ago(0), "collected": list(collected)}
    return {"c9sSnapshot": header | ({"namespace": namespace} if namespace else {})}


def test_in_a_snapshot_of_ours_what_was_asked_for_and_is_not_there_is_missing() -> None:
    site = Site()
    site.run(site.node("lab/a"))
    site.remove(site.lease, site.config)
    assert report(site).codes == []
    found = report(site, header=snapshot("leases.coordination.k8s.io", "configs.c9s.run"))
    assert found.codes == ["manager-no-leader", "config-missing"]
    assert "leases.coordination.k8s.io" not in found.data["notCollected"]


def test_in_a_snapshot_no_replica_set_may_mean_that_there_is_none() -> None:
    site = Site(batch=1)
    site.deployment(site.node("lab/a"), 500)
    found = report(site, header=snapshot("replicasets.apps"), without=["ReplicaSet"])
    found.expect("no-pod-unknown", "G", "Node lab/a", sub="no-replicaset", state="stuck")
    site.run(site.node("lab/b"), made=5000)
    report(site).expect("no-pod-unknown", "G", "Node lab/a", sub="no-replicaset", state="stuck")


def test_without_a_config_nobody_is_known_to_be_past_the_gates() -> None:
    site = Site()
    site.node("lab/pending", made=5000)
    site.node("lab/admitted", made=5000, admitted=True)
    site.plan(site.node("lab/planned", made=5000), 5000)
    found = report(site, without=["Config"])
    found.expect("no-pod-unknown", "I", {"Node lab/admitted", "Node lab/planned"}, state="stuck")


def test_without_a_config_no_gate_is_known_to_be_without_a_limit() -> None:
    site = Site()
    site.leaderless()
    site.queue(site.node("lab/a"))
    assert report(site, without=["Config"]).codes == ["manager-no-leader"]


def test_without_topologies_only_a_standalone_gate_has_no_limit() -> None:
    site = Site()
    site.leaderless()
    site.queue(site.node("lab/a"))
    site.queue(site.node("lab/b", site.topology("lab/t")))
    found = report(site, without=["Topology"])
    found.expect("gate-without-manager", "H", "Pod lab/a-5d9f-pod")


def test_without_events_hosts_or_links_less_is_explained() -> None:
    site = Site(batch=9)
    pod = site.blocked(site.node("lab/a"), host="worker-2")
    site.event(pod, "FailedCreatePodSandBox", "cannot")
    site.not_ready("worker-2", 500)
    assert report(site).codes == ["host-not-ready"]
    found = report(site, without=["Host"])
    found.expect("sandbox-failed", "G", "Node lab/a", sub=None)
    found = report(site, without=["Host", "Event"])
    found.expect("sandbox-failed", "G", "Node lab/a", sub="unexplained")


def test_in_one_namespace_nothing_is_said_of_the_manager_unless_it_was_seen() -> None:
    site = Site(batch=1)
    site.unbound(site.node("lab/a"), FULL)
    site.leaderless()
    found = report(site, namespace="lab", manager=HOME)
    assert found.codes == ["manager-no-leader", "unschedulable"]
    assert found.data["notCollected"][-1] == "other namespaces"
    site.remove(site.lease)
    header = snapshot("leases.coordination.k8s.io", namespace="lab")
    found = report(site, header=header, manager=HOME)
    assert found.codes == ["unschedulable"]
    site.gated(site.node("lab/b"), "toolkit.c9s.run/startup")
    assert report(site, header=header, manager=HOME).codes == ["unschedulable"]


def test_in_one_namespace_no_config_is_missing_and_one_may_be_misplaced() -> None:
    site = Site()
    site.run(site.node("lab/a"))
    site.remove(site.config)
    header = snapshot("configs.c9s.run", namespace="lab")
    assert report(site, header=header, manager=HOME).codes == []
    site.configure("lab", batchSize=2)
    assert report(site, header=header, manager=HOME).codes == ["config-misplaced"]


def test_in_one_namespace_the_blockers_of_others_are_not_seen() -> None:
    site = Site(batch=1)
    site.edit(site.config, 600)
    lab = site.topology("lab/t")
    site.node("lab/waits", lab, admitted=False, made=5000)
    found = report(site, namespace="lab")
    assert (found.codes, found.verdict) == ([], "healthy")
    assert report(site).codes == ["config-not-observed"]


def test_several_managers_must_be_told_apart() -> None:
    site, other = Site(), Site(app="lab9")
    for one in other.objects:
        if one["metadata"].get("namespace") == HOME:
            one["metadata"]["namespace"] = "other"
            site.add(one)
    site.run(site.node("lab/a"))
    assert report(site, manager=HOME).verdict == "misconfigured"
    with pytest.raises(Exception, match="several namespaces have a manager: c9s, other"):
        report(site)


def test_an_empty_dump_of_a_lab_says_nothing() -> None:
    site = Site(batch=1)
    site.pod(site.node("lab/a"), 900, primary=waiting("CrashLoopBackOff"))
    lab = [one for one in site.objects if one["metadata"].get("namespace") == "lab"]
    site.remove(*(one for one in site.objects if one not in lab or one["kind"] == "Pod"))
    assert report(site).verdict == "healthy"


def test_without_deployments_a_plan_shows_that_a_batch_goes_on() -> None:
    site = Site(batch=5)
    site.unbound(site.node("lab/a"), FULL, since=900)
    site.deployment(site.node("lab/b", made=60), 20)
    whole, part = report(site), report(site, without=["Deployment"])
    for found in (whole, part):
        found.expect("unschedulable", "I", "Node lab/a", state="slow")


def test_without_topologies_or_a_config_no_remark_is_made_on_limits() -> None:
    site = Site()
    labs = [site.topology(f"lab/t{number}", batchSize=1) for number in range(2)]
    for number in range(101):
        site.boot(site.node(f"lab/{number}", labs[number % 2], made=30), sandbox="False", since=10)
    assert report(site).codes == ["combined-burst"]
    assert report(site, without=["Topology"]).codes == []
    assert report(site, without=["Config"]).codes == []
