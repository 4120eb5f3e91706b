"""From a sandbox to a started device: why a Pod keeps its slot (causes.md rows 26 to 30)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from kubectl_c9s.diagnosis.bound import statuses
from kubectl_c9s.diagnosis.finding import Finding, pod_ref
from kubectl_c9s.diagnosis.quotes import of_event, of_pod
from kubectl_c9s.diagnosis.timing import latest, transition
from kubectl_c9s.resources.moments import seconds_of
from kubectl_c9s.rollout.views import PRIMARY_CONTAINER

if TYPE_CHECKING:
    from kubectl_c9s.diagnosis.case import Case
    from kubectl_c9s.resources.observed import ObservedContainerStatus, ObservedPod

_PULL: Final = (
    "ErrImagePull", "ImagePullBackOff", "InvalidImageName", "ErrImageNeverPull", "ImageInspectError",
    "RegistryUnavailable", "SignatureValidationFailed",
)  # fmt: skip
_PULL_ENDS: Final = ("InvalidImageName", "ErrImageNeverPull")
_CONFIG: Final = ("CreateContainerConfigError", "CreateContainerError", "RunContainerError")
_LOOP: Final = "CrashLoopBackOff"


def status_of(pod: ObservedPod, name: str) -> ObservedContainerStatus | None:
    """Give the status of one container."""
    return next((one for one in statuses(pod) if one.name == name), None)


def primary(pod: ObservedPod) -> ObservedContainerStatus | None:
    """Give the status of the primary container."""
    name = pod.metadata.annotation(PRIMARY_CONTAINER)
    return next((one for one in pod.status.container_statuses or () if one.name == name), None)


def _on(pod: ObservedPod) -> str:
    return f" on {pod.spec.node_name}" if pod.spec.node_name else ""


def about(pod: ObservedPod) -> dict[str, Any]:
    """Give the objects of a finding about a Pod."""
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
        said = str(waiting.get("message") or "").removeprefix(f"{reason}: ")
        text = f"container {status.name}{_on(pod)}: {reason}: {said}"
        more = about(pod) | {"sub": reason}
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
    text = f"container planner{_on(pod)}: {reason}, exit code {ended.get('exitCode', 'unknown')}"
    since = seconds_of(str(ended.get("finishedAt") or "")) or _created(pod)
    return case.finding("preparation-failed", of_pod(pod, text), since=since, **about(pod))


def connectivity_not_ready(case: Case, pod: ObservedPod) -> Finding | None:
    """Row 29; its startup probe ends it after 300 tries of 1 s, so what counts is when it first ran in vain."""
    status = status_of(pod, "clabwire")
    if status is None or status.started or (status.started is None and booting_since(pod)):
        return None
    last = (status.last_state or {}).get("terminated") or {}
    running, waiting = status.in_state("running"), status.in_state("waiting") or {}
    if running is None and waiting.get("reason") != _LOOP:
        return None
    began = last if status.restart_count else running or {}
    since = seconds_of(str(began.get("startedAt") or "")) or _created(pod)
    does = "runs" if running is not None else f"waits: {_LOOP}"
    text = (
        f"container clabwire{_on(pod)} {does} and has not started, {status.restart_count} restarts"
    )
    return case.finding("connectivity-not-ready", of_pod(pod, text), since=since, **about(pod))


def primary_crashloop(case: Case, pod: ObservedPod) -> Finding | None:
    """Row 30."""
    status = primary(pod)
    waiting = (status.in_state("waiting") if status else None) or {}
    if status is None or waiting.get("reason") != _LOOP:
        return None
    ended = (status.last_state or {}).get("terminated") or {}
    code = ended.get("exitCode", "unknown")
    text = f"container {status.name}{_on(pod)}: {_LOOP}, {status.restart_count} restarts, last exit code {code}"
    events = case.events_of(pod, "BackOff")
    found = [of_pod(pod, text), *(of_event(event) for event in events[:1])]
    return case.finding("primary-crashloop", *found, since=_unready(pod), **about(pod))


def booting_since(pod: ObservedPod) -> float | None:
    """Say since when the primary runs without having started; None when it does not run."""
    status = primary(pod)
    running = status.in_state("running") if status else None
    if status is None or running is None or status.started:
        return None
    return seconds_of(str(running.get("startedAt") or "")) or _created(pod)
