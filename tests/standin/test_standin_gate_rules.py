"""What admission.md says beside its scenarios: groups, holds, counting, and restarts."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
import standin_gates as gates
from gate_world import World, lab
from hypothesis import given
from hypothesis import strategies as st
from standin_names import VERSION
from standin_views import Snapshot, limits, view_node, view_pod, view_topology

SHARED = Path(os.environ.get("C9S_SHARED", Path(__file__).parents[3] / "shared"))
CASES = sorted(path.parent for path in SHARED.glob("cases/diagnose/*/dump.json"))


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
    world = World(1)
    world.node("a/x", shares="y")
    world.node("a/y", shares="x")
    assert sorted(world.admit()) == ["a/x", "a/y"]
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


@pytest.mark.skipif(not CASES, reason="no cases of diagnosis beside the checkout")
@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
def test_the_counts_of_the_diagnosis_cases_come_out(case: Path) -> None:
    items = json.loads((case / "dump.json").read_text(encoding="utf-8"))["items"]
    counts = json.loads((case / "expected.json").read_text(encoding="utf-8"))["counts"]
    ours = [one for one in items if one["apiVersion"] == VERSION]
    nodes = [view_node(one) for one in ours if one["kind"] == "Node"]
    topologies = [view_topology(one) for one in ours if one["kind"] == "Topology"]
    configs = [one for one in ours if one["kind"] == "Config"]
    specs = [one["spec"] for one in configs if one["metadata"]["namespace"] == "c9s"]
    batch, per_host = limits(specs[0] if specs else {})
    pods = [view_pod(one) for one in items if one["kind"] == "Pod"]
    snapshot = Snapshot(batch, per_host, nodes, pods, topologies)
    queue, hosts = gates.global_pass(snapshot), gates.host_pass(snapshot)
    assert sorted(queue.blocked) == counts["global"]["blockingGroups"]
    assert len(queue.pending) == counts["global"]["pending"]
    following = [] if queue.blocked else list(queue.pending[:batch])
    assert following == counts["global"]["nextBatch"]
    for name, one in counts["hosts"].items():
        assert hosts.booting.get(name, one["booting"]) == one["booting"]
