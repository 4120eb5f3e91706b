"""Live objects as a diagnosis reads them: more fields than the gates need (diagnosis.md §§1, 3).

``managed_fields`` stays undecoded: of ten thousand objects only those are looked into that stand in the way.
"""

from __future__ import annotations

from collections.abc import Sequence  # noqa: TC003 - msgspec reads the annotations
from typing import Any

import msgspec

from kubectl_c9s.resources.live import (
    Condition,
    Container,
    ContainerStatus,
    LabNode,
    Meta,
    Pod,
    PodSpec,
    PodStatus,
    Topology,
    TopologyStatus,
)

Json = dict[str, Any]


class ObservedMeta(Meta, rename="camel"):
    """Metadata with what tells why an object does not go, and when a field was written."""

    generation: int = 0
    finalizers: list[str] | None = None
    deletion_grace_period_seconds: int | None = None
    managed_fields: msgspec.Raw = msgspec.Raw()


class ObservedCondition(Condition, rename="camel"):
    """A condition with the generation it speaks of."""

    observed_generation: int | None = None


class NodeStatus(msgspec.Struct, rename="camel"):
    """Status of a c9s Node."""

    conditions: list[ObservedCondition] | None = None
    readiness: str | None = None
    plan_digest: str | None = None


class ObservedNode(LabNode):
    """A c9s Node."""

    metadata: ObservedMeta
    status: NodeStatus = msgspec.field(default_factory=NodeStatus)


class ObservedTopologyStatus(TopologyStatus, rename="camel"):
    """Status of a Topology."""

    conditions: list[ObservedCondition] | None = None
    error: str | None = None
    topology_state: str | None = None


class ObservedTopology(Topology):
    """A Topology."""

    status: ObservedTopologyStatus = msgspec.field(default_factory=ObservedTopologyStatus)


class Endpoint(msgspec.Struct, rename="camel"):
    """An end of a Link."""

    node_name: str = ""
    interface_name: str = ""


class LinkSpec(msgspec.Struct, rename="camel"):
    """Spec of a Link."""

    endpoint_a: Endpoint = msgspec.field(default_factory=Endpoint)
    endpoint_b: Endpoint = msgspec.field(default_factory=Endpoint)


class LinkStatus(msgspec.Struct, rename={"tunnel_id": "tunnelID"}):
    """Status of a Link."""

    conditions: list[ObservedCondition] | None = None
    tunnel_id: int | None = None


class Link(msgspec.Struct):
    """A Link."""

    metadata: Meta
    spec: LinkSpec = msgspec.field(default_factory=LinkSpec)
    status: LinkStatus = msgspec.field(default_factory=LinkStatus)


class SchedulingGate(msgspec.Struct):
    """A scheduling gate."""

    name: str = ""


class ObservedContainer(Container, rename="camel"):
    """A container of a Pod with its image."""

    image: str = ""


class ObservedPodSpec(PodSpec, rename="camel"):
    """Spec of a Pod."""

    containers: Sequence[ObservedContainer] | None = None
    scheduling_gates: list[SchedulingGate] | None = None


class ObservedContainerStatus(ContainerStatus, rename="camel"):
    """Status of a container; states are ``waiting``, ``running``, ``terminated``."""

    restart_count: int = 0
    last_state: dict[str, Json | None] | None = None

    def in_state(self, name: str) -> Json | None:
        """Give the details of a state the container is in, None when it is not in it."""
        return (self.state or {}).get(name)


class PodAddress(msgspec.Struct):
    """An address of a Pod."""

    ip: str = ""


class ObservedPodStatus(PodStatus, rename="camel"):
    """Status of a Pod."""

    container_statuses: Sequence[ObservedContainerStatus] | None = None
    init_container_statuses: Sequence[ObservedContainerStatus] | None = None
    reason: str | None = None
    message: str | None = None
    pod_ips: list[PodAddress] | None = msgspec.field(default=None, name="podIPs")


class ObservedPod(Pod):
    """A Pod."""

    metadata: ObservedMeta
    spec: ObservedPodSpec = msgspec.field(default_factory=ObservedPodSpec)
    status: ObservedPodStatus = msgspec.field(default_factory=ObservedPodStatus)
