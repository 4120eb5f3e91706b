"""``reconciler run`` as a process: started, asked over HTTP, read, stopped and killed."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import signal
    from collections.abc import Callable

    from bed_client import Json

ROOT: Final = Path(__file__).parents[2]
SKEWED: Final = Path(__file__).with_name("reconcile_skewed.py")
WITHIN: Final = 60.0
QUICK: Final = (
    "--settle=500ms", "--lease-duration=3s", "--renew-deadline=2s", "--retry-period=400ms",
)  # fmt: skip


def wait_for(what: str, holds: Callable[[], Any], within: float = WITHIN) -> Any:
    """Wait until something holds, and give it."""
    end = time.monotonic() + within
    while not (found := holds()):
        assert time.monotonic() < end, f"waited {within:.0f} s in vain: {what}"
        time.sleep(0.05)
    return found


class Running:
    """A running ``reconciler run``; its log lines are JSON."""

    def __init__(
        self, folder: Path, own: str, kubeconfig: Path, *flags: str, skew: int = 0
    ) -> None:
        self._log = folder / f"log-{kubeconfig.name}-{time.monotonic_ns()}"
        where = ("-n", own, f"--kubeconfig={kubeconfig}", "--serve-address=127.0.0.1:0")
        program = [str(SKEWED), str(skew)] if skew else ["-m", "kubectl_c9s"]
        command = [sys.executable, *program, "reconciler", "run", *where, *QUICK, *flags]
        with self._log.open("wb") as log:
            self.process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env={**os.environ, "PYTHONPATH": str(ROOT)},
            )

    @property
    def said(self) -> str:
        """Give its log."""
        return self._log.read_text(encoding="utf-8")

    def lines(self, message: str) -> list[Json]:
        """Give the log lines with a message."""
        return [one for one in self._lines() if one["msg"] == message]

    def warnings(self) -> list[Json]:
        """Give the log lines that warn."""
        return [one for one in self._lines() if one["level"] == "warning"]

    def _lines(self) -> list[Json]:
        return [json.loads(line) for line in self.said.splitlines() if line.startswith("{")]

    def page(self, path: str) -> tuple[int, str]:
        """Ask it for a page over HTTP; 0 when it does not answer."""
        started = self.lines("the process has started")
        if not started:
            return 0, ""
        connection = http.client.HTTPConnection("127.0.0.1", started[0]["port"], timeout=10)
        with contextlib.closing(connection):
            try:
                connection.request("GET", path)
                answer = connection.getresponse()
                return answer.status, answer.read().decode()
            except OSError:
                return 0, ""

    def ready(self) -> None:
        """Wait until it says that it has seen everything."""
        wait_for("ready", lambda: self.page("/readyz")[0] == http.client.OK)

    def unready(self, word: str) -> str:
        """Wait until it says that it is not ready, with a word; give all it says."""

        def found() -> str:
            status, text = self.page("/readyz")
            return text if status == http.client.SERVICE_UNAVAILABLE and word in text else ""

        return str(wait_for(f"not ready: {word}", found))

    def leads(self) -> None:
        """Wait until it leads."""
        wait_for("leads", lambda: "c9s_leader 1.0" in self.page("/metrics")[1])

    def signal(self, number: signal.Signals) -> None:
        """Send a signal."""
        self.process.send_signal(number)

    def kill(self) -> None:
        """Kill it, also when it is stopped."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(WITHIN)
