"""What a decision about rollout limits has to see: Nodes, device Pods, profiles and Topologies, as partial structs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from kubectl_c9s.cluster import kinds
from kubectl_c9s.cluster.errors import Forbidden
from kubectl_c9s.cluster.reading import list_objects
from kubectl_c9s.resources.live import LabNode, NodeProfile, Pod, Topology
from kubectl_c9s.rollout.views import WORKLOAD

if TYPE_CHECKING:
    from kubectl_c9s.cluster.connection import Connection

_WORKLOADS: Final = {"labelSelector": WORKLOAD}


class RolloutState(NamedTuple):
    """The objects of one namespace or of all; ``unseen`` names kinds that may not be read."""

    nodes: list[LabNode]
    pods: list[Pod]
    topologies: list[Topology]
    profiles: list[NodeProfile]
    unseen: tuple[str, ...] = ()


def read_state(connection: Connection, namespace: str | None) -> RolloutState:
    """List each kind once; only NodeProfiles, which warnings alone are made of, may be out of reach."""
    nodes = list_objects(connection, kinds.NODES, LabNode, namespace=namespace).items
    pods = list_objects(
        connection, kinds.PODS, Pod, namespace=namespace, selectors=_WORKLOADS
    ).items
    topologies = list_objects(connection, kinds.TOPOLOGIES, Topology, namespace=namespace).items
    try:
        profiles = list_objects(
            connection, kinds.NODE_PROFILES, NodeProfile, namespace=namespace
        ).items
    except Forbidden:
        return RolloutState(nodes, pods, topologies, [], (kinds.NODE_PROFILES.full_name,))
    return RolloutState(nodes, pods, topologies, profiles)
