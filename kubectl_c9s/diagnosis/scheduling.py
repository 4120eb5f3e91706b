"""From a Pod to a host: why it is not bound (causes.md rows 2, 20, 21)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from kubectl_c9s.diagnosis.finding import Evidence, Finding, lease_ref, pod_ref
from kubectl_c9s.diagnosis.quotes import of_condition, of_event, of_pod
from kubectl_c9s.diagnosis.timing import transition
from kubectl_c9s.resources.moments import seconds_of

if TYPE_CHECKING:
    from kubectl_c9s.diagnosis.case import Case
    from kubectl_c9s.resources.observed import ObservedPod
    from kubectl_c9s.resources.surroundings import Lease

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


class _Reason(NamedTuple):
    """Why some hosts do not take a Pod; ``row`` is that of the table."""

    hosts: int
    row: int
    sub: str
    remedies: tuple[str, ...]


def _unbound(case: Case) -> ObservedPod | None:
    return case.pod if case.view is not None and not case.view.host else None


def _gates(pod: ObservedPod) -> list[str]:
    return [gate.name for gate in pod.spec.scheduling_gates or ()]


def pacer_down(case: Case) -> Finding | None:
    """Row 2: our own gate, and nobody to lift it. With a pacer at work there is no cause at all.

    What its Lease says since when is its last renewal; of one that is not there, the Pod tells since when it waits.
    """
    pod = _unbound(case)
    if pod is None or not _gates(pod) or set(_gates(pod)) != {OUR_GATE}:
        return None
    world, since = case.world, _since(pod)
    ref = lease_ref(world.place.namespace, PACER)
    evidence = of_pod(pod, f"scheduling gate {OUR_GATE}")
    lease = world.leases.get((world.place.namespace, PACER))
    seen = world.has("leases.coordination.k8s.io") and world.sees_home
    if not seen or (lease is not None and lease.is_held(world.now)):
        return case.finding("pacer-down", evidence, since=since, state="quiet")
    renewed = lease.spec.renew_time or "" if lease is not None else ""
    proof = Evidence(ref, "spec", f"Lease {PACER} {_flaw(lease)}", renewed)
    since = seconds_of(renewed) or since
    return case.finding("pacer-down", proof, evidence, since=since, objects=(ref,))


def _flaw(lease: Lease | None) -> str:
    if lease is None:
        return "is not there"
    return "has run out" if lease.spec.holder_identity else "has no holder"


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
    found = [_reason(part) for part in re.split(r",\s*(?=\d+ )", text)]
    best = min(found, key=lambda one: (-one.hosts, one.row))
    return best.sub, best.remedies


def _reason(part: str) -> _Reason:
    """Read one reason; one without a number, as that of an unbound claim is, stands for no host."""
    counted = _COUNT.match(part)
    hosts = int(counted[1]) if counted else 0
    for row, (sub, words, remedies) in enumerate(_REASONS):
        if words in part:
            resource = _RESOURCE.search(part)
            name = f"{sub}{resource[1].rstrip('.')}" if sub.endswith("-") and resource else sub
            return _Reason(hosts, row, name, remedies)
    return _Reason(hosts, len(_REASONS), "other", _CAPACITY_OR_SPEC)
