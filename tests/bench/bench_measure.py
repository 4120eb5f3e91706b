"""Measure what ``measure watch`` costs while it records a start on a bed of its own, and whether it is right.

    python tests/bench/bench_measure.py [--devices N] [--batch N] [--cap N] [--default-clients] [--write]

The bar: under 5 % of one core over the start, from the first list to the end, the program's own beginning included.
Its milestones are held against the API server's audit log, its peaks against another watch (tests/measure).
"""

from __future__ import annotations

import argparse
import functools
import os
import secrets
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

sys.path.append(str(Path(__file__).parents[1] / "testbed"))
sys.path.append(str(Path(__file__).parents[1] / "standin"))
sys.path.append(str(Path(__file__).parents[1] / "faults"))
sys.path.append(str(Path(__file__).parents[1] / "measure"))
sys.path.append(str(Path(__file__).parents[2]))  # the bed takes the CRDs from the product

import bed_sources
from audit_reader import AuditLog
from bed_client import path_of
from bed_own import Wish
from page import WRITE, put
from process import MIB, PEAK_UNIT
from standin_lab_tools import LINUX, Labs
from standin_run import BED_FLAGS, Standin
from watch_judges import Audited, watching_peaks
from watch_process import watching

if TYPE_CHECKING:
    from bed_own import OwnBed

    from kubectl_c9s.measurement.run import Run

BAR = 5.0  # % of one core
LAB = "lab"
QUICK = {"kube-controller-manager": ["--kube-api-qps=200", "--kube-api-burst=300"]}


class Measured(NamedTuple):
    """A recording, the processor time and peak memory it took, and what the judges say."""

    run: Run
    cpu: float
    peak: float
    worst: dict[str, float]
    same_peaks: bool

    @property
    def share(self) -> float:
        """Give the share of one core, in per cent."""
        return 100 * self.cpu / self.run.elapsed


def main() -> int:
    """Measure and print; exit 1 when the bar does not hold or a judge disagrees."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--devices", type=int, default=1000)
    parser.add_argument("--batch", type=int, default=100)
    parser.add_argument("--cap", type=int, default=20)
    parser.add_argument("--default-clients", action="store_true", help="of controller-manager")
    parser.add_argument("--write", action="store_true", help=WRITE)
    options = parser.parse_args()
    load = os.getloadavg()[0]
    flags = BED_FLAGS if options.default_clients else BED_FLAGS | QUICK
    name = f"{bed_sources.PRIVATE}measure-{secrets.token_hex(3)}"
    wish = Wish(nodes=3 + options.devices // 200, flags=flags)
    make = functools.partial(bed_sources.obtain_own, name, wish, may_build=False)
    with bed_sources.in_use(name, make) as bed, tempfile.TemporaryDirectory() as folder:
        found = measure(bed, Path(folder), options)
    text = "".join(f"- {line}" for line in lines(found))
    text += f"- load before {load:.1f}, {os.cpu_count()} cores\n"
    print(text, end="")
    if options.write:
        put("measure", text)
    right = found.same_peaks and max(found.worst.values()) <= 1
    return 0 if right and found.share < BAR else 1


def measure(bed: OwnBed, folder: Path, options: argparse.Namespace) -> Measured:
    """Start a lab and record it."""
    arguments = ("--lease=60,40,8",)
    standin = Standin(bed, folder / "standin.log", namespace="c9s", arguments=arguments)
    flags = ("-n", LAB, f"--count={options.devices}", "--timeout=30m")
    with bed.client() as client:
        meta = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": LAB}}
        client.create(path_of("v1", "namespaces"), meta).ok()
        try:
            standin.start()
            labs = Labs(client, standin, LAB)
            labs.limit(batchSize=options.batch, maxConcurrentPerHost=options.cap)
            log = AuditLog(bed.audit_log)
            with watching_peaks(bed, LAB) as peaks, watching(folder, bed.kubeconfig, *flags) as one:
                names = [f"n{number:05}" for number in range(options.devices)]
                labs.topology("lab", dict.fromkeys(names, LINUX))
                _, status, usage = os.wait4(one.process.pid, 0)
                one.process.returncode = os.waitstatus_to_exitcode(status)
                print(one.ended().out, end="")
            log.catch_up(client)
        finally:
            standin.stop()
    run = one.run()
    worst = Audited(log.entries(), LAB).judge(run)
    same = peaks.peaks == {host: peak.booting for host, peak in run.peaks.items()}
    cpu = usage.ru_utime + usage.ru_stime
    return Measured(run, cpu, usage.ru_maxrss * PEAK_UNIT / MIB, worst, same and not peaks.gaps)


def lines(found: Measured) -> list[str]:
    """Give the figures."""
    run = found.run
    kinds = run.churn.kinds if run.churn else {}
    events = sum(one.created + one.revisions + one.deleted for one in kinds.values())
    size = sum(one.bytes for one in kinds.values())
    worst = ", ".join(f"{name} {off:g}" for name, off in found.worst.items())
    return [
        f"{len(run.devices)} devices in {run.elapsed:.1f} s, {events} events, {size / 1e6:.1f} MB of watches\n",
        f"{found.cpu:.2f} s of processor time, {found.share:.2f} % of one core (bar {BAR:g} %), {found.peak:.0f} MiB\n",
        f"stamps off the audit log by at most, in seconds: {worst}\n",
        f"peaks are those of the other watch: {'yes' if found.same_peaks else 'no'}\n",
    ]


if __name__ == "__main__":
    sys.exit(main())
