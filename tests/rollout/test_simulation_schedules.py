"""Simulated starts that were reckoned by hand: passes, batches, slots, labs, groups (admission.md)."""

from __future__ import annotations

from simulation_tools import PLAIN, UNLIMITED, always, play, start, times

from kubectl_c9s.rollout.limits import Limits
from kubectl_c9s.simulation import milestones as ms
from kubectl_c9s.simulation.stages import Client


def test_a_device_alone_takes_the_sum_of_its_steps() -> None:
    outcome = play(start(1))
    (found,) = outcome.times.values()
    assert found == {
        ms.CREATED: 0, ms.ADMITTED: 0, ms.DEPLOYMENT: 1, ms.REPLICA_SET: 1, ms.POD: 1, ms.SCHEDULED: 1,
        ms.SANDBOX: 3, ms.STARTED: 6, ms.READY: 7,
    }  # fmt: skip


def test_without_limits_all_go_at_once() -> None:
    outcome = play(start(50, 3))
    assert times(outcome, ms.READY) == [7.0] * 50
    assert not outcome.batches


def test_the_next_batch_is_released_when_the_last_sandbox_is_there() -> None:
    outcome = play(start(4, batch=2))
    # First pass 0.25 s after the Nodes. The sandboxes come at 3.25; the queue looks every second, last at 3.5.
    assert times(outcome, ms.ADMITTED) == [0.25, 0.25, 3.5, 3.5]
    assert times(outcome, ms.SANDBOX) == [3.25, 3.25, 6.5, 6.5]
    assert outcome.until_all(ms.READY) == 10.5
    assert [len(batch.primaries) for batch in outcome.batches] == [2, 2]


def test_marks_are_written_one_after_another() -> None:
    outcome = play(start(3, batch=3), PLAIN._replace(write=always(0.5)))
    assert times(outcome, ms.ADMITTED) == [0.75, 1.25, 1.75]


def test_a_host_boots_as_many_as_it_may() -> None:
    outcome = play(start(2, cap=1))
    # Both Pods are bound at 1 s; the pass of 1.25 grants the first, before its sandbox: the gate is passed at 3.5.
    assert times(outcome, ms.PASSED) == [3.5, 7.75]
    # Started at 6.5; 0.25 s later the second is granted, and the grant takes a second to reach it.
    assert times(outcome, ms.GRANTED) == [1.25, 6.75]
    assert times(outcome, ms.STARTED) == [6.5, 10.75]
    assert outcome.tally.peaks["booting"][""] == 1


def test_hosts_have_slots_of_their_own() -> None:
    outcome = play(start(4, 2, cap=1))
    assert outcome.tally.peaks["booting"] == {"": 2, "host-1": 1, "host-2": 1}
    assert sorted(times(outcome, ms.STARTED)) == [6.5, 6.5, 10.75, 10.75]


def test_pods_that_wait_for_a_slot_do_not_hold_up_a_batch() -> None:
    outcome = play(start(4, batch=2, cap=1))
    assert times(outcome, ms.SANDBOX) == [3.25, 3.25, 6.5, 6.5]


def test_a_topology_releases_its_own_batches_by_name() -> None:
    outcome = play(start(3, labs=1, lab=Limits(2)))
    assert times(outcome, ms.ADMITTED) == [0.25, 0.25, 3.5]
    assert [batch.gate for batch in outcome.batches] == ["lab-1/lab-1", "lab-1/lab-1"]


def test_labs_with_batches_of_their_own_add_up() -> None:
    outcome = play(start(4, labs=2, lab=Limits(1)))
    assert times(outcome, ms.ADMITTED) == [0.25, 3.5, 0.25, 3.5]
    assert outcome.tally.peaks["unready"][""] == 2


def test_a_lab_under_both_limits_loses_its_hold_and_then_queues() -> None:
    outcome = play(start(2, batch=1, labs=1, lab=Limits(2)))
    first, second = times(outcome, ms.ADMITTED)
    assert (
        first == 0.5
    )  # both lose their holds at 0.25, and the queue of the installation takes one
    assert second > times(outcome, ms.SANDBOX)[0]


def test_a_topology_waits_until_all_its_nodes_are_there() -> None:
    outcome = play(start(4, labs=1, lab=Limits(4), rate=1.0))
    assert times(outcome, ms.ADMITTED) == [3.25] * 4


def test_nodes_that_stream_in_make_smaller_batches() -> None:
    outcome = play(start(5, batch=10, rate=2.0))
    assert [len(batch.primaries) for batch in outcome.batches] == [1, 4]


def test_members_of_a_group_count_once_and_have_one_pod() -> None:
    outcome = play(start(2, batch=1, members=3))
    assert len(outcome.times) == 2
    assert [len(batch.primaries) for batch in outcome.batches] == [1, 1]
    assert len(outcome.pods) == 2


def test_a_controller_lets_its_burst_through_and_then_its_rate() -> None:
    limited = PLAIN._replace(replica_set=Client(1, UNLIMITED.origin, rate=2.0, burst=2, workers=1))
    # Each ReplicaSet is followed by its Event: two requests at once, then one every half second.
    assert times(play(start(4), limited), ms.REPLICA_SET) == [1.0, 1.5, 2.5, 3.5]


def test_a_host_that_makes_sandboxes_one_by_one_delays_those_behind() -> None:
    one_by_one = PLAIN._replace(sandbox=always(1, rate=0.5, per_host=True))
    assert sorted(times(play(start(4, 2), one_by_one), ms.SANDBOX)) == [2.0, 2.0, 4.0, 4.0]
