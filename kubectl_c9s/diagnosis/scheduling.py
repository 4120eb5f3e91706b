"""From a Pod to a host: why it is not bound (causes.md rows 2, 20, 21)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from kubectl_c9s.diagnosis.case import of_condition, of_event, of_pod
from kubectl_c9s.diagnosis.finding import Evidence, Finding, lease_ref, pod_ref
from kubectl_c9s.diagnosis.leader import is_fresh
from kubectl_c9s.diagnosis.timing import transition
from kubectl_c9s.resources.moments import seconds_of

if TYPE_CHECKING:
    from kubectl_c9s.diagnosis.case import Case
    from kubectl_c9s.resources.observed import ObservedPod

OUR_GATE: Final = "toolkit.c9s.run/startup"
PACER: Final = "c9s-reconciler"
_SCHEDULED: Final = "PodScheduled"
_RESOURCE: Final = re.compile(r"Insufficient ([A-Za-z0-9./_-]+)")
_COUNT: Final = re.compile(r"\s*(\d+) (.*)", re.DOTALL)
_CAPACITY: Final = ("add-capacity",)
_CAPACITY_OR_SPEC: Final = ("add-capacity", "fix-spec")
# In the order of the table of causes.md §1.1; a row of its own says which resource is missing.
_REASONS: Final = (
    ("too-many-pods", "Too many pods", _CAPACITY),
    ("insufficient-", "Insufficient ", _CAPACITY),
    ("node-selector", "didn't match Pod's node affinity/selector", _CAPACITY_OR_SPEC),
    ("taint", "untolerated taint", _CAPACITY_OR_SPEC),
    ("cordoned", "were unschedulable", _CAPACITY),
    ("unbound-pvc", "unbound immediate PersistentVolumeClaims", ("restore-object",)),
    ("topology-spread", "didn't match pod topology spread", _CAPACITY_OR_SPEC),
)


def _unbound(case: Case) -> ObservedPod | None:
    return case.pod if case.view is not None and not case.view.host else None


def _gates(pod: ObservedPod) -> list[str]:
    return [gate.name for gate in pod.spec.scheduling_gates or ()]


def pacer_down(case: Case) -> Finding | None:
    """Row 2: our own gate, and nobody to lift it. With a pacer at work there is no cause at all."""
    pod = _unbound(case)
    if pod is None or not _gates(pod) or set(_gates(pod)) != {OUR_GATE}:
        return None
    world, since = case.world, _since(pod)
    ref = lease_ref(world.place.namespace, PACER)
    evidence = of_pod(pod, f"scheduling gate {OUR_GATE}")
    if not world.has("leases.coordination.k8s.io"):
        return case.finding("pacer-down", evidence, since=since, state="quiet")
    lease = world.leases.get((world.place.namespace, PACER))
    if lease is not None and is_fresh(lease, world.now):
        return case.finding("pacer-down", evidence, since=since, state="quiet")
    said = f"Lease {PACER} " + ("has run out" if lease is not None else "is not there")
    renewed = lease.spec.renew_time or "" if lease is not None else ""
    proof = Evidence(ref, "spec", said, renewed)
    return case.finding("pacer-down", proof, evidence, since=since, objects=(ref,))


def scheduling_gated(case: Case) -> Finding | None:
    """Row 20: a gate that is not ours."""
    pod = _unbound(case)
    foreign = [name for name in _gates(pod) if name != OUR_GATE] if pod else []
    if pod is None or not foreign:
        return None
    evidence = of_pod(pod, f"scheduling gate {foreign[0]}")
    return case.finding("scheduling-gated", evidence, since=_since(pod), sub=foreign[0])


def unschedulable(case: Case) -> Finding | None:
    """Row 21; a scheduler that says nothing at all leaves the sub ``other``."""
    pod = _unbound(case)
    if pod is None or pod.status.phase in ("Succeeded", "Failed"):
        return None
    condition = pod.status.condition(_SCHEDULED)
    events = case.events_of(pod, "FailedScheduling")
    message = (condition.message if condition else "") or (events[0].message if events else "")
    sub, remedies = why_unschedulable(message or "")
    found = [of_condition(pod_ref(pod.metadata), condition)] if condition else []
    found += [of_event(event) for event in events[:1]]
    if not found:
        found = [of_pod(pod, "no host, and nothing from the scheduler")]
    return case.finding("unschedulable", *found, since=_since(pod), sub=sub, remedies=remedies)


def _since(pod: ObservedPod) -> float | None:
    return transition(pod, _SCHEDULED) or seconds_of(pod.metadata.creation_timestamp)


def why_unschedulable(message: str) -> tuple[str, tuple[str, ...]]:
    """Give sub and remedies: of several reasons the one with most hosts, on a tie the upper row (§1.1)."""
    text = message.partition("available:")[2] or message
    text = text.partition("preemption:")[0]
    best: tuple[int, int, str, tuple[str, ...]] | None = None
    for part in re.split(r",\s*(?=\d+ )", text):
        counted = _COUNT.match(part)
        hosts = int(counted[1]) if counted else 0
        for row, (sub, words, remedies) in enumerate(_REASONS):
            if words not in part:
                continue
            resource = _RESOURCE.search(part)
            name = f"{sub}{resource[1].rstrip('.')}" if sub.endswith("-") and resource else sub
            if best is None or (-hosts, row) < (-best[0], best[1]):
                best = (hosts, row, name, remedies)
            break
    return (best[2], best[3]) if best else ("other", _CAPACITY_OR_SPEC)
