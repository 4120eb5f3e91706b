"""Live objects as far as we read them: partial structs that raw API answers are decoded into (design: typed reads).

Fields carry the API's names in snake case; what the API leaves out is None, empty or false. Decoding raises
``msgspec.ValidationError`` when a field has another type than the API gives it.
"""

from __future__ import annotations

from collections.abc import Sequence  # noqa: TC003 - msgspec reads the annotations
from typing import Any

import msgspec


class OwnerReference(msgspec.Struct, rename="camel"):
    """An owner reference."""

    api_version: str = ""
    kind: str = ""
    name: str = ""
    uid: str = ""
    controller: bool | None = None


class Meta(msgspec.Struct, rename="camel"):
    """Metadata; times are RFC 3339 texts in UTC with a resolution of one second, so they sort as texts."""

    name: str = ""
    namespace: str = ""
    uid: str = ""
    resource_version: str = ""
    creation_timestamp: str | None = None
    deletion_timestamp: str | None = None
    labels: dict[str, str] | None = None
    annotations: dict[str, str] | None = None
    owner_references: list[OwnerReference] | None = None

    def label(self, key: str) -> str | None:
        """Give the value of a label."""
        return self.labels.get(key) if self.labels else None

    def annotation(self, key: str) -> str:
        """Give the value of an annotation, empty when there is none."""
        return (self.annotations or {}).get(key, "")


class OwnedMeta(Meta, rename="camel"):
    """Metadata with the ownership of fields, for kinds of which there are few."""

    managed_fields: list[dict[str, Any]] | None = None


class ProfileRef(msgspec.Struct):
    """The NodeProfile a Node names."""

    name: str = ""


class HealthCheck(msgspec.Struct):
    """A health check of a device: the words of its command."""

    test: list[str] | None = None


class LabNodeSpec(msgspec.Struct, rename={"network_mode": "network-mode", "profile": "profileRef"}):
    """Spec of a c9s Node."""

    network_mode: str | None = None
    profile: ProfileRef | None = None
    healthcheck: HealthCheck | None = None


class LabNode(msgspec.Struct):
    """A c9s Node."""

    metadata: Meta
    spec: LabNodeSpec = msgspec.field(default_factory=LabNodeSpec)


class Rollout(msgspec.Struct, rename="camel"):
    """A rollout policy; absent and 0 both mean off."""

    batch_size: int | None = None
    max_concurrent_per_host: int | None = None


class TopologySpec(msgspec.Struct):
    """Spec of a Topology, without its definition."""

    rollout: Rollout | None = None


class TopologyStatus(msgspec.Struct, rename="camel"):
    """Status of a Topology: how many Nodes its definition has."""

    node_count: int | None = None


class Topology(msgspec.Struct):
    """A Topology."""

    metadata: OwnedMeta
    spec: TopologySpec = msgspec.field(default_factory=TopologySpec)
    status: TopologyStatus = msgspec.field(default_factory=TopologyStatus)


class StatusProbes(msgspec.Struct, rename="camel"):
    """Probes of the devices of a profile; present without ``enabled`` means on (split.md §1.4)."""

    enabled: bool = True
    excluded_nodes: list[str] | None = None


class NodeProfileSpec(msgspec.Struct, rename="camel"):
    """Spec of a NodeProfile."""

    status_probes: StatusProbes | None = None


class NodeProfile(msgspec.Struct):
    """A NodeProfile."""

    metadata: Meta
    spec: NodeProfileSpec = msgspec.field(default_factory=NodeProfileSpec)


class Condition(msgspec.Struct, rename="camel"):
    """A condition of a status."""

    type: str = ""
    status: str = ""
    reason: str | None = None
    message: str | None = None
    last_transition_time: str | None = None


class Container(msgspec.Struct, rename="camel"):
    """A container of a Pod; its startup probe as it is."""

    name: str = ""
    startup_probe: dict[str, object] | None = None


class PodSpec(msgspec.Struct, rename="camel"):
    """Spec of a Pod."""

    node_name: str | None = None
    containers: Sequence[Container] | None = None
    init_containers: list[Container] | None = None


class ContainerStatus(msgspec.Struct, rename="camel"):
    """Status of a container."""

    name: str = ""
    started: bool | None = None
    state: dict[str, dict[str, object] | None] | None = None


class PodStatus(msgspec.Struct, rename="camel"):
    """Status of a Pod."""

    phase: str = ""
    conditions: list[Condition] | None = None
    container_statuses: Sequence[ContainerStatus] | None = None
    init_container_statuses: Sequence[ContainerStatus] | None = None

    def condition(self, kind: str) -> Condition | None:
        """Give a condition by its type."""
        return next((one for one in self.conditions or () if one.type == kind), None)


class Pod(msgspec.Struct):
    """A Pod."""

    metadata: Meta
    spec: PodSpec = msgspec.field(default_factory=PodSpec)
    status: PodStatus = msgspec.field(default_factory=PodStatus)
