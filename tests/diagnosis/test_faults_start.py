"""A healthy start that takes its time is never called stalled, and nobody is said to hold anything up."""

from __future__ import annotations

import collections
import json
import secrets
import sys
import time
from typing import TYPE_CHECKING

import pytest
from faults_play import accused
from faults_site import Site
from standin_lab_tools import LINUX
from standin_run import Standin

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bed_client import Json
    from bed_own import OwnBed

STEPS = ("sandbox=1-3", "grant=0.5-1.5", "prepare=1-2", "boot=3-9", "ready=1-2")
PLANNING = 1.5  # seconds for a plan, on average
EVERY = 2.0  # seconds between two looks
WITHIN = 900.0


@pytest.fixture
def slow_site(device_bed: OwnBed, tmp_path: Path) -> Iterator[Site]:
    """Give a stand-in whose devices take their time, on a bed without anybody else."""
    prefix = f"slow-{secrets.token_hex(2)}-"
    arguments = ("--lease=60,40,8", "--seed=7", *(f"--step={step}" for step in STEPS))
    with device_bed.namespace("c9s") as own, device_bed.client() as client:
        log = tmp_path / "standin.log"
        standin = Standin(device_bed, log, namespace=own, scope=f"{prefix}*", arguments=arguments)
        site = Site(device_bed, client, standin, prefix)
        try:
            site.open()
            yield site
        finally:
            site.clear()
            site.close()


@pytest.mark.parametrize(
    ("devices", "batch", "of_topology"),
    [
        (100, 40, 30),
        pytest.param(300, 40, 30, marks=pytest.mark.full),
        pytest.param(100, 0, 3, marks=pytest.mark.full),
    ],
)
def test_a_slow_start_is_never_called_stalled(
    slow_site: Site, devices: int, batch: int, of_topology: int
) -> None:
    site = slow_site
    site.faults(slow_planning=PLANNING)
    site.limit(batchSize=batch, maxConcurrentPerHost=10)
    lab = site.lab("ring", host=None)
    names = [f"n{number:03}" for number in range(devices)]
    links = [[f"{a}:eth1", f"{b}:eth2"] for a, b in zip(names, [*names[1:], names[0]], strict=True)]
    begin = time.monotonic()
    lab.start(dict.fromkeys(names, LINUX), *links, batchSize=of_topology)
    verdicts: collections.Counter[str] = collections.Counter()
    while not verdicts or site.unready():
        assert time.monotonic() < begin + WITHIN, f"never ready: {site.unready()}"
        time.sleep(EVERY)
        report = _harmless(site)
        verdicts[f"{report['verdict']}, {report['primaryCause']}"] += 1
    took = time.monotonic() - begin
    sys.stdout.write(f"\n{devices} devices ready after {took:.0f} s; {dict(verdicts)}\n")
    assert site.report()["verdict"] == "healthy"


def _harmless(site: Site) -> Json:
    """Ask with the thresholds that are the default: no stall, and nobody holds a barrier."""
    answer = site.diagnose("-o", "json", "--fail-on=stalled")
    report: Json = json.loads(answer.out)
    assert (answer.code, report["verdict"]) in ((0, "healthy"), (0, "slow")), report["causes"]
    assert not accused(report, "stuck", "config")
    assert [one for one in report["causes"] if one["scope"] != ["info"]] == []
    return report
