"""Gates and the scheduler: rows 20 and 21 of the table of causes."""

from __future__ import annotations

import pytest
from diagnosis_dump import Site
from diagnosis_objects import ago
from diagnosis_report import report
from diagnosis_stages import SANDBOX

TAIL = " preemption: 0/9 nodes are available: 9 Preemption is not helpful for scheduling."
MESSAGES = {
    "2 Too many pods.": ("too-many-pods", ["add-capacity"]),
    "2 Insufficient cpu.": ("insufficient-cpu", ["add-capacity"]),
    "2 Insufficient nvidia.com/gpu.": ("insufficient-nvidia.com/gpu", ["add-capacity"]),
    "2 Insufficient hugepages-1Gi.": ("insufficient-hugepages-1Gi", ["add-capacity"]),
    "2 node(s) didn't match Pod's node affinity/selector.": ("node-selector", ["add-capacity", "fix-spec"]),
    "2 node(s) had untolerated taint {acme.example/a: b}.": ("taint", ["add-capacity", "fix-spec"]),
    "2 node(s) had untolerated taint(s).": ("taint", ["add-capacity", "fix-spec"]),
    "2 node(s) were unschedulable.": ("cordoned", ["add-capacity"]),
    "pod has unbound immediate PersistentVolumeClaims.": ("unbound-pvc", ["restore-object"]),
    "2 pod has unbound immediate PersistentVolumeClaims.": ("unbound-pvc", ["restore-object"]),
    "2 node(s) didn't match pod topology spread constraints.": ("topology-spread", ["add-capacity", "fix-spec"]),
    "2 node(s) had volume node affinity conflict.": ("other", ["add-capacity", "fix-spec"]),
    'persistentvolumeclaim "d1" not found.': ("other", ["add-capacity", "fix-spec"]),
    "": ("other", ["add-capacity", "fix-spec"]),
    # The most hosts, whatever the order.
    "1 Too many pods, 3 node(s) were unschedulable.": ("cordoned", ["add-capacity"]),
    "5 node(s) were unschedulable, 1 Insufficient cpu, 3 Insufficient memory.": ("cordoned", ["add-capacity"]),
    "1 Insufficient cpu, 3 Insufficient memory.": ("insufficient-memory", ["add-capacity"]),
    "1 node(s) had untolerated taint {a: b}, 12 Insufficient memory.": ("insufficient-memory", ["add-capacity"]),
    "5 node(s) had volume node affinity conflict, 1 Too many pods.": ("other", ["add-capacity", "fix-spec"]),
    # On a tie the upper row.
    "2 Insufficient cpu, 2 Too many pods.": ("too-many-pods", ["add-capacity"]),
    "2 node(s) were unschedulable, 2 node(s) had untolerated taint {a: b}.": ("taint", ["add-capacity", "fix-spec"]),
    "2 node(s) had volume node affinity conflict, 2 node(s) were unschedulable.": ("cordoned", ["add-capacity"]),
}  # fmt: skip


@pytest.mark.parametrize("text", MESSAGES)
def test_the_message_of_the_scheduler_is_read(text: str) -> None:
    sub, remedies = MESSAGES[text]
    site = Site(batch=1)
    message = f"0/9 nodes are available: {text}{TAIL}"
    site.unbound(site.node("lab/a"), message)
    found = report(site)
    found.expect("unschedulable", "G", "Node lab/a", sub=sub, remedies=remedies, since=ago(600))
    assert message in found.text("unschedulable")


def test_what_preemption_says_is_not_read() -> None:
    site = Site(batch=1)
    tail = " preemption: 0/9 nodes are available: 9 Insufficient cpu."
    site.unbound(site.node("lab/a"), f"0/9 nodes are available: 1 Too many pods.{tail}")
    report(site).expect("unschedulable", "G", "Node lab/a", sub="too-many-pods")


@pytest.mark.parametrize("new_api", [False, True])
def test_an_event_tells_where_the_condition_says_nothing(*, new_api: bool) -> None:
    site = Site(batch=1)
    pod = site.unbound(site.node("lab/a"), "")
    message = "0/2 nodes are available: 2 node(s) were unschedulable."
    site.event(pod, "FailedScheduling", message, new_api=new_api)
    found = report(site)
    found.expect("unschedulable", "G", "Node lab/a", sub="cordoned")
    assert message in found.text("unschedulable")


def test_an_entry_of_many_has_the_sub_of_most_and_the_remedies_of_all() -> None:
    site = Site(batch=5)
    texts = [
        "1 Too many pods.",
        "1 node(s) were unschedulable.",
        "1 node(s) had untolerated taint {a: b}.",
    ]
    for number, text in enumerate([*texts, texts[2]]):
        site.unbound(site.node(f"lab/{number}"), f"0/1 nodes are available: {text}")
    names = {f"Node lab/{number}" for number in range(4)}
    remedies = ["add-capacity", "fix-spec"]
    report(site).expect("unschedulable", "G", names, sub="taint", remedies=remedies)


def test_of_stuck_and_slow_ones_only_the_stuck_are_named() -> None:
    site = Site(batch=5)
    site.unbound(site.node("lab/old"), "0/1 nodes are available: 1 Too many pods.", 300)
    site.unbound(site.node("lab/new"), "0/1 nodes are available: 1 Insufficient cpu.", 299)
    found = report(site)
    found.expect("unschedulable", "G", "Node lab/old", sub="too-many-pods", state="stuck")
    assert "Insufficient" not in found.text("unschedulable")


def test_the_first_foreign_gate_is_named_and_ours_is_not() -> None:
    site = Site(batch=5)
    site.gated(site.node("lab/a"), "toolkit.c9s.run/startup", "kueue.x-k8s.io/admission", "b")
    found = report(site)
    sub = "kueue.x-k8s.io/admission"
    found.expect("scheduling-gated", "G", "Node lab/a", sub=sub, remedies=["lift-gate"])
    assert found.codes == ["scheduling-gated"]


def test_a_pod_without_a_host_neither_boots_nor_blames_hosts() -> None:
    site = Site(batch=1, per_host=1)
    pod = site.unbound(site.node("lab/a"), "0/1 nodes are available: 1 Too many pods.")
    assert all(one["type"] != SANDBOX for one in pod["status"]["conditions"])
    found = report(site)
    assert found.counts["hosts"] == {}
    found.expect("unschedulable", "G", "Node lab/a")


def test_a_workload_without_a_scheduler_is_unschedulable_too() -> None:
    site = Site(batch=1)
    pod = site.unbound(site.node("lab/a"), "")
    pod["status"]["conditions"] = []
    report(site).expect("unschedulable", "G", "Node lab/a", sub="other", since=ago(600))
