"""How Pods bear on the batch of the installation: adoption and the barrier (admission.md §§4.3, 4.4)."""

from __future__ import annotations

import pytest
from rollout_world import World, names


def test_with_the_limit_on_again_nodes_that_got_a_pod_meanwhile_are_adopted() -> None:
    world = World(batch=0)
    world.node("a/a")
    world.node("a/b")
    world.ready("a/a")
    assert world.admit() == []
    world.batch = 1
    assert world.admit() == ["a/a", "a/b"]


def test_adoption_marks_the_whole_group_though_somebody_blocks() -> None:
    world = World(batch=1)
    world.node("a/gone", mark="a/gone")
    world.node("b/p")
    world.node("b/z", shares="p")
    world.node("b/a", shares="p")
    world.node("c/c")
    world.ready("b/p")
    assert world.admit() == ["b/p", "b/a", "b/z"]
    assert names(world.queue.blocking) == ["a/gone"]
    assert world.admit() == []


def test_a_pod_adopts_its_node_even_when_it_is_held() -> None:
    world = World(batch=1)
    world.lab("l", "a", batch=1)
    world.pod("l/a")
    assert world.admit() == ["l/a"]
    assert names(world.queue.blocking) == ["l/a"]
    assert world.queue.held == ()


def test_a_terminating_pod_neither_adopts_nor_satisfies_the_barrier() -> None:
    world = World(batch=1)
    world.node("a/a")
    world.pod("a/a", deleting=True, sandbox=True)
    assert names(world.queue.pending) == ["a/a"]
    assert world.queue.adopted == ()
    assert world.admit() == ["a/a"]
    world.node("b/b")
    assert world.admit() == []


def test_a_finished_pod_adopts_its_node() -> None:
    world = World(batch=1)
    world.node("a/a")
    world.pod("a/a", phase="Failed")
    assert names(world.queue.adopted) == names(world.queue.blocking) == ["a/a"]


def test_a_missing_replacement_of_an_old_workload_blocks_everybody() -> None:
    world = World(batch=1)
    world.node("a/old", mark="a/old")
    world.node("b/new")
    old = world.pod("a/old", sandbox=True)
    world.change(old, deleting=True)
    assert world.admit() == []
    replacement = world.pod("a/old")
    assert world.admit() == []
    world.change(replacement, sandbox=True)
    assert world.admit() == ["b/new"]


def test_the_newest_of_several_pods_decides() -> None:
    world = World(batch=1)
    world.node("a/a", mark="a/a")
    world.node("b/b")
    world.pod("a/a", sandbox=True, created="1")
    newer = world.pod("a/a", created="2")
    assert world.admit() == []
    world.change(newer, deleting=True)
    assert world.admit() == ["b/b"]


@pytest.mark.parametrize(("first", "admitted"), [(True, ["b/b"]), (False, [])])
def test_of_equally_old_pods_the_first_decides(*, first: bool, admitted: list[str]) -> None:
    world = World(batch=1)
    world.node("a/a", mark="a/a")
    world.node("b/b")
    world.pod("a/a", sandbox=first, created="1")
    world.pod("a/a", sandbox=not first, created="1")
    assert world.admit() == admitted


def test_pods_satisfy_the_barrier_in_whatever_namespace_and_under_whatever_name() -> None:
    world = World(batch=1)
    world.node("a/a", mark="a/a")
    world.node("b/b")
    world.pod("elsewhere/x", node_uid="a/a", sandbox=True)
    assert world.admit() == ["b/b"]


def test_a_circle_is_admitted_and_then_blocks_for_good() -> None:
    world = World(batch=5)
    world.node("a/x", shares="y")
    world.node("a/y", shares="x")
    assert sorted(world.admit()) == ["a/x", "a/y"]
    world.node("b/b")
    assert world.admit() == []
    assert names(world.queue.blocking) == ["a/x", "a/y"]


def test_a_self_reference_is_admitted_as_a_group_of_one() -> None:
    world = World(batch=1)
    world.node("a/x", shares="x")
    assert world.admit() == ["a/x"]
    assert names(world.queue.blocking) == ["a/x"]
