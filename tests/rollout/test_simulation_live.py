"""The simulation against the test bed: five settings it has not seen, forecast first, then done."""

from __future__ import annotations

import json
import os
import random
import secrets
import sys
import time
from typing import TYPE_CHECKING, NamedTuple

import bed_sources
import pytest
import standin_names as names
from bed_client import path_of
from bed_own import Wish
from bed_plugin import may_build, using
from stage_watch import watching
from standin_run import BED_FLAGS, Standin, config, wait_for

from kubectl_c9s.cli.main import run
from kubectl_c9s.rollout.limits import Limits
from kubectl_c9s.simulation import milestones as ms
from kubectl_c9s.simulation.estimate import stage_times
from kubectl_c9s.simulation.recording import read_record, write_record
from kubectl_c9s.simulation.scenario import Wish as StartWish
from kubectl_c9s.simulation.scenario import host_names, made_up
from kubectl_c9s.simulation.sweep import sweep

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bed_own import OwnBed
    from standin_views import Json

    from kubectl_c9s.simulation.recording import Record
    from kubectl_c9s.simulation.stages import StageTimes

DEVICES = 20
HOSTS = 3
RUNS = 9
WITHIN = 0.15
# Long against what a busy machine adds, so that the bed's own speed hardly counts.
STEPS = ("sandbox=4-6", "grant=0.5-1", "prepare=0.5-1", "boot=6-9", "ready=2-3")


class Setting(NamedTuple):
    """Limits, and Nodes created a second; 0 is as fast as they can be."""

    name: str
    batch: int = 0
    cap: int = 0
    rate: float = 0.0


CALIBRATION = (Setting("batches of 8", 8), Setting("batches of 10, 3 boots a host", 10, 3))
# The first pass comes 0.25 s after the first Node and takes those that are there by then. Sizes are such that the
# number of batches does not depend on whether these are 2 or 20, which is a matter of the machine.
UNSEEN = (
    Setting("no limits"),
    Setting("batches of 6", 6),
    Setting("batches of 18", 18),
    Setting("2 boots a host", cap=2),
    Setting("1 Node a second, batches of 4", 4, rate=1.0),
)


@pytest.fixture(scope="module")
def start_bed() -> Iterator[OwnBed]:
    name = f"{bed_sources.PRIVATE}start-{secrets.token_hex(3)}"
    wish, build = Wish(nodes=HOSTS, flags=BED_FLAGS), may_build()
    with using(name, lambda: bed_sources.obtain_own(name, wish, may_build=build)) as bed:
        yield bed


def start(bed: OwnBed, setting: Setting, folder: Path) -> Record:
    """Start devices for real and record it. Earlier ones stay: deleting them would keep the controllers busy."""
    lab, own = (f"{kind}-{secrets.token_hex(3)}" for kind in ("start", "c9s"))
    steps = (f"--seed={secrets.randbelow(10**6)}", *(f"--step={step}" for step in STEPS))
    standin = Standin(bed, folder / f"{lab}.log", namespace=own, scope=lab, arguments=steps)
    with bed.client() as client, watching(bed, lab) as watch:
        for name in (lab, own):
            meta = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}
            client.create(path_of("v1", "namespaces"), meta).ok()
        path, body = config(own, batchSize=setting.batch, maxConcurrentPerHost=setting.cap)
        client.apply(path, body).ok()
        try:
            standin.start()
            begin = time.monotonic()
            for number in range(DEVICES):
                if setting.rate:
                    time.sleep(max(begin + number / setting.rate - time.monotonic(), 0))
                client.create(path_of(names.VERSION, "nodes", lab), device(lab, number)).ok()
            wait_for("all devices are ready", lambda: watch.count(ms.READY) == DEVICES, 240)
        finally:
            standin.stop()
        record = watch.record(lab, batch_size=setting.batch, max_concurrent_per_host=setting.cap)
    file = folder / f"{setting.name}.json"
    file.write_bytes(write_record(record))  # what a failure is judged by
    return read_record(file.read_bytes(), file.name)


def device(namespace: str, number: int) -> Json:
    return {
        "apiVersion": names.VERSION,
        "kind": "Node",
        "metadata": {"name": f"device-{number:02}", "namespace": namespace},
        "spec": {"kind": "linux", "image": "busybox:1.37"},
    }


def seconds(record: Record) -> float:
    """Give the seconds from the first Node to the last ready device."""
    return max(one.seconds[ms.READY] for one in record.devices)


def forecast(stages: StageTimes, setting: Setting, rate: float) -> float:
    """Give the median of the runs; Nodes that come as fast as they can come as fast as they did."""
    scenario = made_up(StartWish(DEVICES, host_names(HOSTS), setting.rate or rate))
    limits = [Limits(setting.batch, setting.cap)]
    (found,) = sweep(scenario, stages, limits, lambda run: random.Random(run).random, RUNS)  # noqa: S311 - no secret
    ready = found.until["ready"]
    assert ready is not None
    return ready.middle


def creation_rate(records: list[Record]) -> float:
    spans = [max(one.seconds[ms.CREATED] for one in record.devices) for record in records]
    return (DEVICES - 1) / max(sum(spans) / len(spans), 0.001)


@pytest.fixture(scope="module")
def calibration(start_bed: OwnBed, tmp_path_factory: pytest.TempPathFactory) -> list[Record]:
    folder = tmp_path_factory.mktemp("calibration")
    return [start(start_bed, setting, folder) for setting in CALIBRATION]


@pytest.mark.full
def test_the_objects_of_a_cluster_give_nearly_the_same_stage_times(
    start_bed: OwnBed, calibration: list[Record], capsys: pytest.CaptureFixture[str]
) -> None:
    with start_bed.client() as client:
        spaces = client.get(path_of("v1", "namespaces")).ok()["items"]
    own = next(
        one["metadata"]["name"] for one in spaces if one["metadata"]["name"].startswith("c9s-")
    )
    flags = ("--kubeconfig", str(start_bed.kubeconfig), "--manager-namespace", own)
    assert run(["rollout", "simulate", "--from", "live", *flags, "-o", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["devices"] == DEVICES * len(CALIBRATION)
    assert found["hosts"] == HOSTS
    stages = {one["stage"]: one for one in found["stages"]}
    watched = stage_times(calibration)
    for name, middle in (
        ("scheduled → sandbox", watched.sandbox.delay.median),
        # No stamp tells when a device was started: Ready is.
        ("sandbox or gate → started", watched.boot.delay.median + watched.ready.delay.median),
    ):
        assert stages[name]["recorded"] == found["devices"]
        assert stages[name]["seconds"]["median"] == pytest.approx(middle, abs=1)


@pytest.mark.full
def test_five_unseen_settings_take_as_long_as_forecast(
    start_bed: OwnBed, calibration: list[Record], tmp_path: Path
) -> None:
    stages, rate = stage_times(calibration), creation_rate(calibration)
    forecasts = [forecast(stages, setting, rate) for setting in UNSEEN]
    real = [seconds(start(start_bed, setting, tmp_path)) for setting in UNSEEN]
    off = [(told - took) / took for told, took in zip(forecasts, real, strict=True)]
    load = ", ".join(f"{one:.1f}" for one in os.getloadavg())
    sys.stdout.write(f"\nload {load} on {os.cpu_count()} processors\n")
    for setting, told, took, error in zip(UNSEEN, forecasts, real, off, strict=True):
        sys.stdout.write(
            f"{setting.name:<30} forecast {told:5.1f} s, took {took:5.1f} s: {error:+.1%}\n"
        )
    assert [error for error in off if abs(error) > WITHIN] == []
