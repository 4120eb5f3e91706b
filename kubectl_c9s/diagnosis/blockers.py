"""The minimal set of blockers of each barrier, and what would follow if one of them were gone (diagnosis.md §2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec

from kubectl_c9s.diagnosis.finding import Ref, node_ref, pod_ref
from kubectl_c9s.rollout.hosts import HostPass, is_booting

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubectl_c9s.diagnosis.world import World


class Blocker(NamedTuple):
    """One that keeps a barrier closed: ``barrier`` is ``global``, ``topology ns/name`` or ``host NAME``.

    Without it ``next`` workloads would be let through by the next pass, and ``remaining`` more keep the barrier closed.
    """

    barrier: str
    ref: Ref
    unit: str
    next: int
    remaining: int


def blockers(world: World) -> Iterator[Blocker]:
    """Give the blockers of all barriers somebody waits behind."""
    gate = world.global_gate
    if gate.pending:
        left = len(gate.blocking) - 1
        follow = min(gate.limit, len(gate.pending)) if not left else 0
        for group in gate.blocking:
            ref = node_ref(world.nodes[group.primary.uid].metadata)
            yield Blocker("global", ref, group.primary.uid, follow, left)
    for view in world.snapshot.topologies:
        found = world.topology_gates[view.uid]
        left = len(found.blocking) - 1
        follow = min(view.batch, len(found.pending)) if view.batch and not left else 0
        for group in found.blocking if view.batch else ():
            ref = node_ref(world.nodes[group.primary.uid].metadata)
            yield Blocker(f"topology {view.full_name}", ref, group.primary.uid, follow, left)
    yield from _hosts(world)


def _hosts(world: World) -> Iterator[Blocker]:
    gate = world.host_gate
    queued = [host for host, count in gate.hosts.items() if count.queued]
    if gate.orphans and queued:
        left = len(gate.orphans) - 1
        for view in gate.orphans:
            follow = 0 if left else len(HostPass(world.snapshot).grants(view))
            yield Blocker(
                "every host", pod_ref(world.pods[view.uid].metadata), view.uid, follow, left
            )
        return
    for host in queued:
        yield from _host(world, host)


def _host(world: World, host: str) -> Iterator[Blocker]:
    """Give the Pods of a host without which more would be granted; those of one Topology are alike."""
    pods = tuple(world.host_pods[host])
    uids = {view.node_uid for view in pods}
    nodes = tuple(world.node_view[uid] for uid in uids if uid in world.node_view)
    alone = HostPass(msgspec.structs.replace(world.snapshot, pods=pods, nodes=nodes))
    now = len(alone.grants())
    booting = [view for view in pods if is_booting(view)]
    follows: dict[str, int] = {}
    for view in booting:
        lab = world.lab_of(view)
        if lab not in follows:
            follows[lab] = len(alone.grants(view))
        if follows[lab] > now or not now:
            ref = pod_ref(world.pods[view.uid].metadata)
            yield Blocker(f"host {host}", ref, view.node_uid, follows[lab], len(booting) - 1)
