"""Two independent readings of admission.md give the same: the product's and the stand-in manager's.

Objects are made as JSON and read by both, so the readers are compared too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import standin_gates
import standin_views
from hypothesis import given, settings
from hypothesis import strategies as st
from rollout_history import History
from rollout_hostile import NAMES, Installation, installations, read
from rollout_world import names

from kubectl_c9s.rollout.gates import global_gate, topology_gate
from kubectl_c9s.rollout.groups import group_nodes, primary_of
from kubectl_c9s.rollout.hosts import host_gate, is_gated

if TYPE_CHECKING:
    from collections.abc import Iterable

    import msgspec

    from kubectl_c9s.rollout.gates import GlobalGate
    from kubectl_c9s.rollout.views import Snapshot

worlds = installations()


def theirs(given_world: Installation) -> standin_views.Snapshot:
    """Read an installation as the stand-in does."""
    return standin_views.Snapshot(
        given_world.batch,
        given_world.per_host,
        [standin_views.view_node(one) for one in given_world.nodes],
        [standin_views.view_pod(one) for one in given_world.pods],
        [standin_views.view_topology(one) for one in given_world.topologies],
    )


def full_names(found: Iterable[standin_views.NodeView | standin_views.PodView]) -> list[str]:
    return [one.full_name for one in found]


@given(worlds)
def test_both_read_objects_alike(world: Installation) -> None:
    mine, other = read(world), theirs(world)
    for node, known in zip(mine.nodes, other.nodes, strict=True):
        for field in set(node.__struct_fields__) - {"topology", "owners"}:
            assert getattr(node, field) == getattr(known, field), field
        assert (node.topology or None) == known.topology
        assert node.owners == tuple(owner.uid for owner in known.owners)
    devices = [pod for pod in other.pods if pod.device]
    for pod, device in zip(mine.pods, devices, strict=True):
        for field in pod.__struct_fields__:
            assert getattr(pod, field) == getattr(device, field), field
    for lab, same in zip(mine.topologies, other.topologies, strict=True):
        for field in ("namespace", "name", "uid", "batch", "per_host"):
            assert getattr(lab, field) == getattr(same, field), field


@given(st.dictionaries(st.sampled_from(NAMES), st.sampled_from([None, *NAMES, "gone", ""])))
def test_both_find_the_same_primaries(shares: dict[str, str | None]) -> None:
    for name in shares:
        assert primary_of(name, shares) == standin_gates.primary_name(name, shares)


@given(worlds)
@settings(max_examples=400)
def test_both_decide_alike_about_any_objects(world: Installation) -> None:
    compare(read(world), theirs(world))


@given(st.integers(0, 2**32), st.integers(1, 80))
@settings(max_examples=500)
def test_both_decide_alike_in_the_middle_of_any_history(seed: int, steps: int) -> None:
    mine = History(seed).run(steps).snapshot
    compare(mine, counterpart(mine))


def counterpart(snapshot: Snapshot) -> standin_views.Snapshot:
    """Give a snapshot in the stand-in's own views."""
    nodes = [fields_of(node) for node in snapshot.nodes]
    for node in nodes:
        topology = node.pop("topology")
        node["owners"] = tuple(standin_views.Owner(one, one == topology) for one in node["owners"])
    limits = ("namespace", "name", "uid", "batch", "per_host")
    labs = [[getattr(lab, one) for one in limits] for lab in snapshot.topologies]
    return standin_views.Snapshot(
        snapshot.batch,
        snapshot.per_host,
        [standin_views.NodeView(**node) for node in nodes],
        [standin_views.PodView(**fields_of(pod)) for pod in snapshot.pods],
        [standin_views.TopologyView(*lab) for lab in labs],
    )


def fields_of(view: msgspec.Struct) -> dict[str, Any]:
    return {field: getattr(view, field) for field in view.__struct_fields__}


def compare(mine: Snapshot, other: standin_views.Snapshot) -> None:
    """Compare all that both say; the order too where the text gives one."""
    compare_groups(mine, other)
    compare_topologies(mine, other)
    compare_queues(mine, other)
    compare_hosts(mine, other)
    for node, known in zip(mine.nodes, other.nodes, strict=True):
        gated = standin_gates.is_gated(other.per_host, known, other.topologies)
        assert is_gated(mine.per_host, node, mine.topologies) == gated


def compare_groups(mine: Snapshot, other: standin_views.Snapshot) -> None:
    grouping = group_nodes(mine.nodes)
    whole, missing = standin_gates.whole_groups(other.nodes)
    groups = [(group.full_name, names(group.members)) for group in grouping.groups]
    assert groups == [(one.primary.full_name, full_names(one.members)) for one in whole]
    assert list(grouping.missing) == missing


def compare_topologies(mine: Snapshot, other: standin_views.Snapshot) -> None:
    for lab, same in zip(mine.topologies, other.topologies, strict=True):
        gate = topology_gate(lab, mine.nodes, mine.pods)
        assert lab.defined is not None
        known = standin_gates.topology_pass(same, lab.defined, other.nodes, other.pods)
        assert names(gate.lifts) == full_names(known.releases)
        assert bool(gate.waits) == bool(known.waits)
        assert bool(gate.failure) == bool(known.failure)
        assert known.failure.endswith(gate.failure)


def compare_queues(mine: Snapshot, other: standin_views.Snapshot) -> None:
    gate, known = global_gate(mine), standin_gates.global_pass(other)
    assert {group.full_name for group in gate.blocking} == set(known.blocked)
    assert names(gate.pending) == list(known.pending)
    assert (not gate.blocking and not gate.pending) == (known.rests or not mine.batch)
    marks, others = names(gate.marks), full_names(known.marks)
    assert sorted(marks) == sorted(others)
    assert decided(gate, marks) == decided(gate, others)


def decided(gate: GlobalGate, marks: list[str]) -> list[str]:
    """Leave out repairs and adoptions: nothing is said of the order of groups among those."""
    admitted = {node.full_name for group in gate.admitted for node in group.members}
    return [name for name in marks if name not in admitted]


def compare_hosts(mine: Snapshot, other: standin_views.Snapshot) -> None:
    gate, known = host_gate(mine), standin_gates.host_pass(other)
    assert names(gate.grants) == full_names(known.grants)
    assert gate.active == any(pod.device and pod.gated for pod in other.pods)
    if gate.active:
        assert {pod.full_name for pod in gate.orphans} == set(known.orphans)
        counts = {host: len(count.booting) for host, count in gate.hosts.items()}
        assert {host: number for host, number in counts.items() if number} == dict(known.booting)
