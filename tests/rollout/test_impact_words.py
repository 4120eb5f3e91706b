"""The sentences of config-and-chart.md §3, "Impact to print", each by a worked example: numbers, names and words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rollout_world import World

from kubectl_c9s.output.rollouttexts import effect_lines
from kubectl_c9s.rollout.impact import config_effects, topology_effects
from kubectl_c9s.rollout.limits import Limits

if TYPE_CHECKING:
    from kubectl_c9s.rollout.impact import Effect


def of_config(world: World, before: Limits, after: Limits) -> Effect:
    (effect,) = config_effects(world.snapshot, before, after)
    return effect


def of_lab(world: World, before: Limits, after: Limits) -> Effect:
    (effect,) = topology_effects(world.snapshot, world.labs["l"], before, after)
    return effect


def words(effect: Effect, kind: str = "Config") -> list[str]:
    return list(effect_lines(effect, kind))


def waiting_world(batch: int) -> World:
    """Make four that wait for the global batch, beside one admitted, one held, one ignored and a secondary."""
    world = World(batch)
    for name in ("d", "c", "b"):
        world.node(f"x/{name}")
    world.node("x/late", created="later")
    world.node("x/s", shares="b")
    world.node("x/up", mark="x/up")
    world.node("x/held", hold="a Topology")
    world.node("x/passed-over", ignored=True)
    world.ready("x/up")
    return world


def test_the_global_batch_off_releases_the_groups_that_wait_neither_marked_nor_held() -> None:
    effect = of_config(waiting_world(2), Limits(2), Limits(0))
    assert effect.released == effect.starts == ("x/b", "x/c", "x/d", "x/late")
    sentence = "batchSize: releases 4 waiting workload(s) now: x/b, x/c, x/d, x/late"
    assert words(effect) == [sentence]
    assert words(of_config(waiting_world(2), Limits(2), Limits(None))) == [sentence]


def test_the_batch_of_a_topology_off_releases_the_groups_that_are_held() -> None:
    world = World()
    world.lab("l", "a b c", batch=1)
    world.change("l/a", hold="")  # the first batch, which has no Pod yet and would block the next
    world.node("m/a", hold="m", owner="m")  # another Topology's
    effect = of_lab(world, Limits(1), Limits(0))
    assert effect.released == effect.starts == ("l/b", "l/c")
    assert words(effect, "Topology") == [
        "batchSize: releases 2 waiting held workload(s) now: l/b, l/c"
    ]


def test_a_lower_batch_concerns_later_batches_only() -> None:
    world = waiting_world(3)
    effect = of_config(world, Limits(3), Limits(1))
    assert (effect.turn, effect.starts, effect.released) == ("lowered", ("x/b",), ())
    assert words(effect) == [
        "batchSize: later batches only: what is admitted stays",
        "batchSize: the next pass admits 1 of 4 waiting workload(s): x/b",
    ]


def test_the_first_batch_adopts_what_has_a_pod_and_is_blocked_by_pods_without_a_sandbox() -> None:
    world = World()
    for name in ("up", "up2", "unready", "new"):
        world.node(f"x/{name}")
    world.ready("x/up", "x/up2")
    world.pod("x/unready")
    effect = of_config(world, Limits(), Limits(5))
    assert effect.adopted == ("x/unready", "x/up", "x/up2")
    assert (effect.blocking, effect.starts) == (("x/unready",), ())
    assert words(effect) == [
        "batchSize: 3 existing workload(s) are adopted",
        "batchSize: 1 workload(s) without a sandbox block 1 waiting: x/unready",
    ]


def test_a_workload_that_lost_its_mark_is_adopted_by_every_limit() -> None:
    world = World(2)
    world.node("x/up")
    world.ready("x/up")
    raised = of_config(world, Limits(2), Limits(4))
    assert raised.adopted == ("x/up",)
    assert "batchSize: 1 existing workload(s) are adopted" in words(raised)
    assert of_config(world, Limits(2), Limits(0)).adopted == ()


def test_the_first_batch_of_a_topology_holds_only_nodes_to_come() -> None:
    world = World()
    world.lab("l", "a b")
    effect = of_lab(world, Limits(), Limits(1))
    assert (effect.turn, effect.starts, effect.blocking) == ("first", (), ())
    assert words(effect, "Topology") == [
        "batchSize: only Nodes that are created from now on are held",
        "batchSize: nobody waits",
    ]


def test_the_first_limit_per_host_gates_deployments_to_come_and_counts_what_boots_now() -> None:
    world = World()
    for name in ("boots", "boots2", "runs", "going"):
        world.node(f"x/{name}")
        world.pod(f"x/{name}")
    world.change("x/runs#3", started=True)
    world.change("x/going#4", deleting=True)
    effect = of_config(world, Limits(), Limits(None, 2))
    assert effect.booting == ("x/boots-1", "x/boots2-2", "x/going-4")
    assert words(effect) == [
        "maxConcurrentPerHost: only Deployments created from now on are gated; 3 Pod(s) that boot now count"
    ]


def test_the_limit_per_host_off_lets_queued_pods_boot_on_their_hosts() -> None:
    world = World(0, 1)
    for name, host in (("a", "h1"), ("b", "h1"), ("c", "h2"), ("unbound", "")):
        world.node(f"x/{name}")
        world.pod(f"x/{name}", gated=True, host=host, sandbox=True)
    effect = of_config(world, Limits(None, 1), Limits(None, 0))
    assert effect.released == effect.starts == ("x/a-1", "x/b-2", "x/c-3")
    assert effect.hosts == (("h1", 2), ("h2", 1))
    assert words(effect) == [
        "maxConcurrentPerHost: releases 3 waiting Pod(s) on 2 host(s) now: x/a-1, x/b-2, x/c-3"
    ]


def test_a_topology_without_its_limit_still_has_that_of_the_config() -> None:
    world = World(0, 1)
    world.lab("l", "a b", per_host=1)
    for name in ("l/a", "l/b"):
        world.pod(name, gated=True)
    effect = of_lab(world, Limits(None, 1), Limits(None, 0))
    assert (effect.waiting, effect.released) == (("l/a-1", "l/b-2"), ("l/a-1",))


def test_a_pod_whose_node_is_gone_keeps_back_what_would_be_released() -> None:
    world = World(0, 1)
    world.node("x/a")
    world.pod("x/a", gated=True)
    world.pod("x/gone")
    effect = of_config(world, Limits(None, 1), Limits())
    assert (effect.released, effect.starts, effect.orphans) == (("x/a-1",), (), ("x/gone-2",))
    held = (
        "maxConcurrentPerHost: nobody is granted a slot while Pods of unknown Nodes boot: x/gone-2"
    )
    assert words(effect)[1] == held


def test_a_circle_is_admitted_as_a_whole_and_never_released() -> None:
    world = World(1)
    world.node("x/a", shares="b")
    world.node("x/b", shares="a")
    assert of_config(world, Limits(1), Limits(2)).starts == ("x/a", "x/b")
    assert of_config(world, Limits(2), Limits(1)).starts == ("x/a", "x/b")
    assert of_config(world, Limits(1), Limits()).released == ()


def test_a_topology_that_is_told_to_be_ignored_releases_nobody() -> None:
    world = World()
    world.lab("l", "a b", batch=1)
    world.limit("l", ignored=True)
    off = of_lab(world, Limits(1), Limits())
    assert (off.released, off.starts) == (("l/a", "l/b"), ())
    assert words(off, "Topology")[1].endswith("the label c9s.run/ignoreReconcile")
    raised = of_lab(world, Limits(1), Limits(2))
    assert words(raised, "Topology") == [
        f"batchSize: nobody is released before this is over: {raised.holdup}"
    ]


def test_a_hold_of_another_topology_ends_a_release() -> None:
    world = World()
    world.lab("l", "a b c", batch=1)
    world.change("l/b", hold="another")
    raised = of_lab(world, Limits(1), Limits(3))
    assert raised.starts == ("l/a",)
    assert words(raised, "Topology") == [
        "batchSize: no more than l/a before this is over: the hold of l/b belongs to another Topology"
    ]


def test_a_topology_that_lacks_nodes_releases_nobody() -> None:
    world = World()
    world.lab("l", "a b", batch=1)
    del world.nodes["l/b"]
    assert words(of_lab(world, Limits(1), Limits(2)), "Topology") == [
        "batchSize: nobody is released before this is over: 1 of 2 Nodes are there"
    ]
