"""What ``diagnose`` asks of a real server, and what it says when it may not see everything."""

from __future__ import annotations

from typing import TYPE_CHECKING

import faults_plans as plans
import faults_pods as pods
import pytest
import standin_names as names
from audit_reader import AuditLog
from faults_play import Naming, accused, entry_of, refs
from faults_reader import Reader, pages, printed_rules

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from faults_lab import Ref
    from faults_play import Fault, Play
    from faults_site import Site

KINDS = {
    "configs.c9s.run", "topologies.c9s.run", "nodes.c9s.run", "links.c9s.run", "nodeprofiles.c9s.run",
    "deployments.apps", "replicasets.apps", "pods", "events", "nodes", "leases.coordination.k8s.io",
}  # fmt: skip
MANY = 520  # more than there are on a page


@pytest.fixture
def reader(site: Site, tmp_path: Path) -> Iterator[Reader]:
    one = Reader(site, tmp_path)
    try:
        yield one
    finally:
        one.leave()


def bring(site: Site, *plays: Play) -> list[Fault]:
    """Bring faults about and let an administrator name them."""
    naming = Naming(site)
    for play in plays:
        naming.bring(play)
    naming.run()
    return naming.faults


def broken_sandbox(site: Site) -> Fault:
    cause = ("sandbox-failed", "fix-cni")
    return pods.broken(site, how="sandbox", cause=cause, sign="FailedCreatePodSandBox")


def test_the_printed_rights_are_enough_and_each_page_is_asked_for_once(
    site: Site, reader: Reader
) -> None:
    bring(site, plans.quota, broken_sandbox, pods.host_lost)
    spare = site.lab("spare")
    for number in range(MANY):
        spare.make(names.VERSION, "NodeProfile", f"p{number}", spec={})
    reader.may(printed_rules())
    log = AuditLog(site.bed.audit_log)
    report = reader.report()
    asked = reader.asked(log)
    assert report["notCollected"] == []
    assert accused(report) == accused(site.report())
    assert {(one.verb, one.code) for one in asked} == {("list", 200)}
    assert {one.resource for one in asked} == KINDS
    assert {one.namespace for one in asked} == {""}
    counted = pages(asked)
    assert set(counted.values()) == {1}
    assert [one for one, _, _ in counted].count("nodeprofiles.c9s.run") == 2


def test_without_events_it_says_so_and_what_needs_none_is_named_all_the_same(
    site: Site, reader: Reader
) -> None:
    faults = bring(site, plans.quota, broken_sandbox)
    reader.may(printed_rules("events"))
    answer = reader.diagnose("--fail-on=stalled")
    assert answer.code == 1
    assert "note: list events: " in answer.err
    report = reader.report()
    assert report["notCollected"] == ["events"]
    assert accused(report) == {one.code: set(one.objects()) for one in faults}
    sandbox = entry_of(report, "sandbox-failed")
    assert sandbox is not None
    assert (sandbox["sub"], sandbox["remedies"]) == ("unexplained", ["repair-host"])


def test_without_hosts_it_says_so_and_nothing_is_said_of_a_host(site: Site, reader: Reader) -> None:
    (lost,) = bring(site, pods.host_lost)
    reader.may(printed_rules("nodes"))
    report = reader.report()
    assert report["notCollected"] == ["nodes"]
    assert report["verdict"] == "stalled"
    node = next(one for one in lost.objects() if one[1])
    assert accused(report) == {"sandbox-failed": {node}}


def test_in_one_namespace_nothing_is_proved_that_cannot_be_seen(site: Site, reader: Reader) -> None:
    """A Role of one namespace: the Config, the Leases and the manager are not seen, nor are the other labs."""
    lab = site.lab("own", gate="ours")
    lab.quota("pods", 0)
    for name in "ab":
        lab.device(name)
    lab.wait("they have no Pods", lambda: all(lab.says(one, "exceeded quota") for one in "ab"))
    site.limit(batchSize=5)
    lab.wait("they are admitted", lambda: all(one.mark for one in lab.nodes().values()))
    lab.quota("pods", 1)
    lab.wait("one has a Pod, with our gate", lab.pods)
    (without,) = {"a", "b"} - set(lab.pods())
    _stuck_for_all(site, lab.node_ref(without))
    site.faults(no_leader=True)
    lab.wait("nobody leads", lambda: not site.standin.state()["leading"])
    reader.may(printed_rules(), lab.namespace)
    report = reader.report("-n", lab.namespace)
    assert {"nodes", "other namespaces"} <= set(report["notCollected"])
    assert accused(report) == {"quota-exceeded": {lab.node_ref(without)}}
    assert {one for cause in report["causes"] for one in cause["scope"]} == {"info"}
    assert {one["code"] for one in report["causes"]} == {"quota-exceeded"}
    assert report["counts"]["global"]["limit"] == 0


def _stuck_for_all(site: Site, node: Ref) -> None:
    """Let an administrator see more: our gate has no pacer, and the quota stops the whole installation."""

    def sees() -> bool:
        entries = {one["code"]: one for one in site.report()["causes"]}
        quota = entries.get("quota-exceeded", {"scope": []})
        return "pacer-down" in entries and quota["scope"] == ["global"]

    site.wait("an administrator sees it all", sees)
    entry = entry_of(site.report(), "quota-exceeded")
    assert entry is not None
    assert refs(entry) == {node}


def test_a_topology_of_one_namespace_is_proved_from_there(site: Site, reader: Reader) -> None:
    (fault,) = bring(site, plans.quota)
    (lab,) = (one for one in site.labs if one.wanted)
    reader.may(printed_rules(), lab.namespace)
    report = reader.report("-n", lab.namespace)
    entry = entry_of(report, fault.code)
    assert entry is not None
    assert (entry["scope"], entry["blocks"]) == (["topology"], 1)
