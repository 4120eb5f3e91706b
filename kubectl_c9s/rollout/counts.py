"""The counts of a snapshot: who is admitted, blocking, pending, held, booting, queued, started (admission.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kubectl_c9s.rollout.gates import GlobalGate, TopologyGate, global_gate, topology_gate
from kubectl_c9s.rollout.hosts import HostGate, host_gate

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from kubectl_c9s.rollout.groups import Group
    from kubectl_c9s.rollout.views import Snapshot, TopologyView


def counts(snapshot: Snapshot) -> dict[str, Any]:
    """Give ``global``, ``topologies`` by ``namespace/name``, ``hosts`` by name and ``orphanBoots`` as JSON data."""
    gates = {
        one.uid: topology_gate(one, snapshot.nodes, snapshot.pods) for one in snapshot.topologies
    }
    return counts_of(snapshot, global_gate(snapshot), gates, host_gate(snapshot))


def counts_of(
    snapshot: Snapshot, whole: GlobalGate, gates: Mapping[str, TopologyGate], hosts: HostGate
) -> dict[str, Any]:
    """Give the counts of gates that were looked at already; those of the Topologies by UID."""
    return {
        "global": global_counts(whole),
        "topologies": {
            one.full_name: topology_counts(one, gates[one.uid]) for one in snapshot.topologies
        },
        "hosts": host_counts(hosts, snapshot.per_host),
        "orphanBoots": [pod.full_name for pod in hosts.orphans],
    }


def global_counts(gate: GlobalGate) -> dict[str, Any]:
    """Count the groups of the global batch."""
    return {
        "limit": gate.limit,
        "admitted": len(gate.admitted),
        "blocking": len(gate.blocking),
        "pending": len(gate.pending),
        "held": len(gate.held),
        "blockingGroups": _names(gate.blocking),
        "nextBatch": _names(gate.next_batch),
    }


def topology_counts(topology: TopologyView, gate: TopologyGate) -> dict[str, Any]:
    """Count the Nodes of a Topology; ``blocking`` has names of primaries."""
    return {
        "limit": topology.batch,
        "nodes": len(gate.nodes),
        "expected": topology.expected,
        "complete": gate.complete and len(gate.nodes) == topology.expected,
        "heldNodes": len(gate.held),
        "blocking": [group.primary.name for group in gate.blocking],
    }


def host_counts(gate: HostGate, limit: int) -> dict[str, Any]:
    """Count the device Pods of each host; ``limit`` is the Config's."""
    return {
        host: {key: len(pods) for key, pods in count._asdict().items()} | {"limit": limit}
        for host, count in gate.hosts.items()
    }


def _names(groups: Iterable[Group]) -> list[str]:
    return [group.full_name for group in groups]
