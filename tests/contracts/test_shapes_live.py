"""What commands write for programs about a real cluster keeps its schema: nothing there, a stuck start, all well.

``rollout show``, ``set``, ``undo``, ``diff`` and ``apply`` in every situation: tests/rollout/test_rollout_schemas.py.
``measure verify`` and ``measure cni``: tests/measure/test_verify_live.py and test_cni_live.py. ``diagnostics capture``:
tests/diagnostics/test_capture.py. Here each of them is looked at once.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Any
from unittest import mock

import pytest
import schemas
from live_tools import c9s
from shape_tools import ROOT, Kept, validator
from standin_lab_tools import LINUX

from kubectl_c9s.measurement.schedule import Entry, Origin, Schedule, in_order, write_schedule

if TYPE_CHECKING:
    from pathlib import Path

    from bed_own import OwnBed
    from split_lab import Answer
    from standin_lab_tools import Labs

FAST = ("--slow-after", "1s", "--stalled-after", "2s")
POLICY = """\
apiVersion: toolkit.c9s.run/v1alpha1
kind: RolloutPolicy
metadata: {name: rollout}
spec:
  mode: Report
  config: {batchSize: 3}
"""


class Site:
    """Commands on a bed, in the namespaces of a stand-in."""

    def __init__(self, bed: OwnBed, labs: Labs, kept: Kept, state: Path) -> None:
        self.bed, self.labs, self.kept, self._state = bed, labs, kept, state

    def __call__(self, *args: str, stdin: bytes = b"") -> Answer:
        place = ("-n", self.labs.namespace, "--manager-namespace", self.labs.standin.namespace)
        with mock.patch.dict(os.environ, {"XDG_STATE_HOME": str(self._state)}):
            return c9s(self.bed, *args, *place, stdin=stdin)

    def run(self, code: int, name: str, *args: str) -> Any:
        return self.kept.run(code, name, *args, how=self)


@pytest.fixture
def site(device_bed: OwnBed, labs: Labs, kept: Kept, tmp_path: Path) -> Site:
    return Site(device_bed, labs, kept, tmp_path / "state")


@pytest.fixture
def stuck(site: Site) -> Site:
    """Give a place with a Pod without a sandbox, a plan that is refused, and those who wait behind them."""
    site.labs.limit(batchSize=2)
    site.labs.standin.start()
    site.labs.standin.faults(plan_refused={f"{site.labs.namespace}/leaf1": "PlanUnsupported"})
    site.labs.node("leaf1")
    site.labs.node("spine1", fail="sandbox")
    site.labs.topology("metro", dict.fromkeys(("a1", "a2"), LINUX), batchSize=1)
    site.labs.wait("the plan is refused", lambda: site.labs.reason("leaf1") == "PlanUnsupported")
    site.labs.wait("there is a Pod", lambda: "spine1" in site.labs.pods())
    return site


@pytest.fixture
def ready(site: Site) -> Site:
    """Give a place with a lab that has started."""
    site.labs.limit(batchSize=5)
    site.labs.standin.start()
    site.labs.topology("metro", dict.fromkeys("abcd", LINUX))
    site.labs.wait("all are ready", lambda: site.labs.ready() == set("abcd"))
    return site


def test_where_there_is_nothing(site: Site) -> None:
    assert site.run(0, "status")["labs"] == []
    assert {one["level"] for one in site.run(1, "check")["checks"]} >= {"failed"}
    site.run(0, "check", "--pre")
    assert site.run(0, "rollout show", "config")["config"]["exists"] is False
    snapshot = site("snapshot", "--output-file", "-")
    site.kept.text("snapshot", "--output-file", snapshot.out)
    for name, args in (("status", ["nobody"]), ("rollout show", ["topology/none"]),
                       ("measure verify", []), ("measure watch", ["--once"])):  # fmt: skip
        answer = site(*name.split(), *args, "-o", "json")
        assert (answer.code > 0, answer.out) == (True, ""), name


def test_a_start_that_is_stuck(stuck: Site, tmp_path: Path) -> None:
    site = stuck
    found = site.run(0, "status")
    assert found["progress"]["done"] < found["progress"]["workloads"]
    site.run(0, "status", "metro")
    site.labs.wait("it is stuck", lambda: site("diagnose", *FAST).code == 1)
    report = site.run(1, "diagnose", *FAST)
    assert {"plan-failed"} <= {one["code"] for one in report["causes"]}
    site.run(0, "check")
    shown = site.run(0, "rollout show")
    assert shown["topologies"]
    site.run(4, "rollout set", "config", "--batch-size=0", "--dry-run=server")
    site.run(0, "rollout set", "config", "--batch-size=9", "--dry-run=server")
    for target, flags in (
        ("config", ["--batch-size=9"]),
        ("config", ["--batch-size=9", "--max-concurrent-per-host=2"]),
        ("config", ["--max-concurrent-per-host=4"]),
        ("config", ["--unset=maxConcurrentPerHost", "--batch-size=2"]),
        ("topology/metro", ["--unset=batchSize", "--release-all"]),
    ):
        for form in ("json", "merge", "apply"):
            answer = site("rollout", "set", target, *flags, "--print-patch", form)
            assert answer.code == 0, answer.err
            site.kept.text("rollout set", "--print-patch", answer.out)
    policy = tmp_path / "policy.yaml"
    policy.write_text(POLICY)
    site.run(1, "rollout diff", "-f", str(policy))
    site.run(0, "rollout apply", "-f", str(policy), "--dry-run=server")
    for form in ("json", "yaml"):
        answer = site("rollout", "set", "config", f"--batch-size={len(form) + 1}", "-o", form)
        assert answer.code == 0, answer.err
        site.kept.text("rollout set", f"-o {form}", answer.out)
        site.kept.text("rollout undo", f"-o {form}", site("rollout", "undo", "-o", form).out)
    site.run(1, "measure watch", "--once")
    events = site("status", "--for", "ready", "--timeout", "2s", "-o", "jsonl")
    assert events.code in {1, 5}
    *_, end = site.kept.text("status", "-o jsonl", events.out)
    assert (end["type"], end["reached"]) == ("end", False)
    recorded = site("measure", "watch", "--timeout", "3s", "--sample-every", "1s", "-o", "jsonl")
    assert recorded.code == 5
    kinds = [one["type"] for one in site.kept.text("measure watch", "-o jsonl", recorded.out)]
    assert kinds[-1] == "end"
    assert "sample" in kinds
    site.run(0, "rollout simulate", "--from", "live", "--batch-size", "1,4", "--runs=1")
    taken = site("snapshot", "--redact", "--output-file", "-")
    (snapshot,) = site.kept.text("snapshot", "--output-file", taken.out)
    file = tmp_path / "snapshot.json"
    file.write_text(json.dumps(snapshot))
    site.kept.run(1, "diagnose", "-f", str(file), *FAST)


def test_a_start_that_is_over(ready: Site, tmp_path: Path) -> None:
    site = ready
    found = site.run(0, "status")
    assert (found["reached"], found["progress"]["secondsLeft"]) == (True, 0)
    assert site.run(0, "diagnose")["verdict"] == "healthy"
    file = tmp_path / "run.json"
    assert site("measure", "watch", "--once", "--output-file", str(file)).code == 0
    site.kept.text("measure watch", "--output-file", file.read_text("utf-8"))
    site.run(0, "measure watch", "--once")
    site.kept.run(0, "measure report", str(file))
    site.kept.run(0, "measure compare", str(file), str(file))
    made = site("measure", "schedule", "--output-file", "-")
    assert made.code == 0, made.err
    site.kept.text("measure schedule", "--output-file", made.out)
    verified = site("measure", "verify", "-o", "json")
    site.kept.text("measure verify", "-o json", verified.out)
    assert verified.code in {0, 1, 3, 5}
    read = site("measure", "cni", "--run", str(file), "-o", "json")
    assert read.code == 0, read.err
    site.kept.text("measure cni", "-o json", read.out)
    events = site("status", "--for", "ready", "-o", "jsonl")
    assert events.code == 0
    assert site.kept.text("status", "-o jsonl", events.out)[-1]["reached"] is True
    site.kept.run(0, "split", "--from-cluster", "metro", how=site)


def test_files_of_a_replay(ready: Site, tmp_path: Path) -> None:
    site = ready
    hosts = sorted({one.host for one in site.labs.pods().values()})
    entries = (
        Entry(f"d{n}", hosts[n % len(hosts)], n * 0.1, "busybox:1.37", "lab") for n in range(3)
    )
    origin = Origin("Node", "lab/d0", 1_796_079_904.0)
    schedule = Schedule(source="a test", origin=origin, entries=in_order(entries))
    path, folder = tmp_path / "schedule.json", tmp_path / "out"
    path.write_bytes(write_schedule(schedule))
    name = f"{site.labs.namespace}-replay"
    flags = ("--output-dir", str(folder), "--ip-family=ipv4", "--probe", "--cni=auto", "--cleanup")
    answer = c9s(site.bed, "measure", "replay", str(path), "-n", name, *flags)
    assert answer.code in {0, 1}, answer.err  # the Pods of the bed need not answer pings
    found = {file.name for file in folder.iterdir()}
    places = [one.removeprefix("--output-dir, ") for one in schemas.OUTPUTS["measure replay"]]
    for place in places:
        found.remove(place)
        text = (folder / place).read_text(encoding="utf-8")
        if place == "pods.json":  # no sample: the objects of a lab are a better one
            validator("object-list").validate(json.loads(text))
        else:
            assert site.kept.text("measure replay", f"--output-dir, {place}", text)
    assert found == set()


def test_lines_of_the_reconciler(site: Site) -> None:
    args = (
        "reconciler",
        "run",
        "-n",
        site.labs.standin.namespace,
        "--serve-address=127.0.0.1:0",
        "--log-level=debug",
    )
    process = subprocess.Popen(
        [sys.executable, "-m", "kubectl_c9s", *args, "--kubeconfig", str(site.bed.kubeconfig)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert process.stderr is not None
    first = process.stderr.readline()
    process.send_signal(signal.SIGTERM)
    out, rest = process.communicate(timeout=60)
    assert (process.returncode, out) == (0, "")
    lines = site.kept.text("reconciler run", "stderr", first + rest)
    assert lines[0]["msg"] == "the process has started"
    assert lines[-1]["msg"] == "the process has ended"
