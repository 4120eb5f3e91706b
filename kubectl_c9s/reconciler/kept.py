"""How much of each object stays in memory: what a diagnosis reads, equal parts once.

Objects are made small while they are decoded, so that no list is ever in memory whole. They are not to be changed
afterwards: their parts are shared. None of these structs can be part of a cycle, so the collector need not know them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence  # noqa: TC003 - msgspec reads the annotations
from typing import Any, Final

import msgspec

from kubectl_c9s.reconciler.sharing import SHARED
from kubectl_c9s.reconciler.stamps import stamps
from kubectl_c9s.resources import devicepods, labels
from kubectl_c9s.resources.live import Container, LabNodeSpec, OwnerReference
from kubectl_c9s.resources.observed import (
    NodeStatus,
    ObservedContainer,
    ObservedContainerStatus,
    ObservedMeta,
    ObservedNode,
    ObservedPod,
    ObservedPodSpec,
    ObservedPodStatus,
)
from kubectl_c9s.rollout.views import NodeView, PodView, node_view, pod_view

_POD_LABELS: Final = (devicepods.WORKLOAD, labels.APP, labels.COMPONENT)
_POD_ANNOTATIONS: Final = (
    devicepods.PRIMARY_CONTAINER,
    devicepods.NODE_UID,
    devicepods.HOST_GRANT,
)
_NODE_LABELS: Final = (labels.APP, labels.TOPOLOGY_OWNER, devicepods.IGNORE)
_NODE_ANNOTATIONS: Final = (labels.STARTUP_HOLD, labels.STARTUP_ADMITTED)
_OF_POD: Final = ("PodScheduled", devicepods.SANDBOX)
_OF_NODE: Final = ("PlanApplied", "NodeProfileResolved")


def only(found: Mapping[str, str] | None, wanted: tuple[str, ...]) -> dict[str, str] | None:
    """Give some keys of labels or annotations, None for none."""
    return {key: found[key] for key in wanted if key in found} or None if found else None


class KeptMeta(ObservedMeta, rename="camel", gc=False):
    """Metadata: of who wrote what only the times of the startup annotations."""

    def shrink(self, label_keys: tuple[str, ...], annotation_keys: tuple[str, ...]) -> None:
        """Leave out labels, annotations and all the rest that is never read."""
        self.resource_version = ""
        self.namespace = SHARED.text(self.namespace)
        self.creation_timestamp = SHARED.text(self.creation_timestamp)
        self.labels = only(self.labels, label_keys)
        self.annotations = only(self.annotations, annotation_keys)
        self.managed_fields = stamps(self.managed_fields)


class KeptContainer(ObservedContainer, rename="camel", gc=False):
    """A container."""


class KeptContainerStatus(ObservedContainerStatus, rename="camel", gc=False):
    """Status of a container."""


class KeptPodSpec(ObservedPodSpec, rename="camel", gc=False):
    """Spec of a Pod."""

    containers: Sequence[KeptContainer] | None = None


class KeptPodStatus(ObservedPodStatus, rename="camel", gc=False):
    """Status of a Pod."""

    container_statuses: Sequence[KeptContainerStatus] | None = None
    init_container_statuses: Sequence[KeptContainerStatus] | None = None


class KeptPod(ObservedPod, gc=False):
    """A Pod; ``view`` is how the gates see it, None for one that is no device."""

    metadata: KeptMeta
    spec: KeptPodSpec = msgspec.field(default_factory=KeptPodSpec)
    status: KeptPodStatus = msgspec.field(default_factory=KeptPodStatus)
    view: PodView | None = None

    def __post_init__(self) -> None:
        """Make it small."""
        meta, spec, status = self.metadata, self.spec, self.status
        meta.shrink(_POD_LABELS, _POD_ANNOTATIONS)
        meta.owner_references = None
        primary = meta.annotation(devicepods.PRIMARY_CONTAINER)
        spec.node_name = SHARED.text(spec.node_name)
        spec.containers = _tuple(_container(one, primary) for one in spec.containers or ())
        spec.init_containers = _names(spec.init_containers)
        status.phase = SHARED.text(status.phase)
        status.pod_ips = None
        status.conditions = SHARED.conditions(status.conditions, _OF_POD)
        status.init_container_statuses = _tuple(
            _shared(_status(one, primary)) for one in status.init_container_statuses or ()
        )
        status.container_statuses = _tuple(
            _status(one, primary) for one in status.container_statuses or ()
        )
        self.view = pod_view(self, meta.label(labels.APP) or "")


def _tuple(found: Any) -> Any:
    return tuple(found) or None


def _container(one: KeptContainer, primary: str) -> KeptContainer:
    if one.name == primary:
        one.name = primary
    one.image = SHARED.text(one.image)
    if one.startup_probe is not None:
        one.startup_probe = SHARED.keep(msgspec.json.encode(one.startup_probe), one.startup_probe)
    return one


def _names(found: Sequence[Container] | None) -> Any:
    """Keep of init containers the names: only the gate is looked for."""
    if not found:
        return None
    names = tuple(one.name for one in found)
    return SHARED.keep(("init", *names), tuple(Container(name) for name in names))


def _status(one: KeptContainerStatus, primary: str) -> KeptContainerStatus:
    if one.name == primary:
        one.name = primary
    one.state = SHARED.states(one.state)
    one.last_state = SHARED.states(one.last_state)
    return one


def _shared(one: KeptContainerStatus) -> KeptContainerStatus:
    """Keep equal ones once; the states of both are shared already, so that they are known by their identity."""
    key = ("status", one.name, one.started, one.restart_count)
    texts = msgspec.json.encode((one.state, one.last_state))
    return SHARED.keep((*key, texts), one)


class KeptNodeStatus(NodeStatus, rename="camel", gc=False):
    """Status of a c9s Node."""


class KeptNode(ObservedNode, gc=False):
    """A c9s Node; ``view`` is how the gates see it."""

    metadata: KeptMeta
    status: KeptNodeStatus = msgspec.field(default_factory=KeptNodeStatus)
    view: NodeView | None = None

    def __post_init__(self) -> None:
        """Make it small."""
        meta, mode = self.metadata, self.spec.network_mode
        meta.shrink(_NODE_LABELS, _NODE_ANNOTATIONS)
        if meta.labels:
            meta.labels = SHARED.keep(("labels", *meta.labels.items()), meta.labels)
        if meta.annotation(labels.STARTUP_ADMITTED) == meta.uid and meta.annotations:
            meta.annotations[labels.STARTUP_ADMITTED] = meta.uid
        meta.owner_references = owners(meta.owner_references)
        self.spec = SHARED.keep(("mode", mode), LabNodeSpec(network_mode=mode))
        self.status.conditions = SHARED.conditions(self.status.conditions, _OF_NODE)
        self.status.plan_digest = self.status.readiness = None
        self.view = node_view(self)


def owners(found: Sequence[OwnerReference] | None) -> Any:
    """Give owner references."""
    if not found:
        return None
    key = tuple(map(msgspec.structs.astuple, found))
    return SHARED.keep(key, tuple(found))
