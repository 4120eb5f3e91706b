"""What must hold in every history of a start: limits, repeatability, an end (admission.md §§3-6)."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rollout_history import History

if TYPE_CHECKING:
    from rollout_cluster import Cluster

    from kubectl_c9s.rollout.views import NodeView

seeds = st.integers(0, 2**32)
APART = ("x/lost", "x/ignored", "x/with-ignored")
"""Nodes the gates leave alone: without their primary, or told to be ignored."""


def is_apart(cluster: Cluster, node: NodeView) -> bool:
    primary = cluster.primary(node)
    return primary is None or primary.full_name in APART


@given(seeds)
@settings(max_examples=500)
def test_no_history_breaks_a_limit_and_each_comes_to_its_end(seed: int) -> None:
    """The witness judges each pass; then all who wait get through, whatever happened before."""
    run_to_the_end(seed)


@pytest.mark.full
def test_none_of_ten_thousand_histories_breaks_a_limit() -> None:
    for seed in range(10_000):
        try:
            run_to_the_end(seed)
        except AssertionError as error:
            error.add_note(f"seed {seed}")
            raise


def run_to_the_end(seed: int) -> None:
    history = History(seed)
    history.run(80)
    assert_all_is_up(history.settle())


@given(seeds)
@settings(max_examples=100)
def test_a_decision_maker_that_dies_again_and_again_comes_to_the_same_end(seed: int) -> None:
    ends = []
    for deaths in (False, True):
        history = History(seed)
        cluster = history.settle(deaths=deaths)
        assert_all_is_up(cluster)
        ends.append(end_of(cluster))
    assert ends[0] == ends[1]


def assert_all_is_up(cluster: Cluster) -> None:
    assert not cluster.lost
    for node in cluster.nodes.values():
        if is_apart(cluster, node):
            assert node.mark != node.uid
            continue
        assert not node.hold
        assert not cluster.batch or node.mark == node.uid
        pods = [pod for pod in cluster.pods.values() if pod.node_uid == node.uid]
        assert len(pods) == (node.shares is None)
        assert all(pod.started and pod.sandbox for pod in pods)
        assert all(not pod.gated or pod.grant == pod.uid for pod in pods)


def end_of(cluster: Cluster) -> tuple[object, ...]:
    pods = {(pod.node_uid, pod.host, pod.gated, pod.started) for pod in cluster.pods.values()}
    return cluster.nodes, pods


@given(seeds, st.integers(0, 60))
@settings(max_examples=100)
def test_a_whole_pass_leaves_nothing_to_the_next_one_until_something_becomes_ready(
    seed: int, steps: int
) -> None:
    history = History(seed)
    history.run(steps)
    for which in history.passes():
        history.decide(which, None)
        assert history.decide(which, None) == 0


@given(seeds, st.integers(0, 60))
@settings(max_examples=100)
def test_a_grant_pass_that_dies_anywhere_is_continued_as_if_it_had_not(
    seed: int, steps: int
) -> None:
    cluster = History(seed).run(steps)
    grants = list(cluster.hosts.grants)
    for dead_after in range(len(grants) + 1):
        twin = twin_of(cluster)
        twin.grant(dead_after)
        assert [pod.uid for pod in twin.hosts.grants] == [pod.uid for pod in grants[dead_after:]]


@given(seeds, st.integers(0, 60))
@settings(max_examples=100)
def test_a_batch_that_dies_anywhere_is_continued_to_the_end_of_its_group_and_no_further(
    seed: int, steps: int
) -> None:
    cluster = History(seed).run(steps)
    for which in ("G", *cluster.labs):
        limit = cluster.batch if which == "G" else cluster.labs[which].batch
        whole = batch_pass(twin_of(cluster), which)
        for dead_after in range(len(whole) + 1):
            twin = twin_of(cluster)
            written = batch_pass(twin, which, dead_after)
            begun = {node.full_name for node in written if node.shares is None}
            rest = whole[dead_after:]
            if limit and begun & set(decided(cluster, which, whole)):
                allowed = begun | set(admitted(cluster, which))
                rest = [node for node in rest if primary_name(cluster, node) in allowed]
            assert batch_pass(twin, which) == rest
            assert batch_pass(twin, which) == []


def decided(cluster: Cluster, which: str, whole: list[NodeView]) -> list[str]:
    """Name the primaries that a pass lets through by its own decision."""
    known = admitted(cluster, which)
    names = [node.full_name for node in whole if node.shares is None]
    return [name for name in names if name not in known]


def admitted(cluster: Cluster, which: str) -> list[str]:
    """Name the primaries that are through before a pass."""
    primaries = [node for node in cluster.nodes.values() if node.shares is None]
    if which != "G":
        return [node.full_name for node in primaries if not node.hold]
    alive = {pod.node_uid for pod in cluster.pods.values() if not pod.deleting}
    return [node.full_name for node in primaries if node.mark == node.uid or node.uid in alive]


def primary_name(cluster: Cluster, node: NodeView) -> str:
    primary = cluster.primary(node)
    return primary.full_name if primary else ""


def batch_pass(cluster: Cluster, which: str, writes: int | None = None) -> list[NodeView]:
    """Carry out a pass of a batch, give the Nodes it writes as they were."""
    if which == "G":
        before = list(cluster.queue.marks)
        cluster.admit(writes)
    else:
        before = list(cluster.lab_gate(which).lifts)
        cluster.release(which, writes)
    return before[:writes]


def twin_of(cluster: Cluster) -> Cluster:
    """Copy a cluster; the objects in it never change, they are replaced."""
    twin = copy.copy(cluster)
    twin.nodes, twin.pods = dict(cluster.nodes), dict(cluster.pods)
    return twin
