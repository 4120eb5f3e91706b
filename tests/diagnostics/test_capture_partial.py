"""capture when not everything can be had: what was taken is kept, and what is missing said."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import pytest
from bed_objects import until
from capture_tools import capture, manifest_of
from gometrics_process import Process

if TYPE_CHECKING:
    from pathlib import Path

    from manager_site import Site


def test_leadership_that_moves_is_said_and_the_rest_kept(standing: Site, tmp_path: Path) -> None:
    standing.lead("m-0")
    move = threading.Thread(target=move_after, args=(standing, tmp_path / "cpu.pb.gz"))
    move.start()
    answer = capture(standing, tmp_path, "--seconds", "3", "--profiles", "cpu")
    move.join()
    assert answer.code == 3
    assert f"not all was taken into {tmp_path}: leadership moved from m-0 to m-1" in answer.err
    found = manifest_of(tmp_path)
    assert found["complete"] is False
    assert found["problems"] == ["leadership moved from m-0 to m-1"]
    assert [one["error"] for one in found["items"]] == [None, None, None]
    assert found["lease"]["holderAfter"] != found["lease"]["holderBefore"]
    assert found["lease"]["transitionsAfter"] == found["lease"]["transitionsBefore"] + 1


def move_after(site: Site, file: Path) -> None:
    until(f"{file.name} is taken", file.exists, 30.0)
    site.lead("m-1")


def test_a_process_that_ends_in_between_leaves_what_came_before(
    site: Site, gometrics: Path, tmp_path: Path
) -> None:
    site.make_pod("m-0")
    with Process(gometrics, "short") as process, site.doors({"m-0": process}):
        heap = tmp_path / "heap.pb.gz"
        kill = threading.Thread(target=stop_after, args=(process, heap))
        kill.start()
        answer = capture(site, tmp_path, "--seconds", "4", "--profiles", "heap")
        kill.join()
    assert answer.code == 3
    assert "manifest.json says what is missing" in answer.err
    found = manifest_of(tmp_path)
    assert [one["name"] for one in found["items"] if one["error"]] == ["metrics-after"]
    assert "refuses connections to port 9090" in found["items"][-1]["error"]
    assert found["elapsedSeconds"] is None


def stop_after(process: Process, file: Path) -> None:
    until(f"{file.name} is taken", file.exists, 30.0)
    process.stop()


def test_a_profile_that_fails_does_not_cost_the_others(
    site: Site, gometrics: Path, tmp_path: Path
) -> None:
    """Go takes one CPU profile at a time: somebody else's is under way."""
    site.make_pod("m-0")
    with Process(gometrics, "busy") as process, site.doors({"m-0": process}), process.profiled():
        answer = capture(site, tmp_path, "--seconds", "1", "--profiles", "cpu,heap")
    assert answer.code == 3
    assert "not all was taken" in answer.err
    found = manifest_of(tmp_path)
    errors = {one["name"]: one["error"] for one in found["items"] if one["error"]}
    assert list(errors) == ["cpu"]
    assert "HTTP 500" in errors["cpu"]
    assert "cpu profiling already in use" in errors["cpu"]


@pytest.mark.parametrize("there", ["a file", "a directory with something in it"])
def test_what_is_there_is_never_written_over(standing: Site, tmp_path: Path, there: str) -> None:
    folder = tmp_path / "taken"
    if there == "a file":
        folder.write_text("mine", "utf-8")
    else:
        folder.mkdir()
        (folder / "mine").write_text("mine", "utf-8")
    before = sorted(tmp_path.rglob("*"))
    answer = capture(standing, folder)
    assert (answer.code, answer.out) == (2, "")
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (("--profiles", "cpu,heat"), "no profile is called 'heat'"),
        (("--seconds", "0"), "0 is not in the range 1<=x<=3600"),
        (("--output-dir", "/nowhere/at/all"), "there is no directory '/nowhere/at'"),
    ],
)
def test_wrong_flags_are_usage_errors(
    standing: Site, tmp_path: Path, flags: tuple[str, ...], words: str
) -> None:
    answer = capture(standing, tmp_path, *flags)
    assert (answer.code, answer.out) == (2, "")
    assert words in answer.err


def test_an_interruption_keeps_what_was_taken(standing: Site, tmp_path: Path) -> None:
    standing.lead("m-0")
    command = [
        sys.executable, "-m", "kubectl_c9s", "diagnostics", "capture", f"--manager-namespace={standing.namespace}",
        f"--kubeconfig={standing.bed.kubeconfig}", f"--output-dir={tmp_path}", "--seconds=600", "--profiles=cpu,heap",
    ]  # fmt: skip
    with subprocess.Popen(command, stderr=subprocess.PIPE, env=os.environ) as process:
        until("heap is taken", (tmp_path / "heap.pb.gz").exists, 30.0)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=30)
    assert process.returncode == 130
    assert b"Traceback" not in said
    found = manifest_of(tmp_path)
    assert found["problems"] == ["interrupted"]
    assert [one["file"] for one in found["items"]] == [
        "metrics-before.prom",
        None,
        "heap.pb.gz",
        None,
    ]
