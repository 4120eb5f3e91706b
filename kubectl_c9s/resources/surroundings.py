"""What stands around the devices of a lab: workloads' owners, hosts, Leases, Events, as partial structs."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from kubectl_c9s.resources.live import Condition, Meta
from kubectl_c9s.resources.moments import seconds_of

_DURATION: Final = 60


class TemplateContainer(msgspec.Struct):
    """A container of a Pod template: its image."""

    name: str = ""
    image: str = ""


class TemplateSpec(msgspec.Struct):
    """Spec of a Pod template."""

    containers: list[TemplateContainer] | None = None


class Template(msgspec.Struct):
    """A Pod template."""

    metadata: Meta = msgspec.field(default_factory=Meta)
    spec: TemplateSpec = msgspec.field(default_factory=TemplateSpec)


class WorkloadSpec(msgspec.Struct):
    """Spec of a Deployment or ReplicaSet."""

    replicas: int | None = None
    template: Template = msgspec.field(default_factory=Template)


class WorkloadStatus(msgspec.Struct, rename="camel"):
    """Status of a Deployment or ReplicaSet."""

    replicas: int = 0
    available_replicas: int = 0
    updated_replicas: int = 0
    conditions: list[Condition] | None = None

    def condition(self, kind: str) -> Condition | None:
        """Give a condition by its type."""
        return next((one for one in self.conditions or () if one.type == kind), None)


class Workload(msgspec.Struct):
    """A Deployment or ReplicaSet."""

    metadata: Meta
    spec: WorkloadSpec = msgspec.field(default_factory=WorkloadSpec)
    status: WorkloadStatus = msgspec.field(default_factory=WorkloadStatus)


class Taint(msgspec.Struct, rename="camel"):
    """A taint of a host."""

    key: str = ""
    effect: str = ""
    time_added: str | None = None


class HostSpec(msgspec.Struct):
    """Spec of a host."""

    taints: list[Taint] | None = None
    unschedulable: bool = False


class HostStatus(msgspec.Struct):
    """Status of a host."""

    conditions: list[Condition] | None = None


class Host(msgspec.Struct):
    """A core ``v1`` Node: a Kubernetes host."""

    metadata: Meta
    spec: HostSpec = msgspec.field(default_factory=HostSpec)
    status: HostStatus = msgspec.field(default_factory=HostStatus)

    def condition(self, kind: str) -> Condition | None:
        """Give a condition by its type."""
        return next((one for one in self.status.conditions or () if one.type == kind), None)


class LeaseSpec(msgspec.Struct, rename="camel"):
    """Spec of a Lease."""

    holder_identity: str | None = None
    lease_duration_seconds: int | None = None
    renew_time: str | None = None
    lease_transitions: int | None = None


class Lease(msgspec.Struct):
    """A Lease; one that does not say for how long holds for 60 seconds."""

    metadata: Meta
    spec: LeaseSpec = msgspec.field(default_factory=LeaseSpec)

    @property
    def duration(self) -> int:
        """Give the seconds for which it holds after it was renewed."""
        return self.spec.lease_duration_seconds or _DURATION

    def is_held(self, now: float) -> bool:
        """Tell whether somebody holds it at a moment, in seconds since 1970."""
        renewed = seconds_of(self.spec.renew_time)
        return (
            bool(self.spec.holder_identity)
            and renewed is not None
            and now - renewed <= self.duration
        )


class Reference(msgspec.Struct, rename="camel"):
    """The object an Event is about."""

    api_version: str = ""
    kind: str = ""
    namespace: str = ""
    name: str = ""
    uid: str = ""


class Series(msgspec.Struct, rename="camel"):
    """Repetitions of an Event."""

    count: int = 0
    last_observed_time: str | None = None


class RawEvent(msgspec.Struct, rename="camel"):
    """An Event of either API: core ``v1`` or ``events.k8s.io/v1`` (diagnosis.md §1)."""

    metadata: Meta
    involved_object: Reference | None = None
    regarding: Reference | None = None
    reason: str | None = None
    message: str | None = None
    note: str | None = None
    type: str | None = None
    count: int | None = None
    deprecated_count: int | None = None
    series: Series | None = None
    event_time: str | None = None
    first_timestamp: str | None = None
    last_timestamp: str | None = None
    deprecated_last_timestamp: str | None = None
    reporting_component: str | None = None
    reporting_controller: str | None = None
    source: dict[str, Any] | None = None


class Event(msgspec.Struct, frozen=True):
    """An Event, whichever API it came by: when it was seen last, how often, about which object."""

    about: Reference
    reason: str
    message: str
    warning: bool
    count: int
    last: str
    reporter: str


def event_of(raw: RawEvent) -> Event:
    """Read an Event of either API."""
    series = raw.series or Series()
    times = (
        series.last_observed_time,
        raw.last_timestamp,
        raw.deprecated_last_timestamp,
        raw.event_time,
        raw.first_timestamp,
        raw.metadata.creation_timestamp,
    )
    source = str((raw.source or {}).get("component") or "")
    return Event(
        about=raw.involved_object or raw.regarding or Reference(),
        reason=raw.reason or "",
        message=raw.message or raw.note or "",
        warning=raw.type == "Warning",
        count=series.count or raw.count or raw.deprecated_count or 1,
        last=next((time for time in times if time), ""),
        reporter=raw.reporting_controller or raw.reporting_component or source,
    )
