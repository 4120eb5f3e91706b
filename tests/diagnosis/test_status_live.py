"""``status`` on a real API server: waiting for a stage, stalls, timeouts, a terminal."""

from __future__ import annotations

import json
import os
import pty
import select
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

from split_lab import Answer, command
from standin_lab_tools import LINUX

if TYPE_CHECKING:
    from bed_own import OwnBed
    from standin_lab_tools import Labs

ROOT = Path(__file__).parents[2]
SIX = [f"n{number}" for number in range(6)]


def status(bed: OwnBed, labs: Labs, *args: str) -> Answer:
    place = ["-n", labs.namespace, "--manager-namespace", labs.standin.namespace]
    return command("status", *args, *place, "--kubeconfig", str(bed.kubeconfig))


def test_a_start_is_waited_for_and_told_in_lines(device_bed: OwnBed, labs: Labs) -> None:
    labs.standin.start()
    later = threading.Timer(1.0, labs.topology, ("t", dict.fromkeys(SIX, LINUX)), {"batchSize": 2})
    later.start()
    answer = status(device_bed, labs, "t", "--for", "ready", "--timeout", "2m")
    later.join()
    assert answer.code == 0
    lines = answer.out.splitlines()
    assert "6/6 ready (6 ready)" in lines[-1]
    assert len(lines) == len(set(lines)) > 1


def test_events_end_with_the_verdict(device_bed: OwnBed, labs: Labs) -> None:
    labs.standin.start()
    labs.topology("t", dict.fromkeys(SIX, LINUX), batchSize=3)
    answer = status(device_bed, labs, "--for", "started", "-o", "jsonl", "--timeout", "2m")
    events = [json.loads(line) for line in answer.out.splitlines()]
    assert answer.code == 0
    assert events[-1]["type"] == "end"
    assert events[-1]["reached"] is True
    last = {event["name"]: event["stage"] for event in events if event["type"] == "stage"}
    assert set(last) == set(SIX)
    assert set(last.values()) <= {"started", "ready"}


def test_a_stall_ends_the_wait_with_1(device_bed: OwnBed, labs: Labs) -> None:
    labs.limit(batchSize=1)
    labs.standin.start()
    labs.standin.faults(plan_refused={f"{labs.namespace}/a": "PlanUnsupported"})
    for name in "ab":
        labs.node(name)
    answer = status(device_bed, labs, "--for", "ready", "--timeout", "2m")
    assert answer.code == 1
    assert answer.out.splitlines()[-1].endswith("stalled, plan-failed")


def test_a_timeout_is_neither_yes_nor_no(device_bed: OwnBed, labs: Labs) -> None:
    labs.limit(batchSize=1)
    labs.standin.start()
    labs.node("a", fail="sandbox")
    answer = status(device_bed, labs, "--for", "ready", "--timeout", "3s")
    assert answer.code == 5
    assert "not ready in time: 0/1 ready" in answer.err


def test_a_terminal_is_drawn_over_and_left_as_it_was(device_bed: OwnBed, labs: Labs) -> None:
    labs.standin.start()
    labs.topology("t", dict.fromkeys(SIX, LINUX), batchSize=2)
    arguments = [
        "status",
        "-n",
        labs.namespace,
        "--manager-namespace",
        labs.standin.namespace,
        "--for",
        "ready",
    ]
    main, worker = pty.openpty()
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "TERM": "xterm",
        "LINES": "24",
        "COLUMNS": "100",
    }
    done = subprocess.Popen(
        [sys.executable, "-m", "kubectl_c9s", *arguments, "--kubeconfig", str(device_bed.kubeconfig)],
        stdout=worker, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment,
    )  # fmt: skip
    os.close(worker)
    printed = _read(main, 120.0)
    _, errors = done.communicate(timeout=60)
    os.close(main)
    assert done.returncode == 0, errors
    # Hidden while it draws, shown again at the end; the last tree stays.
    assert printed.count("\x1b[?25l") == printed.count("\x1b[?25h") == 1
    assert printed.rindex("6/6 ready") > printed.rindex("\x1b[?25h")
    assert "[###" in printed


def _read(terminal: int, within: float) -> str:
    found, end = b"", time.monotonic() + within
    while time.monotonic() < end:
        ready, _, _ = select.select([terminal], [], [], 1.0)
        try:
            chunk = os.read(terminal, 65536) if ready else b"\0"
        except OSError:  # the other end is closed
            break
        found += chunk.replace(b"\0", b"")
    return found.decode()
