"""Everything that is asked of a world, row by row of the table (causes.md §§1, 3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from kubectl_c9s.diagnosis import installation, members, notes, queues, slots, topologies
from kubectl_c9s.diagnosis.choice import first_of_each
from kubectl_c9s.diagnosis.leader import Leader, find_leader, no_leader
from kubectl_c9s.diagnosis.replacement import replacements
from kubectl_c9s.diagnosis.timing import Progress
from kubectl_c9s.diagnosis.unobserved import unobserved_config
from kubectl_c9s.diagnosis.workloads import workloads

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubectl_c9s.diagnosis.finding import Finding
    from kubectl_c9s.diagnosis.world import World


class Examined(NamedTuple):
    """All findings, quiet ones included; the slots; which scopes a Config that is not observed holds."""

    findings: tuple[Finding, ...]
    slots: slots.Slots
    unobserved: frozenset[str]


def examine(world: World) -> Examined:
    """Look at everything once."""
    leader, taken = find_leader(world), slots.Slots(world)
    found = list(first_of_each(_first(world, leader, taken)))
    late = unobserved_config(world, leader, found)
    if late is not None:
        # What waits because the limits were not seen has no cause of its own.
        found = [
            one for one in found if one.code != "no-pod-unknown" or one.unit not in late.waiting
        ]
        found.append(late.finding)
    blamed = {one.unit for one in found if one.state != "quiet"}
    found += slots.full_slots(world, taken, blamed)
    found += _besides(world, leader, taken, found)
    return Examined(tuple(found), taken, late.scopes if late is not None else frozenset())


def _first(world: World, leader: Leader, taken: slots.Slots) -> Iterator[Finding]:
    """Give the causes of which an object has only one."""
    progress = Progress(world)
    yield from workloads(world, progress, leads=leader.leads is not False)
    yield from no_leader(world, leader)
    if world.has("nodes.c9s.run"):
        yield from members.missing_primaries(world)
        yield from topologies.foreign_holds(world)
    yield from topologies.incomplete_inventories(world)
    yield from topologies.ignored_topologies(world)
    yield from queues.orphan_boots(world, taken)
    yield from queues.queued_without_topology(world, taken, progress)


def _besides(
    world: World, leader: Leader, taken: slots.Slots, found: list[Finding]
) -> Iterator[Finding]:
    """Give what comes in addition: rows 35, 37 to 40, and remarks."""
    yield from queues.gates_without_manager(world, taken, leader)
    stuck = {one.unit for one in found if one.state == "stuck"}
    blocking = [group for group in world.global_gate.blocking if group.primary.uid in stuck]
    yield from topologies.behind_global(world, [group.full_name for group in blocking])
    yield from replacements(world, found)
    yield from installation.misplaced_configs(world)
    yield from installation.unlimited(world)
    yield from installation.combined_bursts(world)
    yield from members.ignored_primaries(world)
    yield from notes.notes(world)
