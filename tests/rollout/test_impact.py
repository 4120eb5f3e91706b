"""The impact of a change against the stand-in's gates: the same snapshot, two readings of admission.md."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest
import standin_gates as gates
from hypothesis import given, settings
from impact_snapshots import LAB, both, defined, seen_by_standin, snapshots
from msgspec.structs import replace

from kubectl_c9s.rollout.impact import Effect, config_effects, topology_effects, turn_of

if TYPE_CHECKING:
    import standin_views as standin

    from kubectl_c9s.rollout.limits import Limits
    from kubectl_c9s.rollout.views import Snapshot

THOUSANDS = settings(max_examples=1500)


def of_config(snapshot: Snapshot, before: Limits, after: Limits) -> dict[str, Effect]:
    now = replace(snapshot, batch=before.batch, per_host=before.per_host)
    return {effect.field: effect for effect in config_effects(now, before, after)}


def of_topology(snapshot: Snapshot, before: Limits, after: Limits) -> dict[str, Effect]:
    lab = replace(snapshot.topologies[0], batch=before.batch, per_host=before.per_host)
    now = replace(snapshot, topologies=(lab,))
    return {effect.field: effect for effect in topology_effects(now, lab, before, after)}


def changed_lab(snapshot: Snapshot, after: Limits) -> Snapshot:
    lab = replace(snapshot.topologies[0], batch=after.batch, per_host=after.per_host)
    return replace(snapshot, topologies=(lab,))


def planned_without_a_limit(seen: standin.Snapshot) -> list[str]:
    """Name who is planned as soon as no mark is needed, and was not before: it has neither a mark nor a Pod."""
    newest = gates.newest_pods(seen.pods)
    found = []
    for node in seen.nodes:
        free = leads(node, [*seen.nodes]) and not (node.deleting or node.ignored or node.hold)
        if free and node.mark != node.uid and node.uid not in newest:
            found.append(node.full_name)
    return sorted(found)


@given(snapshots, both, both)
@THOUSANDS
def test_a_batch_size_of_the_config_does_what_the_second_opinion_says(
    snapshot: Snapshot, before: Limits, after: Limits
) -> None:
    effect = of_config(snapshot, before, after).get("batchSize")
    if effect is None:
        assert before.batch_size == after.batch_size
        return
    seen = seen_by_standin(snapshot, after)
    given = gates.global_pass(seen)
    assert effect.turn == turn_of(before.batch_size, after.batch_size)
    if not after.batch:
        expected = planned_without_a_limit(seen) if effect.turn == "off" else []
        assert sorted(effect.starts) == expected
        assert effect.released == effect.starts == effect.waiting
        assert effect.adopted == effect.blocking == ()
        return
    marked = {node.full_name for node in given.marks}
    assert list(effect.starts) == [one for one in given.pending if one in marked]
    through = set(effect.starts + effect.adopted)
    led = leaders([node for node in seen.nodes if not node.deleting])
    assert through & led.keys() == {one for one in marked & led.keys() if not led[one].ignored}
    assert effect.waiting == given.pending
    assert sorted(effect.blocking) == sorted(given.blocked)
    assert effect.released == ()


def leaders(nodes: list[standin.NodeView]) -> dict[str, standin.NodeView]:
    """Give the primaries of groups that have one; in a circle nobody leads, and members go with anybody."""
    groups = gates.whole_groups(nodes)[0]
    return {one.primary.full_name: one.primary for one in groups if leads(one.primary, nodes)}


def leads(node: standin.NodeView, nodes: list[standin.NodeView]) -> bool:
    shares = {one.name: one.shares for one in nodes if one.namespace == node.namespace}
    return gates.primary_name(node.name, shares) == node.name


@given(snapshots, both, both)
@THOUSANDS
def test_a_batch_size_of_a_topology_does_what_the_second_opinion_says(
    snapshot: Snapshot, before: Limits, after: Limits
) -> None:
    effect = of_topology(snapshot, before, after).get("batchSize")
    if effect is None:
        assert before.batch_size == after.batch_size
        return
    seen = seen_by_standin(changed_lab(snapshot, after))
    (lab,) = seen.topologies
    given = gates.topology_pass(lab, defined(snapshot), seen.nodes, seen.pods)
    own = [node for node in seen.nodes if LAB in {one.uid for one in node.owners}]
    groups = gates.whole_groups(own)[0] if any(node.hold for node in own) else []
    held = [group.primary.full_name for group in groups if group.primary.hold]
    assert list(effect.waiting) == held
    assert list(effect.released) == (held if effect.turn == "off" else [])
    if snapshot.topologies[0].ignored:
        assert effect.starts == ()
        assert bool(effect.holdup) == any(node.hold for node in own)
        return
    lifted = {node.full_name for node in given.releases}
    led = leaders(own)  # nobody starts in a circle, and no definition has one
    through = [one for one in held if one in lifted and one in led]
    assert [one for one in effect.starts if one in led] == through
    assert bool(effect.holdup) == bool(given.waits or given.failure)
    newest = gates.newest_pods(seen.pods)
    unsteady = [
        group.primary.full_name
        for group in groups
        if not group.primary.hold and not has_sandbox(newest.get(group.primary.uid))
    ]
    assert list(effect.blocking) == (unsteady if after.batch else [])


def has_sandbox(pod: standin.PodView | None) -> bool:
    return pod is not None and pod.sandbox


@pytest.mark.parametrize("topology", [False, True], ids=["Config", "Topology"])
@given(snapshot=snapshots, before=both, after=both)
@THOUSANDS
def test_a_limit_per_host_does_what_the_second_opinion_says(
    *, topology: bool, snapshot: Snapshot, before: Limits, after: Limits
) -> None:
    change = of_topology if topology else of_config
    effect = change(snapshot, before, after).get("maxConcurrentPerHost")
    if effect is None:
        assert before.max_concurrent_per_host == after.max_concurrent_per_host
        return
    seen = seen_by_standin(changed_lab(snapshot, after) if topology else snapshot, after)
    if topology:
        seen = seen_by_standin(changed_lab(snapshot, after))
    given = gates.host_pass(seen)
    owners = {node.uid: node.topology for node in seen.nodes}
    mine = {pod.full_name: pod for pod in seen.pods}
    if topology:
        mine = {key: pod for key, pod in mine.items() if owners.get(pod.node_uid) == LAB}
    starts = [pod for pod in given.grants if pod.full_name in mine]
    assert list(effect.starts) == [pod.full_name for pod in starts]
    assert dict(effect.hosts) == Counter(pod.host for pod in starts)
    assert list(effect.orphans) == list(given.orphans)
    bound = [pod for pod in mine.values() if pod.host]
    queued = [one for one in bound if one.gated and one.grant != one.uid]
    queued.sort(key=lambda pod: (pod.created, pod.full_name))
    assert list(effect.waiting) == [one.full_name for one in queued if not one.deleting]
    booting = [mine[name] for name in effect.booting]
    if not topology and any(pod.gated for pod in seen.pods):
        assert Counter(pod.host for pod in booting) == given.booting
    for pod in set(bound) - set(queued):
        ended = pod.started or pod.phase == "Failed"
        assert (pod in booting) == (not ended)
    check_released(effect, seen, mine)


def check_released(
    effect: Effect, seen: standin.Snapshot, mine: dict[str, standin.PodView]
) -> None:
    """Assert that what is released is what starts as soon as no orphan keeps it back."""
    if effect.turn != "off":
        assert effect.released == ()
        return
    known = [pod for pod in seen.pods if pod.full_name not in effect.orphans]
    given = gates.host_pass(
        type(seen)(seen.batch, seen.per_host, seen.nodes, known, seen.topologies)
    )
    assert list(effect.released) == [pod.full_name for pod in given.grants if pod.full_name in mine]


@given(snapshots, both)
def test_limits_that_stay_as_they_are_have_no_effect(snapshot: Snapshot, same: Limits) -> None:
    assert of_config(snapshot, same, same) == {}
    assert of_topology(snapshot, same, same) == {}


@given(snapshots, both, both)
def test_what_is_empty_is_left_out_of_the_json(
    snapshot: Snapshot, before: Limits, after: Limits
) -> None:
    for effect in of_config(snapshot, before, after).values():
        said = effect.as_json()
        assert {"field", "turn", "old", "new"} <= said.keys()
        extra = said.keys() - {"field", "turn", "old", "new"}
        assert all(said[key] for key in extra)
        assert {key for key, value in effect._asdict().items() if value} - said.keys() == set()
