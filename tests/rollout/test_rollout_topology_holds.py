"""Holds of a Topology: foreign ones end a pass, forgotten ones are repaired first (admission.md §§3.4, 3.5)."""

from __future__ import annotations

import pytest
from rollout_world import World, names


def test_an_incomplete_inventory_does_not_repair_either() -> None:
    world = World()
    world.lab("l", "a s z", batch=1)
    world.change("l/s", shares="a")
    assert world.release("l", writes=1) == ["a"]
    del world.nodes["l/z"]
    assert world.release("l") == []


@pytest.mark.parametrize("batch", [0, 5])
def test_a_foreign_hold_ends_the_pass_and_groups_after_it_stay_held(batch: int) -> None:
    world = World()
    world.lab("l", "a b c d", batch=5)
    world.change("l/c", hold="another Topology")
    world.limit("l", batch=batch)
    gate = world.lab_gate("l")
    assert (gate.failure, names(gate.released)) == ("l/c", ["l/a", "l/b"])
    assert world.release("l") == ["a", "b"]
    world.ready("l/a", "l/b")
    assert world.release("l") == []
    assert world.lab_gate("l").failure == "l/c"


def test_a_foreign_hold_of_a_secondary_ends_the_pass_after_its_primary() -> None:
    world = World()
    world.lab("l", "a p q r s z", batch=5)
    for name in ("q", "r", "s"):
        world.change(f"l/{name}", shares="p")
    world.change("l/r", hold="another Topology")
    gate = world.lab_gate("l")
    assert (names(gate.lifts), gate.failure) == (["l/a", "l/p", "l/q"], "l/r")
    assert names(gate.released) == ["l/a", "l/p"]


def test_a_foreign_hold_in_an_admitted_group_comes_before_any_batch() -> None:
    world = World()
    world.lab("l", "a s t z", batch=1)
    for name in ("s", "t"):
        world.change(f"l/{name}", shares="a")
    assert world.release("l", writes=2) == ["a", "s"]
    world.ready("l/a")
    world.change("l/t", hold="another Topology")
    gate = world.lab_gate("l")
    assert (gate.lifts, gate.released, gate.failure, gate.waits) == ((), (), "l/t", "")


def test_a_foreign_hold_of_a_later_batch_is_not_seen_yet() -> None:
    world = World()
    world.lab("l", "a b", batch=1)
    world.change("l/b", hold="another Topology")
    assert (world.lab_gate("l").failure, world.release("l")) == ("", ["a"])


@pytest.mark.parametrize("batch", [0, 1])
def test_a_group_that_was_cut_short_is_finished_first_though_the_barrier_stands(batch: int) -> None:
    world = World()
    world.lab("l", "a b c d", batch=1)
    for name in ("b", "c"):
        world.change(f"l/{name}", shares="a")
    assert world.release("l", writes=2) == ["a", "b"]
    world.limit("l", batch=batch)
    assert world.release("l") == (["c"] if batch else ["c", "d"])
    assert world.release("l") == []


def test_repair_and_the_next_batch_are_one_pass_when_the_barrier_is_down() -> None:
    world = World()
    world.lab("l", "a b z", batch=1)
    world.change("l/z", shares="b")
    world.change("l/b", hold="")
    world.ready("l/b")
    assert world.release("l") == ["z", "a"]


def test_a_hold_on_a_secondary_alone_makes_no_group_pending() -> None:
    world = World()
    world.lab("l", "a s", batch=1)
    world.change("l/s", shares="a")
    world.change("l/a", hold="")
    gate = world.lab_gate("l")
    assert (names(gate.admitted), gate.pending, names(gate.held)) == (["l/a"], (), ["l/s"])
    assert world.release("l") == ["s"]


def test_a_secondary_without_hold_does_not_make_its_group_admitted() -> None:
    world = World()
    world.lab("l", "a b s", batch=1)
    world.change("l/s", shares="b", hold="")
    assert names(world.lab_gate("l").pending) == ["l/a", "l/b"]
    assert world.release("l") == ["a"]
