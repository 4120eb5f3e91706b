"""Processes that outlive the command that started them, and that only the right hand can stop.

A process is written down with its time of birth: a number that was given to another process since is not ours.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import signal
import subprocess
import time
from pathlib import Path
from typing import Any, Final

from bed_state import BedBroken, write_whole

GONE_WITHIN: Final = 30.0  # seconds a killed process may need to disappear


@dataclasses.dataclass(frozen=True)
class Daemon:
    """One process of a bed: its name, and the bed's folder that has its log and its pid file."""

    name: str
    folder: Path

    @property
    def log(self) -> Path:
        """Give the file with all it has printed."""
        return self.folder / "log" / f"{self.name}.log"

    @property
    def _record(self) -> Path:
        return self.folder / "pids" / f"{self.name}.json"

    def start(self, argv: list[str]) -> None:
        """Start it in a session of its own; nothing of ours stays open in it."""
        for folder in (self.log.parent, self._record.parent):
            folder.mkdir(parents=True, exist_ok=True)
        with self.log.open("ab") as log:
            process = subprocess.Popen(
                argv,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=self.folder,
                start_new_session=True,
            )
        record = {"pid": process.pid, "born": born(process.pid), "argv": argv}
        write_whole(self._record, json.dumps(record))
        # From here on the pid file owns the process; this says so to the destructor, which would warn.
        process.returncode = 0

    def pid(self) -> int | None:
        """Give the number of the process while it lives, None when it does not."""
        record = self._read()
        pid = int(record.get("pid", 0))
        return pid if pid and born(pid) == record["born"] else None

    def argv(self) -> list[str]:
        """Give what it was last started with; empty when it never was."""
        return list(self._read().get("argv", []))

    def _read(self) -> dict[str, Any]:
        try:
            record: dict[str, Any] = json.loads(self._record.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return record

    def send(self, number: signal.Signals) -> None:
        """Send a signal to the process and what it has started; nothing when it does not live."""
        if pid := self.pid():
            os.killpg(pid, number)

    def stop(self, number: signal.Signals = signal.SIGKILL) -> None:
        """Send a signal and wait until the process is gone; :class:`BedBroken` if it stays."""
        self.send(number)
        self.wait_gone()

    def wait_gone(self) -> None:
        """Wait until the process is gone."""
        until = time.monotonic() + GONE_WITHIN
        while pid := self.pid():
            if time.monotonic() > until:
                raise BedBroken(f"{self.name} (process {pid}) does not end")
            time.sleep(0.02)

    def tail(self, lines: int = 15) -> str:
        """Give the end of the log, a line break before it; empty when there is no log."""
        try:
            text = self.log.read_text(encoding="utf-8", errors="replace")
        except OSError:
            return ""
        end = "\n".join(f"  {line[:1000]}" for line in text.splitlines()[-lines:])
        return f"\n{self.log}:\n{end}" if end else ""


def born(pid: int) -> str:
    """Give a text that no other process of this number ever has; empty when there is none living."""
    with contextlib.suppress(ChildProcessError):
        os.waitpid(
            pid, os.WNOHANG
        )  # a child of this very process is a zombie until it is asked for
    proc = Path("/proc")
    if not (proc / "self/stat").exists():
        return _born_by_ps(pid)
    try:
        stat = (proc / str(pid) / "stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return ""
    fields = stat.rpartition(")")[2].split()
    boot = (proc / "sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    return "" if fields[0] in "ZX" and not _has_threads(proc / str(pid)) else f"{boot}/{fields[19]}"


def _has_threads(process: Path) -> bool:
    """Tell whether threads go on where the first one has ended: until they are gone, too, sockets stay open."""
    try:
        return len(list((process / "task").iterdir())) > 1
    except OSError:
        return False


def _born_by_ps(pid: int) -> str:
    command = ["ps", "-o", "stat=,lstart=", "-p", str(pid)]  # where there is no /proc
    line = subprocess.run(command, check=False, capture_output=True, text=True).stdout.strip()
    state, _, born = line.partition(" ")
    return "" if state.startswith("Z") else born.strip()
