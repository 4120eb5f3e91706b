"""From a sandbox to a started device: why a Pod keeps its slot (causes.md rows 26 to 33)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from kubectl_c9s.diagnosis.case import of_event, of_pod
from kubectl_c9s.diagnosis.finding import Evidence, Finding, pod_ref
from kubectl_c9s.diagnosis.timing import latest, transition, written_at
from kubectl_c9s.resources.moments import seconds_of
from kubectl_c9s.rollout.views import GATE, HOST_GRANT, PRIMARY_CONTAINER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubectl_c9s.diagnosis.case import Case
    from kubectl_c9s.diagnosis.peers import Peers
    from kubectl_c9s.diagnosis.world import World
    from kubectl_c9s.resources.observed import ObservedContainerStatus, ObservedPod

_PULL: Final = ("ErrImagePull", "ImagePullBackOff", "InvalidImageName", "ErrImageNeverPull")
_PULL_ENDS: Final = ("InvalidImageName", "ErrImageNeverPull")
_CONFIG: Final = ("CreateContainerConfigError", "CreateContainerError", "RunContainerError")
_LOOP: Final = "CrashLoopBackOff"


def statuses(pod: ObservedPod) -> Iterator[ObservedContainerStatus]:
    """Give the statuses of all containers, those of the preparation first."""
    yield from pod.status.init_container_statuses or ()
    yield from pod.status.container_statuses or ()


def status_of(pod: ObservedPod, name: str) -> ObservedContainerStatus | None:
    """Give the status of one container."""
    return next((one for one in statuses(pod) if one.name == name), None)


def primary(pod: ObservedPod) -> ObservedContainerStatus | None:
    """Give the status of the primary container."""
    name = pod.metadata.annotation(PRIMARY_CONTAINER)
    return next((one for one in pod.status.container_statuses or () if one.name == name), None)


def _about(pod: ObservedPod) -> dict[str, Any]:
    return {"objects": (pod_ref(pod.metadata),)}


def _created(pod: ObservedPod) -> float | None:
    return seconds_of(pod.metadata.creation_timestamp)


def _unready(pod: ObservedPod) -> float | None:
    return latest(_created(pod), transition(pod, "ContainersReady"))


def image_pull(case: Case, pod: ObservedPod) -> Finding | None:
    """Row 26."""
    return _waiting(case, pod, "image-pull", _PULL)


def container_config(case: Case, pod: ObservedPod) -> Finding | None:
    """Row 27."""
    return _waiting(case, pod, "container-config", _CONFIG)


def _waiting(case: Case, pod: ObservedPod, code: str, reasons: tuple[str, ...]) -> Finding | None:
    """Find a container that waits for one of the reasons; the sub is the reason."""
    for status in statuses(pod):
        waiting = status.in_state("waiting") or {}
        reason = str(waiting.get("reason") or "")
        if reason not in reasons:
            continue
        text = f"container {status.name}: {reason}: {waiting.get('message') or ''}"
        more = _about(pod) | {"sub": reason}
        if reason in _PULL_ENDS:
            more["state"] = "stuck"
        if code == "container-config":
            missing = reason == "CreateContainerConfigError"
            more["remedies"] = ("restore-object",) if missing else ("fix-workload",)
        events = case.events_of(pod, "Failed", "BackOff")
        found = [of_pod(pod, text), *(of_event(event) for event in events[:1])]
        return case.finding(code, *found, since=_unready(pod), **more)
    return None


def preparation_failed(case: Case, pod: ObservedPod) -> Finding | None:
    """Row 28: the planner in the Pod has ended with an error, or does so again and again."""
    status = status_of(pod, "planner")
    if status is None:
        return None
    ended = status.in_state("terminated") or (status.last_state or {}).get("terminated") or {}
    looping = (status.in_state("waiting") or {}).get("reason") == _LOOP
    running_well = status.in_state("terminated") is not None and not ended.get("exitCode")
    if running_well or not (ended.get("exitCode") or looping):
        return None
    reason = _LOOP if looping else ended.get("reason") or "Error"
    text = f"container planner: {reason}, exit code {ended.get('exitCode', 'unknown')}"
    since = seconds_of(str(ended.get("finishedAt") or "")) or _created(pod)
    return case.finding("preparation-failed", of_pod(pod, text), since=since, **_about(pod))


def connectivity_not_ready(case: Case, pod: ObservedPod) -> Finding | None:
    """Row 29."""
    status = status_of(pod, "clabwire")
    running = status.in_state("running") if status else None
    if status is None or running is None or status.started:
        return None
    since = seconds_of(str(running.get("startedAt") or "")) or _created(pod)
    text = "container clabwire runs and has not started: the links of the device are not up"
    return case.finding("connectivity-not-ready", of_pod(pod, text), since=since, **_about(pod))


def primary_crashloop(case: Case, pod: ObservedPod) -> Finding | None:
    """Row 30."""
    status = primary(pod)
    waiting = (status.in_state("waiting") if status else None) or {}
    if status is None or waiting.get("reason") != _LOOP:
        return None
    ended = (status.last_state or {}).get("terminated") or {}
    code = ended.get("exitCode", "unknown")
    text = (
        f"container {status.name}: {_LOOP}, {status.restart_count} restarts, last exit code {code}"
    )
    events = case.events_of(pod, "BackOff")
    found = [of_pod(pod, text), *(of_event(event) for event in events[:1])]
    return case.finding("primary-crashloop", *found, since=_unready(pod), **_about(pod))


def booting_since(pod: ObservedPod) -> float | None:
    """Say since when the primary runs without having started; None when it does not run."""
    status = primary(pod)
    running = status.in_state("running") if status else None
    if status is None or running is None or status.started:
        return None
    return seconds_of(str(running.get("startedAt") or "")) or _created(pod)


def allowance(pod: ObservedPod) -> float:
    """Give the seconds the startup probe of the primary allows; 0 without one."""
    name = pod.metadata.annotation(PRIMARY_CONTAINER)
    probe = next((one.startup_probe for one in pod.spec.containers or () if one.name == name), None)
    if probe is None:
        return 0.0

    def number(key: str, default: int) -> float:
        value = probe.get(key)
        return float(value) if isinstance(value, int | float) else float(default)

    tries = number("failureThreshold", 3) * number("periodSeconds", 10)
    return number("initialDelaySeconds", 0) + tries


def _outlasted(case: Case, pod: ObservedPod) -> list[Evidence] | None:
    """Say that a startup probe fails for good: the primary has restarted, or its time is over (causes.md §2, slot)."""
    since, status = booting_since(pod), primary(pod)
    if since is None or status is None:
        return None
    age, allowed = case.world.age(since), allowance(pod)
    if not status.restart_count and age < allowed:
        return None
    text = f"container {status.name} runs for {age:.0f} s without having started, {status.restart_count} restarts"
    events = [
        event
        for event in case.events_of(pod, "Unhealthy")
        if "Startup probe failed" in event.message
    ]
    return [
        of_pod(pod, f"{text}, on {pod.spec.node_name}"),
        *(of_event(event) for event in events[:1]),
    ]


def probe_needs_peer(case: Case, pod: ObservedPod, peers: Peers) -> Finding | None:
    """Row 31: everybody who boots here waits for somebody who waits for a slot."""
    found = _outlasted(case, pod)
    queued = peers.queued_peers(pod) if found is not None else []
    if found is None or not queued or not peers.all_wait_for_peers(pod):
        return None
    said = of_pod(pod, f"peers by its Links wait for a slot: {', '.join(queued)}")
    code = "startup-probe-needs-peer"
    return case.finding(code, *found, said, since=booting_since(pod), state="stuck", **_about(pod))


def probe_failing(case: Case, pod: ObservedPod) -> Finding | None:
    """Row 32."""
    found = _outlasted(case, pod)
    if found is None:
        return None
    code = "startup-probe-failing"
    return case.finding(code, *found, since=booting_since(pod), state="stuck", **_about(pod))


def grant_not_projected(case: Case, pod: ObservedPod) -> Finding | None:
    """Row 33: the grant is on the Pod, and the gate inside does not see it."""
    gate = status_of(pod, GATE)
    running = gate.in_state("running") if gate else None
    if running is None or pod.metadata.annotation(HOST_GRANT) != pod.metadata.uid:
        return None
    since = written_at(pod.metadata, HOST_GRANT) or latest(
        seconds_of(str(running.get("startedAt") or "")),
        _last_start(case.world, pod.spec.node_name or ""),
    )
    late = case.world.age(since) > case.world.settings.grant_after
    text = f"granted, and {GATE} still runs on {pod.spec.node_name} after {case.world.age(since):.0f} s"
    state = "stuck" if late else "quiet"
    return case.finding(
        "grant-not-projected", of_pod(pod, text), since=since, state=state, **_about(pod)
    )


def _last_start(world: World, host: str) -> float | None:
    """Say when a primary last started on a host: the slot it left may be the one that was granted."""
    starts = [
        seconds_of(str((status.in_state("running") or {}).get("startedAt") or ""))
        for view in world.snapshot.pods
        if view.host == host and view.started and (status := primary(world.pods[view.uid]))
    ]
    return latest(*starts)
