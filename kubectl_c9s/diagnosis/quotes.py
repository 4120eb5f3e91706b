"""What was seen, quoted word for word (causes.md §3, evidence)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kubectl_c9s.diagnosis.finding import Evidence, Ref, host_ref, pod_ref

if TYPE_CHECKING:
    from kubectl_c9s.resources.live import Condition, Meta
    from kubectl_c9s.resources.observed import ObservedPod
    from kubectl_c9s.resources.surroundings import Event, Host

_VERSIONS: Final = {"Deployment": "apps/v1", "ReplicaSet": "apps/v1"}


def of_condition(about: Ref, condition: Condition) -> Evidence:
    """Quote a condition."""
    text = f"{condition.type}={condition.status}"
    if condition.reason:
        text += f" {condition.reason}"
    if condition.message:
        text += f": {condition.message}"
    return Evidence(about, "condition", text, condition.last_transition_time or "")


def of_event(event: Event) -> Evidence:
    """Quote an Event."""
    about = event.about
    # Who writes an Event may leave the version out; most are about objects of the core.
    version = about.api_version or _VERSIONS.get(about.kind, "v1")
    ref = Ref(version, about.kind, about.namespace, about.name)
    return Evidence(ref, "event", f"{event.reason}: {event.message}", event.last, event.count)


def of_pod(pod: ObservedPod, text: str, time: str | None = None) -> Evidence:
    """Say what stands in a Pod's status."""
    return Evidence(pod_ref(pod.metadata), "status", text, time or "")


def of_host(host: Host | None) -> list[Evidence]:
    """Quote what keeps a host from being ready; nothing if it is well, or was not looked at."""
    ready = host.condition("Ready") if host is not None else None
    if host is None or ready is None or ready.status == "True":
        return []
    return [of_condition(host_ref(host.metadata.name), ready)]


def workload_ref(meta: Meta, kind: str) -> Ref:
    """Name a Deployment or ReplicaSet."""
    return Ref("apps/v1", kind, meta.namespace, meta.name)
