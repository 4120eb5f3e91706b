"""Files are read one at a time: memory follows the largest one, not the sum."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from bare_lab import FILE, Directory

ROOT = Path(__file__).parents[2]
# ru_maxrss counts KiB on Linux and bytes on macOS.
PEAK_UNIT = 1 if sys.platform == "darwin" else 1024
COUNT, SIZE, ROOM = 200, 200_000, 16_000_000


@pytest.mark.parametrize("output", ["yaml", "json"])
def test_memory_follows_the_largest_file(output: str, tmp_path: Path) -> None:
    lab = Directory(tmp_path, 'name: a\ntopology: {nodes: {n: {kind: linux, binds: ["d:/d"]}}}\n')
    for number in range(COUNT):
        lab.add(f"d/{number}", f"{number}\n")
    small = peak(lab, output)
    for number in range(COUNT):
        lab.add(f"d/{number}", f"line {number}\n" * (SIZE // 10))
    assert peak(lab, output) - small < ROOM < COUNT * SIZE / 2


# A process's peak begins at its parent's size, so a small one stands between.
MEASURE = """
import os, subprocess, sys
process = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
_, status, usage = os.wait4(process.pid, 0)
process.returncode = os.waitstatus_to_exitcode(status)
print(process.returncode, usage.ru_maxrss)
"""


def peak(lab: Directory, output: str) -> int:
    """Give the most memory a run takes, in bytes."""
    command = [
        sys.executable,
        "-m",
        "kubectl_c9s",
        "split",
        "-f",
        str(lab.top / FILE),
        "-o",
        output,
    ]
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, *command],
        cwd=lab.top,
        env={"PYTHONPATH": str(ROOT)},
        check=True,
        capture_output=True,
        text=True,
    )
    code, most = map(int, done.stdout.split())
    assert code == 0
    return most * PEAK_UNIT
