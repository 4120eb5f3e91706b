"""The product as a process of its own, to be killed, to run beside others, to be asked at a terminal."""

from __future__ import annotations

import contextlib
import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rollout_live_tools import Place

ROOT = Path(__file__).parents[2]
WITHIN = 60.0  # seconds; a busy machine needs a few


def start(
    place: Place, *args: str, kubeconfig: Path | None = None, stdin: int = subprocess.DEVNULL
) -> subprocess.Popen[str]:
    """Begin a command of ``rollout``; both streams are pipes, or ``stdin`` too when it is a terminal."""
    streams = subprocess.PIPE if stdin == subprocess.DEVNULL else stdin
    return subprocess.Popen(
        [sys.executable, "-m", "kubectl_c9s", "rollout", *place.flags(kubeconfig), *args],
        stdin=stdin,
        stdout=streams,
        stderr=streams,
        text=True,
        env={**os.environ, **place.environment(), "PYTHONPATH": str(ROOT)},
    )


def ended(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    """Give exit code and both streams."""
    out, err = process.communicate(timeout=WITHIN)
    assert "Traceback" not in err
    assert "internal fault" not in err
    return process.returncode, out, err


class Terminal:
    """The user's side of a terminal."""

    def __init__(self, handle: int) -> None:
        self._handle = handle

    def until(self, text: str) -> str:
        """Read until a text is shown, and give all up to there."""
        shown, end = "", time.monotonic() + WITHIN
        while text not in shown:
            assert time.monotonic() < end, shown
            if select.select([self._handle], [], [], 1.0)[0]:
                shown += os.read(self._handle, 4096).decode()
        return shown

    def write(self, text: str) -> None:
        """Type a text."""
        os.write(self._handle, text.encode())


@contextlib.contextmanager
def at_terminal(place: Place, *args: str) -> Iterator[tuple[subprocess.Popen[str], Terminal]]:
    """Run a command at a terminal."""
    ours, its = pty.openpty()
    try:
        with start(place, *args, stdin=its) as process:
            yield process, Terminal(ours)
    finally:
        os.close(ours)
        os.close(its)
