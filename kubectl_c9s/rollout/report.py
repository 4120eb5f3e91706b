"""What ``rollout show`` says: limits in force, their owners, live counts, as JSON data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kubectl_c9s.rollout.counts import global_counts, host_counts, topology_counts
from kubectl_c9s.rollout.gates import global_gate, topology_gate
from kubectl_c9s.rollout.hosts import host_gate
from kubectl_c9s.rollout.limits import limits_of
from kubectl_c9s.rollout.owners import rollout_owners
from kubectl_c9s.rollout.patches import block_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from kubectl_c9s.resources.live import Topology
    from kubectl_c9s.resources.objects import KubeObject
    from kubectl_c9s.rollout.owners import Owner
    from kubectl_c9s.rollout.views import Snapshot, TopologyView


def config_report(config: KubeObject | None, namespace: str, snapshot: Snapshot) -> dict[str, Any]:
    """Give the part of the installation's Config; without one no limit applies."""
    limits = limits_of(block_of(config) if config else None)
    fields = (config or {"metadata": {}})["metadata"].get("managedFields")
    return {
        "namespace": namespace,
        "exists": config is not None,
        "batchSize": limits.batch_size,
        "maxConcurrentPerHost": limits.max_concurrent_per_host,
        "owners": _owners(rollout_owners(fields)),
        "counts": global_counts(global_gate(snapshot)),
    }


def topology_reports(
    topologies: Iterable[Topology], snapshot: Snapshot, wanted: Callable[[TopologyView], bool]
) -> list[dict[str, Any]]:
    """Give the part of each Topology that is ``wanted``."""
    views = {view.uid: view for view in snapshot.topologies}
    found = []
    for one in topologies:
        view, rollout = views[one.metadata.uid], one.spec.rollout
        if not wanted(view):
            continue
        gate = topology_gate(view, snapshot.nodes, snapshot.pods)
        found.append(
            {
                "namespace": view.namespace,
                "name": view.name,
                "batchSize": rollout.batch_size if rollout else None,
                "maxConcurrentPerHost": rollout.max_concurrent_per_host if rollout else None,
                "owners": _owners(rollout_owners(one.metadata.managed_fields)),
                "counts": topology_counts(view, gate),
                "waits": gate.waits or gate.failure or None,
            }
        )
    return found


def hosts_report(snapshot: Snapshot) -> dict[str, Any]:
    """Give the counts per host, and the Pods that keep every grant back."""
    gate = host_gate(snapshot)
    orphans = [pod.full_name for pod in gate.orphans]
    return {"hosts": host_counts(gate, snapshot.per_host), "orphanBoots": orphans}


def _owners(owners: Iterable[Owner]) -> list[dict[str, Any]]:
    return [owner._asdict() | {"fields": list(owner.fields)} for owner in owners]
