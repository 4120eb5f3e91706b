"""What a recording is fed with: the kinds it watches, their partial structs, and which Pods count as what."""

from __future__ import annotations

from collections.abc import Callable  # noqa: TC003 - part of a type that stands here at run time
from typing import Final, NamedTuple

import msgspec

from kubectl_c9s.resources import devicepods
from kubectl_c9s.resources.live import Meta  # noqa: TC001 - msgspec reads the annotations
from kubectl_c9s.resources.observed import ObservedNode as WatchedNode
from kubectl_c9s.resources.observed import ObservedPod as WatchedPod
from kubectl_c9s.resources.observed import ObservedTopology as WatchedTopology

__all__ = ["WatchedNode", "WatchedPod", "WatchedTopology"]

PODS: Final = "pods"
NODES: Final = "nodes.c9s.run"
DEPLOYMENTS: Final = "deployments.apps"
REPLICA_SETS: Final = "replicasets.apps"
TOPOLOGIES: Final = "topologies.c9s.run"

# Types of events, as the watches of cluster/watching.py give them.
LISTED: Final = "LISTED"
ADDED: Final = "ADDED"
MODIFIED: Final = "MODIFIED"
DELETED: Final = "DELETED"


class Made(msgspec.Struct):
    """A Deployment or a ReplicaSet: that it was made is all that counts."""

    metadata: Meta


TYPES: Final[dict[str, type[msgspec.Struct]]] = {
    TOPOLOGIES: WatchedTopology,
    NODES: WatchedNode,
    DEPLOYMENTS: Made,
    REPLICA_SETS: Made,
    PODS: WatchedPod,
}
"""The struct of each kind, by kubectl's name of the kind."""


class Workloads(NamedTuple):
    """Which Pods count: ``device`` names the device of a Pod, empty for none, ``primary`` its primary container."""

    device: Callable[[WatchedPod], str]
    primary: Callable[[WatchedPod], str]


def _device_of_label(pod: WatchedPod) -> str:
    label = pod.metadata.label(devicepods.WORKLOAD)
    return "" if label is None else label or pod.metadata.name


def _named_container(pod: WatchedPod) -> str:
    return pod.metadata.annotation(devicepods.PRIMARY_CONTAINER)


def _name(pod: WatchedPod) -> str:
    return pod.metadata.name


def _named_or_first_container(pod: WatchedPod) -> str:
    containers = pod.spec.containers
    return _named_container(pod) or (containers[0].name if containers else "")


DEVICES: Final = Workloads(_device_of_label, _named_container)
"""Pods with the label ``c9s.run/direct-workload``; without the annotation no container is the primary (§3)."""
PLAIN: Final = Workloads(_name, _named_or_first_container)
"""Any Pod, under its own name; without the annotation its first container is the primary."""
