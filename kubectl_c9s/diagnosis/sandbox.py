"""From a host to a sandbox: why a bound Pod has none (causes.md rows 3, 22 to 25)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kubectl_c9s.diagnosis.case import of_condition, of_event, of_pod
from kubectl_c9s.diagnosis.finding import Evidence, Finding, host_ref, pod_ref
from kubectl_c9s.diagnosis.timing import latest, transition
from kubectl_c9s.resources.moments import seconds_of
from kubectl_c9s.rollout.views import SANDBOX

if TYPE_CHECKING:
    from kubectl_c9s.diagnosis.case import Case
    from kubectl_c9s.diagnosis.world import World
    from kubectl_c9s.resources.live import Condition
    from kubectl_c9s.resources.observed import ObservedPod
    from kubectl_c9s.resources.surroundings import Event, Host, Taint

_UNREACHABLE: Final = "node.kubernetes.io/unreachable"
_NO_NETWORK: Final = "node.kubernetes.io/network-unavailable"
_PRESSURES: Final = ("DiskPressure", "MemoryPressure", "PIDPressure")
_EVICTED: Final = "Evicted"
_MOUNT: Final = ("FailedMount", "FailedAttachVolume")
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
    evicted = pod.status.phase == "Failed" and pod.status.reason == _EVICTED
    if not name or (pressed is None and not evicted):
        return None
    found = [of_condition(host_ref(name), pressed)] if pressed else []
    if evicted:
        found.append(of_pod(pod, f"{_EVICTED}: {pod.status.message or ''}"))
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


def _since(pod: ObservedPod) -> float | None:
    return transition(pod, SANDBOX) or seconds_of(pod.metadata.creation_timestamp)


def volume_mount(case: Case, pod: ObservedPod) -> Finding | None:
    """Row 23: the latest Event about a volume tells what is wrong with it."""
    events = case.events_of(pod, *_MOUNT)
    if not events:
        return None
    # Of the latest moment the gravest: Events have a resolution of a second.
    at_last = [event for event in events if event.last == events[0].last]
    sub = min((_why_not_mounted(event) for event in at_last), key=_GRAVITY.index)
    shown = next(event for event in at_last if _why_not_mounted(event) == sub)
    since = _since(pod)
    state = "stuck" if sub == "not-found" else case.judge(since)
    remedy = {"attach": "repair-host", "cache-sync": "wait"}.get(sub, "restore-object")
    if sub == "cache-sync" and state == "stuck":
        remedy = "repair-host"
    found = [of_event(shown), *_where(pod)]
    return case.finding(
        "volume-mount", *found, since=since, state=state, sub=sub, remedies=(remedy,)
    )


_GRAVITY: Final = ("not-found", "attach", "cache-sync", "other")


def _why_not_mounted(event: Event) -> str:
    if "not found" in event.message:
        return "not-found"
    if event.reason == "FailedAttachVolume":
        return "attach"
    if "failed to sync" in event.message and "cache" in event.message:
        return "cache-sync"
    return "other"


def _where(pod: ObservedPod) -> list[Evidence]:
    """Quote the condition of the sandbox, or say that it is missing, with the host."""
    condition, host = pod.status.condition(SANDBOX), pod.spec.node_name
    if condition is None:
        return [of_pod(pod, f"no condition {SANDBOX} on host {host}")]
    evidence = of_condition(pod_ref(pod.metadata), condition)
    return [evidence._replace(text=f"{evidence.text} (host {host})")]


def sandbox_failed(case: Case, pod: ObservedPod) -> Finding | None:
    """Row 24: no sandbox; an Event may tell why. A network plugin that starts may hold a host for minutes."""
    if pod.status.condition(SANDBOX) is None and _has_started(pod):
        return None  # row 25
    since, found = _since(pod), _where(pod)
    events = case.events_of(pod, *_EXPLAINED)
    host = case.world.hosts.get(pod.spec.node_name or "")
    taint = _taint(host, _NO_NETWORK) if host else None
    if taint is not None:
        said = f"taint {taint.key}: the network plugin of the host is not ready"
        found.append(
            Evidence(host_ref(pod.spec.node_name or ""), "spec", said, taint.time_added or "")
        )
        since = latest(since, seconds_of(taint.time_added))
    if not events:
        more = {"sub": "unexplained", "remedies": ("fix-cni",) if taint else ("repair-host",)}
        return case.finding("sandbox-failed", *found, since=since, **more)
    return case.finding("sandbox-failed", of_event(events[0]), *found, since=since)


def condition_unavailable(case: Case, pod: ObservedPod) -> Finding | None:
    """Row 25: the Pod runs, and its host does not say whether it has a sandbox."""
    if pod.status.condition(SANDBOX) is not None or not _has_started(pod):
        return None
    since = seconds_of(pod.metadata.creation_timestamp)
    evidence = of_pod(pod, f"runs on {pod.spec.node_name} without the condition {SANDBOX}")
    return case.finding("condition-unavailable", evidence, since=since)


def _has_started(pod: ObservedPod) -> bool:
    statuses = pod.status.container_statuses or ()
    return pod.status.phase == "Running" and any(one.started for one in statuses)
