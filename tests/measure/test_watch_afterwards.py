"""A start after the fact: what its stamps tell, and a word for what they do not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from watch_objects import (
    MAIN,
    SANDBOX,
    at,
    condition,
    container,
    init,
    made,
    node,
    pod,
    structs,
    topology,
)

from kubectl_c9s.measurement import watched
from kubectl_c9s.measurement.afterwards import afterwards
from kubectl_c9s.measurement.run import Peak

if TYPE_CHECKING:
    from watch_objects import Json

    from kubectl_c9s.measurement.run import Run


def gated(name: str, passed: float | None, ready: float | None) -> Json:
    """Make a Pod with gate and startup probe on a host, as far as it is."""
    one = pod(name, 2, host="h1", gated=True, probed=True)
    condition(condition(one, "PodScheduled", 2), SANDBOX, 3)
    if passed is not None:
        init(one, "startup-gate", 3, passed)
    if ready is not None:
        container(one, MAIN, started=True, since=ready - 1)
        condition(one, "Ready", ready)
    return one


def past(*pods: Json, now: float = 60, expected: int | None = None) -> Run:
    names = [one["metadata"]["labels"]["c9s.run/direct-workload"] for one in pods]
    objects = {
        watched.TOPOLOGIES: structs(watched.TOPOLOGIES, topology("ring", 0)),
        watched.NODES: structs(watched.NODES, *(node(name, 1) for name in names)),
        watched.DEPLOYMENTS: structs(watched.DEPLOYMENTS, *(made(name, 1) for name in names)),
        watched.PODS: structs(watched.PODS, *pods),
    }
    return afterwards(objects, at(now), "ready", expected)


def test_all_seconds_are_stamps_from_the_anchor_on() -> None:
    run = past(gated("a", 4, 9), gated("b", 6, 12))
    assert (run.verdict, run.clock, run.elapsed) == ("reached", "stamped", 60.0)
    assert run.anchor is not None
    assert run.anchor.kind == "Topology"
    assert run.overall == {"deployments": 1.0, "pods": 2.0, "ready": 12.0}
    assert all(one.observed == {} for one in run.devices)
    assert run.devices[0].stamps["ready"] == at(9)


def test_what_no_stamp_tells_is_said() -> None:
    run = past(gated("a", 4, 9))
    assert "started" not in run.overall
    assert any("when marks, plans and grants were written" in note for note in run.notes)
    assert any("peaks are worked out of stamps" in note for note in run.notes)
    assert "not collected: replicasets.apps" in run.notes
    assert not any("before the recording began" in note for note in run.notes)


def test_a_start_that_is_not_over_was_not_reached() -> None:
    run = past(gated("a", 4, 9), gated("b", None, None))
    assert run.verdict == "recording"
    assert "ready" not in run.overall
    assert past(gated("a", 4, 9), gated("b", None, None), expected=1).verdict == "reached"


def test_peaks_are_boots_that_overlap_by_their_stamps() -> None:
    # b begins when a is ready: by whole seconds they may have overlapped or not, and are not said to have.
    assert past(gated("a", 4, 9), gated("b", 9, 12)).peaks == {"h1": Peak(1, 4.0)}
    assert past(gated("a", 4, 9), gated("b", 8, 12)).peaks == {"h1": Peak(2, 8.0)}


def test_a_pod_that_waits_at_its_gate_does_not_boot_and_one_that_does_not_end_goes_on() -> None:
    queued, stuck = gated("a", None, None), gated("b", 5, None)
    run = past(queued, stuck, gated("c", 30, 40))
    assert run.peaks == {"h1": Peak(2, 30.0)}


def test_without_a_gate_a_boot_begins_with_scheduling_and_ends_with_the_start() -> None:
    one = condition(pod("a", 2, host="h1"), "PodScheduled", 3)
    other = condition(pod("b", 2, host="h1"), "PodScheduled", 5)
    for body, since in ((one, 5), (other, 8)):
        condition(container(body, MAIN, started=True, since=since), "Ready", 20)
    run = past(one, other)
    assert run.peaks == {"h1": Peak(1, 3.0)}
    assert run.overall["started"] == 8.0


def test_who_is_not_ready_any_more_makes_no_whole() -> None:
    one = condition(gated("a", 4, 9), "Ready", 50, "False")
    run = past(one)
    assert run.verdict == "recording"
    assert "ready" not in run.overall
