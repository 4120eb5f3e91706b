"""From a host to a sandbox: why a bound Pod has none (causes.md rows 3, 22, 24, 25)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kubectl_c9s.diagnosis.bound import has_run_unseen, since_sandbox, stage_began, where
from kubectl_c9s.diagnosis.finding import Evidence, Finding, host_ref
from kubectl_c9s.diagnosis.quotes import of_condition, of_event, of_pod
from kubectl_c9s.diagnosis.timing import latest
from kubectl_c9s.resources.moments import seconds_of
from kubectl_c9s.rollout.views import SANDBOX

if TYPE_CHECKING:
    from kubectl_c9s.diagnosis.case import Case
    from kubectl_c9s.diagnosis.world import World
    from kubectl_c9s.resources.live import Condition
    from kubectl_c9s.resources.observed import ObservedPod
    from kubectl_c9s.resources.surroundings import Host, Taint

_UNREACHABLE: Final = "node.kubernetes.io/unreachable"
_NO_NETWORK: Final = "node.kubernetes.io/network-unavailable"
_PRESSURES: Final = ("DiskPressure", "MemoryPressure", "PIDPressure")
_EVICTED: Final = "Evicted"
_EXPLAINED: Final = ("FailedCreatePodSandBox", "FailedCreatePodSandbox")


def host_not_ready(case: Case, pod: ObservedPod) -> Finding | None:
    """Row 3: the host of a Pod that blocks or boots does not answer."""
    name = pod.spec.node_name or ""
    evidence = host_trouble(case.world, name)
    if evidence is None:
        return None
    since = latest(seconds_of(evidence.time), seconds_of(pod.metadata.creation_timestamp))
    return case.finding("host-not-ready", evidence, since=since, objects=(case.ref, host_ref(name)))


def host_trouble(world: World, name: str) -> Evidence | None:
    """Say why a host counts as not ready, None if it is well or was not looked at."""
    if not name or not world.has("nodes"):
        return None
    host, ref = world.hosts.get(name), host_ref(name)
    if host is None:
        return Evidence(ref, "status", f"host {name} is not there any more")
    ready = host.condition("Ready")
    if ready is not None and ready.status != "True":
        return of_condition(ref, ready)
    taint = _taint(host, _UNREACHABLE)
    return Evidence(ref, "spec", f"taint {taint.key}", taint.time_added or "") if taint else None


def _taint(host: Host, key: str) -> Taint | None:
    return next((taint for taint in host.spec.taints or () if taint.key == key), None)


def host_pressure(case: Case, pod: ObservedPod) -> Finding | None:
    """Row 22: the host is short of something, or has thrown the Pod out for that."""
    name = pod.spec.node_name or ""
    host = case.world.hosts.get(name)
    pressed = _pressure(host)
    events = case.events_of(pod, _EVICTED)
    evicted = pod.status.phase == "Failed" and (pod.status.reason == _EVICTED or bool(events))
    if not name or (pressed is None and not evicted):
        return None
    found = [of_condition(host_ref(name), pressed)] if pressed else []
    if evicted:
        found.append(of_pod(pod, f"{_EVICTED}: {pod.status.message or ''}"))
        found += [of_event(event) for event in events[:1]]
    since = latest(
        seconds_of(pressed.last_transition_time) if pressed else None,
        seconds_of(pod.metadata.creation_timestamp),
    )
    sub = pressed.type if pressed else _EVICTED
    objects = (case.ref, host_ref(name))
    return case.finding("host-pressure", *found, since=since, sub=sub, objects=objects)


def _pressure(host: Host | None) -> Condition | None:
    conditions = [host.condition(kind) for kind in _PRESSURES] if host else []
    return next((one for one in conditions if one is not None and one.status == "True"), None)


def sandbox_failed(case: Case, pod: ObservedPod) -> Finding | None:
    """Row 24: no sandbox; an Event may tell why.

    A taint of the host may tell that its network plugin is not ready, which is shown. One that starts may hold a host
    for minutes: that much patience the class has anyway.
    """
    if has_run_unseen(pod):
        return None
    since, found = since_sandbox(pod), where(pod)
    events = case.events_of(pod, *_EXPLAINED, since=stage_began(pod))
    host = case.world.hosts.get(pod.spec.node_name or "")
    taint = _taint(host, _NO_NETWORK) if host else None
    if host is not None and taint is not None:
        said = f"taint {taint.key}: the network plugin of the host is not ready"
        found.append(Evidence(host_ref(host.metadata.name), "spec", said, taint.time_added or ""))
    if events:
        return case.finding("sandbox-failed", of_event(events[0]), *found, since=since)
    remedies = ("repair-host", "fix-cni") if taint else ("repair-host",)
    return case.finding("sandbox-failed", *found, since=since, sub="unexplained", remedies=remedies)


def condition_unavailable(case: Case, pod: ObservedPod) -> Finding | None:
    """Row 25: the Pod runs, and its host does not say whether it has a sandbox."""
    if not has_run_unseen(pod):
        return None
    since = seconds_of(pod.metadata.creation_timestamp)
    evidence = of_pod(pod, f"runs on {pod.spec.node_name} without the condition {SANDBOX}")
    return case.finding("condition-unavailable", evidence, since=since)
