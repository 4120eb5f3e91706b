"""Measure memory and processor time of ``reconciler run``, against the bars of the design.

    python tests/bench/bench_reconciler.py               # in memory only: runs anywhere on Linux, a minute
    python tests/bench/bench_reconciler.py --bed         # and as a process on a bed of its own, a quarter of an hour
    python tests/bench/bench_reconciler.py --bed --write # and into docs/performance.md

In memory: the objects of 10,000 devices, kept as the reconciler keeps them, once all well and once with four of ten
that do not run. On the bed: an empty cluster, then 10,000 devices with what belongs to them, seen with the token of
its ServiceAccount. How long it takes until it is ready depends on what else the machine does: the load is printed.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from page import WRITE, put

HERE = Path(__file__).parent
sys.path.append(str(HERE.parent / "testbed"))
ROOT = HERE.parents[1]
sys.path.append(str(ROOT))  # the bed takes the CRDs from the product
HOSTS = 50
HEAD = "| what | measured | bar | holds |\n| --- | --- | --- | --- |\n"
READY, PASS, SIZE, IDLE_SIZE, IDLE = 5.0, 0.5, 150.0, 64.0, 5.0


class Row(NamedTuple):
    """A figure, its unit, and at most how much it may be; no bar for what is only shown."""

    what: str
    figure: float
    unit: str
    bar: float | None = None

    @property
    def holds(self) -> bool:
        """Tell whether the figure keeps its bar."""
        return self.bar is None or self.figure <= self.bar

    def text(self) -> str:
        """Make a line of the table."""
        wanted = "-" if self.bar is None else f"≤ {self.bar:g} {self.unit}"
        verdict = "-" if self.bar is None else ("yes" if self.holds else "**no**")
        return f"| {self.what} | {self.figure:.2f} {self.unit} | {wanted} | {verdict} |\n"


def main() -> int:
    """Measure, print; exit 1 when a bar does not hold."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--devices", type=int, default=10_000)
    parser.add_argument("--bed", action="store_true", help="measure the process, too")
    parser.add_argument("--idle", type=float, default=60.0, help="seconds to rest for")
    parser.add_argument("--write", action="store_true", help=WRITE)
    options = parser.parse_args()
    load = os.getloadavg()[0]
    os.environ["PYTHONPATH"] = str(ROOT)
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as folder:
        rows += in_memory(Path(folder), options.devices)
        if options.bed:
            rows += on_bed(Path(folder), options.devices, options.idle)
    where = f"\nload before {load:.1f}, after {os.getloadavg()[0]:.1f}, {os.cpu_count()} cores\n"
    table = HEAD + "".join(row.text() for row in rows) + where
    print(table, end="")
    if options.write:
        put("reconciler", table)
    return 0 if all(row.holds for row in rows) else 1


def in_memory(folder: Path, devices: int) -> list[Row]:
    """Measure the cache and a diagnosis of it."""
    rows = []
    for name, flags in (("all well", ["--well"]), ("4 of 10 do not run", [])):
        pages = folder / name.replace(" ", "-")
        pages.mkdir()
        run("reconciler_pages.py", str(pages), str(devices), *flags)
        found: dict[str, Any] = json.loads(run("reconciler_memory.py", str(pages)))
        what = f"in memory, {devices:,} devices, {name}"
        rows += [
            Row(f"{what}: loaded", found["loaded"], "MiB"),
            Row(f"{what}: kept", found["listed"] - found["loaded"], "MiB"),
            Row(f"{what}: CPU of the lists", found["lists"], "s"),
            Row(f"{what}: CPU of a diagnosis", found["pass"], "s", PASS),
            Row(f"{what}: peak", found["peak"], "MiB", SIZE),
        ]
    return rows


def run(script: str, *arguments: str) -> str:
    """Run a script beside this one in a process of its own; give what it prints."""
    command = [sys.executable, str(HERE / script), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def on_bed(folder: Path, devices: int, idle: float) -> list[Row]:
    """Measure the process on a bed that is made for it and taken away again."""
    import bed_own  # noqa: PLC0415 - only here
    import bed_sources  # noqa: PLC0415 - only here
    from bed_own import Wish  # noqa: PLC0415 - only here
    from reconciler_bed import fill, install  # noqa: PLC0415 - only here
    from reconciler_process import measured  # noqa: PLC0415 - only here

    name = f"{bed_sources.PRIVATE}scale-{os.getpid()}"
    bed = bed_sources.obtain_own(name, Wish(nodes=HOSTS), may_build=True)
    try:
        account = install(bed, folder)
        empty = measured(account, idle)
        rows = [
            Row("empty cluster: at rest", empty.size, "MiB", IDLE_SIZE),
            Row("empty cluster: CPU at rest", empty.idle, "mCPU", IDLE),
            Row("empty cluster: ready", empty.ready, "s", READY),
        ]
        fill(bed, devices, [f"testbed-node-{number}" for number in range(HOSTS)])
        for settle in ("0s", "5s"):
            full = measured(account, idle, settle)
            what = f"{devices:,} devices, --settle {settle}"
            rows += [
                Row(f"{what}: ready", full.ready, "s", READY),
                Row(f"{what}: CPU until ready", full.cpu, "s"),
                Row(f"{what}: a diagnosis takes (wall, on average)", full.diagnosis, "s", PASS),
                Row(f"{what}: size", full.size, "MiB"),
                Row(f"{what}: peak", full.peak, "MiB", SIZE),
                Row(f"{what}: CPU while 1 of 25 is stuck", full.idle, "mCPU"),
            ]
    finally:
        bed_own.down(name)
    return rows


if __name__ == "__main__":
    sys.exit(main())
