"""``measure watch`` as a process of its own: begun, waited for, interrupted, and what it has written."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from kubectl_c9s.measurement.runfile import read_run

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubectl_c9s.measurement.run import Run

ROOT = Path(__file__).parents[2]
WITHIN = 60.0  # seconds; a busy machine needs a few


class Ended(NamedTuple):
    """Exit code and both streams of a process that has ended."""

    code: int
    out: str
    err: str


class Watching:
    """A running ``measure watch``; ``file`` is where its recording goes."""

    def __init__(self, folder: Path, kubeconfig: Path, *args: str) -> None:
        self.file = folder / "run.json"
        self._streams = folder / "watch.out", folder / "watch.err"
        command = [sys.executable, "-m", "kubectl_c9s", "measure", "watch", *args]
        with self._streams[0].open("wb") as out, self._streams[1].open("wb") as err:
            self.process = subprocess.Popen(
                [*command, f"--kubeconfig={kubeconfig}", f"--output-file={self.file}"],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                env={**os.environ, "PYTHONPATH": str(ROOT)},
            )

    @property
    def said(self) -> str:
        """Give what is on stderr by now."""
        return self._streams[1].read_text(encoding="utf-8")

    def until(self, text: str) -> None:
        """Wait until it says something on stderr."""
        end = time.monotonic() + WITHIN
        while text not in self.said:
            assert self.process.poll() is None, f"it has ended:\n{self.said}"
            assert time.monotonic() < end, f"waited for {text!r} in vain:\n{self.said}"
            time.sleep(0.05)

    def ended(self, within: float = WITHIN) -> Ended:
        """Wait for the end."""
        code = self.process.wait(within)
        out, err = (one.read_text(encoding="utf-8") for one in self._streams)
        assert "Traceback" not in err, err
        assert "internal fault" not in err, err
        return Ended(code, out, err)

    def run(self) -> Run:
        """Read the recording as it is now."""
        return read_run(self.file.read_bytes(), self.file.name)


@contextlib.contextmanager
def watching(folder: Path, kubeconfig: Path, *args: str) -> Iterator[Watching]:
    """Run ``measure watch`` for as long as the block lasts, from the moment at which it watches everything."""
    one = Watching(folder, kubeconfig, *args)
    try:
        one.until("now apply the lab")
        yield one
    finally:
        one.process.kill()
        one.process.wait(WITHIN)
