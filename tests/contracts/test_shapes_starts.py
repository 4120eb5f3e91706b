"""What commands write for programs about saved clusters and recorded starts keeps its schema; YAML says the same."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from shape_tools import AT, CASES, ROOT, Kept
from split_lab import command

from kubectl_c9s.measurement.capturefile import (
    CaptureManifest,
    Item,
    Leadership,
    PodIdentity,
    write_manifest,
)
from kubectl_c9s.output.status import changes
from kubectl_c9s.simulation.recording import DeviceTimes, Record, write_record

STUCK = str(ROOT / "examples/stuck-start/snapshot.json")
CASE_NAMES = sorted(path.name for path in CASES.iterdir())


@pytest.fixture
def empty(tmp_path: Path) -> str:
    """Give a dump of a cluster without a lab."""
    path = tmp_path / "empty.json"
    host = {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": "h1"},
        "spec": {},
        "status": {},
    }
    path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": [host]}))
    return str(path)


@pytest.mark.parametrize("case", CASE_NAMES)
def test_states_and_diagnoses(kept: Kept, case: str) -> None:
    dump = ("-f", str(CASES / case / "dump.json"), "--at", AT)
    found = kept.run(0, "status", *dump)
    report = kept.run(0, "diagnose", *dump, "--fail-on", "never")
    assert found["verdict"] == report["verdict"]
    for lab in found["labs"]:
        kept.run(0, "status", lab["name"], "-n", lab["namespace"], *dump)


def test_workloads_that_go_are_events(kept: Kept) -> None:
    tree = json.loads(command("status", "-f", STUCK, "-o", "json").out)
    now, events = changes({}, tree)
    gone = changes(now, tree | {"labs": []})[1]
    assert len(gone) == len(events) > 0
    for event in gone:
        kept.data("status-event", event)


def test_states_and_diagnoses_of_nothing(kept: Kept, empty: str) -> None:
    found = kept.run(0, "status", "-f", empty, "--at", AT)
    assert (found["labs"], found["progress"]["secondsLeft"]) == ([], 0)
    assert kept.run(0, "diagnose", "-f", empty, "--at", AT, "--fail-on", "never")["blockers"] == []


def test_snapshots_are_read_as_they_are_written(kept: Kept) -> None:
    kept.text("snapshot", "--output-file", Path(STUCK).read_text(encoding="utf-8"))
    kept.run(1, "diagnose", "-f", STUCK)


def test_simulations(kept: Kept, tmp_path: Path) -> None:
    kept.run(0, "rollout simulate", "--from", STUCK, "--batch-size", "0,2")
    new = ("--devices=12", "--hosts=3", "--runs=2")
    kept.run(
        0,
        "rollout simulate",
        *new,
        "--max-concurrent-per-host",
        "1,0",
        "--lab-batch-size=3",
        "--labs=2",
    )
    record = Record(
        resolution=1.0,
        devices=(DeviceTimes("lab", "a", host="h1", seconds={"created": 0.0, "ready": 4.0}),),
    )
    (stored,) = kept.text(
        "rollout simulate", "--from, a file that it reads", write_record(record).decode()
    )
    path = tmp_path / "times.json"
    path.write_text(json.dumps(stored))
    kept.run(0, "rollout simulate", *new, "--from", str(path))


@pytest.mark.parametrize("odd", [1e308, -1e308, 1e18])
def test_a_simulation_of_times_that_no_start_takes_is_refused(odd: float, tmp_path: Path) -> None:
    """Of such times come sums that are no numbers, and JSON has no word for them."""
    devices = tuple(
        DeviceTimes("lab", name, "h1", {"created": 0.0, "ready": at})
        for name, at in (("a", 4.0), ("b", odd))
    )
    file = tmp_path / "times.json"
    file.write_bytes(write_record(Record(devices=devices)))
    args = ("rollout", "simulate", "--devices=3", "--hosts=1", "--from", str(file), "-o", "json")
    answer = command(*args)
    assert (answer.code, answer.out) == (1, "")
    assert "no start takes" in answer.err


def test_reports_of_metrics(kept: Kept) -> None:
    folder = ROOT / "tests/diagnostics/scrapes"
    both = kept.run(0, "diagnostics report", str(folder), "--seconds", "30")
    one = kept.run(0, "diagnostics report", str(folder / "metrics-after.prom"))
    compared = kept.run(0, "diagnostics report", str(folder), str(folder), "--seconds", "30")
    assert len({str(sorted(found)) for found in (both, one, compared)}) > 1


def test_manifests_of_captures(kept: Kept) -> None:
    """Those of real captures: tests/diagnostics/test_capture.py and test_capture_partial.py."""
    place = "--output-dir, manifest.json"
    taken = Item("metrics-before", 9090, "/metrics", "metrics-before.prom", 12, "a" * 64)
    missing = Item("metrics-after", 9090, "/metrics", error="the connection broke")
    begun = CaptureManifest(
        tool_version="0.1.0",
        namespace="c9s",
        app="clabernetes",
        pod=PodIdentity("manager-0"),
        lease=Leadership("clabernetes-manager"),
        started="2026-01-31T10:00:00Z",
        seconds=30,
        items=(taken, missing),
    )
    kept.text("diagnostics capture", place, write_manifest(begun).decode())
    pod = PodIdentity("manager-0", "u", "manager:1", "manager@sha256:1", 0, 1)
    lease = Leadership("clabernetes-manager", "manager-0", "manager-1", 3, 4)
    ended = msgspec.structs.replace(
        begun,
        server_version="v1.37.2",
        pod=pod,
        lease=lease,
        elapsed_seconds=30.2,
        problems=("leadership has moved",),
    )
    kept.text("diagnostics capture", place, write_manifest(ended).decode())


@pytest.mark.parametrize("case", ["slow-but-healthy", "sandbox-failed", "healthy-idle"])
def test_recorded_starts(kept: Kept, case: str, tmp_path: Path) -> None:
    dump = ("-f", str(CASES / case / "dump.json"), "--at", AT, "-A")
    file = tmp_path / "run.json"
    code = command("measure", "watch", *dump, "--output-file", str(file)).code
    assert code in {0, 1}
    kept.run(code, "measure watch", *dump)
    (run,) = kept.text("measure watch", "--output-file", file.read_text(encoding="utf-8"))
    report = kept.run(0, "measure report", str(file))
    assert bool(report) == bool(run)
    assert command("measure", "compare", str(file), str(file)).code == (
        0 if run["verdict"] == "reached" else 4
    )
    kept.run(0, "measure compare", str(file), str(file), "--allow-unequal")
    scheduled = command("measure", "schedule", "-f", str(file), "--output-file", "-")
    if scheduled.code == 0:
        kept.text("measure schedule", "--output-file", scheduled.out)
    else:
        assert (scheduled.code, scheduled.out) == (1, "")
