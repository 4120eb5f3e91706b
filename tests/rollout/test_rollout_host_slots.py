"""What admission.md §5 says of host slots beside the scenarios."""

from __future__ import annotations

import pytest
from rollout_world import World, names

from kubectl_c9s.rollout.hosts import HostCount, is_booting, is_gated, is_queued

GATED, GRANTED, OPEN = {"gated": True}, {"gated": True, "grant": "mine"}, {"gated": False}
WRONG = {"gated": True, "grant": "UID of an older Pod"}
ROWS = [
    ("queued", GATED, {}),
    ("queued", WRONG, {}),
    ("queued", GATED, {"phase": "Failed"}),
    ("skipped", GATED, {"deleting": True}),
    ("skipped", WRONG, {"deleting": True}),
    ("started", GRANTED, {"started": True}),
    ("started", OPEN, {"started": True}),
    ("started", OPEN, {"started": True, "deleting": True}),
    ("ended", GRANTED, {"phase": "Succeeded"}),
    ("ended", GRANTED, {"phase": "Failed", "deleting": True}),
    ("ended", OPEN, {"phase": "Failed"}),
    ("booting", GRANTED, {}),
    ("booting", GRANTED, {"deleting": True}),
    ("booting", GRANTED, {"phase": "Running", "sandbox": True}),
    ("booting", GRANTED, {"phase": "Unknown"}),
    ("booting", OPEN, {}),
    ("booting", OPEN, {"deleting": True}),
]


@pytest.mark.parametrize(("row", "gate", "state"), ROWS)
def test_a_pod_is_in_its_row_of_the_table(
    row: str, gate: dict[str, object], state: dict[str, object]
) -> None:
    world = World(per_host=1)
    world.node("a/a")
    world.node("a/next")
    uid = world.pod("a/a", **gate, **state)
    if gate is GRANTED:
        world.change(uid, grant=uid)
    pod = world.pods[uid]
    lists = {"booting": (pod,), "queued": (pod,), "started": (pod,)}
    expected = HostCount(**{row: lists[row]} if row in lists else {})
    assert world.hosts.hosts == {"h1": expected}
    assert (is_booting(pod), is_queued(pod)) == (row == "booting", row in {"queued", "skipped"})
    world.pod("a/next", gated=True)
    assert world.grant() == {"queued": ["a/a"], "booting": []}.get(row, ["a/next"])


@pytest.mark.parametrize("gated", [False, True])
def test_a_pod_without_a_host_is_skipped(*, gated: bool) -> None:
    world = World(per_host=1)
    world.node("a/a")
    world.node("a/b")
    world.pod("a/a", host="", gated=gated)
    world.pod("a/b", gated=True)
    assert list(world.hosts.hosts) == ["h1"]
    assert world.grant() == ["a/b"]


def test_hosts_are_given_by_name_and_counted_each_for_itself() -> None:
    world = World(per_host=1)
    for number, host in enumerate(("h2", "h10", "h1", "h2")):
        world.node(f"a/{number}")
        world.pod(f"a/{number}", host=host, gated=True)
    assert list(world.hosts.hosts) == ["h1", "h10", "h2"]
    assert world.grant() == ["a/0", "a/1", "a/2"]


def test_who_queues_is_ordered_by_age_of_the_pod_then_by_full_name() -> None:
    world = World(per_host=3)
    ages = {"b/a": "2", "a/b": "2", "a/a": "3", "z/z": "1", "a-b/a": "2"}
    for name, created in ages.items():
        world.node(name, created="9" if created == "1" else "0")
        world.pod(name, gated=True, created=created)
    assert world.grant() == ["z/z", "a-b/a", "a/b"]
    assert names(world.hosts.hosts["h1"].queued) == ["b/a-1", "a/a-3"]


def test_both_limits_count_and_a_larger_one_of_a_topology_is_useless() -> None:
    world = World(per_host=2)
    world.lab("L", "a b c", per_host=9)
    world.lab("M", "a b", per_host=1)
    for name in ("M/a", "M/b", "L/a", "L/b", "L/c"):
        world.pod(name, gated=True)
    assert world.grant() == ["M/a", "L/a"]
    assert world.grant() == []
    world.per_host = 4
    assert world.grant() == ["L/b", "L/c"]
    world.per_host = 0
    assert world.grant() == []
    world.limit("M", per_host=0)
    assert world.grant() == ["M/b"]


def test_ungated_boots_count_for_their_topology_too() -> None:
    world = World()
    world.lab("L", "a b", per_host=1)
    world.node("x/x")
    world.pod("L/a")
    world.pod("L/b", gated=True)
    world.pod("x/x", gated=True)
    assert world.grant() == ["x/x"]


def test_the_limit_of_a_topology_is_per_host() -> None:
    world = World()
    world.lab("L", "a b c", per_host=1)
    for name, host in (("L/a", "h1"), ("L/b", "h1"), ("L/c", "h2")):
        world.pod(name, host=host, gated=True)
    assert world.grant() == ["L/a", "L/c"]


def test_a_restarted_primary_takes_its_slot_again_and_nobody_is_granted_until_it_is_below() -> None:
    world = World(per_host=1)
    for name in ("a/a", "a/b", "a/c"):
        world.node(name)
    first, second, _ = (world.pod(name, gated=True) for name in world.nodes)
    assert world.grant() == ["a/a"]
    world.change(first, started=True)
    assert world.grant() == ["a/b"]
    world.change(first, started=False)
    assert len(world.hosts.hosts["h1"].booting) == 2
    assert world.grant() == []
    world.change(second, started=True)
    assert world.grant() == []
    world.change(first, started=True)
    assert world.grant() == ["a/c"]


def test_a_lowered_limit_revokes_nothing_and_grants_nobody_until_the_count_is_below() -> None:
    world = World(per_host=3)
    for name in ("a/a", "a/b", "a/c", "a/d"):
        world.node(name)
        world.pod(name, gated=True)
    assert len(world.grant()) == 3
    world.per_host = 1
    booting = list(world.pods.values())[:3]
    assert world.hosts.hosts["h1"].booting == tuple(booting)
    for pod in booting:
        assert world.grant() == []
        world.change(pod.uid, started=True)
    assert world.grant() == ["a/d"]


def test_a_replacement_queues_again() -> None:
    world = World(per_host=1)
    world.node("a/a")
    first = world.pod("a/a", gated=True)
    assert world.grant() == ["a/a"]
    world.pod("a/a", gated=True, grant=first)  # an annotation copied from the Pod it replaces
    assert world.grant() == []
    del world.pods[first]
    assert world.grant() == ["a/a"]


def test_an_orphan_stops_grants_only_where_some_pod_is_gated() -> None:
    world = World(per_host=5)
    orphan = world.pod("a/gone")
    assert not world.hosts.active
    assert world.grant() == []
    world.node("a/a")
    world.pod("a/a", gated=True)
    assert (world.hosts.active, world.grant()) == (True, [])
    world.change(orphan, phase="Failed")
    assert world.grant() == ["a/a"]


def test_a_pod_without_a_node_uid_that_boots_is_an_orphan() -> None:
    world = World()
    world.node("a/a")
    world.pod("a/a", gated=True)
    stray = world.pod("a/x", node_uid="")
    assert [pod.uid for pod in world.hosts.orphans] == [stray]
    assert world.grant() == []


def test_an_orphan_that_is_not_bound_or_only_queues_stops_nobody() -> None:
    world = World()
    world.node("a/a")
    world.pod("a/unbound", host="")
    world.pod("a/queued", gated=True)
    world.pod("a/a", gated=True)
    assert world.hosts.orphans == ()
    assert names(world.hosts.skipped) == ["a/queued-2"]
    assert world.grant() == ["a/a"]


def test_a_pod_of_an_unknown_topology_is_skipped_and_still_counts_when_it_boots() -> None:
    world = World(per_host=1)
    world.node("a/a", owner="a Topology that is gone")
    world.node("b/b")
    lost = world.pod("a/a", gated=True)
    world.pod("b/b", gated=True)
    assert names(world.hosts.skipped) == ["a/a-1"]
    assert world.grant() == ["b/b"]
    world.per_host = 2
    world.change(lost, grant=lost)
    world.node("b/c")
    world.pod("b/c", gated=True)
    assert world.grant() == []


def test_a_node_that_is_going_still_owns_its_pod() -> None:
    world = World(per_host=2)
    world.node("a/a", deleting=True)
    world.pod("a/a")
    world.node("b/b", deleting=True)
    world.pod("b/b", gated=True)
    assert world.hosts.orphans == ()
    assert world.grant() == ["b/b"]


def test_the_gate_is_decided_by_the_limit_of_the_config_or_of_the_controlling_topology() -> None:
    world = World()
    world.lab("L", "a", per_host=1)
    world.lab("M", "a")
    alone, owned, free = world.node("x/x"), world.nodes["L/a"], world.nodes["M/a"]
    owned_besides = world.node("L/b", owners=("L",))
    labs = world.labs.values()
    assert is_gated(0, owned, labs)
    assert not any(is_gated(0, node, labs) for node in (alone, free, owned_besides))
    assert all(is_gated(1, node, labs) for node in (alone, owned, free, owned_besides))
    assert not is_gated(0, owned, [])
