"""The two batch gates: T for one Topology, G for the installation (admission.md §§3, 4).

Both say what a pass over a snapshot finds and what it would write, in the order of the writes. Nothing is decided by
time. The caller writes, or only shows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from kubectl_c9s.rollout.groups import (
    Group,
    Grouping,
    group_nodes,
    is_behind_barrier,
    newest_pods,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from kubectl_c9s.rollout.views import NodeView, PodView, Snapshot, TopologyView


class TopologyGate(NamedTuple):
    """T of one Topology. ``nodes`` are those it owns and defines, ``held`` those of them with a hold.

    ``pending`` and ``blocking`` are groups, in the order of their release and by name; ``released`` are the groups
    whose holds the next pass lifts, ``lifts`` the Nodes it writes. ``waits`` says why nothing is released although
    something is held, ``failure`` names the Node whose hold ends the pass because it belongs to another Topology.
    """

    nodes: tuple[NodeView, ...] = ()
    held: tuple[NodeView, ...] = ()
    complete: bool = True
    admitted: tuple[Group, ...] = ()
    blocking: tuple[Group, ...] = ()
    pending: tuple[Group, ...] = ()
    released: tuple[Group, ...] = ()
    lifts: tuple[NodeView, ...] = ()
    waits: str = ""
    failure: str = ""


def topology_gate(
    topology: TopologyView, nodes: Iterable[NodeView], pods: Iterable[PodView]
) -> TopologyGate:
    """Look at one Topology; ``nodes`` and ``pods`` may be of all namespaces."""
    own = tuple(node for node in nodes if _belongs(node, topology))
    held = tuple(node for node in own if node.hold)
    if not held and all(node.shares is None for node in own):
        return TopologyGate(own, held, len(own) >= topology.expected)
    grouping = group_nodes(own)
    complete = len(own) >= topology.expected and not grouping.missing
    found = TopologyGate(own, held, complete)
    if not held:
        return found
    admitted = tuple(group for group in grouping.groups if not group.primary.hold)
    pending = tuple(group for group in grouping.groups if group.primary.hold)
    here = newest_pods(pod for pod in pods if pod.namespace == topology.namespace)
    blocking = tuple(group for group in admitted if is_behind_barrier(group, here))
    found = found._replace(admitted=admitted, blocking=blocking, pending=pending)
    if len(own) < topology.expected:
        return found._replace(waits=f"{len(own)} of {topology.expected} Nodes are there")
    if grouping.missing:
        return found._replace(waits=f"the primary {grouping.missing[0]} does not exist")
    return _release(topology, found)


def _belongs(node: NodeView, topology: TopologyView) -> bool:
    return (
        node.namespace == topology.namespace
        and topology.uid in node.owners
        and (topology.defined is None or node.name in topology.defined)
    )


def _release(topology: TopologyView, found: TopologyGate) -> TopologyGate:
    """Finish groups that are admitted in part; then release a batch, or everything when there is no limit."""
    lifts, _, failure = _lift(topology, found.admitted)
    if failure:
        return found._replace(lifts=tuple(lifts), failure=failure)
    batch = found.pending
    if topology.batch > 0:
        if found.blocking:
            waits = f"{len(found.blocking)} admitted workload(s) without a sandbox"
            return found._replace(lifts=tuple(lifts), waits=waits)
        batch = batch[: topology.batch]
    more, released, failure = _lift(topology, batch)
    return found._replace(
        lifts=tuple(dict.fromkeys(lifts + more)), released=released, failure=failure
    )


def _lift(
    topology: TopologyView, groups: Sequence[Group]
) -> tuple[list[NodeView], tuple[Group, ...], str]:
    """Give the Nodes whose holds go and the groups that are through, up to a hold of another Topology (§3.5)."""
    lifts: list[NodeView] = []
    for index, group in enumerate(groups):
        for node in group.members:
            if node.hold == topology.uid:
                lifts.append(node)
            elif node.hold:
                # The primary is written first: a group with a foreign hold on a member counts as released.
                through = groups[: index + (not group.primary.hold or group.primary in lifts)]
                return lifts, tuple(through), node.full_name
    return lifts, tuple(groups), ""


class GlobalGate(NamedTuple):
    """G of the installation, as groups; with a limit of 0 only ``held`` is filled and nothing is evaluated.

    ``pending`` and ``next_batch`` are in the order of their admission; ``adopted`` are admitted for their Pod and not
    for their mark, ``marks`` the Nodes that the next pass writes.
    """

    limit: int
    admitted: tuple[Group, ...] = ()
    adopted: tuple[Group, ...] = ()
    blocking: tuple[Group, ...] = ()
    pending: tuple[Group, ...] = ()
    held: tuple[Group, ...] = ()
    next_batch: tuple[Group, ...] = ()
    marks: tuple[NodeView, ...] = ()


def present_groups(snapshot: Snapshot) -> Grouping:
    """Group the Nodes that are not being deleted."""
    return group_nodes(node for node in snapshot.nodes if not node.deleting)


def global_gate(snapshot: Snapshot) -> GlobalGate:
    """Look at the whole installation (admission.md §4.3)."""
    return gate_of(snapshot, present_groups(snapshot), newest_pods(snapshot.pods))


def gate_of(snapshot: Snapshot, grouping: Grouping, newest: Mapping[str, PodView]) -> GlobalGate:
    """Look at the whole installation, whose groups and newest Pods are known already."""
    taken = [group for group in grouping.groups if not group.primary.ignored]
    marked, adopted, pending, held = _sort_out(taken, newest)
    found = GlobalGate(snapshot.batch, held=tuple(held))
    if snapshot.batch <= 0:
        return found
    admitted = marked + adopted
    blocking = tuple(group for group in admitted if is_behind_barrier(group, newest))
    pending.sort(key=lambda group: (group.primary.created, group.full_name))
    batch = [] if blocking else pending[: snapshot.batch]
    marks = [node for group in admitted + batch for node in group.members if node.mark != node.uid]
    return found._replace(
        admitted=tuple(sorted(admitted, key=_by_name)),
        adopted=tuple(adopted),
        blocking=tuple(sorted(blocking, key=_by_name)),
        pending=tuple(pending),
        next_batch=tuple(batch),
        marks=tuple(dict.fromkeys(marks)),
    )


def _by_name(group: Group) -> str:
    return group.full_name


def _sort_out(
    groups: Iterable[Group], newest: Mapping[str, PodView]
) -> tuple[list[Group], list[Group], list[Group], list[Group]]:
    """Sort groups into marked, adopted, pending and held ones."""
    marked: list[Group] = []
    adopted: list[Group] = []
    pending: list[Group] = []
    held: list[Group] = []
    for group in groups:
        primary = group.primary
        if primary.mark == primary.uid:
            marked.append(group)
        elif primary.uid in newest:
            adopted.append(group)
        else:
            (held if primary.hold else pending).append(group)
    return marked, adopted, pending, held
