"""Measure ``apply`` against ``kubectl apply --server-side`` on a test bed, and against the bars in docs/performance.md.

    python tests/bench/bench_apply.py             # prints the table
    python tests/bench/bench_apply.py --write     # and puts it into docs/performance.md

A fabric of 1,000 devices is split once; its objects go into a fresh namespace for each run, tool and kubectl in turn,
twice each: the second time nothing has changed. Wall and CPU time are those of whole processes. The bed has a control
plane of its own, no manager, and an audit log, which must show that every object was written once and that a second
run wrote nothing. Say what else the machine was doing: the load average stands beside the figures.
"""

from __future__ import annotations

import argparse
import json
import os
import secrets
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests/testbed"), str(ROOT / "tests/checks")]

import bed_sources  # noqa: E402 - found by the line above
from bed_client import path_of  # noqa: E402
from bed_own import Wish  # noqa: E402
from page import WRITE, put  # noqa: E402
from process import Cost, cost  # noqa: E402

if TYPE_CHECKING:
    from bed_own import OwnBed

FIRST_BAR, SECOND_BAR = 1.7, 4.0
HEAD = (
    "| what | kubectl-c9s: wall | CPU | kubectl: wall | CPU | times faster | bar | holds |\n"
    "| --- | --- | --- | --- | --- | --- | --- | --- |\n"
)


class Pair(NamedTuple):
    """Costs of a first and a second run in one namespace."""

    first: Cost
    second: Cost


def main() -> int:
    """Measure, print, write if asked to; exit 1 when a bar does not hold."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--devices", type=int, default=1000)
    parser.add_argument("--links", type=int, default=1900)
    parser.add_argument("--write", action="store_true", help=WRITE)
    options = parser.parse_args()
    bed = bed_sources.obtain_own("bench", Wish(keep=True), may_build=True)
    try:
        with tempfile.TemporaryDirectory() as folder:
            table, holds = measure(bed, Path(folder), options)
    finally:
        bed_sources.down("bench")
    print(table, end="")
    if options.write:
        put("apply", table)
    return 0 if holds else 1


def measure(bed: OwnBed, folder: Path, options: argparse.Namespace) -> tuple[str, bool]:
    """Run tool and kubectl in turn and give the table, and whether it keeps the bars."""
    lab = folder / "lab.yaml"
    with lab.open("wb") as file:
        words = [
            "examples/fabric.py",
            "--devices",
            str(options.devices),
            "--links",
            str(options.links),
        ]
        subprocess.run([sys.executable, *words], cwd=ROOT, stdout=file, check=True)
    os.environ |= {"PYTHONPATH": str(ROOT), "KUBECONFIG": str(bed.kubeconfig)}
    ours, theirs = [], []
    load = os.getloadavg()[0]
    for _ in range(options.runs):
        ours.append(one(bed, folder, [sys.executable, "-m", "kubectl_c9s", "apply"], honest=True))
        theirs.append(one(bed, folder, bed.kubectl_command("apply", "--server-side"), honest=False))
    rows = [
        row(
            "first run", [(a.first, b.first) for a, b in zip(ours, theirs, strict=True)], FIRST_BAR
        ),
        row(
            "second run",
            [(a.second, b.second) for a, b in zip(ours, theirs, strict=True)],
            SECOND_BAR,
        ),
    ]
    lines = "".join(line for line, _ in rows)
    where = f"\n{options.devices} devices, {options.runs} runs, load before {load:.1f}, {os.cpu_count()} cores\n"
    return HEAD + lines + where, all(holds for _, holds in rows)


def one(bed: OwnBed, folder: Path, command: list[str], *, honest: bool) -> Pair:
    """Apply the lab twice into a namespace of its own."""
    objects = folder / "objects.yaml"
    namespace = new_namespace(bed)
    split = [sys.executable, "-m", "kubectl_c9s", "split", "-f", str(folder / "lab.yaml")]
    with objects.open("wb") as file:
        subprocess.run([*split, "-n", namespace], stdout=file, check=True)
    wanted = objects.read_bytes().count(b"\nkind: ")
    costs = []
    for expected in (wanted, 0):
        start = bed.audit_log.stat().st_size
        costs.append(cost([*command, "-f", str(objects)], folder / "out"))
        if honest:
            check_writes(bed, namespace, start, expected)
    return Pair(*costs)


def new_namespace(bed: OwnBed) -> str:
    """Make a namespace that stays: to delete one would keep the server busy during the next run."""
    name = f"bench-{secrets.token_hex(3)}"
    with bed.client() as client:
        body = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}
        client.create(path_of("v1", "namespaces"), body).ok()
    return name


def check_writes(bed: OwnBed, namespace: str, start: int, expected: int) -> None:
    """See that as many different objects were written as expected, each once."""
    with bed.audit_log.open("rb") as file:
        file.seek(start)
        lines = [line for line in file.read().splitlines() if f"/{namespace}/".encode() in line]
    entries = [json.loads(line) for line in lines]
    written = [
        (one["objectRef"]["resource"], one["objectRef"]["name"])
        for one in entries
        if one["verb"] not in {"get", "list", "watch"}
        and one["userAgent"].startswith("kubectl-c9s/")
    ]
    assert len(written) == len(set(written)) == expected, (
        len(written),
        len(set(written)),
        expected,
    )


def row(what: str, pairs: list[tuple[Cost, Cost]], bar: float) -> tuple[str, bool]:
    """Make a line of the table from the runs of neighbours: medians, and the median of the ratios."""
    ratio = statistics.median(theirs.wall / ours.wall for ours, theirs in pairs)
    figures = [
        f"{statistics.median(getattr(pair[side], field) for pair in pairs):.2f} s"
        for side in (0, 1)
        for field in ("wall", "cpu")
    ]
    holds = ratio >= bar
    cells = [what, *figures, f"{ratio:.2f}", f"≥ {bar}", "yes" if holds else "**no**"]
    return f"| {' | '.join(cells)} |\n", holds


if __name__ == "__main__":
    sys.exit(main())
