"""What admission.md says of both batches beside its scenarios: groups, holds, order, and restarts."""

from __future__ import annotations

import pytest
import standin_gates as gates
from gate_world import World, lab
from hypothesis import given
from hypothesis import strategies as st
from standin_views import TopologyPass, view_node, view_pod


@pytest.mark.parametrize(
    ("shares", "name", "primary"),
    [
        ({"a": None}, "a", "a"),
        ({"a": "b", "b": "c", "c": None}, "a", "c"),
        ({"a": "gone"}, "a", "gone"),
        ({"a": "a"}, "a", "a"),
        ({"a": "b", "b": "a"}, "a", "b"),
        ({"a": "b", "b": "a"}, "b", "a"),
        ({"a": "b", "b": "c", "c": "b"}, "a", "c"),
        ({"a": ""}, "a", ""),
    ],
)
def test_the_primary_is_found(shares: dict[str, str | None], name: str, primary: str) -> None:
    assert gates.primary_name(name, shares) == primary


@pytest.mark.parametrize(
    ("mode", "shares"),
    [("container:x", "x"), ("Container:x", None), ("host", None), ("", None)],
)
def test_only_the_exact_prefix_shares_a_pod(mode: str, shares: str | None) -> None:
    meta = {"namespace": "a", "name": "n", "uid": "u"}
    assert view_node({"metadata": meta, "spec": {"network-mode": mode}}).shares == shares


def test_a_circle_is_admitted_and_then_blocks_for_good() -> None:
    world = World(2)
    world.node("a/x", shares="y")
    world.node("a/y", shares="x")
    assert world.admit() == ["a/x", "a/y"]
    assert gates.global_pass(world.snapshot).blocked == ("a/x", "a/y")


def test_a_group_without_its_primary_is_skipped_but_its_topology_waits() -> None:
    world = World(1)
    topology = lab("l", batch=1)
    world.node("l/s", owner="l", shares="gone")
    assert gates.global_pass(world.snapshot).rests
    world.change("l/s", hold="l")
    assert "gone" in world.release(topology, ["s"])[1].waits


def test_a_topology_waits_for_all_its_nodes_even_without_a_limit() -> None:
    topology = lab("l")
    world = World(0, 0, topology)
    world.node("l/a", owner="l", hold="l")
    released, given = world.release(topology, ["a", "b"])
    assert (released, given.waits) == ([], "1 of 2 Nodes are there")


def test_without_a_hold_a_topology_evaluates_nothing() -> None:
    topology = lab("l", batch=1)
    world = World(0, 0, topology)
    world.node("l/a", owner="l")
    assert world.release(topology, ["a", "b"])[1] == TopologyPass()


def test_only_owned_and_defined_nodes_are_in_a_pass() -> None:
    topology = lab("l", batch=1)
    world = World(0, 0, topology)
    world.node("l/a", owner="l", hold="l")
    world.node("l/foreign", owner="other")
    world.node("l/surplus", owner="l")
    world.ready("l/foreign")
    assert world.release(topology, ["a", "foreign"])[0] == []
    assert world.release(topology, ["a"])[0] == ["a"]


def test_a_pod_elsewhere_does_not_satisfy_the_barrier_of_a_topology() -> None:
    topology = lab("l", batch=1)
    world = World(0, 0, topology)
    world.node("l/a", owner="l")
    world.node("l/b", owner="l", hold="l")
    world.pod("elsewhere/a", node_uid="l/a", sandbox=True)
    assert world.release(topology, "ab")[0] == []


def test_a_foreign_hold_ends_the_pass_after_those_before_it() -> None:
    topology = lab("l")
    world = World(0, 0, topology)
    for name, hold in (("a", "l"), ("b", "other"), ("c", "l")):
        world.node(f"l/{name}", owner="l", hold=hold)
    released, given = world.release(topology, "abc")
    assert released == ["a"]
    assert given.failure.endswith("belongs to a different Topology UID: Node l/b")
    assert world.release(topology, "abc")[0] == []


def test_a_foreign_hold_of_a_later_batch_is_not_seen_yet() -> None:
    topology = lab("l", batch=1)
    world = World(0, 0, topology)
    world.node("l/a", owner="l", hold="l")
    world.node("l/b", owner="l", hold="other")
    assert world.release(topology, "ab")[1].failure == ""


def test_a_group_that_was_cut_short_is_finished_before_the_next_batch() -> None:
    topology = lab("l", batch=1)
    world = World(0, 0, topology)
    world.node("l/a", owner="l", hold="l")
    world.node("l/b", owner="l", hold="l", shares="a")
    world.node("l/c", owner="l", hold="l")
    assert world.release(topology, "abc", writes=1)[0] == ["a"]
    assert world.release(topology, "abc")[0] == ["b"]
    world.ready("l/a")
    assert world.release(topology, "abc")[0] == ["c"]


def test_nodes_that_are_going_count_for_their_topology_and_not_for_the_global_batch() -> None:
    topology = lab("l", batch=1)
    world = World(1, 0, topology)
    world.node("l/a", owner="l", deleting=True, mark="l/a")
    world.node("l/b", owner="l", hold="l")
    assert world.release(topology, "ab")[1].waits == "a has no Pod with a sandbox"
    assert gates.global_pass(world.snapshot).blocked == ()


def test_a_marked_node_blocks_though_it_is_still_held() -> None:
    world = World(1)
    world.node("a/a", hold="someone", mark="a/a")
    assert gates.global_pass(world.snapshot).blocked == ("a/a",)


def test_a_wrong_mark_of_a_member_is_written_over_and_its_ignore_label_does_not_matter() -> None:
    world = World(1)
    world.node("a/p")
    world.node("a/s", shares="p", mark="of an older Node", ignored=True)
    assert world.admit() == ["a/p", "a/s"]


def test_the_queue_rests_only_when_nobody_waits_and_nobody_blocks() -> None:
    world = World(1)
    assert gates.global_pass(world.snapshot).rests
    world.node("a/a")
    assert not gates.global_pass(world.snapshot).rests
    world.admit()
    assert not gates.global_pass(world.snapshot).rests
    world.ready("a/a")
    assert gates.global_pass(world.snapshot).rests
    world.batch = 0
    assert not gates.global_pass(world.snapshot).rests


def test_the_newest_pod_decides_and_on_equal_times_the_first_seen() -> None:
    world = World(1)
    world.node("a/a")
    old = world.pod("a/a", sandbox=True, created="1")
    world.pod("a/a", created="1")
    assert gates.newest_pods(world.snapshot.pods)["a/a"] == old
    new = world.pod("a/a", created="2")
    assert gates.global_pass(world.snapshot).blocked == ("a/a",)
    world.change(new.uid, deleting=True)
    assert gates.global_pass(world.snapshot).blocked == ()


def test_pods_of_another_installation_are_not_seen() -> None:
    body = {"metadata": {"namespace": "a", "name": "p", "uid": "u"}}
    body["metadata"]["labels"] = {"c9s.run/app": "other", "c9s.run/direct-workload": "p"}  # type: ignore[assignment]
    assert not view_pod(body).device
    assert view_pod(body, "other").device


@given(
    batch=st.integers(1, 4),
    members=st.lists(st.integers(0, 2), min_size=1, max_size=8),
    steps=st.lists(st.integers(0, 5), max_size=30),
)
def test_a_restart_anywhere_never_admits_more_than_a_batch(
    batch: int, members: list[int], steps: list[int]
) -> None:
    world = World(batch)
    for number, secondaries in enumerate(members):
        world.node(f"a/p{number}")
        for second in range(secondaries):
            world.node(f"a/p{number}-{second}", shares=f"p{number}")
    for step in steps:
        world.admit(
            writes=step
        )  # a pass that dies after that many writes; the next one has no memory
        newest = gates.newest_pods(world.snapshot.pods)
        admitted = [node for node in world.nodes.values() if not node.shares and node.mark]
        unready = [node for node in admitted if node.uid not in newest]
        assert len(unready) <= batch
        if unready and step % 2:
            world.ready(unready[0].full_name)
