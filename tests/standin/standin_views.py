"""What the gates look at in objects of the API, taken out of their JSON once, and what their passes give.

Absent maps and lists count as empty; a limit that is absent counts as 0.
"""

from __future__ import annotations

import dataclasses
import json
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import standin_names as names

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Json: TypeAlias = dict[str, Any]

MODE: Final = "container:"


@dataclasses.dataclass(frozen=True, slots=True)
class Owner:
    """An owner reference: the UID, and whether it is the controlling reference of a Topology."""

    uid: str
    controlling_topology: bool


@dataclasses.dataclass(frozen=True, slots=True)
class NodeView:
    """A c9s Node. ``shares`` is the name after ``container:`` in its network mode, None for a Node of its own."""

    namespace: str
    name: str
    uid: str
    version: str = ""
    created: str = ""
    deleting: bool = False
    ignored: bool = False
    shares: str | None = None
    hold: str = ""
    mark: str = ""
    owners: tuple[Owner, ...] = ()

    @property
    def full_name(self) -> str:
        """Give ``namespace/name``."""
        return f"{self.namespace}/{self.name}"

    @property
    def topology(self) -> str | None:
        """Give the UID of the controlling Topology, None for a standalone Node."""
        return next((one.uid for one in self.owners if one.controlling_topology), None)


@dataclasses.dataclass(frozen=True, slots=True)
class PodView:
    """A Pod. ``device`` tells whether the gates see it, ``started`` is the primary container's and not the Pod's.

    ``rest`` changes with everything in metadata and spec.
    """

    namespace: str
    name: str
    uid: str
    version: str = ""
    created: str = ""
    deleting: bool = False
    device: bool = True
    workload: str = ""
    node_uid: str = ""
    host: str = ""
    phase: str = "Pending"
    sandbox: bool = False
    gated: bool = False
    grant: str = ""
    started: bool = False
    rest: int = 0

    @property
    def full_name(self) -> str:
        """Give ``namespace/name``."""
        return f"{self.namespace}/{self.name}"


@dataclasses.dataclass(frozen=True, slots=True)
class TopologyView:
    """A Topology and its limits; 0 is no limit."""

    namespace: str
    name: str
    uid: str
    batch: int = 0
    per_host: int = 0


@dataclasses.dataclass(frozen=True, slots=True)
class Snapshot:
    """All that the queue of an installation sees; ``batch`` and ``per_host`` are the Config's, 0 for off."""

    batch: int
    per_host: int
    nodes: Sequence[NodeView]
    pods: Sequence[PodView]
    topologies: Sequence[TopologyView] = ()


@dataclasses.dataclass(frozen=True, slots=True)
class Group:
    """Nodes that share a Pod; ``members`` begin with the primary, the others by name."""

    primary: NodeView
    members: tuple[NodeView, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class TopologyPass:
    """Nodes whose hold goes; ``failure`` is the error that ends the pass, ``waits`` why nothing is released."""

    releases: tuple[NodeView, ...] = ()
    failure: str = ""
    waits: str = ""


@dataclasses.dataclass(frozen=True, slots=True)
class GlobalPass:
    """Nodes that get the mark. ``blocked`` and ``pending`` name primaries; pending ones as they were before."""

    marks: tuple[NodeView, ...] = ()
    blocked: tuple[str, ...] = ()
    pending: tuple[str, ...] = ()
    rests: bool = False  # no pass is due until an event comes


@dataclasses.dataclass(frozen=True, slots=True)
class HostPass:
    """Pods that get the grant; ``booting`` counts by host before them, ``orphans`` stop every grant."""

    grants: tuple[PodView, ...] = ()
    booting: Mapping[str, int] = dataclasses.field(default_factory=dict)
    orphans: tuple[str, ...] = ()


def limits(spec: Json) -> tuple[int, int]:
    """Read ``rollout`` of a Config or a Topology: batch and cap per host, 0 when absent."""
    rollout = spec.get("rollout") or {}
    return rollout.get("batchSize") or 0, rollout.get("maxConcurrentPerHost") or 0


def view_topology(body: Json) -> TopologyView:
    """Read a Topology."""
    meta = body["metadata"]
    batch, per_host = limits(body.get("spec") or {})
    return TopologyView(meta["namespace"], meta["name"], meta["uid"], batch, per_host)


def view_node(body: Json) -> NodeView:
    """Read a c9s Node."""
    meta, spec = body["metadata"], body.get("spec") or {}
    annotations = meta.get("annotations") or {}
    mode = spec.get("network-mode") or ""
    return NodeView(
        namespace=meta["namespace"],
        name=meta["name"],
        uid=meta["uid"],
        version=meta.get("resourceVersion", ""),
        created=meta.get("creationTimestamp", ""),
        deleting="deletionTimestamp" in meta,
        ignored=names.IGNORE in (meta.get("labels") or {}),
        shares=mode.removeprefix(MODE) if mode.startswith(MODE) else None,
        hold=annotations.get(names.HOLD, ""),
        mark=annotations.get(names.ADMITTED, ""),
        owners=tuple(_owner(one) for one in meta.get("ownerReferences") or []),
    )


def _owner(reference: Json) -> Owner:
    group = reference.get("apiVersion", "").partition("/")[0]
    topology = group == names.GROUP and reference.get("kind") == "Topology"
    return Owner(reference.get("uid", ""), topology and reference.get("controller") is True)


def view_pod(body: Json, app: str = names.CONFIG) -> PodView:
    """Read a Pod; a device is one of the installation ``app`` only (admission.md §4.4)."""
    meta, spec, status = body["metadata"], body.get("spec") or {}, body.get("status") or {}
    annotations, labels = meta.get("annotations") or {}, meta.get("labels") or {}
    primary = annotations.get(names.DEFAULT_CONTAINER)
    return PodView(
        namespace=meta["namespace"],
        name=meta["name"],
        uid=meta["uid"],
        version=meta.get("resourceVersion", ""),
        created=meta.get("creationTimestamp", ""),
        deleting="deletionTimestamp" in meta,
        device=names.WORKLOAD in labels and labels.get(names.APP) == app,
        workload=labels.get(names.WORKLOAD, ""),
        node_uid=annotations.get(names.NODE_UID, ""),
        host=spec.get("nodeName") or "",
        phase=status.get("phase") or "",
        sandbox=condition(status, names.SANDBOX) == "True",
        gated=any(one["name"] == names.GATE for one in spec.get("initContainers") or []),
        grant=annotations.get(names.GRANT, ""),
        started=any(
            one.get("started") is True
            for one in status.get("containerStatuses") or []
            if one["name"] == primary
        ),
        rest=_rest(meta, spec),
    )


def _rest(meta: Json, spec: Json) -> int:
    moving = ("resourceVersion", "managedFields")
    return hash(json.dumps([{key: meta[key] for key in meta if key not in moving}, spec]))


def condition(status: Json, kind: str) -> str | None:
    """Give the status of a condition, None when it is absent."""
    found = (one for one in status.get("conditions") or [] if one["type"] == kind)
    return next((one.get("status") for one in found), None)
