"""Run a command as a whole process and read from the system what it cost."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

# ru_maxrss counts KiB on Linux and bytes on macOS.
PEAK_UNIT = 1 if sys.platform == "darwin" else 1024
MIB = 1024 * 1024


class Cost(NamedTuple):
    """Cost of one process: seconds of wall and CPU time, peak memory in MiB."""

    wall: float
    cpu: float
    peak: float


def cost(command: Sequence[str], output: Path) -> Cost:
    """Run ``command`` with stdout into the file ``output``; a failing command raises.

    This process must stay small: on Linux a child's peak starts at its parent's size.
    """
    with output.open("wb") as sink:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=sink, stdin=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return Cost(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * PEAK_UNIT / MIB)


def middle(costs: Sequence[Cost]) -> Cost:
    """Give the median of each figure on its own."""
    return Cost(*(statistics.median(column) for column in zip(*costs, strict=True)))
