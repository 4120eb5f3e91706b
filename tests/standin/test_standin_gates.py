"""The fifteen worked scenarios of admission.md §8, by their numbers there."""

from __future__ import annotations

import standin_gates as gates
from gate_world import World, lab


def test_01_a_batch_spans_namespaces_and_waits_for_sandboxes_not_readiness() -> None:
    world = World(2)
    world.node("a/p")
    world.node("a/s", shares="p")
    world.node("b/p")
    world.node("c/p")
    assert world.admit() == ["a/p", "a/s", "b/p"]
    assert world.admit() == []
    world.ready("a/p")
    late = world.pod("b/p", started=True)
    assert world.admit() == []
    assert gates.global_pass(world.snapshot).blocked == ("b/p",)
    world.change(late.uid, sandbox=True)
    assert world.admit() == ["c/p"]


def test_02_a_pod_adopts_its_node_without_counting() -> None:
    world = World(1)
    for name in ("a/a", "b/b", "c/c"):
        world.node(name)
    world.ready("a/a")
    assert world.admit() == ["a/a", "b/b"]
    world.pod("b/b", node_uid="UID of a deleted Node that was also called b", sandbox=True)
    assert world.admit() == []
    del world.nodes["b/b"]
    assert world.admit() == ["c/c"]


def test_03_an_adopted_pod_without_sandbox_blocks_everybody() -> None:
    world = World(5)
    world.node("a/a")
    world.node("b/b")
    world.pod("a/a")
    assert world.admit() == ["a/a"]
    assert gates.global_pass(world.snapshot).blocked == ("a/a",)


def test_04_held_nodes_are_invisible_to_the_global_batch() -> None:
    world = World(10)
    for number in range(50):
        world.node(f"d/n{number}", owner="d", hold="d")
    for name in ("x/1", "y/2", "z/3"):
        world.node(name)
    assert world.admit() == ["x/1", "y/2", "z/3"]
    world.ready("x/1", "y/2", "z/3")
    assert gates.global_pass(world.snapshot).rests


def test_05_a_topology_releases_its_nodes_in_batches_by_name() -> None:
    topology = lab("l", batch=2)
    world = World(0, 0, topology)
    expected = [f"node-{number}" for number in range(6)]
    for name in expected:
        shares = "node-0" if name == "node-5" else None
        world.node(f"l/{name}", owner="l", hold="l", shares=shares)
    assert world.release(topology, expected)[0] == ["node-0", "node-5", "node-1"]
    assert world.release(topology, expected)[0] == []
    world.ready("l/node-0", "l/node-1")
    assert world.release(topology, expected)[0] == ["node-2", "node-3"]
    world.ready("l/node-3")
    assert world.release(topology, expected)[0] == []
    assert world.release(lab("l"), expected)[0] == ["node-4"]


def test_06_a_lower_batch_size_changes_later_batches_only() -> None:
    world = World(100)
    for number in range(150):
        world.node(f"a/n{number:03}")
    assert len(world.admit()) == 100
    world.batch = 10
    assert world.admit() == []
    marked = [name for name, node in world.nodes.items() if node.mark]
    assert len(marked) == 100
    world.ready(*marked)
    assert world.admit() == [f"a/n{number}" for number in range(100, 110)]


def test_07_a_recreated_node_queues_though_it_has_the_old_mark() -> None:
    world = World(1)
    world.node("a/x", uid="new", mark="old", created="2")
    world.node("a/y", created="1")
    assert gates.global_pass(world.snapshot).pending == ("a/y", "a/x")
    assert world.admit() == ["a/y"]


def test_08_both_caps_hold_and_one_who_does_not_fit_is_passed_over() -> None:
    world = World(0, 2, lab("L", per_host=1))
    for name, host in (("L/a", "h1"), ("L/b", "h1"), ("other/c", "h1"), ("other/d", "h1")):
        world.node(name, owner="L" if name.startswith("L") else "")
        world.pod(name, host=host, gated=True)
    world.node("L/e", owner="L")
    world.pod("L/e", host="h2", gated=True)
    assert world.grant()[0] == ["L/a", "other/c", "L/e"]
    assert world.grant()[0] == []


def test_09_a_started_primary_hands_its_slot_over() -> None:
    world = World(0, 0, lab("L", per_host=1))
    world.node("L/a", owner="L")
    world.node("L/b", owner="L")
    first = world.pod("L/a", gated=True)
    world.pod("L/b", gated=True)
    assert world.grant()[0] == ["L/a"]
    world.change(first.uid, phase="Running", sandbox=True)
    assert world.grant()[0] == []
    world.change(first.uid, started=True)
    assert world.grant()[0] == ["L/b"]


def test_10_a_terminating_boot_keeps_its_slot_and_an_ungranted_one_has_none() -> None:
    world = World(0, 1)
    for name in ("a/a", "a/b", "a/c"):
        world.node(name)
    stuck = world.pod("a/a", gated=True)
    assert world.grant()[0] == ["a/a"]
    world.change(stuck.uid, deleting=True)
    world.pod("a/b", gated=True, deleting=True)
    world.pod("a/c", gated=True)
    assert world.grant()[0] == []
    del world.pods[stuck.uid]
    assert world.grant()[0] == ["a/c"]


def test_11_an_orphan_that_boots_stops_every_host() -> None:
    world = World(0, 5)
    world.node("x/y")
    world.pod("x/y", host="h2", gated=True)
    orphan = world.pod("L/a", host="h1", gated=True, deleting=True)
    world.change(orphan.uid, grant=orphan.uid)
    granted, given = world.grant()
    assert (granted, given.orphans) == ([], (orphan.full_name,))
    world.change(orphan.uid, started=True)
    assert world.grant()[0] == ["x/y"]


def test_12_without_limits_all_who_queue_are_granted_at_once() -> None:
    world = World(0, 0, lab("L"))
    for number in range(20):
        world.node(f"L/{number}", owner="L")
        world.pod(f"L/{number}", gated=True)
    assert len(world.grant()[0]) == 20


def test_13_an_ungated_boot_counts() -> None:
    world = World(0, 1)
    world.node("a/old")
    world.node("a/new")
    old = world.pod("a/old")
    world.pod("a/new", gated=True)
    assert world.grant()[0] == []
    world.change(old.uid, started=True)
    assert world.grant()[0] == ["a/new"]


def test_14_an_ignored_primary_takes_its_group_out_and_blocks_nobody() -> None:
    world = World(1)
    world.node("a/p", ignored=True)
    world.node("a/s", shares="p")
    world.node("b/x")
    world.pod("a/p")
    assert world.admit() == ["b/x"]
    assert gates.global_pass(world.snapshot).blocked == ("b/x",)


def test_15_a_late_secondary_is_marked_at_once() -> None:
    world = World(1)
    world.node("a/p")
    world.node("b/x")
    assert world.admit() == ["a/p"]
    world.node("a/s", shares="p")
    assert world.admit() == ["a/s"]
    assert gates.global_pass(world.snapshot).pending == ("b/x",)
