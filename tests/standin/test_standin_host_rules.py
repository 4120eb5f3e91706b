"""What admission.md says of host slots beside its scenarios: counting, order, fail-safe."""

from __future__ import annotations

import pytest
import standin_gates as gates
from gate_world import World, lab
from hypothesis import given
from hypothesis import strategies as st
from standin_views import Snapshot


def test_a_restarted_primary_takes_its_slot_again_and_the_count_may_exceed_the_limit() -> None:
    world = World(0, 1)
    for name in ("a/a", "a/b", "a/c"):
        world.node(name)
        world.pod(name, gated=True)
    first = next(iter(world.pods))
    assert world.grant()[0] == ["a/a"]
    world.change(first, started=True)
    assert world.grant()[0] == ["a/b"]
    world.change(first, started=False)
    granted, given = world.grant()
    assert (granted, given.booting) == ([], {"h1": 2})


@pytest.mark.parametrize("phase", ["Succeeded", "Failed"])
def test_a_finished_pod_holds_no_slot(phase: str) -> None:
    world = World(0, 1)
    world.node("a/a")
    world.node("a/b")
    world.pod("a/a", phase=phase)
    world.pod("a/b", gated=True)
    assert world.grant()[0] == ["a/b"]


def test_a_grant_of_another_pod_is_none() -> None:
    world = World(0, 1)
    world.node("a/a")
    world.pod("a/a", gated=True, grant="of an older Pod")
    assert world.grant()[0] == ["a/a"]


def test_equal_ages_queue_by_namespace_and_name() -> None:
    world = World(0, 1)
    for name in ("b/a", "a/b", "a/a"):
        world.node(name)
        world.pod(name, gated=True, created="1")
    assert world.grant()[0] == ["a/a"]


def test_without_any_gate_nobody_looks_for_orphans() -> None:
    world = World(0, 1)
    world.pod("a/gone")
    assert world.grant()[1].orphans == ()


def test_unbound_pods_and_pods_of_unknown_owners_are_skipped() -> None:
    world = World(0, 5)
    world.node("a/unbound")
    world.pod("a/unbound", gated=True, host="")
    world.pod("a/unknown", gated=True)
    world.node("a/lost", owner="a Topology that is gone")
    world.pod("a/lost", gated=True)
    assert world.grant()[0] == []


def test_the_gate_is_decided_by_either_limit() -> None:
    world = World(0, 0, lab("L", per_host=1))
    alone, owned = world.node("a/a"), world.node("L/b", owner="L")
    topologies = world.snapshot.topologies
    assert not gates.is_gated(0, alone, topologies)
    assert gates.is_gated(0, owned, topologies)
    assert gates.is_gated(1, alone, topologies)


@given(
    caps=st.tuples(st.integers(0, 3), st.integers(0, 3)),
    pods=st.lists(
        st.tuples(st.sampled_from("LM"), st.sampled_from(["h1", "h2"]), st.booleans()), max_size=12
    ),
    order=st.randoms(use_true_random=False),
)
def test_no_grant_exceeds_a_limit_and_order_of_reading_does_not_matter(
    caps: tuple[int, int], pods: list[tuple[str, str, bool]], order: object
) -> None:
    world = World(0, caps[0], lab("L", per_host=caps[1]), lab("M"))
    for number, (owner, host, started) in enumerate(pods):
        world.node(f"{owner}/{number}", owner=owner)
        world.pod(f"{owner}/{number}", host=host, gated=True, started=started)
    before = gates.host_pass(world.snapshot)
    shuffled = list(world.snapshot.pods)
    order.shuffle(shuffled)  # type: ignore[attr-defined]
    again = Snapshot(0, caps[0], world.snapshot.nodes, shuffled, world.snapshot.topologies)
    assert gates.host_pass(again).grants == before.grants
    world.grant()
    for host in ("h1", "h2"):
        here = [pod for pod in world.pods.values() if pod.host == host and pod.grant]
        booting = [pod.namespace for pod in here if not pod.started]
        assert not caps[0] or len(booting) <= caps[0]
        assert not caps[1] or booting.count("L") <= caps[1]
