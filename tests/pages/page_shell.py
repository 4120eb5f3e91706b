"""A shell as the reader of a page has it: one for the page, so that folders, variables and jobs last."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import time
from typing import TYPE_CHECKING, Final, NamedTuple, Self

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path
    from types import TracebackType

WITHIN: Final = 300  # seconds until a command that does not come back is given up


class Played(NamedTuple):
    """What a command printed on both streams, and its exit code."""

    output: str
    status: int


class PageShell:
    """bash in a folder; commands are handed in one by one. Use as a context: at its end all that it started goes."""

    def __init__(self, folder: Path, aside: Path, environment: Mapping[str, str]) -> None:
        """Start it; ``aside`` is a folder for what the reader does not see."""
        self._aside = aside
        self._count = 0
        self._process = subprocess.Popen(
            ["/usr/bin/env", "bash", "--noprofile", "--norc"],
            cwd=folder, env=dict(environment), start_new_session=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0,
        )  # fmt: skip

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for number in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(self._process.pid, number)
            except ProcessLookupError:
                break
            time.sleep(0.1)
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                stream.close()
        self._process.wait()

    def play(self, command: str) -> Played:
        """Run a command to its end."""
        script, output = self._files(command)
        self._say(f'. "{script}" >"{output}" 2>&1 </dev/null; echo "$?"')
        status = self._answer()
        return Played(_text(output), status)

    def leave_running(self, command: str) -> Played:
        """Start a command that does not end by itself; give what it has printed with its first line."""
        script, output = self._files(command)
        self._say(f'{{ . "{script}"; }} >"{output}" 2>&1 </dev/null & echo 0')
        self._answer()
        end = time.monotonic() + WITHIN
        while "\n" not in _text(output):
            if time.monotonic() > end:
                raise AssertionError(f"{command.strip()}: printed no line")
            time.sleep(0.05)
        return Played(_text(output), 0)

    def _files(self, command: str) -> tuple[Path, Path]:
        self._count += 1
        script = self._aside / f"{self._count}.sh"
        script.write_text(command, encoding="utf-8")
        return script, self._aside / f"{self._count}.out"

    def _say(self, line: str) -> None:
        assert self._process.stdin is not None, "it was asked for"
        self._process.stdin.write(f"{line}\n".encode())

    def _answer(self) -> int:
        assert self._process.stdout is not None, "it was asked for"
        ready, _, _ = select.select([self._process.stdout], [], [], WITHIN)
        line = self._process.stdout.readline() if ready else b""
        if not line:
            why = "ended the shell" if ready else f"did not come back within {WITHIN} s"
            raise AssertionError(f"command {self._count} of the page {why}")
        return int(line)


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""
