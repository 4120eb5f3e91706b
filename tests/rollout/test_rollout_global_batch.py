"""What admission.md §4 says of the batch of the installation beside the scenarios."""

from __future__ import annotations

import pytest
from rollout_world import World, names

from kubectl_c9s.rollout.gates import GlobalGate


def test_without_a_limit_nothing_is_evaluated() -> None:
    world = World(batch=0)
    world.lab("l", "a", batch=1)
    for name in ("b/marked", "b/adopted", "b/new"):
        world.node(name)
    world.change("b/marked", mark="b/marked")
    world.pod("b/adopted")
    assert world.queue == GlobalGate(0, held=world.queue.held)
    assert names(world.queue.held) == ["l/a"]


@pytest.mark.parametrize("pod", [False, True])
def test_an_ignored_primary_is_outside_even_when_it_was_admitted(*, pod: bool) -> None:
    world = World(batch=1)
    world.node("a/p", ignored=True, mark="a/p")
    world.node("a/s", shares="p")
    world.node("b/b")
    if pod:
        world.pod("a/p")
    assert world.admit() == ["b/b"]
    assert names(world.queue.admitted) == ["b/b"]


def test_the_ignore_label_of_a_secondary_does_not_matter() -> None:
    world = World(batch=1)
    world.node("a/p")
    world.node("a/s", shares="p", ignored=True)
    assert world.admit() == ["a/p", "a/s"]


def test_a_group_without_its_primary_is_skipped_and_blocks_nobody() -> None:
    world = World(batch=1)
    world.node("a/s", shares="gone", mark="a/s")
    world.node("b/b")
    world.pod("a/s")
    assert world.admit() == ["b/b"]


def test_nodes_that_are_going_are_left_out() -> None:
    world = World(batch=1)
    world.node("a/unready", deleting=True, mark="a/unready")
    world.node("a/p", deleting=True)
    world.node("a/s", shares="p")  # its primary counts as missing
    world.node("b/b")
    world.node("b/t", shares="b", deleting=True)
    assert world.admit() == ["b/b"]


@pytest.mark.parametrize("hold", ["l", "another UID", " "])
def test_any_value_but_an_empty_one_is_a_hold(hold: str) -> None:
    world = World(batch=1)
    world.node("a/a", hold=hold)
    world.node("a/b", hold="")
    assert names(world.queue.held) == ["a/a"]
    assert world.admit() == ["a/b"]


def test_a_hold_on_a_secondary_does_not_matter() -> None:
    world = World(batch=1)
    world.node("a/p")
    world.node("a/s", shares="p", hold="l")
    assert world.admit() == ["a/p", "a/s"]


@pytest.mark.parametrize("mark", ["", "UID of an older Node", "a/other", "A/A"])
def test_a_mark_of_another_value_is_none(mark: str) -> None:
    world = World(batch=1)
    world.node("a/a", mark=mark)
    world.node("a/s", shares="a", mark=mark)
    assert names(world.queue.pending) == ["a/a"]
    assert world.admit() == ["a/a", "a/s"]


def test_a_wrong_mark_with_a_hold_is_held_and_a_right_one_blocks() -> None:
    world = World(batch=1)
    world.node("a/a", hold="l", mark="old")
    world.node("b/b", hold="l", mark="b/b")
    assert names(world.queue.held) == ["a/a"]
    assert names(world.queue.blocking) == ["b/b"]


def test_the_marked_secondary_of_an_unmarked_primary_waits_with_it() -> None:
    world = World(batch=1)
    world.node("a/a", created="1")
    world.node("b/p", created="2")
    world.node("b/s", created="0", shares="p", mark="b/s")
    assert names(world.queue.pending) == ["a/a", "b/p"]
    assert world.admit() == ["a/a"]


def test_the_queue_is_ordered_by_age_of_the_primary_then_by_full_name() -> None:
    world = World(batch=3)
    for name, created in (("b/a", "2"), ("a/b", "2"), ("a/a", "2"), ("z/z", "1"), ("a-b/a", "2")):
        world.node(name, created=created)
    assert names(world.queue.pending) == ["z/z", "a-b/a", "a/a", "a/b", "b/a"]
    assert world.admit() == ["z/z", "a-b/a", "a/a"]


def test_a_group_that_was_cut_short_is_completed_before_anybody_else() -> None:
    world = World(batch=2)
    for name, shares in (("a/p", None), ("a/s", "p"), ("a/t", "p"), ("b/b", None)):
        world.node(name, shares=shares)
    assert world.admit(writes=2) == ["a/p", "a/s"]
    assert world.admit() == ["a/t"]
    assert world.admit() == []  # the batch was a/p and b/b, and is never filled up later
    world.ready("a/p")
    assert world.admit() == ["b/b"]


def test_repairs_come_before_the_batch_in_one_pass() -> None:
    world = World(batch=1)
    world.node("a/new")
    world.node("z/p", mark="z/p")
    world.node("z/s", shares="p")
    world.ready("z/p")
    assert world.admit() == ["z/s", "a/new"]


def test_a_late_secondary_of_a_pending_group_comes_with_it() -> None:
    world = World(batch=1)
    world.node("a/p", created="1")
    world.node("a/s", shares="p", created="9")
    world.node("b/b", created="5")
    assert world.admit() == ["a/p", "a/s"]


def test_a_batch_counts_groups_and_not_nodes() -> None:
    world = World(batch=1)
    world.node("a/p")
    for number in range(5):
        world.node(f"a/s{number}", shares="p" if number < 4 else "s0")
    world.node("b/b")
    assert len(world.admit()) == 6
    assert names(world.queue.pending) == ["b/b"]
