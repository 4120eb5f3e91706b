"""Holds and inventories of Topologies (causes.md rows 8 to 10, 37, 38)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kubectl_c9s.diagnosis.finding import Evidence, Finding, node_ref, topology_ref
from kubectl_c9s.diagnosis.quotes import of_condition
from kubectl_c9s.diagnosis.timing import by_age, latest
from kubectl_c9s.resources.labels import STARTUP_HOLD
from kubectl_c9s.resources.listing import some
from kubectl_c9s.resources.moments import seconds_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubectl_c9s.diagnosis.world import World
    from kubectl_c9s.resources.live import Condition
    from kubectl_c9s.resources.observed import ObservedTopology
    from kubectl_c9s.rollout.views import NodeView

_CONFLICT: Final = "ChildResourceConflict"
_READY: Final = "TopologyReady"
_SHOWN: Final = 20


def foreign_holds(world: World) -> Iterator[Finding]:
    """Row 8: a hold that is not the UID of the Node's own Topology is lifted by nobody."""
    for view in world.snapshot.nodes:
        if not view.hold or view.deleting or view.hold in view.owners:
            continue
        meta = world.nodes[view.uid].metadata
        owners = [world.topologies[uid] for uid in view.owners if uid in world.topologies]
        whose = (
            f"{owners[0].metadata.namespace}/{owners[0].metadata.name}" if owners else "no Topology"
        )
        text = f"{STARTUP_HOLD}: {view.hold} is not the UID of its own, {whose}"
        evidence = Evidence(node_ref(meta), "annotation", text)
        yield Finding(
            "hold-foreign-topology", view.uid, (node_ref(meta),), "stuck",
            seconds_of(meta.creation_timestamp), remedies=("reemit-node",), evidence=(evidence,),
        )  # fmt: skip


def incomplete_inventories(world: World) -> Iterator[Finding]:
    """Row 9: a name is taken by somebody else, or Nodes are simply not there yet."""
    for uid, gate in world.topology_gates.items():
        topology = world.topologies[uid]
        ref, condition = topology_ref(topology.metadata), _ready(topology)
        if condition is not None and condition.reason == _CONFLICT:
            found = [of_condition(ref, condition)]
            if topology.status.error:
                found.append(Evidence(ref, "status", topology.status.error))
            since = seconds_of(condition.last_transition_time)
            yield Finding(
                "inventory-incomplete", uid, (ref,), "stuck", since, _CONFLICT, ("fix-spec",), tuple(found)
            )  # fmt: skip
        elif world.has("nodes.c9s.run") and (topology.status.node_count or 0) > len(gate.nodes):
            yield _missing_nodes(world, topology, gate.nodes)


def _missing_nodes(
    world: World, topology: ObservedTopology, nodes: tuple[NodeView, ...]
) -> Finding:
    """Wait for Nodes since the Topology was made; while others of them still come, nothing is missing yet."""
    ref, since = topology_ref(topology.metadata), seconds_of(topology.metadata.creation_timestamp)
    newest = latest(*(seconds_of(node.created) for node in nodes))
    comes = newest is not None and world.age(newest) < world.settings.slow_after
    state = "quiet" if comes else by_age(world, since)
    text = f"{len(nodes)} of {topology.status.node_count} Nodes are there"
    return Finding(
        "inventory-incomplete", topology.metadata.uid, (ref,), state, since, "missing-nodes",
        ("fix-spec",), (Evidence(ref, "status", text),),
    )  # fmt: skip


def _ready(topology: ObservedTopology) -> Condition | None:
    return next((one for one in topology.status.conditions or () if one.type == _READY), None)


def ignored_topologies(world: World) -> Iterator[Finding]:
    """Row 10."""
    for view in world.snapshot.topologies:
        if view.ignored:
            topology = world.topologies[view.uid]
            ref = topology_ref(topology.metadata)
            holds = bool(world.topology_gates[view.uid].held)
            evidence = Evidence(ref, "spec", "label c9s.run/ignoreReconcile")
            yield Finding(
                "topology-ignored", view.uid, (ref,), "stuck" if holds else "note",
                seconds_of(topology.metadata.creation_timestamp), remedies=("remove-label",),
                evidence=(evidence,),
            )  # fmt: skip


def behind_global(world: World, blockers: list[str]) -> Iterator[Finding]:
    """Rows 37 and 38: the Topology itself is well, and stuck workloads of others block the global batch."""
    if not blockers:
        return
    behind = some(blockers, _SHOWN)
    blocking = {node.uid for group in world.global_gate.blocking for node in group.members}
    pending: dict[str, int] = {}
    for group in world.global_gate.pending:
        if group.primary.topology:
            pending[group.primary.topology] = pending.get(group.primary.topology, 0) + 1
    for uid, gate in world.topology_gates.items():
        if not pending.get(uid) or any(node.uid in blocking for node in gate.nodes):
            continue
        code = "topology-stalled-behind-global" if gate.held else "blocked-by-other-lab"
        ref = topology_ref(world.topologies[uid].metadata)
        text = f"{pending[uid]} workload(s) of {ref.full_name} wait in the global batch behind {behind}"
        yield Finding(
            code, f"extra/{code}/{uid}", (ref,), "stuck", evidence=(Evidence(ref, "status", text),)
        )
