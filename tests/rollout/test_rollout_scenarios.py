"""The fifteen worked scenarios of admission.md §8, by their numbers there."""

from __future__ import annotations

from rollout_world import World, names


def test_01_a_batch_spans_namespaces_and_waits_for_sandboxes_not_for_readiness() -> None:
    world = World(batch=2)
    for name, shares in (("a/p", None), ("a/s", "p"), ("b/p", None), ("c/p", None)):
        world.node(name, shares=shares)
    assert world.admit() == ["a/p", "a/s", "b/p"]
    assert world.admit() == []
    world.ready("a/p")
    late = world.pod("b/p", started=True, phase="Running")  # as Ready as a Pod can be
    assert world.admit() == []
    assert names(world.queue.blocking) == ["b/p"]
    world.change(late, sandbox=True)
    assert world.admit() == ["c/p"]


def test_02_a_pod_adopts_its_node_without_counting_and_only_by_uid() -> None:
    world = World(batch=1)
    for name in ("a/a", "b/b", "c/c"):
        world.node(name)
    world.ready("a/a")
    assert names(world.queue.adopted) == ["a/a"]
    assert world.admit() == ["a/a", "b/b"]
    world.pod("b/b", node_uid="UID of a deleted Node that was also called b", sandbox=True)
    assert world.admit() == []
    del world.nodes["b/b"]
    assert world.admit() == ["c/c"]


def test_03_an_adopted_pod_without_sandbox_blocks_everybody() -> None:
    world = World(batch=5)
    world.node("a/a")
    world.node("b/b")
    world.pod("a/a")
    assert world.admit() == ["a/a"]
    assert world.admit() == []
    assert names(world.queue.pending) == ["b/b"]


def test_04_held_nodes_neither_count_nor_block_in_the_global_batch() -> None:
    world = World(batch=10)
    world.lab("d", " ".join(f"n{number}" for number in range(50)), batch=5)
    for name in ("x/1", "y/2", "z/3"):
        world.node(name)
    assert len(world.queue.held) == 50
    assert world.admit() == ["x/1", "y/2", "z/3"]
    world.ready("x/1", "y/2", "z/3")
    assert (world.queue.pending, world.queue.blocking, world.queue.marks) == ((), (), ())


def test_05_a_topology_releases_its_groups_in_batches_by_name() -> None:
    world = World()
    world.lab("l", "node-0 node-1 node-2 node-3 node-4 node-5", batch=2)
    world.change("l/node-5", shares="node-0")
    assert world.release("l") == ["node-0", "node-5", "node-1"]
    assert world.release("l") == []
    world.ready("l/node-0", "l/node-1")
    assert world.release("l") == ["node-2", "node-3"]
    world.ready("l/node-3")
    assert world.release("l") == []
    world.limit("l", batch=0)
    assert world.release("l") == ["node-4"]


def test_06_a_lower_batch_size_revokes_nothing_and_makes_the_next_batch_smaller() -> None:
    world = World(batch=100)
    for number in range(150):
        world.node(f"a/n{number:03}")
    admitted = world.admit()
    assert len(admitted) == 100
    world.ready(*admitted[:50])  # in the middle of the batch
    world.batch = 10
    assert world.admit() == []
    assert names(world.queue.admitted) == admitted
    world.ready(*admitted)
    assert world.admit() == [f"a/n{number:03}" for number in range(100, 110)]


def test_07_a_recreated_node_queues_though_it_has_the_mark_of_the_old_one() -> None:
    world = World(batch=1)
    world.node("a/x", uid="new", mark="old", created="2")
    world.node("a/y", created="1")
    assert names(world.queue.pending) == ["a/y", "a/x"]
    assert world.admit() == ["a/y"]
    world.ready("a/y")
    assert world.admit() == ["a/x"]
    assert world.nodes["a/x"].mark == "new"


def test_08_both_caps_hold_and_one_who_does_not_fit_is_passed_over() -> None:
    world = World(per_host=2)
    world.lab("L", "a b e", per_host=1)
    world.node("other/c")
    world.node("other/d")
    for name in ("L/a", "L/b", "other/c", "other/d"):
        world.pod(name, host="h1", gated=True)
    world.pod("L/e", host="h2", gated=True)
    assert world.grant() == ["L/a", "other/c", "L/e"]
    assert world.grant() == []


def test_09_a_started_primary_hands_its_slot_over_before_its_pod_is_ready() -> None:
    world = World()
    world.lab("L", "a b", per_host=1)
    first, _ = world.pod("L/a", gated=True), world.pod("L/b", gated=True)
    assert world.grant() == ["L/a"]
    world.change(first, phase="Running", sandbox=True)
    assert world.grant() == []
    world.change(first, started=True)
    assert world.grant() == ["L/b"]


def test_10_a_terminating_boot_keeps_its_slot_and_an_ungranted_one_has_none() -> None:
    world = World(per_host=1)
    for name in ("a/a", "a/b", "a/c"):
        world.node(name)
    stuck = world.pod("a/a", gated=True)
    assert world.grant() == ["a/a"]
    world.change(stuck, deleting=True)
    world.pod("a/b", gated=True, deleting=True)
    world.pod("a/c", gated=True)
    assert world.grant() == []
    assert len(world.hosts.hosts["h1"].booting) == len(world.hosts.hosts["h1"].queued) == 1
    del world.pods[stuck]
    assert world.grant() == ["a/c"]


def test_11_a_booting_orphan_stops_every_host_until_it_starts_or_goes() -> None:
    world = World(per_host=5)
    world.lab("L", "a b")
    first = world.pod("L/a", host="h1", gated=True)
    assert world.grant() == ["L/a"]
    del world.nodes["L/a"]
    world.change(first, deleting=True)
    world.pod("L/b", host="h2", gated=True)
    assert world.grant() == []
    assert [pod.uid for pod in world.hosts.orphans] == [first]
    started = world.pods[first]
    world.change(first, started=True)
    assert names(world.hosts.grants) == ["L/b-2"]
    world.pods[first] = started
    assert world.grant() == []
    del world.pods[first]
    assert world.grant() == ["L/b"]


def test_12_without_limits_all_who_queue_are_granted_at_once() -> None:
    world = World(per_host=1)
    world.lab("L", " ".join(f"n{number}" for number in range(20)), per_host=1)
    for name in world.nodes:
        world.pod(name, gated=True)
    world.per_host = 0
    assert len(world.hosts.grants) == 1
    world.limit("L", per_host=0)
    assert world.grant() == list(world.nodes)


def test_13_an_ungated_boot_takes_a_slot() -> None:
    world = World(per_host=1)
    world.node("a/old")
    world.node("a/new")
    old = world.pod("a/old")
    world.pod("a/new", gated=True)
    assert world.grant() == []
    world.change(old, started=True)
    assert world.grant() == ["a/new"]


def test_14_an_ignored_primary_takes_its_group_out_and_blocks_nobody() -> None:
    world = World(batch=2)
    world.node("a/p", ignored=True)
    world.node("a/s", shares="p")
    world.node("b/x")
    assert world.admit() == ["b/x"]
    world.ready("b/x")
    world.node("b/y")
    world.pod("a/p")
    assert world.admit() == ["b/y"]
    assert world.nodes["a/s"].mark == ""


def test_15_a_late_secondary_is_marked_at_once_and_does_not_count() -> None:
    world = World(batch=1)
    world.node("a/p")
    world.node("b/x", created="2")
    world.node("b/y", created="3")
    assert world.admit() == ["a/p"]
    world.ready("a/p")
    assert world.admit() == ["b/x"]
    world.node("a/s", shares="p")  # in the middle of the batch of b/x
    assert world.admit() == ["a/s"]
    assert names(world.queue.pending) == ["b/y"]
