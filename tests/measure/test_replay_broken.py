"""Replays that do not come to their end: what was gathered is kept, and the namespace goes only when asked."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

import pytest
from bed_client import path_of
from replay_tools import FILES, Program, is_going, schedule_of
from standin_run import wait_for

from kubectl_c9s.measurement import run as runs
from kubectl_c9s.measurement.runfile import read_run
from kubectl_c9s.measurement.schedule import Entry, Schedule

if TYPE_CHECKING:
    from collections.abc import Callable

    from bed_own import OwnBed


def test_pods_that_are_not_ready_in_time_are_undecided_and_recorded(
    replays: Callable[[Schedule], Program], own_bed: OwnBed
) -> None:
    # The fake hosts take at least half a second for a Pod.
    program = replays(schedule_of(3))
    code, said = program.run("--timeout", "400ms", "--cleanup")
    assert code == 5, said
    assert program.read("run.json")["verdict"] == "deadline"
    assert program.files() == FILES
    assert is_going(own_bed, program.namespace)


def long_schedule() -> Schedule:
    """Make a schedule that nobody waits for: three Pods now, and one in an hour."""
    schedule = schedule_of(3)
    late = Entry("late", schedule.hosts[0], 3000.0, "busybox:1.37")
    return Schedule(origin=schedule.origin, entries=(*schedule.entries, late))


@pytest.mark.parametrize("clean", [False, True])
def test_an_interrupted_replay_keeps_its_files_and_cleans_up_when_asked(
    replays: Callable[[Schedule], Program], own_bed: OwnBed, *, clean: bool
) -> None:
    program = replays(long_schedule())
    with program.start("--timeout", "2h", *(["--cleanup"] if clean else [])) as process:
        wait_for("three are ready", lambda: _ready(own_bed, program.namespace) == 3)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=120)
    assert process.returncode == 130, err
    assert "Traceback" not in err
    assert program.files() == FILES
    run = read_run((program.folder / "run.json").read_bytes(), "run.json")
    assert (run.verdict, run.expected, len(run.devices)) == ("interrupted", 4, 3)
    assert all(runs.READY in one.stamps for one in run.devices)
    assert len(program.read("submissions.json")) == len(program.read("pods.json")["items"]) == 3
    assert is_going(own_bed, program.namespace) == clean


def _ready(bed: OwnBed, namespace: str) -> int:
    with bed.client() as client:
        pods = client.get(path_of("v1", "pods", namespace)).ok()["items"]
    conditions = [
        {one["type"]: one["status"] for one in pod["status"].get("conditions") or []}
        for pod in pods
    ]
    return sum(one.get("Ready") == "True" for one in conditions)


def test_a_replay_that_is_killed_has_written_what_it_had(
    replays: Callable[[Schedule], Program], own_bed: OwnBed
) -> None:
    program = replays(long_schedule())
    with program.start("--timeout", "2h") as process:
        wait_for("three are ready", lambda: _ready(own_bed, program.namespace) == 3)
        process.kill()
        process.communicate()
    assert program.files() >= {"schedule.json", "run.json", "submissions.json", "progress.jsonl"}
    run = read_run((program.folder / "run.json").read_bytes(), "run.json")
    assert run.verdict == "recording"
