"""The tracker over breaks, replacements, groups of Nodes, and with a number of devices that nobody has given."""

from __future__ import annotations

from watch_objects import MAIN, at, begun, condition, container, feed, made, node, pod, topology

from kubectl_c9s.measurement import watched
from kubectl_c9s.measurement.run import KindChurn
from kubectl_c9s.measurement.tracker import Tracker

IGNORED = {"c9s.run/ignoreReconcile": ""}


def test_the_newest_pod_wins_and_those_before_it_are_counted() -> None:
    tracker = begun(1)
    old = condition(pod("a", 1, "one", host="h1"), "Ready", 3)
    feed(tracker, watched.PODS, "ADDED", 1.0, old)
    feed(tracker, watched.PODS, "DELETED", 2.0, old)
    feed(tracker, watched.PODS, "ADDED", 3.0, pod("a", 5, "two", host="h2"))
    device = tracker.run("recording", 4.0).devices[0]
    assert (device.pod, device.host, device.replaced) == ("a-two", "h2", 1)
    assert device.stamps == {"pod": at(5)}
    assert device.observed == {"pod": 3.0}


def test_an_older_pod_that_lingers_says_nothing_any_more() -> None:
    tracker = begun(1)
    old = pod("a", 1, "one", host="h1")
    feed(tracker, watched.PODS, "ADDED", 1.0, old)
    feed(tracker, watched.PODS, "ADDED", 2.0, pod("a", 1, "two", host="h2"))
    feed(tracker, watched.PODS, "MODIFIED", 3.0, condition(old, "Ready", 3))
    device = tracker.run("recording", 4.0).devices[0]
    assert (device.pod, device.replaced) == ("a-two", 1)
    assert "ready" not in device.observed


def test_who_is_missing_in_a_new_list_is_gone_and_keeps_what_it_had_reached() -> None:
    tracker = begun(2)
    for name in ("a", "b"):
        one = container(pod(name, 1, host="h1"), MAIN, started=True, since=2)
        feed(tracker, watched.PODS, "ADDED", 2.0, one)
    feed(tracker, watched.PODS, "LISTED", 9.0, pod("b", 1, host="h1"))
    run = tracker.run("recording", 10.0)
    assert tracker.hosts.total.pods == 1
    assert run.overall == {"pods": 2.0, "started": 2.0}
    assert [one.observed["started"] for one in run.devices] == [2.0, 2.0]
    assert tracker.churn[watched.PODS] == KindChurn(created=2, deleted=1)


def test_what_a_break_has_hidden_is_seen_by_the_list_after_it() -> None:
    tracker = begun(1)
    feed(tracker, watched.PODS, "ADDED", 1.0, pod("a", 1))
    feed(tracker, watched.PODS, "LISTED", 9.0, condition(pod("a", 1), "Ready", 4))
    device = tracker.run("recording", 10.0).devices[0]
    assert (device.stamps["ready"], device.observed["ready"]) == (at(4), 9.0)


def test_the_end_of_a_pod_that_was_never_seen_is_nothing() -> None:
    tracker = begun(1)
    feed(tracker, watched.PODS, "DELETED", 1.0, pod("a", 1))
    assert tracker.run("recording", 2.0).devices == ()
    assert tracker.churn[watched.PODS] == KindChurn()


def test_without_a_number_the_primaries_that_are_seen_count() -> None:
    tracker = begun()
    assert tracker.expected == 0
    assert not tracker.reached("pods")
    feed(tracker, watched.NODES, "ADDED", 1.0, node("a"))
    feed(tracker, watched.NODES, "ADDED", 1.1, node("b", shares="a"))
    feed(tracker, watched.NODES, "ADDED", 1.2, node("c", labels=IGNORED))
    assert tracker.expected == 1
    feed(tracker, watched.PODS, "ADDED", 2.0, pod("a"))
    run = tracker.run("reached", 3.0)
    assert run.overall == {"pods": 2.0}
    assert [one.name for one in run.devices] == ["a", "c"]
    assert any("the 1 that the Nodes seen make" in note for note in run.notes)


def test_what_was_reached_with_fewer_devices_is_taken_back_when_more_come() -> None:
    tracker = begun()
    feed(tracker, watched.NODES, "ADDED", 1.0, node("a", planned=True))
    feed(tracker, watched.PODS, "ADDED", 2.0, pod("a"))
    assert tracker.run("recording", 2.0).overall == {"plans": 1.0, "pods": 2.0}
    feed(tracker, watched.NODES, "ADDED", 3.0, node("b"))
    assert tracker.overall.grown == 3.0
    assert tracker.run("recording", 3.0).overall == {}
    feed(tracker, watched.PODS, "ADDED", 4.0, pod("b"))
    feed(tracker, watched.NODES, "MODIFIED", 5.0, node("b", planned=True))
    assert tracker.run("recording", 6.0).overall == {"pods": 4.0, "plans": 5.0}


def test_fewer_nodes_than_before_are_enough_again() -> None:
    tracker = begun()
    for name in ("a", "b"):
        feed(tracker, watched.NODES, "ADDED", 1.0, node(name))
    feed(tracker, watched.PODS, "ADDED", 2.0, pod("a"))
    assert not tracker.reached("pods")
    feed(tracker, watched.NODES, "DELETED", 3.0, node("b"))
    assert tracker.run("recording", 4.0).overall["pods"] == 3.0


def test_the_number_is_final_when_all_nodes_of_all_topologies_are_there() -> None:
    tracker = begun()
    steps = [
        (watched.TOPOLOGIES, topology("ring")),
        (watched.NODES, node("a")),  # the manager has not counted yet
        (watched.TOPOLOGIES, topology("ring", nodeCount=2)),
        (watched.NODES, node("b", shares="a")),
    ]
    final = [tracker.complete]
    for kind, body in steps:
        feed(tracker, kind, "ADDED", 1.0, body)
        final.append(tracker.complete)
    assert final == [False, False, False, False, True]
    assert begun(5).complete


def test_nodes_that_name_each_other_count_and_never_start() -> None:
    tracker = begun()
    feed(tracker, watched.NODES, "ADDED", 1.0, node("a", shares="b"))
    assert tracker.expected == 0
    feed(tracker, watched.NODES, "ADDED", 1.0, node("b", shares="a"))
    feed(tracker, watched.NODES, "ADDED", 1.0, node("c", shares="a"))
    feed(tracker, watched.NODES, "ADDED", 1.0, node("self", shares="self"))
    assert tracker.expected == 3
    assert [one.name for one in tracker.run("recording", 2.0).devices] == ["a", "b", "self"]
    feed(tracker, watched.NODES, "MODIFIED", 2.0, node("b"))
    assert tracker.expected == 2


def test_where_nodes_may_not_be_seen_devices_are_those_with_pods() -> None:
    tracker = Tracker()
    feed(tracker, watched.PODS, "LISTED", 0.0)
    feed(tracker, watched.PODS, "ADDED", 1.0, pod("a"))
    assert tracker.expected == 1
    run = tracker.run("recording", 2.0)
    assert run.anchor is not None
    assert run.anchor.kind == "Pod"
    assert any("nor may Nodes be seen" in note for note in run.notes)


def test_the_last_deployment_and_replica_set_are_those_of_the_devices() -> None:
    tracker = begun(2)
    feed(tracker, watched.DEPLOYMENTS, "ADDED", 1.0, made("foreign", 0))
    for name, when in (("a", 2.0), ("b", 3.0)):
        feed(tracker, watched.NODES, "ADDED", 1.5, node(name))
        feed(tracker, watched.DEPLOYMENTS, "ADDED", when, made(name, when))
        feed(
            tracker, watched.REPLICA_SETS, "ADDED", when + 2, made(f"{name}-1", when, workload=name)
        )
    run = tracker.run("recording", 9.0)
    assert (run.overall["deployments"], run.overall["replicaSets"]) == (3.0, 5.0)
    assert [one.name for one in run.devices] == ["a", "b"]
    assert run.devices[0].stamps["replicaSet"] == at(2)


def test_a_topology_is_ready_when_all_say_so() -> None:
    tracker = begun(1)
    ready = [
        {"type": "TopologyReady", "status": "True", "lastTransitionTime": "2026-05-04T10:00:09Z"}
    ]
    feed(tracker, watched.TOPOLOGIES, "ADDED", 1.0, topology("one", conditions=ready))
    assert tracker.run("recording", 1.0).overall == {"topology": 1.0}
    other = begun(1)
    feed(other, watched.TOPOLOGIES, "ADDED", 1.0, topology("two"))
    feed(other, watched.TOPOLOGIES, "ADDED", 1.0, topology("one", conditions=ready))
    assert other.run("recording", 1.0).overall == {}


def test_changes_are_counted_by_kind() -> None:
    tracker = begun(1)
    one = node("a")
    feed(tracker, watched.NODES, "ADDED", 1.0, one)
    feed(tracker, watched.NODES, "MODIFIED", 2.0, one)
    feed(tracker, watched.NODES, "MODIFIED", 3.0, one)
    feed(tracker, watched.NODES, "DELETED", 4.0, one)
    assert tracker.churn[watched.NODES] == KindChurn(created=1, revisions=2, deleted=1)


def test_a_part_of_a_recording_can_be_had_at_any_moment() -> None:
    tracker = begun(2)
    first = tracker.run("recording", 0.0)
    assert (first.devices, first.overall, first.anchor) == ((), {}, None)
    feed(tracker, watched.PODS, "ADDED", 1.0, pod("a", 1))
    part = tracker.run("interrupted", 2.0)
    feed(tracker, watched.PODS, "ADDED", 3.0, pod("b", 3))
    assert len(part.devices) == 1
    assert part.verdict == "interrupted"
    assert len(tracker.run("reached", 4.0).devices) == 2
