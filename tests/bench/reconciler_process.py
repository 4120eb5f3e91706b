"""The process ``reconciler run`` under measurement (Linux only), for bench_reconciler.py."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from reconciler_bed import Account

WITHIN = 120.0
CALM = 10.0  # seconds until what a beginning brings with it is over


class Measured(NamedTuple):
    """Seconds until ready and their CPU, MiB at rest and at most, mCPU at rest, seconds of a diagnosis on average."""

    ready: float
    cpu: float
    size: float
    peak: float
    idle: float
    diagnosis: float


def measured(account: Account, idle: float, settle: str = "5s") -> Measured:
    """Start it, wait until it is ready, let it rest for a while, stop it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    command = [sys.executable, "-m", "kubectl_c9s", "reconciler", "run", "-n", account.namespace]
    command += ["--serve-address", address, "--settle", settle]
    begun = time.monotonic()
    process = subprocess.Popen(
        command,
        env=os.environ | {"KUBECONFIG": str(account.kubeconfig)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _wait_ready(address, begun)
        ready, cpu = time.monotonic() - begun, _cpu(process.pid)
        time.sleep(CALM)
        before, since = _cpu(process.pid), time.monotonic()
        time.sleep(idle)
        share = 1000 * (_cpu(process.pid) - before) / (time.monotonic() - since)
        sizes = _size(process.pid, "VmRSS"), _size(process.pid, "VmHWM")
        return Measured(ready, cpu, *sizes, share, _diagnosis(address))
    finally:
        process.terminate()
        process.wait()


def _wait_ready(address: str, begun: float) -> None:
    while _get(address, "/readyz")[0] != HTTPStatus.OK:
        if time.monotonic() - begun > WITHIN:
            raise SystemExit(f"not ready after {WITHIN:g} s: {_get(address, '/readyz')[1]}")
        time.sleep(0.05)


def _get(address: str, path: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(f"http://{address}{path}", timeout=10) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()
    except OSError as error:
        return 0, str(error)


def _diagnosis(address: str) -> float:
    """Give the seconds of a diagnosis, on average."""
    values = dict(
        line.split() for line in _get(address, "/metrics")[1].splitlines() if line[0] != "#"
    )
    count = float(values["c9s_diagnosis_seconds_count"])
    return float(values["c9s_diagnosis_seconds_sum"]) / count if count else 0.0


def _size(pid: int, field: str) -> float:
    text = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    line = next(line for line in text.splitlines() if line.startswith(f"{field}:"))
    return int(line.split()[1]) / 1024


def _cpu(pid: int) -> float:
    """Give the seconds of CPU so far, of all threads."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
