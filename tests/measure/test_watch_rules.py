"""The rules of time and of counting (measurement.md §§1, 3), one by one."""

from __future__ import annotations

import pytest
from watch_objects import (
    MAIN,
    SANDBOX,
    SIDE,
    at,
    begun,
    condition,
    container,
    feed,
    grant,
    init,
    node,
    pod,
    topology,
)

from kubectl_c9s.measurement import watched
from kubectl_c9s.measurement.run import HostCount, Peak
from kubectl_c9s.measurement.tracker import Tracker
from kubectl_c9s.measurement.watched import PLAIN, Workloads


def counted(
    *pods: dict[str, object], workloads: Workloads = watched.DEVICES
) -> dict[str, HostCount]:
    tracker = Tracker(9, workloads)
    feed(tracker, watched.PODS, "LISTED", 0.0, *pods)
    return tracker.hosts.now()


def test_a_pod_without_a_gate_boots_until_its_primary_is_started() -> None:
    one = pod("a", host="h1")
    assert counted(one) == {"h1": HostCount(pods=1, booting=1)}
    container(one, MAIN, started=True, since=1)
    assert counted(one) == {"h1": HostCount(pods=1, started=1)}


def test_a_started_side_container_does_not_make_a_pod_started() -> None:
    one = container(pod("a", host="h1"), SIDE, started=True, since=1)
    assert counted(one) == {"h1": HostCount(pods=1, booting=1)}


def test_without_the_annotation_no_container_is_the_primary() -> None:
    one = container(pod("a", host="h1"), MAIN, started=True, since=1)
    del one["metadata"]["annotations"]["kubectl.kubernetes.io/default-container"]
    assert counted(one) == {"h1": HostCount(pods=1, booting=1)}


def test_a_gated_pod_is_queued_until_it_has_a_grant() -> None:
    one = pod("a", host="h1", gated=True)
    assert counted(one) == {"h1": HostCount(pods=1, queued=1)}
    assert counted(grant(one)) == {"h1": HostCount(pods=1, booting=1)}


def test_the_grant_of_another_pod_is_none() -> None:
    one = grant(pod("a", host="h1", gated=True), "pod-b")
    assert counted(one) == {"h1": HostCount(pods=1, queued=1)}


def test_readiness_counts_beside_the_rest() -> None:
    one = condition(pod("a", host="h1"), "Ready", 5)
    assert counted(one) == {"h1": HostCount(pods=1, booting=1, ready=1)}
    condition(one, "Ready", 6, "False")
    assert counted(one) == {"h1": HostCount(pods=1, booting=1)}


def test_pods_without_a_host_count_under_a_name_of_their_own() -> None:
    assert counted(pod("a"), pod("b", gated=True)) == {
        "unscheduled": HostCount(pods=2, booting=1, queued=1)
    }


@pytest.mark.parametrize("phase", ["Succeeded", "Failed"])
def test_a_pod_that_has_ended_still_counts(phase: str) -> None:
    one = pod("a", host="h1")
    one["status"]["phase"] = phase
    assert counted(one) == {"h1": HostCount(pods=1, booting=1)}


def test_pods_that_are_no_devices_do_not_count_unless_that_is_wanted() -> None:
    one = pod("a", host="h1")
    del one["metadata"]["labels"], one["metadata"]["annotations"]
    container(one, SIDE, started=True, since=1)
    assert counted(one) == {}
    assert counted(one, workloads=PLAIN) == {"h1": HostCount(pods=1, started=1)}


def test_a_goal_is_reached_by_at_least_so_many() -> None:
    tracker = begun(2)
    feed(tracker, watched.PODS, "ADDED", 1.0, pod("a"))
    assert not tracker.reached("pods")
    # Three at once: the sum is never equal to two.
    feed(tracker, watched.PODS, "LISTED", 2.0, pod("a"), pod("b"), pod("c"))
    assert tracker.run("recording", 3.0).overall["pods"] == 2.0


def test_peaks_are_those_of_every_event_and_not_of_samples() -> None:
    tracker = begun(3)
    for name, when in (("a", 1.0), ("b", 2.0)):
        feed(tracker, watched.PODS, "ADDED", when, pod(name, host="h1"))
    for name in ("a", "b"):
        done = container(pod(name, host="h1"), MAIN, started=True, since=3)
        feed(tracker, watched.PODS, "MODIFIED", 3.0, done)
    sample = tracker.sample(15.0)
    assert sample.hosts == {"h1": HostCount(pods=2, started=2)}
    assert tracker.run("recording", 15.0).peaks == {"h1": Peak(2, 2.0)}


def test_a_primary_that_restarts_boots_again() -> None:
    tracker = begun(1)
    one = container(pod("a", host="h1"), MAIN, started=True, since=1)
    feed(tracker, watched.PODS, "ADDED", 1.0, one)
    assert tracker.run("recording", 1.0).peaks == {}
    again = container(pod("a", host="h1"), MAIN, started=False, since=4, restarts=1)
    feed(tracker, watched.PODS, "MODIFIED", 4.0, again)
    run = tracker.run("recording", 5.0)
    assert run.peaks == {"h1": Peak(1, 4.0)}
    assert run.devices[0].restarts == 1
    assert run.devices[0].observed["started"] == 1.0


def test_one_list_shows_one_moment() -> None:
    tracker = begun(2)
    feed(tracker, watched.PODS, "ADDED", 1.0, pod("b", host="h1"))
    # a boots now, and b has started meanwhile: two boots at once were never seen.
    started = container(pod("b", host="h1"), MAIN, started=True, since=3)
    feed(tracker, watched.PODS, "LISTED", 4.0, pod("a", host="h1"), started)
    assert tracker.run("recording", 5.0).peaks == {"h1": Peak(1, 1.0)}


def test_stamps_are_the_servers_and_observed_times_are_ours() -> None:
    tracker = begun(1)
    feed(tracker, watched.NODES, "ADDED", 0.5, node("a", 100, admitted="node-a", planned=True))
    one = pod("a", 101, host="h1", gated=True)
    feed(tracker, watched.PODS, "ADDED", 1.25, one)
    condition(condition(one, "PodScheduled", 102), SANDBOX, 103)
    feed(tracker, watched.PODS, "MODIFIED", 2.5, one)
    init(grant(one), "startup-gate", 103, 105)
    init(one, "planner", 105, 107)
    container(one, MAIN, started=True, since=108)
    feed(tracker, watched.PODS, "MODIFIED", 6.5, condition(one, "Ready", 110))
    device = tracker.run("reached", 7.0).devices[0]
    assert device.stamps == {
        "created": at(100), "pod": at(101), "scheduled": at(102), "sandbox": at(103), "preparing": at(105),
        "prepared": at(107), "passed": at(105), "started": at(108), "ready": at(110),
    }  # fmt: skip
    assert device.observed == {
        "created": 0.5, "admitted": 0.5, "planned": 0.5, "pod": 1.25, "scheduled": 2.5, "sandbox": 2.5,
        "preparing": 6.5, "prepared": 6.5, "granted": 6.5, "passed": 6.5, "started": 6.5, "ready": 6.5,
    }  # fmt: skip


def test_no_stamp_tells_when_a_startup_probe_has_passed() -> None:
    tracker = begun(1)
    one = container(pod("a", probed=True), MAIN, started=True, since=4)
    feed(tracker, watched.PODS, "ADDED", 6.0, one)
    device = tracker.run("recording", 7.0).devices[0]
    assert "started" not in device.stamps
    assert device.observed["started"] == 6.0


def test_the_first_time_stays_when_readiness_is_lost_and_comes_back() -> None:
    tracker = begun(1)
    one = pod("a")
    for when, status in ((5, "True"), (6, "False"), (9, "True")):
        feed(tracker, watched.PODS, "MODIFIED", when, condition(one, "Ready", when, status))
    device = tracker.run("recording", 10.0).devices[0]
    assert (device.stamps["ready"], device.observed["ready"]) == (at(5), 5.0)


def test_a_plan_of_an_older_spec_and_the_mark_of_another_node_do_not_count() -> None:
    tracker = begun(1)
    one = node("a", admitted="node-b", planned=True, of=0)
    feed(tracker, watched.NODES, "ADDED", 1.0, one)
    run = tracker.run("recording", 2.0)
    assert run.devices[0].observed == {"created": 1.0}
    assert run.overall == {}


def test_a_preparation_that_failed_is_not_over() -> None:
    tracker = begun(1)
    one = init(pod("a"), "planner", 3, 4, code=1)
    feed(tracker, watched.PODS, "ADDED", 5.0, one)
    assert "prepared" not in tracker.run("recording", 6.0).devices[0].observed
    feed(tracker, watched.PODS, "MODIFIED", 8.0, init(one, "planner", 6, 7))
    device = tracker.run("recording", 9.0).devices[0]
    assert device.stamps["preparing"] == at(3)
    assert device.stamps["prepared"] == at(7)


def test_time_begins_with_the_first_topology_else_with_the_first_node() -> None:
    tracker = begun(1)
    feed(tracker, watched.NODES, "ADDED", 1.0, node("b", 3))
    feed(tracker, watched.NODES, "ADDED", 1.0, node("a", 4))
    anchor = tracker.run("recording", 2.0).anchor
    assert anchor is not None
    assert (anchor.kind, anchor.name, anchor.at) == ("Node", "lab/b", at(3))
    feed(tracker, watched.TOPOLOGIES, "ADDED", 2.0, topology("late", 9))
    feed(tracker, watched.TOPOLOGIES, "ADDED", 2.0, topology("early", 8))
    anchor = tracker.run("recording", 3.0).anchor
    assert anchor is not None
    assert (anchor.kind, anchor.name, anchor.at) == ("Topology", "lab/early", at(8))


def test_what_the_first_list_shows_has_a_stamp_alone() -> None:
    tracker = Tracker(1)
    one = condition(pod("a", 2), "PodScheduled", 3)
    feed(tracker, watched.PODS, "LISTED", 0.25, one)
    feed(tracker, watched.PODS, "MODIFIED", 1.5, condition(one, SANDBOX, 4))
    run = tracker.run("recording", 2.0)
    device = run.devices[0]
    assert device.stamps == {"pod": at(2), "scheduled": at(3), "sandbox": at(4)}
    assert device.observed == {"sandbox": 1.5}
    assert run.overall["pods"] == 0.25
    assert tracker.before == 1
