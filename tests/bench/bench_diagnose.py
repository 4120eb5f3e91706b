"""Measure ``diagnose -f`` on saved dumps of growing installations, against the bars in docs/performance.md.

    python tests/bench/bench_diagnose.py             # prints the table
    python tests/bench/bench_diagnose.py --write     # and puts it into docs/performance.md

A dump has as many Pods as Nodes and two Events a Pod; 4 of 10 devices do not run, 3 of 10 have a cause. Every figure
is that of a whole process, the median of several runs after one warm-up. The bars are for the largest dump without
Deployments, ReplicaSets and Links; the row with them shows what these cost.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from page import WRITE, put
from process import Cost, cost, middle

ROOT = Path(__file__).parents[2]
GENERATOR = Path(__file__).with_name("diagnose_snapshot.py")
AT = "2026-09-21T10:10:00Z"
CPU_BAR, PEAK_BAR, GROWTH_BAR = 2.0, 350.0, 2.5
HEAD = (
    "| dump | size | wall | CPU | peak | bar | holds |\n"
    "| --- | --- | --- | --- | --- | --- | --- |\n"
)


class Size(NamedTuple):
    """How many devices a dump has, and whether with what owns and links their Pods."""

    devices: int
    owners: bool = False


SIZES = (Size(1_000), Size(2_000), Size(5_000), Size(10_000), Size(10_000, owners=True))
HALF, WHOLE = SIZES[2], SIZES[3]


def main() -> int:
    """Measure, print, write if asked to; exit 1 when a bar does not hold."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--write", action="store_true", help=WRITE)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        table, holds = measure(Path(folder), options.runs)
    print(table, end="")
    if options.write:
        put("diagnose", table)
    return 0 if holds else 1


def measure(folder: Path, runs: int) -> tuple[str, bool]:
    """Give the table, and whether it keeps the bars."""
    os.environ["PYTHONPATH"] = str(ROOT)
    load = os.getloadavg()[0]
    costs: dict[Size, Cost] = {}
    rows = []
    for size in SIZES:
        dump = write(folder, size)
        costs[size] = diagnose(dump, folder / "report.json", runs)
        rows.append(row(size, dump.stat().st_size, costs[size], bars(size, costs)))
        dump.unlink()
    where = f"\n{runs} runs, load before {load:.1f}, {os.cpu_count()} cores\n"
    failed = [text for size in SIZES for text, holds in bars(size, costs) if not holds]
    return HEAD + "".join(rows) + where, not failed


def write(folder: Path, size: Size) -> Path:
    """Write a dump in a process of its own: this one must stay small."""
    target = folder / "dump.json"
    flags = ["--owners"] if size.owners else []
    with target.open("wb") as sink:
        command = [sys.executable, str(GENERATOR), str(size.devices), *flags]
        subprocess.run(command, check=True, stdout=sink)
    return target


def diagnose(dump: Path, report: Path, runs: int) -> Cost:
    """Give the median cost of a run."""
    command = [sys.executable, "-m", "kubectl_c9s", "diagnose", "-f", str(dump), "--at", AT]
    command += ["-o", "json", "--fail-on", "never"]
    return middle([cost(command, report) for _ in range(runs + 1)][1:])


def bars(size: Size, costs: dict[Size, Cost]) -> list[tuple[str, bool]]:
    """Give the bars for a dump and whether they hold: twice the devices may cost little more than twice the time."""
    if size != WHOLE:
        return []
    growth = costs[WHOLE].cpu / costs[HALF].cpu
    return [
        (f"≤ {CPU_BAR:g} s CPU", costs[size].cpu <= CPU_BAR),
        (f"≤ {PEAK_BAR:g} MiB", costs[size].peak <= PEAK_BAR),
        (f"≤ {GROWTH_BAR:g} times the CPU of half as many ({growth:.2f})", growth <= GROWTH_BAR),
    ]


def row(size: Size, length: int, found: Cost, limits: list[tuple[str, bool]]) -> str:
    """Make a line of the table."""
    n = size.devices
    what = f"{n:,} Pods, {n:,} Nodes, {2 * n:,} Events" + (
        ", owners and Links" if size.owners else ""
    )
    figures = [
        f"{length / 1e6:.0f} MB",
        f"{found.wall:.2f} s",
        f"{found.cpu:.2f} s",
        f"{found.peak:.0f} MiB",
    ]
    wanted = "; ".join(text for text, _ in limits) or "-"
    verdict = ("yes" if all(holds for _, holds in limits) else "**no**") if limits else "-"
    return f"| {' | '.join([what, *figures, wanted, verdict])} |\n"


if __name__ == "__main__":
    sys.exit(main())
