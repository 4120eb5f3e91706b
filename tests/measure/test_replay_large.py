"""A recorded start of 300 devices, replayed: the schedule is kept within a quarter of a second at p99 (slow tier)."""

from __future__ import annotations

import math
import os
import sys
from typing import TYPE_CHECKING

import pytest
from bed_client import path_of
from live_tools import c9s
from replay_tools import Program, drop
from standin_run import wait_for

from kubectl_c9s.measurement.runfile import read_run
from kubectl_c9s.measurement.schedule import read_schedule

if TYPE_CHECKING:
    from pathlib import Path

    from bed_own import OwnBed
    from standin_lab_tools import Labs

DEVICES = 300
WITHIN = 0.25  # seconds, at p99


@pytest.mark.full
def test_a_recorded_start_of_three_hundred_devices_is_replayed_on_time(
    device_bed: OwnBed, labs: Labs, tmp_path: Path
) -> None:
    names = {f"r{number:03}" for number in range(DEVICES)}
    labs.limit(batchSize=50)
    labs.standin.start()
    for name in sorted(names):
        labs.node(name)
    wait_for("all are ready", lambda: labs.ready() == names, within=600)
    target = tmp_path / "recorded.json"
    answer = c9s(
        device_bed, "measure", "schedule", "-n", labs.namespace, "--output-file", str(target)
    )
    assert answer.code == 0, answer.err
    schedule = read_schedule(target.read_bytes(), "x")
    # An idle bed: neither the lab nor its manager has anything left to do.
    labs.client.delete(path_of("c9s.run/v1alpha1", "nodes", labs.namespace))
    wait_for("the lab is gone", lambda: not labs.pods(), within=600)
    labs.standin.stop()

    program = Program(device_bed.kubeconfig, tmp_path, schedule)
    try:
        code, said = program.run("--cleanup")
    finally:
        drop(device_bed, program.namespace)
    late = sorted(
        abs(one["requestStarted"] - one["offset"]) for one in program.read("submissions.json")
    )
    worst = late[math.ceil(0.99 * len(late)) - 1]
    load = ", ".join(f"{one:.1f}" for one in os.getloadavg())
    sys.stdout.write(
        f"{len(late)} requests in {schedule.length:.0f} s: p99 {worst:.3f} s off, load {load}\n{said}"
    )
    run = read_run((program.folder / "run.json").read_bytes(), "run.json")
    assert len(late) == len(run.devices) == DEVICES
    assert worst <= WITHIN, said
    assert run.replay is not None
    assert (code, run.replay.invalid) == (0, ()), said
