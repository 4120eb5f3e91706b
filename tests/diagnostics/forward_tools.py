"""``diagnostics port-forward`` as a program of its own, and plain HTTP to where it listens."""

from __future__ import annotations

import contextlib
import http.client
import os
import signal
import subprocess
import sys
import threading
from typing import TYPE_CHECKING, Self
from urllib.parse import urlsplit

from bed_objects import until

if TYPE_CHECKING:
    from pathlib import Path

    from manager_site import Site


class Forward:
    """The command with both ports free; ends with the block."""

    def __init__(self, site: Site, *flags: str, kubeconfig: Path | None = None) -> None:
        command = [
            sys.executable, "-m", "kubectl_c9s", "diagnostics", "port-forward", "--metrics-port=0", "--pprof-port=0",
            f"--manager-namespace={site.namespace}", f"--kubeconfig={kubeconfig or site.bed.kubeconfig}", *flags,
        ]  # fmt: skip
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, "C9S_DEBUG": "1"}
        )  # fmt: skip
        self.said = ""
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()
        assert self.process.stdout is not None
        lines = [self.process.stdout.readline() for _ in range(2)]
        self.urls = dict(line.strip().split("=", 1) for line in lines if "=" in line)

    def _listen(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.said += line

    def __enter__(self) -> Self:
        assert set(self.urls) == {"metrics", "pprof"}, self.said
        return self

    def __exit__(self, *exc: object) -> None:
        if self.process.poll() is None:
            self.end(signal.SIGTERM)
        assert "Traceback" not in self.said, self.said

    def end(self, number: int) -> int:
        """Send a signal; give the exit code."""
        self.process.send_signal(number)
        code = self.process.wait(20)
        self._listener.join()
        for stream in (self.process.stdout, self.process.stderr):
            assert stream is not None
            stream.close()
        return code

    def says(self, words: str) -> None:
        """Wait until it has said something on stderr."""
        until(f"port-forward says {words!r}", lambda: words in self.said, 30.0)

    def port(self, name: str = "metrics") -> int:
        return urlsplit(self.urls[name]).port or 0


def get(port: int, path: str, body: bytes | None = None) -> bytes:
    """Ask once on a connection of its own."""
    client = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    with contextlib.closing(client):
        client.request("POST" if body is not None else "GET", path, body=body)
        answer = client.getresponse()
        data = answer.read()
        assert answer.status == 200, (answer.status, data[:200])
        return data
