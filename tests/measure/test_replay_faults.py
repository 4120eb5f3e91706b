"""A replay on a bad day: no Pod twice, no Pod forgotten, and a run that says itself that it does not count."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from audit_reader import AuditLog, accepted_twice
from replay_tools import Program, drop, schedule_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bed_own import OwnBed
    from fault_handle import FaultProxy

# Requests for Pods of the schedule; dry runs before the clock are for a Pod of another name.
PODS = {"verb": "create", "agent": "kubectl-c9s/.*", "resource": "pods", "name": r"d\d+"}
OTHERS = {"verb": "create", "agent": "kubectl-c9s/.*"}


@pytest.fixture
def program(own_bed: OwnBed, proxy: FaultProxy, tmp_path: Path) -> Iterator[Program]:
    """Give a replay of eight Pods through the proxy."""
    one = Program(proxy.kubeconfig, tmp_path, schedule_of(8, 0.1))
    yield one
    drop(own_bed, one.namespace)


def test_lost_replies_make_nothing_twice(
    program: Program, own_bed: OwnBed, proxy: FaultProxy
) -> None:
    log = AuditLog(own_bed.audit_log)
    proxy.rules(
        {"name": "lost", "match": {**PODS, "nth": [2, 4, 7]}, "do": "lost-reply"},
        {"name": "never", "match": {**PODS, "nth": [3]}, "do": "lost-request"},
        {"name": "failing", "match": {**PODS, "nth": [5]}, "do": "error"},
        {
            "name": "clock",
            "match": {**OTHERS, "resource": "configmaps"},
            "do": "lost-reply",
        },
        {
            "name": "space",
            "match": {**OTHERS, "resource": "namespaces"},
            "do": "lost-reply",
        },
    )
    code, said = program.run("--workers", "2")
    assert code in {0, 1}, said
    assert all(proxy.fired().values()), proxy.fired()
    run = program.read("run.json")
    assert (run["verdict"], len(run["devices"])) == ("reached", 8)
    # Late it may be, but nothing else: each Pod is there once, at its place.
    assert all("off their time" in one for one in run["replay"].get("invalid", []))
    with own_bed.client() as client:
        log.catch_up(client)
    made = [
        one
        for one in log.writes(namespace=program.namespace, verb="create", accepted=True)
        if (one.resource, one.subresource) == ("pods", "") and one.name.startswith("d")
    ]
    assert accepted_twice(made) == {}
    assert sorted(one.name for one in made) == [f"d{number:03}" for number in range(8)]


def test_a_server_that_answers_slowly_makes_the_run_invalid(
    program: Program, proxy: FaultProxy
) -> None:
    proxy.rules({"name": "slow", "match": PODS, "do": "latency", "with": {"seconds": 0.5}})
    code, said = program.run("--workers", "1", "--cleanup")
    assert code == 1, said
    assert "invalid: requests began off their time" in said
    run = program.read("run.json")
    assert run["verdict"] == "reached"
    # One worker asks for the eighth Pod after the seven before it have been answered.
    assert run["replay"]["submissionError"]["max"] >= 7 * 0.5 - 0.7
    assert run["replay"]["invalid"]


def test_pods_that_come_late_make_the_run_invalid_by_the_stamps_alone(
    program: Program, proxy: FaultProxy
) -> None:
    proxy.rules({"name": "slow", "match": PODS, "do": "latency", "with": {"seconds": 4}})
    code, said = program.run("--cleanup")
    assert code == 1, said
    run = program.read("run.json")
    assert run["replay"]["arrivalError"]["min"] > 2
    assert "invalid: 8 of 8 Pods were created more than 2 s off their time" in said


def test_being_told_to_come_later_is_honoured_and_counts_as_lateness(
    program: Program, proxy: FaultProxy
) -> None:
    proxy.rules(
        {
            "name": "busy",
            "match": {**PODS, "limit": 4},
            "do": "too-many-requests",
            "with": {"retryAfter": 1},
        }
    )
    code, said = program.run("--cleanup")
    assert code == 1, said
    found = program.read("submissions.json")
    again = [one for one in found if one.get("attempts", 1) > 1]
    assert len(again) == 4
    assert all(one["requestStarted"] - one["offset"] >= 1.0 for one in again)


def test_a_watch_that_breaks_costs_nothing(program: Program, proxy: FaultProxy) -> None:
    watch = {"verb": "watch", "agent": "kubectl-c9s/.*", "resource": "pods"}
    proxy.rules({"name": "drop", "match": watch, "do": "drop", "with": {"events": 3}})
    code, said = program.run("--cleanup")
    assert code == 0, said
    assert proxy.fired()["drop"] > 1
    assert program.read("run.json")["overall"].keys() == {"pods", "started", "ready"}
