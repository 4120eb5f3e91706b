"""What a change of limits would do, from the same gates that decide (config-and-chart.md §3, "Impact to print").

An effect is about one field of one object. It compares the pass that would come next under the new limits with the
state that was read; nothing granted is ever taken back.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import msgspec

from kubectl_c9s.rollout.gates import global_gate, topology_gate
from kubectl_c9s.rollout.hosts import host_gate, is_booting
from kubectl_c9s.rollout.views import IGNORE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kubectl_c9s.rollout.groups import Group
    from kubectl_c9s.rollout.limits import Field, Limits
    from kubectl_c9s.rollout.views import PodView, Snapshot, TopologyView

Turn: TypeAlias = Literal["off", "first", "raised", "lowered", "same"]


class Effect(NamedTuple):
    """What one field's change does; all are ``namespace/name``, of primaries for batches, of Pods for hosts.

    ``turn``: ``off`` (to 0 or absent), ``first`` (from off to a limit), ``raised``, ``lowered``, ``same`` (0 ↔ absent).
    ``released``: what starts at once because the limit goes. ``starts``: what the next pass lets through, the released
    included. ``adopted``: workloads that count as admitted from now on for the Pod they have. ``blocking``: what keeps
    the next pass from letting anybody through. ``waiting``: what waits behind the gate now, in order.
    ``hosts``: per host of ``starts`` how many. ``booting``: Pods that take a slot already. ``orphans``: booting Pods of
    unknown Nodes, which keep every grant back. ``holdup``: why a Topology does not release all whose turn it is.
    """

    field: Field
    turn: Turn
    old: int | None
    new: int | None
    waiting: tuple[str, ...] = ()
    starts: tuple[str, ...] = ()
    released: tuple[str, ...] = ()
    adopted: tuple[str, ...] = ()
    blocking: tuple[str, ...] = ()
    booting: tuple[str, ...] = ()
    orphans: tuple[str, ...] = ()
    hosts: tuple[tuple[str, int], ...] = ()
    holdup: str = ""

    def as_json(self) -> dict[str, Any]:
        """Give it with the API's names; what is empty is left out."""
        values = self._asdict() | {"hosts": dict(self.hosts)}
        always = ("field", "turn", "old", "new")
        return {key: value for key, value in values.items() if key in always or value}


def turn_of(old: int | None, new: int | None) -> Turn:
    """Say which way a limit goes; absent counts as 0."""
    was, becomes = old or 0, new or 0
    if was == becomes:
        return "same"
    if not becomes:
        return "off"
    if not was:
        return "first"
    return "raised" if becomes > was else "lowered"


def config_effects(snapshot: Snapshot, before: Limits, after: Limits) -> list[Effect]:
    """Give the effects of a change of the Config; fields that stay as they are have none."""
    then = msgspec.structs.replace(snapshot, batch=after.batch, per_host=after.per_host)
    found = []
    if before.batch_size != after.batch_size:
        found.append(_global_batch(then, before, after))
    if before.max_concurrent_per_host != after.max_concurrent_per_host:
        found.append(_slots(then, before, after, None))
    return found


def topology_effects(
    snapshot: Snapshot, topology: TopologyView, before: Limits, after: Limits
) -> list[Effect]:
    """Give the effects of a change of one Topology; ``snapshot`` has the Config's limits."""
    changed = msgspec.structs.replace(topology, batch=after.batch, per_host=after.per_host)
    found = []
    if before.batch_size != after.batch_size:
        found.append(_topology_batch(snapshot, changed, before, after))
    if before.max_concurrent_per_host != after.max_concurrent_per_host:
        others = tuple(one for one in snapshot.topologies if one.uid != topology.uid)
        then = msgspec.structs.replace(snapshot, topologies=(*others, changed))
        found.append(_slots(then, before, after, topology.uid))
    return found


def _global_batch(then: Snapshot, before: Limits, after: Limits) -> Effect:
    old, new = before.batch_size, after.batch_size
    turn = turn_of(old, new)
    # Who waits is the same under every limit, and asked only while there is one.
    gate = global_gate(msgspec.structs.replace(then, batch=then.batch or 1))
    waiting = _names(gate.pending)
    effect = Effect("batchSize", turn, old, new, waiting)
    if not then.batch:
        # Without a limit before either, nobody has waited. Who waits in a circle is never planned (admission.md §2).
        planned = (group for group in gate.pending if _has_own_pod(group))
        freed = _names(planned) if turn == "off" else ()
        return effect._replace(starts=freed, released=freed, waiting=freed)
    # One of a circle takes the others along as its members (admission.md §2).
    marked = {node.uid for node in gate.marks}
    starts = _names(group for group in gate.pending if group.primary.uid in marked)
    adopted, blocking = _names(gate.adopted), _names(gate.blocking)
    return effect._replace(starts=starts, adopted=adopted, blocking=blocking)


def _has_own_pod(group: Group) -> bool:
    """Tell whether a primary resolves to itself; those in a circle resolve to each other."""
    return group.primary.shares in {None, group.primary.name}


def _topology_batch(
    snapshot: Snapshot, topology: TopologyView, before: Limits, after: Limits
) -> Effect:
    old, new = before.batch_size, after.batch_size
    turn = turn_of(old, new)
    gate = topology_gate(topology, snapshot.nodes, snapshot.pods)
    waiting = _names(gate.pending)
    effect = Effect("batchSize", turn, old, new, waiting)
    effect = effect._replace(released=waiting if turn == "off" else ())
    if topology.ignored and gate.held:
        return effect._replace(holdup=f"the manager passes over a Topology with the label {IGNORE}")
    foreign = f"the hold of {gate.failure} belongs to another Topology" if gate.failure else ""
    return effect._replace(
        starts=_names(gate.released),
        blocking=_names(gate.blocking) if topology.batch else (),
        holdup=gate.waits or foreign,
    )


def _names(groups: Iterable[Group]) -> tuple[str, ...]:
    return tuple(group.full_name for group in groups)


def _slots(then: Snapshot, before: Limits, after: Limits, lab: str | None) -> Effect:
    """Look at the host gate under the new limits, for all Pods or those of one Topology (its UID)."""
    old, new = before.max_concurrent_per_host, after.max_concurrent_per_host
    turn = turn_of(old, new)
    gate = host_gate(then)
    owners = {node.uid: node.topology for node in then.nodes}

    def concerned(pods: Iterable[PodView]) -> list[PodView]:
        return [pod for pod in pods if lab is None or owners.get(pod.node_uid) == lab]

    queued = concerned(pod for host in gate.hosts.values() for pod in host.queued)
    starts = concerned(gate.grants)
    released: list[PodView] = []
    if turn == "off":
        # An orphan holds up everything only for as long as it is there.
        known = tuple(pod for pod in then.pods if pod not in gate.orphans)
        released = concerned(host_gate(msgspec.structs.replace(then, pods=known)).grants)
    booting = concerned(pod for pod in then.pods if pod.host and is_booting(pod))
    return Effect(
        "maxConcurrentPerHost",
        turn,
        old,
        new,
        waiting=_pods(sorted(queued, key=lambda pod: (pod.created, pod.full_name))),
        starts=_pods(starts),
        released=_pods(released),
        booting=_pods(booting),
        orphans=_pods(gate.orphans) if gate.active else (),
        hosts=tuple(sorted(Counter(pod.host for pod in starts).items())),
    )


def _pods(pods: Iterable[PodView]) -> tuple[str, ...]:
    return tuple(pod.full_name for pod in pods)
