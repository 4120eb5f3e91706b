"""What admission.md §3 says of a Topology's own batch beside the scenarios."""

from __future__ import annotations

import pytest
from rollout_world import World, names

from kubectl_c9s.rollout.gates import TopologyGate


@pytest.mark.parametrize("batch", [0, 1, 9])
def test_an_incomplete_inventory_waits_whatever_the_batch_is(batch: int) -> None:
    world = World()
    world.lab("l", "a b c", batch=1)
    del world.nodes["l/b"]
    world.limit("l", batch=batch)
    gate = world.lab_gate("l")
    assert (gate.waits, gate.complete, gate.lifts) == ("2 of 3 Nodes are there", False, ())


@pytest.mark.parametrize("batch", [0, 2])
def test_a_missing_primary_is_waited_for_whatever_the_batch_is(batch: int) -> None:
    world = World()
    world.lab("l", "a s", batch=1)
    world.change("l/s", shares="gone")
    world.limit("l", batch=batch)
    gate = world.lab_gate("l")
    assert (gate.waits, gate.complete) == ("the primary l/gone does not exist", False)
    assert gate.lifts == ()


def test_a_primary_that_another_topology_owns_is_not_there() -> None:
    world = World()
    world.lab("l", "a s", batch=1)
    world.change("l/s", shares="theirs")
    world.node("l/theirs", owner="other")
    assert world.lab_gate("l").waits
    assert world.release("l") == []


def test_without_a_hold_nothing_is_evaluated() -> None:
    world = World()
    world.lab("l", "a b", batch=0)
    world.limit("l", batch=1)
    gate = world.lab_gate("l")
    assert [one.name for one in gate.nodes] == ["a", "b"]
    assert gate == TopologyGate(gate.nodes)
    del world.nodes["l/a"]
    assert (world.lab_gate("l").complete, world.lab_gate("l").waits) == (False, "")


def test_a_node_counts_by_any_owner_reference_in_its_namespace_and_only_when_defined() -> None:
    world = World()
    world.lab("l", "a", batch=1)
    world.change("l/a", topology="", owners=("somebody", "l"))
    world.node("l/surplus", owner="l", hold="l")
    world.node("l/foreign", owner="other", hold="l")
    world.node("x/a", owner="l", hold="l")
    assert world.release("l") == ["a"]
    world.limit("l", batch=0)
    assert world.release("l") == []


def test_without_a_compiled_definition_all_owned_nodes_count() -> None:
    world = World()
    world.lab("l", "a b", batch=1)
    world.limit("l", batch=0)
    world.labs["l"] = type(world.labs["l"])("l", "lab", "l", expected=2)
    world.node("l/c", owner="l", hold="l")
    assert world.release("l") == ["a", "b", "c"]


def test_a_node_that_is_going_is_still_in() -> None:
    world = World()
    world.lab("l", "a b c", batch=1)
    world.change("l/a", deleting=True, hold="")
    world.change("l/b", deleting=True)
    assert names(world.lab_gate("l").blocking) == ["l/a"]
    assert world.release("l") == []
    world.ready("l/a")
    assert world.release("l") == ["b"]


def test_names_are_ordered_by_their_bytes() -> None:
    world = World()
    world.lab("l", "n9 n10 n-1 n n1", batch=2)
    assert names(world.lab_gate("l").pending) == ["l/n", "l/n-1", "l/n1", "l/n10", "l/n9"]
    assert world.release("l") == ["n", "n-1"]


@pytest.mark.parametrize("created", ["1", "9"])
def test_age_does_not_matter(created: str) -> None:
    world = World()
    world.lab("l", "a b", batch=1)
    world.change("l/b", created="5")
    world.change("l/a", created=created)
    assert world.release("l") == ["a"]


def test_a_batch_of_zero_releases_everything_without_a_look_at_the_barrier() -> None:
    world = World()
    world.lab("l", "a b c d", batch=1)
    assert world.release("l") == ["a"]
    assert world.release("l") == []
    world.limit("l", batch=0)
    assert names(world.lab_gate("l").blocking) == ["l/a"]
    assert world.release("l") == ["b", "c", "d"]


def test_old_workloads_are_behind_the_barrier_too() -> None:
    world = World()
    world.lab("l", "new old", batch=3)
    world.change("l/old", hold="")
    replaced = world.pod("l/old", sandbox=True, deleting=True)
    assert world.release("l") == []
    world.pod("l/old")
    assert world.release("l") == []
    del world.pods[replaced]
    world.ready("l/old")
    assert world.release("l") == ["new"]


def test_only_pods_of_its_namespace_satisfy_the_barrier() -> None:
    world = World()
    world.lab("l", "a b", batch=1)
    world.change("l/a", hold="")
    world.pod("elsewhere/a", node_uid="l/a", sandbox=True)
    assert names(world.lab_gate("l").blocking) == ["l/a"]
    world.pod("l/a", sandbox=True, created="0")
    assert world.release("l") == ["b"]


def test_topologies_do_not_see_each_other() -> None:
    world = World()
    world.lab("l", "a b", batch=1)
    world.lab("m", "a b", batch=1)
    assert (world.release("l"), world.release("m")) == (["a"], ["a"])
    world.ready("l/a")
    assert (world.release("l"), world.release("m")) == (["b"], [])


def test_a_circle_is_released_as_one_and_then_never_satisfies_the_barrier() -> None:
    world = World()
    world.lab("l", "a b z", batch=1)
    world.change("l/a", shares="b")
    world.change("l/b", shares="a")
    assert world.release("l") == ["a", "b"]
    assert names(world.lab_gate("l").blocking) == ["l/a", "l/b"]
    assert world.release("l") == []
