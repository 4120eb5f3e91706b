"""Which workloads are looked at, and the cause of each (causes.md §§1, 3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kubectl_c9s.diagnosis import grants, order, pool
from kubectl_c9s.diagnosis.case import Case, Context, is_planned
from kubectl_c9s.diagnosis.choice import choose
from kubectl_c9s.diagnosis.peers import Peers
from kubectl_c9s.resources.moments import seconds_of
from kubectl_c9s.rollout.groups import Group, is_behind_barrier
from kubectl_c9s.rollout.hosts import is_booting, is_queued
from kubectl_c9s.rollout.views import WORKLOAD

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubectl_c9s.diagnosis.finding import Finding
    from kubectl_c9s.diagnosis.timing import Progress
    from kubectl_c9s.diagnosis.world import World

_PLANNING = ("PlanPending", None)


def is_past_gates(world: World, group: Group) -> bool:
    """Tell whether a workload may start: admitted, or with the global batch off, not held.

    Where nothing tells whether there is a limit, a sign of the manager's work on the Node must do.
    """
    primary = group.primary
    if primary.mark == primary.uid or primary.uid in world.newest:
        return bool(world.snapshot.batch) or not primary.hold
    if world.snapshot.batch or primary.hold:
        return False
    return world.knows_limits or bool(world.nodes[primary.uid].status.conditions)


def workloads(world: World, progress: Progress, *, leads: bool) -> Iterator[Finding]:
    """Give the cause of each workload that blocks, boots or is queued, and of its other Pods that boot."""
    groups = [group for group in world.grouping.groups if not group.primary.ignored]
    blocked = [
        one for one in groups if is_past_gates(world, one) and is_behind_barrier(one, world.newest)
    ]
    context = Context(
        progress, grants.Starts(world), pool.find_pool(world), _unplanned(world, blocked), _sets_come(world)
    )  # fmt: skip
    peers = Peers(world)
    waiting = {group.primary.uid for group in blocked}
    for group in _with_pods(world, groups):
        case = Case(world, group, context)
        yield from _of_workload(case, peers, blocked=group.primary.uid in waiting, leads=leads)


def _with_pods(world: World, groups: list[Group]) -> Iterator[Group]:
    """Give the groups, and Nodes that are none but have Pods: ignored ones, and those being deleted."""
    yield from groups
    known = {group.primary.uid for group in groups}
    for uid in world.views:
        node = world.node_view.get(uid)
        if node is not None and uid not in known:
            yield Group(node, (node,))


def _unplanned(world: World, blocked: list[Group]) -> int:
    """Count those that wait for the planner."""
    found = 0
    for group in blocked:
        node = world.nodes[group.primary.uid]
        conditions = node.status.conditions or ()
        reason = next((one.reason for one in conditions if one.type == "PlanApplied"), None)
        pending = reason in _PLANNING or reason == "PlanApplied"
        found += group.primary.uid not in world.newest and not is_planned(node) and pending
    return found


def _sets_come(world: World) -> bool:
    return any(
        world.age(seconds_of(one.metadata.creation_timestamp)) < world.settings.progress_within
        for one in world.dump.replica_sets
        if one.metadata.label(WORKLOAD) is not None
    )


def _of_workload(case: Case, peers: Peers, *, blocked: bool, leads: bool) -> Iterator[Finding]:
    """One cause for the Node and its newest Pod; an older Pod that still boots may have one of its own."""
    world, newest = case.world, case.pod
    views = [view for view in world.views.get(case.group.primary.uid, ()) if view.host]
    booting = [world.pods[view.uid] for view in views if is_booting(view)]
    queued = [world.pods[view.uid] for view in views if is_queued(view) and not view.deleting]
    if not (blocked or booting or queued):
        return
    there = order.There(booting, queued, blocked=blocked, leads=leads)
    main = choose(order.of_workload(case, peers, there))
    if main is not None:
        yield main
    for pod in booting:
        if pod is not newest and (main is None or main.code != "host-not-ready"):
            own = choose(order.of_pod(case, pod, peers))
            if own is not None and own != main:
                yield own._replace(unit=pod.metadata.uid)
