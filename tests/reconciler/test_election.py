"""Whoever leads, leads alone: over pauses, skewed clocks, lost requests and lost answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lease_server import LeaseServer, Time, Wire

from kubectl_c9s.cluster.election import Election, Timers, steady_clock

if TYPE_CHECKING:
    from kubectl_c9s.cluster.connection import Connection

TIMERS = Timers()


def candidate(server: LeaseServer, clock: Time, name: str) -> tuple[Election, Wire]:
    wire = Wire(server)
    connection = cast("Connection", wire)
    return Election(connection, "ns", "c9s-reconciler", name, TIMERS, clock), wire


def test_the_first_one_leads_and_the_second_waits() -> None:
    server, clock = LeaseServer(), Time()
    (first, _), (second, _) = candidate(server, clock, "a"), candidate(server, clock, "b")
    assert first.look()
    assert not second.look()
    assert second.holder == "a"


def test_a_clean_end_lets_the_next_one_lead_at_once() -> None:
    server, clock = LeaseServer(), Time()
    (first, _), (second, _) = candidate(server, clock, "a"), candidate(server, clock, "b")
    first.look()
    second.look()
    first.release()
    assert not first.leads()
    assert second.look()
    assert server.lease is not None
    assert server.lease["spec"]["leaseTransitions"] == 1


def test_a_dead_one_is_followed_after_the_duration_and_not_before() -> None:
    server, clock = LeaseServer(), Time()
    (first, _), (second, _) = candidate(server, clock, "a"), candidate(server, clock, "b")
    first.look()
    second.look()
    clock.now += TIMERS.duration - 0.1
    assert not second.look()
    clock.now += 0.2
    assert second.look()
    assert not first.leads()


def test_one_that_slept_knows_that_its_time_is_over() -> None:
    server, clock = LeaseServer(), Time()
    first, _ = candidate(server, clock, "a")
    assert first.look()
    clock.now += TIMERS.deadline
    assert not first.leads()


def test_the_time_counts_from_when_it_was_asked_for() -> None:
    server, clock = LeaseServer(), Time()
    first, wire = candidate(server, clock, "a")

    def pause() -> None:
        clock.now += TIMERS.deadline + 1

    wire.on_the_way = pause
    assert not first.look()


@pytest.mark.parametrize("skew", [-600, 600])
def test_stamps_of_a_skewed_clock_change_nothing(skew: int) -> None:
    server, clock = LeaseServer(), Time()
    (first, _), (second, _) = candidate(server, clock, "a"), candidate(server, clock, "b")
    first.look()
    assert server.lease is not None
    server.lease["spec"]["renewTime"] = f"20{26 + skew // 600}-01-01T00:00:00.000000Z"
    assert not second.look()
    clock.now += TIMERS.duration + 0.1
    assert second.look()


def test_a_lost_answer_is_no_second_leader() -> None:
    server, clock = LeaseServer(), Time()
    (first, wire), (second, _) = candidate(server, clock, "a"), candidate(server, clock, "b")
    wire.on_the_way = lambda: setattr(wire, "lose_answer", True)
    assert not first.look()
    assert not second.look()
    wire.on_the_way, wire.lose_answer = (lambda: None), False
    assert first.look()


def test_the_steady_clock_goes_forward() -> None:
    assert steady_clock() <= steady_clock()


STEPS = st.lists(
    st.tuples(
        st.integers(0, 2),
        st.sampled_from(["look", "look", "look", "release", "lose request", "lose answer", "slow"]),
        st.floats(0, 8),
    ),
    min_size=5,
    max_size=60,
)


@given(STEPS)
@settings(max_examples=300, deadline=None)
def test_there_are_never_two_leaders(steps: list[tuple[int, str, float]]) -> None:
    server, clock = LeaseServer(), Time()
    candidates = [candidate(server, clock, name) for name in "abc"]

    def check() -> None:
        assert sum(one.leads() for one, _ in candidates) <= 1

    for number, what, seconds in steps:
        election, wire = candidates[number]
        wire.lose_request = what == "lose request"
        wire.lose_answer = what == "lose answer"

        def others_meanwhile(number: int = number, seconds: float = seconds) -> None:
            clock.now += seconds
            candidates[(number + 1) % 3][0].look()
            check()

        wire.on_the_way = others_meanwhile if what == "slow" else lambda: None
        if what == "release":
            election.release()
        else:
            election.look()
        check()
        wire.lose_request = wire.lose_answer = False
        wire.on_the_way = lambda: None
        clock.now += seconds
        check()


def test_somebody_leads_again_once_the_faults_are_over() -> None:
    server, clock = LeaseServer(), Time()
    candidates: list[tuple[Election, Any]] = [candidate(server, clock, name) for name in "ab"]
    for election, wire in candidates:
        wire.lose_answer = True
        election.look()
        wire.lose_answer = False
    for _ in range(10):
        clock.now += TIMERS.retry
        if any(election.look() for election, _ in candidates):
            break
    assert sum(election.leads() for election, _ in candidates) == 1
