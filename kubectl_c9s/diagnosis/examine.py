"""Asks the rules in the order of the table: the first that knows a workload's cause has the word (causes.md §3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from kubectl_c9s.diagnosis import (
    boot,
    creation,
    installation,
    planning,
    sandbox,
    scheduling,
    slots,
    topologies,
)
from kubectl_c9s.diagnosis.case import Case, Context, is_planned
from kubectl_c9s.diagnosis.leader import find_leader, no_leader
from kubectl_c9s.diagnosis.peers import Peers
from kubectl_c9s.diagnosis.replacement import replacements
from kubectl_c9s.diagnosis.timing import Progress
from kubectl_c9s.resources.causes import NUMBERS
from kubectl_c9s.resources.moments import seconds_of
from kubectl_c9s.rollout.groups import is_behind_barrier
from kubectl_c9s.rollout.hosts import is_booting, is_queued
from kubectl_c9s.rollout.views import WORKLOAD

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kubectl_c9s.diagnosis.finding import Finding
    from kubectl_c9s.diagnosis.world import World
    from kubectl_c9s.rollout.groups import Group


class Examined(NamedTuple):
    """All findings, one a unit, quiet ones included; the slots; which scopes a Config that is not observed holds."""

    findings: tuple[Finding, ...]
    slots: slots.Slots
    unobserved: frozenset[str]


def examine(world: World) -> Examined:
    """Look at everything once."""
    leader = find_leader(world)
    taken = slots.Slots(world)
    found = list(_workloads(world, leads=leader.leads is not False))
    found += no_leader(world, leader)
    found += planning.missing_primaries(world)
    found += topologies.foreign_holds(world)
    found += topologies.incomplete_inventories(world)
    found += topologies.ignored_topologies(world)
    found += slots.orphan_boots(world, taken)
    found += slots.queued_without_topology(world, taken)
    unobserved = installation.unobserved_config(world, leader)
    if unobserved:
        found.append(unobserved[0])
    found = list(first_of_each(found))
    blamed = {one.unit for one in found if one.state != "quiet"}
    found += slots.full_slots(world, taken, blamed)
    found += slots.gates_without_manager(world, taken, leader)
    found += _derived(world, found)
    for more in (
        installation.misplaced_configs,
        installation.unlimited,
        installation.combined_bursts,
    ):
        found += more(world)
    found += planning.ignored_primaries(world)
    found += slots.notes(world)
    return Examined(tuple(found), taken, unobserved[1] if unobserved else frozenset())


def _derived(world: World, found: list[Finding]) -> list[Finding]:
    """Rows 37 to 39: they stand beside a stuck cause."""
    stuck = {one.unit for one in found if one.state == "stuck"}
    blocking = [group for group in world.global_gate.blocking if group.primary.uid in stuck]
    more = list(topologies.behind_global(world, [group.full_name for group in blocking]))
    return more + list(replacements(world, found))


def first_of_each(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Keep the cause with the lowest number of each unit."""
    best: dict[str, Finding] = {}
    for one in findings:
        known = best.get(one.unit)
        if known is None or NUMBERS[one.code] < NUMBERS[known.code]:
            best[one.unit] = one
    yield from best.values()


def is_past_gates(world: World, group: Group) -> bool:
    """Tell whether a workload may start: admitted, or with the global batch off, not held."""
    primary = group.primary
    if world.snapshot.batch:
        return primary.mark == primary.uid or primary.uid in world.newest
    return not primary.hold


def _workloads(world: World, *, leads: bool) -> Iterator[Finding]:
    groups = [group for group in world.grouping.groups if not group.primary.ignored]
    blocked = [
        one for one in groups if is_past_gates(world, one) and is_behind_barrier(one, world.newest)
    ]
    unplanned = sum(
        one.primary.uid not in world.newest and not is_planned(world.nodes[one.primary.uid])
        for one in blocked
    )
    context = Context(Progress(world), unplanned, _replica_sets_come(world))
    peers = Peers(world)
    waiting = {group.primary.uid for group in blocked}
    for group in groups:
        uid = group.primary.uid
        views = [view for view in world.views.get(uid, ()) if view.host]
        starting = [view.uid for view in views if is_booting(view)]
        queued = [view.uid for view in views if is_queued(view) and not view.deleting]
        if uid not in waiting and not starting and not queued:
            continue
        case = Case(world, group, context)
        finding = next(
            _causes(case, peers, starting, queued, blocked=uid in waiting, leads=leads), None
        )
        if finding is not None:
            yield finding


def _replica_sets_come(world: World) -> bool:
    return any(
        world.age(seconds_of(one.metadata.creation_timestamp)) < world.settings.progress_within
        for one in world.dump.replica_sets
        if one.metadata.label(WORKLOAD) is not None
    )


def _causes(
    case: Case, peers: Peers, starting: list[str], queued: list[str], *, blocked: bool, leads: bool
) -> Iterator[Finding]:
    """Give the causes that fit a workload in the order of the table."""
    pods = case.world.pods
    bound = [case.pod] if blocked and case.pod is not None and case.pod.spec.node_name else []
    booting = [pods[uid] for uid in starting]
    for pod in bound + [one for one in booting if one not in bound]:
        yield from _given(sandbox.host_not_ready(case, pod))
    if blocked:
        yield from _before_pod(case, leads=leads) if case.pod is None else _before_sandbox(case)
    for pod in booting:
        for rule in (
            boot.image_pull, boot.container_config, boot.preparation_failed, boot.connectivity_not_ready,
            boot.primary_crashloop,
        ):  # fmt: skip
            yield from _given(rule(case, pod))
        yield from _given(boot.probe_needs_peer(case, pod, peers))
        yield from _given(boot.probe_failing(case, pod))
        yield from _given(boot.grant_not_projected(case, pod))
    for uid in queued:
        yield from _given(boot.image_pull(case, pods[uid]))


def _given(finding: Finding | None) -> Iterator[Finding]:
    if finding is not None:
        yield finding


def _before_pod(case: Case, *, leads: bool) -> Iterator[Finding]:
    yield from _given(creation.old_pod_terminating(case))
    yield from _given(planning.network_mode_cycle(case))
    yield from _given(planning.profile_unresolved(case))
    yield from _given(planning.plan_failed(case))
    if leads:
        yield from _given(planning.plan_waiting_links(case))
        yield from _given(planning.planner_pool_starved(case))
    yield from _given(creation.quota_exceeded(case))
    yield from _given(creation.pod_rejected(case))
    yield from _given(creation.scaled_to_zero(case))
    if leads:
        yield from _given(creation.deployment_controller_lag(case))
        yield from _given(creation.no_pod_unknown(case))


def _before_sandbox(case: Case) -> Iterator[Finding]:
    yield from _given(scheduling.pacer_down(case))
    yield from _given(scheduling.scheduling_gated(case))
    yield from _given(scheduling.unschedulable(case))
    if case.pod is not None and case.pod.spec.node_name:
        for rule in (
            sandbox.host_pressure, sandbox.volume_mount, sandbox.sandbox_failed, sandbox.condition_unavailable,
        ):  # fmt: skip
            yield from _given(rule(case, case.pod))
