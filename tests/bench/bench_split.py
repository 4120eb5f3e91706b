"""Measure start-up and ``split`` against the bars in docs/performance.md.

    make bench                        # installs the tool into .venv-bench and prints the table
    make bench BENCH_ARGS=--write     # and puts it into docs/performance.md

Every figure is that of a whole process: wall and CPU time and peak memory as the system counts
them, the median of several runs after one warm-up. The yardstick for ``split`` is the time
``yaml.load(text, Loader=yaml.CSafeLoader)`` takes for the bare definition, measured around that
call in a fresh process with the garbage collector on. Yardstick and tool run in turn, and the ratio
is the median of the ratios of neighbours, so that a machine that changes its speed bends both.
"""

from __future__ import annotations

import argparse
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from bare_files import bare_files
from page import WRITE, put
from process import cost, middle

ROOT = Path(__file__).parents[2]
HEAD = (
    "| what | wall | CPU | peak | yardstick | ratio | bar | holds |\n"
    "| --- | --- | --- | --- | --- | --- | --- | --- |\n"
)
# What is started often: the command, and its bar in seconds of CPU time.
STARTS = {
    "`--help`": (["kubectl-c9s", "--help"], 0.120),
    "completion of a command": (["kubectl_complete-c9s", "spl"], 0.100),
    "completion of a flag": (["kubectl_complete-c9s", "split", "--"], 0.100),
    "completion by a shell": (["kubectl-c9s", "__complete", "split", "-o", ""], 0.100),
}

YARDSTICK = """
import sys, time, yaml
with open(sys.argv[1], encoding="utf-8") as file:
    text = file.read()
start = time.perf_counter()
yaml.load(text, Loader=yaml.CSafeLoader)
print(time.perf_counter() - start)
"""


class Size(NamedTuple):
    """A fabric to split, and its bars: ratio to the yardstick, peak in MiB (None = no bar)."""

    style: str
    devices: int
    links: int
    ratio: float
    peak: float | None


SIZES = (
    Size("block", 1_000, 1_900, 2.5, None),
    Size("block", 10_000, 19_000, 0.85, 300),
    Size("compact", 1_000, 1_900, 2.5, None),
    Size("compact", 10_000, 19_000, 0.85, 300),
)


def bench_start(what: str, folder: Path, runs: int) -> str:
    """Measure one of STARTS; give its row of the table."""
    (program, *arguments), bar = STARTS[what]
    command = [tool(program), *arguments]
    costs = [cost(command, folder / "start") for _ in range(runs + 1)][1:]
    wall, cpu, peak = middle(costs)
    return row(
        what,
        f"{wall:.3f} s",
        f"{cpu:.3f} s",
        f"{peak:.0f} MiB",
        "-",
        "-",
        f"≤ {bar * 1000:.0f} ms CPU",
        verdict(cpu <= bar),
    )


def tool(name: str) -> str:
    """Give the path of a command of ours; it is installed beside this Python, or the run ends."""
    found = shutil.which(name, path=str(Path(sys.executable).parent))
    if found is None:
        sys.exit(f"error: {name} is not installed beside this Python: run `make bench`")
    return found


def bench_split(folder: Path, size: Size, runs: int) -> str:
    """Measure ``split`` and the yardstick in turn; give the row of the table."""
    manifest, bare = (fabric(folder, size, *flags) for flags in ((), ("--definition-only",)))
    pairs = [
        (
            yardstick(bare),
            cost([tool("kubectl-c9s"), "split", "-f", str(manifest)], folder / "objects.yaml"),
        )
        for _ in range(runs + 1)
    ][1:]
    wall, cpu, peak = middle([split for _, split in pairs])
    ratio = statistics.median(split.wall / load for load, split in pairs)
    bars = f"ratio ≤ {size.ratio:g}" + (f", ≤ {size.peak:g} MiB" if size.peak else "")
    return row(
        f"`split`, {size.devices:,} devices / {size.links:,} links, {size.style}",
        f"{wall:.3f} s",
        f"{cpu:.3f} s",
        f"{peak:.0f} MiB",
        f"{statistics.median(load for load, _ in pairs):.3f} s",
        f"{ratio:.2f}",
        bars,
        verdict(ratio <= size.ratio and (size.peak is None or peak <= size.peak)),
    )


def yardstick(definition: Path) -> float:
    """Give the seconds PyYAML's C loader needs for the file, in a process of its own."""
    command = [sys.executable, "-c", YARDSTICK, str(definition)]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def fabric(folder: Path, size: Size, *flags: str) -> Path:
    """Write the fabric with the example generator; give the file."""
    target = folder / f"fabric-{size.style}-{size.devices}{''.join(flags)}.yaml"
    generator = [sys.executable, str(ROOT / "examples" / "fabric.py")]
    command = [*generator, "--style", size.style, "--devices", str(size.devices)]
    command += ["--links", str(size.links), *flags]
    with target.open("wb") as sink:
        subprocess.run(command, check=True, stdout=sink)
    return target


def row(*cells: str) -> str:
    """Give a row of a Markdown table."""
    return f"| {' | '.join(cells)} |\n"


def verdict(holds: bool) -> str:  # noqa: FBT001 - it has one argument, and its name says it
    """Give the word for a bar."""
    return "yes" if holds else "**no**"


def where(runs: int) -> str:
    """Say what the figures were measured on."""
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"\nMedian of {runs} runs; {python}, {platform.system()} {platform.machine()}.\n"


def main() -> None:
    """Measure everything, print the table, and write it into the page if asked to."""
    parser = argparse.ArgumentParser(description="Measure kubectl-c9s against its bars.")
    parser.add_argument("--runs", type=int, default=7, help="counted runs of each (default: 7)")
    parser.add_argument("--write", action="store_true", help=WRITE)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rows = [bench_start(what, folder, arguments.runs) for what in STARTS]
        rows += [bench_split(folder, size, arguments.runs) for size in SIZES]
        rows.append(row(*bare_files(tool("kubectl-c9s"), folder, arguments.runs)))
    table = HEAD + "".join(rows) + where(arguments.runs)
    print(table)
    if arguments.write:
        put("split", table)


if __name__ == "__main__":
    main()
