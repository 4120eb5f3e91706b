"""What no gate may depend on: the order of lists, the time of a pass, the passes before it."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any, TypeVar

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from rollout_hostile import Installation, installations, read
from rollout_world import World

from kubectl_c9s.rollout.gates import global_gate, topology_gate
from kubectl_c9s.rollout.hosts import host_gate

if TYPE_CHECKING:
    import random

    from kubectl_c9s.rollout.views import Snapshot

T = TypeVar("T")


def decisions(snapshot: Snapshot) -> list[Any]:
    """Give what all three gates would write."""
    labs = sorted(snapshot.topologies, key=lambda lab: lab.uid)
    gates = [topology_gate(lab, snapshot.nodes, snapshot.pods) for lab in labs]
    lifts = [(gate.lifts, gate.waits, gate.failure) for gate in gates]
    queue, hosts = global_gate(snapshot), host_gate(snapshot)
    return [lifts, set(queue.marks), queue.next_batch, queue.blocking, hosts.grants]


@given(installations(), st.randoms(use_true_random=False))
def test_the_order_of_lists_matters_to_equally_old_pods_of_a_node_alone(
    world: Installation, chance: random.Random
) -> None:
    snapshot = read(world)
    unlike = tuple({(pod.node_uid, pod.created): pod for pod in snapshot.pods}.values())
    snapshot = replace(snapshot, pods=unlike)
    again = replace(
        snapshot,
        nodes=shuffled(snapshot.nodes, chance),
        pods=shuffled(snapshot.pods, chance),
        topologies=shuffled(snapshot.topologies, chance),
    )
    assert decisions(again) == decisions(snapshot)


def shuffled(found: tuple[T, ...], chance: random.Random) -> tuple[T, ...]:
    return tuple(chance.sample(found, len(found)))


def world_of(snapshot: Snapshot) -> World:
    """Carry a snapshot over to a World, where passes can be carried out."""
    world = World(snapshot.batch, snapshot.per_host)
    world.nodes = {node.full_name: node for node in snapshot.nodes}
    world.pods = {pod.uid: pod for pod in snapshot.pods}
    world.labs = {lab.uid: lab for lab in snapshot.topologies}
    return world


@given(installations(circles=False))
def test_a_second_pass_of_any_snapshot_without_circles_writes_no_mark(world: Installation) -> None:
    there = world_of(read(world))
    there.admit()
    assert there.admit() == []


@given(installations())
def test_a_second_pass_of_any_snapshot_grants_no_slot_to_pods_that_have_not_begun(
    world: Installation,
) -> None:
    there = world_of(read(world))
    for pod in list(there.pods.values()):
        if pod.gated and pod.grant != pod.uid:  # a Pod that waits has run nothing yet
            there.change(pod.uid, started=False, phase="Pending")
    there.grant()
    assert there.grant() == []


@given(installations(), st.integers(0, 9))
def test_passes_over_any_snapshot_come_to_an_end(world: Installation, dead_after: int) -> None:
    there = world_of(read(world))
    most = 2 * len(there.nodes) + len(there.pods)  # each write is done once
    for number in itertools.count():
        writes = None if number else dead_after
        done = [there.admit(writes), there.grant(writes)]
        done += [there.release(uid, writes) for uid in there.labs]
        if number and not any(done):
            break
        assert number <= most
