"""The Go program of gometrics/, built once and run as often as a test likes."""

from __future__ import annotations

import contextlib
import http.client
import os
import shutil
import subprocess
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, Self

import pytest
from bed_objects import until
from bed_plugin import required

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

SOURCE: Final = Path(__file__).with_name("gometrics")


def go() -> str:
    """Find the Go tool chain; without it tests are skipped, or fail where a bed is required."""
    if found := shutil.which("go"):
        return found
    if required():
        pytest.fail("a Go tool chain is required here", pytrace=False)
    pytest.skip("no Go tool chain is on PATH")


def environment(cache: Path) -> Mapping[str, str]:
    """Give the environment of go: what the user has set for other builds plays no part; HOME may be missing."""
    rest = {key: value for key, value in os.environ.items() if not key.startswith("GO")}
    own = {"GOWORK": "off", "GOFLAGS": "", "CGO_ENABLED": "0", "GOTOOLCHAIN": "local"}
    return {"GOCACHE": str(cache), **rest, **own} if "HOME" not in rest else rest | own


def build(folder: Path) -> Path:
    """Build the program into a folder."""
    program = folder / "gometrics"
    done = subprocess.run(
        [go(), "build", "-o", str(program), "."],
        check=False, cwd=SOURCE, env=environment(folder / "cache"), capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return program


class Ports(NamedTuple):
    """Where a process listens on loopback."""

    metrics: int
    pprof: int


class Process:
    """A running program; it ends with the block, or at once by ``stop``."""

    def __init__(self, program: Path, name: str) -> None:
        self._process = subprocess.Popen(
            [program, "-name", name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout is not None
        lines = [self._process.stdout.readline().strip() for _ in range(2)]
        found = dict(line.split("=") for line in lines)
        self.ports = Ports(int(found["metrics"]), int(found["pprof"]))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.stop()

    @contextlib.contextmanager
    def profiled(self) -> Iterator[None]:
        """Have a CPU profile taken as long as the block lasts."""
        client = http.client.HTTPConnection("127.0.0.1", self.ports.pprof, timeout=60)
        with contextlib.closing(client):
            client.request("GET", "/debug/pprof/profile?seconds=600")
            until(
                "the profile is under way", lambda: b"pprof.profileWriter" in self._stacks(), 30.0
            )
            yield

    def _stacks(self) -> bytes:
        url = f"http://127.0.0.1:{self.ports.pprof}/debug/pprof/goroutine?debug=1"
        with urllib.request.urlopen(url, timeout=60) as answer:
            found: bytes = answer.read()
        return found

    def stop(self) -> None:
        self._process.kill()
        self._process.communicate()
