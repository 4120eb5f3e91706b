"""capture from a Go process: everything is taken as it was sent, and Go's own tool reads it."""

from __future__ import annotations

import json
import stat
import subprocess
from typing import TYPE_CHECKING

import pytest
from capture_tools import capture, manifest_of
from gometrics_process import environment, go
from split_lab import command

if TYPE_CHECKING:
    from pathlib import Path

    from manager_site import Site
    from split_lab import Answer


@pytest.fixture(scope="module")
def taken(standing: Site, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Answer]:
    """Give a whole capture with every profile, and what was said."""
    standing.lead("m-0")
    folder = tmp_path_factory.mktemp("capture") / "taken"
    profiles = "cpu,heap,goroutine,block,mutex,allocs,threadcreate,trace"
    return folder, capture(standing, folder, "--seconds", "3", "--profiles", profiles)


def test_everything_is_taken_and_said_to_be(standing: Site, taken: tuple[Path, Answer]) -> None:
    folder, answer = taken
    assert (answer.code, answer.out) == (0, ""), answer.err
    found = manifest_of(folder)
    assert found["complete"] is True
    assert found["problems"] == []
    assert [one["file"] for one in found["items"]] == [
        "metrics-before.prom", "cpu.pb.gz", "heap.pb.gz", "goroutine.pb.gz", "goroutine.txt", "block.pb.gz",
        "mutex.pb.gz", "allocs.pb.gz", "threadcreate.pb.gz", "trace.out", "metrics-after.prom",
    ]  # fmt: skip
    assert found["namespace"] == standing.namespace
    assert found["pod"]["name"] == "m-0"
    assert found["pod"]["image"] == "registry.invalid/manager:1"
    assert found["pod"]["restartsBefore"] == found["pod"]["restartsAfter"] == 0
    assert found["lease"]["transitionsBefore"] == found["lease"]["transitionsAfter"] > 0
    assert found["serverVersion"].startswith("v1.")
    assert "metrics and profiles can hold names of namespaces and objects" in answer.err
    assert f"{folder}: 11 files of m-0, " in answer.err


def test_the_scrapes_are_those_of_one_process_and_so_far_apart_as_was_asked(
    taken: tuple[Path, Answer],
) -> None:
    folder, _ = taken
    texts = [(folder / f"metrics-{name}.prom").read_text("utf-8") for name in ("before", "after")]
    first, second = (
        dict(line.rsplit(" ", 1) for line in text.splitlines() if line[0] != "#") for text in texts
    )
    name = 'controller_runtime_reconcile_total{controller="node",result="error"}'
    assert int(second[name]) - int(first[name]) == 1
    assert second["process_start_time_seconds"] == first["process_start_time_seconds"]
    assert first['test_process_info{name="zero"}'] == "1"
    assert 3.0 <= manifest_of(folder)["elapsedSeconds"] < 60.0


@pytest.mark.parametrize(
    ("name", "kind", "function"),
    [
        ("cpu", "cpu", "main.block"),
        ("heap", "inuse_space", "main.main"),
        ("allocs", "alloc_space", "main.main"),
        ("goroutine", "goroutine", "net/http"),
        ("block", "delay", None),
        ("mutex", "delay", None),
        ("threadcreate", "threadcreate", None),
    ],
)
def test_go_reads_the_profiles(
    taken: tuple[Path, Answer], tmp_path: Path, name: str, kind: str, function: str | None
) -> None:
    file = str(taken[0] / f"{name}.pb.gz")
    top = pprof(tmp_path, "-top", "-cum", "-nodefraction=0", file)
    assert f"Type: {kind}" in top
    assert function is None or function in top
    raw = pprof(tmp_path, "-raw", file)
    assert raw.startswith("PeriodType:")
    if name == "cpu":
        assert "Duration: 2" in top  # seconds: it ends before the second scrape


def pprof(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        [go(), "tool", "pprof", *arguments],
        check=False, capture_output=True, text=True, cwd=folder, env=environment(folder / "cache"),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_what_is_read_without_a_tool_is_text(taken: tuple[Path, Answer]) -> None:
    folder, _ = taken
    assert (folder / "goroutine.txt").read_text("utf-8").startswith("goroutine profile: total ")
    assert (folder / "trace.out").read_bytes().startswith(b"go 1.")


def test_only_the_user_may_read_it(taken: tuple[Path, Answer]) -> None:
    folder, _ = taken
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}


def test_no_profiles_may_be_wanted(standing: Site, tmp_path: Path) -> None:
    standing.lead("m-1")
    answer = capture(standing, tmp_path, "--seconds", "1", "--profiles", "")
    assert answer.code == 0, answer.err
    found = manifest_of(tmp_path)
    assert [one["name"] for one in found["items"]] == ["metrics-before", "metrics-after"]
    assert found["pod"]["name"] == "m-1"


def test_report_reads_what_was_captured(taken: tuple[Path, Answer]) -> None:
    folder, _ = taken
    answer = command("diagnostics", "report", str(folder), "-o", "json")
    assert answer.code == 0, answer.err
    found = json.loads(answer.out)
    (node,) = [one for one in found["figures"]["controllers"] if one["name"] == "node"]
    assert node["reconciles"]["success"] == pytest.approx(100 * node["reconciles"]["error"])
