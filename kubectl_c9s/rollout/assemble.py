"""From live objects to the snapshot that the gates look at."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from kubectl_c9s.resources import labels
from kubectl_c9s.rollout.limits import limits_in
from kubectl_c9s.rollout.views import IGNORE, Snapshot, TopologyView, node_view, pod_view

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kubectl_c9s.resources.live import LabNode, Pod, Topology
    from kubectl_c9s.rollout.limits import Limits
    from kubectl_c9s.rollout.views import NodeView, PodView


class Views(NamedTuple):
    """The Nodes and device Pods of an installation as the gates see them."""

    nodes: tuple[NodeView, ...]
    pods: tuple[PodView, ...]


def topology_view(topology: Topology) -> TopologyView:
    """Read a Topology; how many Nodes its definition has is what the manager counted."""
    meta, limits = topology.metadata, limits_in(topology.spec.rollout)
    return TopologyView(
        meta.namespace,
        meta.name,
        meta.uid,
        batch=limits.batch,
        per_host=limits.per_host,
        expected=topology.status.node_count or 0,
        ignored=meta.label(IGNORE) is not None,
    )


def assemble(
    config: Limits,
    topologies: Iterable[Topology],
    nodes: Iterable[LabNode],
    pods: Iterable[Pod],
    app: str = labels.APP_VALUE,
) -> Snapshot:
    """Give the snapshot of an installation; ``config`` are the limits of its Config, off when there is none."""
    return snapshot_of(config, topologies, views_of(nodes, pods, app))


def views_of(nodes: Iterable[LabNode], pods: Iterable[Pod], app: str) -> Views:
    """Look at Nodes, and at those of the Pods that are devices of an installation."""
    views = (pod_view(pod, app) for pod in pods)
    return Views(tuple(map(node_view, nodes)), tuple(view for view in views if view is not None))


def snapshot_of(config: Limits, topologies: Iterable[Topology], views: Views) -> Snapshot:
    """Give the snapshot where Nodes and Pods were looked at already."""
    return Snapshot(
        config.batch,
        config.per_host,
        views.nodes,
        views.pods,
        tuple(map(topology_view, topologies)),
    )
