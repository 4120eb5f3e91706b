"""What the gates look at, taken out of live objects once (admission.md §1).

The views are small on purpose: a simulation makes thousands of them, and tests write them by hand. They hold nothing
that could hold them, so the collector need not know them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from kubectl_c9s.resources import devicepods, labels

if TYPE_CHECKING:
    from kubectl_c9s.resources.live import LabNode, OwnerReference, Pod

HOST_GRANT: Final = devicepods.HOST_GRANT
NODE_UID: Final = devicepods.NODE_UID
WORKLOAD: Final = devicepods.WORKLOAD
IGNORE: Final = devicepods.IGNORE
PRIMARY_CONTAINER: Final = devicepods.PRIMARY_CONTAINER
GATE: Final = devicepods.GATE
SANDBOX: Final = devicepods.SANDBOX
_MODE: Final = devicepods.SHARES


class NodeView(msgspec.Struct, frozen=True, gc=False):
    """A c9s Node. ``shares`` is the name behind ``container:`` in its network mode, None for a Node of its own.

    ``hold`` and ``mark`` are the values of the startup annotations, ``topology`` the UID of the controlling
    Topology, ``owners`` the UIDs of all owner references.
    """

    namespace: str
    name: str
    uid: str
    created: str = ""
    deleting: bool = False
    ignored: bool = False
    shares: str | None = None
    hold: str = ""
    mark: str = ""
    topology: str = ""
    owners: tuple[str, ...] = ()

    @property
    def full_name(self) -> str:
        """Give ``namespace/name``."""
        return f"{self.namespace}/{self.name}"


class PodView(msgspec.Struct, frozen=True, gc=False):
    """A device Pod: it carries the labels of a workload and of the installation (admission.md §4.4).

    ``node_uid`` is the UID of the primary Node, ``grant`` the value of the host grant, ``started`` that of the primary
    container and of no other.
    """

    namespace: str
    name: str
    uid: str
    created: str = ""
    deleting: bool = False
    node_uid: str = ""
    host: str = ""
    phase: str = "Pending"
    sandbox: bool = False
    gated: bool = False
    grant: str = ""
    started: bool = False

    @property
    def full_name(self) -> str:
        """Give ``namespace/name``."""
        return f"{self.namespace}/{self.name}"


class TopologyView(msgspec.Struct, frozen=True, gc=False):
    """A Topology and its limits, 0 for off.

    ``expected`` is the number of Nodes its definition has, ``defined`` their names, None when the definition was not
    compiled: every Node it owns counts as defined then.
    """

    namespace: str
    name: str
    uid: str
    batch: int = 0
    per_host: int = 0
    expected: int = 0
    defined: frozenset[str] | None = None
    ignored: bool = False

    @property
    def full_name(self) -> str:
        """Give ``namespace/name``."""
        return f"{self.namespace}/{self.name}"


class Snapshot(msgspec.Struct, frozen=True):
    """All that the gates of an installation see; ``batch`` and ``per_host`` are those of the Config, 0 for off."""

    batch: int
    per_host: int
    nodes: tuple[NodeView, ...] = ()
    pods: tuple[PodView, ...] = ()
    topologies: tuple[TopologyView, ...] = ()


def node_view(node: LabNode) -> NodeView:
    """Read a c9s Node."""
    meta, mode = node.metadata, node.spec.network_mode or ""
    owners = meta.owner_references or ()
    return NodeView(
        namespace=meta.namespace,
        name=meta.name,
        uid=meta.uid,
        created=meta.creation_timestamp or "",
        deleting=meta.deletion_timestamp is not None,
        ignored=meta.label(IGNORE) is not None,
        shares=mode.removeprefix(_MODE) if mode.startswith(_MODE) else None,
        hold=meta.annotation(labels.STARTUP_HOLD),
        mark=meta.annotation(labels.STARTUP_ADMITTED),
        topology=next((one.uid for one in owners if _is_controlling_topology(one)), ""),
        owners=tuple(one.uid for one in owners),
    )


def _is_controlling_topology(owner: OwnerReference) -> bool:
    group = owner.api_version.partition("/")[0]
    return owner.controller is True and group == labels.DOMAIN and owner.kind == "Topology"


def pod_view(pod: Pod, app: str = labels.APP_VALUE) -> PodView | None:
    """Read a Pod; None when it is no device of the installation ``app``."""
    meta, spec, status = pod.metadata, pod.spec, pod.status
    if meta.label(WORKLOAD) is None or meta.label(labels.APP) != app:
        return None
    primary = meta.annotation(PRIMARY_CONTAINER)
    sandbox = status.condition(SANDBOX)
    return PodView(
        namespace=meta.namespace,
        name=meta.name,
        uid=meta.uid,
        created=meta.creation_timestamp or "",
        deleting=meta.deletion_timestamp is not None,
        node_uid=meta.annotation(NODE_UID),
        host=spec.node_name or "",
        phase=status.phase,
        sandbox=sandbox is not None and sandbox.status == "True",
        gated=any(one.name == GATE for one in spec.init_containers or ()),
        grant=meta.annotation(HOST_GRANT),
        started=bool(primary)
        and any(
            one.started is True and one.name == primary for one in status.container_statuses or ()
        ),
    )
