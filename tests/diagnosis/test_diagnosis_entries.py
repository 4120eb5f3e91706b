"""Order, scopes, verdict and what else a report says of its entries (causes.md §§3, 4)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from diagnosis_dump import HOME, Site
from diagnosis_fault_table import FAULTS
from diagnosis_faults import FULL
from diagnosis_objects import ago
from diagnosis_report import report
from diagnosis_stages import running, waiting

from kubectl_c9s.resources.causes import CAUSES, NUMBERS
from kubectl_c9s.resources.labels import STARTUP_ADMITTED, STARTUP_HOLD
from kubectl_c9s.resources.remedies import REMEDIES

if TYPE_CHECKING:
    from diagnosis_report import Report

STATES = ("stuck", "config", "slow", "waits", "note")
SCOPES = ("global", "topology", "host", "info")


def everything() -> Site:
    """Give a site with something of every class and scope."""
    site = Site(batch=9, per_host=2)
    site.configure("elsewhere")
    lab = site.topology("lab/fabric", batch=1)
    site.node("lab/held", lab, hold=True)
    site.node("lab/foreign", lab, hold="old")
    FAULTS["quota"].plant(site, "lab/full", lab, 900)
    site.pod(site.node("lab/crash"), 300, gate="passed", primary=waiting("CrashLoopBackOff"))
    site.boot(site.node("lab/boots"), runs=30, gate="passed")
    site.queue(site.node("lab/queued"), made=2000)
    site.unbound(site.node("lab/slow"), FULL, since=70)
    site.blocked(site.node("lab/sandbox"), since=80, host="worker-2")
    site.deployment(site.node("lab/lags"), 20)
    pod = site.queue(site.node("lab/stale"), made=20, host="worker-2")
    pod["metadata"]["annotations"]["c9s.run/startup-host-admitted"] = "other"
    return site


def rank(report: Report, code: str) -> tuple[int, int, int]:
    entry = report.cause(code)
    widest = min(SCOPES.index(scope) for scope in entry["scope"])
    return STATES.index(entry["state"]), widest, NUMBERS[code]


def test_entries_stand_by_state_then_scope_then_number() -> None:
    found = report(everything())
    assert found.codes == [
        "quota-exceeded", "hold-foreign-topology", "primary-crashloop", "config-misplaced", "unschedulable",
        "sandbox-failed", "deployment-controller-lag", "slot-limit", "grant-stale",
    ]  # fmt: skip
    assert sorted(found.codes, key=lambda code: rank(found, code)) == found.codes
    assert found.verdict == "stalled"


def test_no_leader_stands_first() -> None:
    site = everything()
    site.leaderless()
    found = report(site)
    assert found.codes[:2] == ["manager-no-leader", "quota-exceeded"]
    assert found.primary == "manager-no-leader"


def test_scopes_are_those_really_held() -> None:
    found = report(everything())
    found.expect("quota-exceeded", "GT", "Node lab/full")
    found.expect("hold-foreign-topology", "T", "Node lab/foreign")
    found.expect("primary-crashloop", "H", "Pod lab/crash-5d9f-pod")
    found.expect("sandbox-failed", "I", "Node lab/sandbox", state="slow")


def test_an_admitted_node_that_is_not_blocking_its_topology_holds_only_the_batch() -> None:
    site = Site(batch=9)
    lab = site.topology("lab/fabric", batch=1)
    site.unbound(site.node("lab/full", lab), FULL)
    report(site).expect("unschedulable", "G", "Node lab/full")


def test_who_waits_behind_an_entry_is_counted_once() -> None:
    site = Site(batch=9, per_host=1)
    lab = site.topology("lab/fabric", batch=1)
    pod = site.blocked(site.node("lab/bad", lab), gate="")
    site.event(pod, "FailedCreatePodSandBox", "cannot")
    for number in range(2):
        site.node(f"lab/held{number}", lab, hold=True)
    site.node("lab/pending", lab, admitted=False)
    site.queue(site.node("lab/queued"), made=2000)
    site.queue(site.node("lab/elsewhere"), made=2000, host="worker-2")
    report(site).expect("sandbox-failed", "GTH", "Node lab/bad", blocks=4)


@pytest.mark.parametrize("booting", [1, 2])
def test_more_boots_than_the_limit_are_told(booting: int) -> None:
    site = Site(per_host=1)
    for number in range(booting):
        site.pod(site.node(f"lab/{number}"), 300, primary=waiting("CrashLoopBackOff"))
    site.queue(site.node("lab/q"), made=2000)
    names = {f"Pod lab/{number}-5d9f-pod" for number in range(booting)}
    over = True if booting == 2 else None
    found = report(site)
    found.expect("primary-crashloop", "H", names, over=over)
    assert ("overLimit" in found.cause("primary-crashloop")) == (booting == 2)


def test_a_limit_of_a_topology_is_exceeded_as_well() -> None:
    site = Site()
    lab = site.topology("lab/t", maxConcurrentPerHost=1)
    for name in "ab":
        site.pod(site.node(f"lab/{name}", lab), 300, primary=waiting("CrashLoopBackOff"))
    site.queue(site.node("lab/q", lab), made=2000)
    names = {"Pod lab/a-5d9f-pod", "Pod lab/b-5d9f-pod"}
    report(site).expect("primary-crashloop", "H", names, over=True)


def test_since_is_that_of_the_oldest_object() -> None:
    site = Site(batch=9)
    for number, since in enumerate((400, 900, 500)):
        site.unbound(site.node(f"lab/{number}"), FULL, since=since)
    report(site).expect("unschedulable", "G", [f"Node lab/{n}" for n in range(3)], since=ago(900))


def test_remedies_are_those_of_all_causes_but_remarks_in_their_order() -> None:
    found = report(everything())
    assert found.remedies == [
        "raise-quota", "reemit-node", "fix-workload", "move-config", "add-capacity", "repair-host", "wait",
    ]  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_no_report_tells_to_write_an_annotation_of_the_admission(name: str) -> None:
    site = Site(batch=3)
    FAULTS[name].plant(site, "lab/bad", None, 900)
    for cause in report(site).data["causes"]:
        remedy = json.dumps(cause["remedy"])
        assert "annotate" not in remedy
        assert STARTUP_ADMITTED not in remedy
        assert STARTUP_HOLD not in remedy


def test_every_remedy_of_the_table_is_known_and_has_a_risk() -> None:
    for cause in CAUSES.values():
        for code in cause.remedies:
            assert REMEDIES[code].risk in ("safe", "moderate", "risky")


def test_every_entry_has_evidence_with_object_source_text_and_count() -> None:
    site = everything()
    pod = next(one for one in site.objects if one["metadata"]["name"] == "sandbox-5d9f-pod")
    site.event(pod, "FailedCreatePodSandBox", "cannot", 7)
    for cause in report(site).data["causes"]:
        assert cause["evidence"]
        for evidence in cause["evidence"]:
            assert evidence["object"]["kind"]
            assert evidence["text"]
            assert evidence["source"] in ("condition", "event", "status", "spec", "annotation")
    event = report(site).cause("sandbox-failed")["evidence"][0]
    assert (event["source"], event["time"], event["count"]) == ("event", ago(7), 3)


def test_a_core_node_has_no_namespace_and_a_pod_its_full_name() -> None:
    site = Site(batch=1)
    FAULTS["silent host"].plant(site, "lab/bad", None, 900)
    host = next(
        one for one in report(site).cause("host-not-ready")["objects"] if one["apiVersion"] == "v1"
    )
    assert host == {"apiVersion": "v1", "kind": "Node", "name": "worker-2"}


def test_thresholds_are_those_given() -> None:
    site = Site(batch=1)
    site.unbound(site.node("lab/a"), FULL, since=100)
    assert report(site, slow_after=101).codes == []
    report(site, slow_after=100).expect("unschedulable", "I", "Node lab/a", state="slow")
    report(site, slow_after=0, stalled_after=100).expect(
        "unschedulable", "G", "Node lab/a", state="stuck"
    )


def test_progress_counts_that_of_others_within_a_minute_only() -> None:
    site = Site(batch=9)
    site.unbound(site.node("lab/a"), FULL, since=900)
    site.run(site.node("lab/b"), made=61, since=60)
    report(site).expect("unschedulable", "G", "Node lab/a", state="stuck")
    site.pod(site.node("lab/c"), made=600, since=59, primary=running(5, started=True))
    report(site).expect("unschedulable", "I", "Node lab/a", state="slow")


def test_without_a_global_batch_progress_is_that_of_the_topology() -> None:
    site = Site()
    labs = [site.topology(f"lab/{name}", batchSize=1) for name in "xy"]
    site.unbound(site.node("lab/a", labs[0]), FULL, since=900)
    site.node("lab/held", labs[0], hold=True)
    site.run(site.node("lab/b", labs[1]), made=30)
    report(site).expect("unschedulable", "T", "Node lab/a", state="stuck")
    site.run(site.node("lab/c", labs[0]), made=30)
    report(site).expect("unschedulable", "I", "Node lab/a", state="slow")


def test_ones_own_new_pod_is_no_progress() -> None:
    site = Site(batch=9)
    site.boot(site.node("lab/a"), runs=4, made=20)
    pod = site.objects[-1]
    pod["status"]["initContainerStatuses"] = [{"name": "clabwire", **running(900)}]
    report(site).expect("connectivity-not-ready", "I", "Pod lab/a-5d9f-pod", state="stuck")


def test_the_place_of_the_manager_may_be_named() -> None:
    site = Site(batch=1)
    site.unbound(site.node("lab/a"), FULL)
    site.configure("other", batchSize=5)
    found = report(site, manager="other")
    assert (found.data["managerNamespace"], found.counts["global"]["limit"]) == ("other", 5)
    assert report(site, manager=HOME).counts["global"]["limit"] == 1
