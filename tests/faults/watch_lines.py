"""What the recorder writes: one JSON object a line.

An object that was seen: ``type`` is that of the watch event (``ADDED``, ``MODIFIED``, ``DELETED``), or ``LISTED`` for
one that a list gave, or ``VANISHED`` for one that was known before a gap and is not in the list after it. With
``kind``, ``uid``, ``resourceVersion``, ``namespace``, ``name``; for ``VANISHED`` the version that was seen last.

A note, with ``kind`` and ``resourceVersion``: ``SYNCED`` after the first list, with its version; ``RESUMED`` when a
stream broke and goes on from the version that was seen last, so that nothing is missing; ``GAP`` when that was not
possible: what happened between ``resourceVersion`` and the list that follows is known by its outcome alone.
``why`` says what happened.

Every line has ``mono`` and ``wall``, seconds: when it was received, by a clock that only goes forward (it compares
with lines of processes on this machine) and since 1970.
"""

from __future__ import annotations

import json
import threading
import time
from typing import IO, TYPE_CHECKING, Any, Final, TypeAlias

if TYPE_CHECKING:
    from pathlib import Path

Json: TypeAlias = dict[str, Any]
SEEN: Final = ("LISTED", "ADDED", "MODIFIED", "DELETED", "VANISHED")
NOTES: Final = ("SYNCED", "RESUMED", "GAP")


class LineWriter:
    """Appends lines to a file, whole and at once; for several threads."""

    def __init__(self, path: Path) -> None:
        self._file: IO[str] = path.open("a", encoding="utf-8")
        self._lock = threading.Lock()

    def seen(self, kind: str, event: str, obj: Json, when: tuple[float, float]) -> None:
        """Write that an object was seen."""
        meta = obj["metadata"]
        what = {key: meta.get(key, "") for key in ("uid", "resourceVersion", "namespace", "name")}
        self._write({"type": event, "kind": kind, **what}, when)

    def note(self, kind: str, note: str, version: str, why: str = "") -> None:
        """Write a note."""
        self._write({"type": note, "kind": kind, "resourceVersion": version, "why": why}, now())

    def _write(self, line: Json, when: tuple[float, float]) -> None:
        text = json.dumps(line | {"mono": when[0], "wall": when[1]})
        with self._lock:
            self._file.write(f"{text}\n")
            self._file.flush()

    def close(self) -> None:
        """End the file."""
        self._file.close()


def now() -> tuple[float, float]:
    """Give the time by both clocks."""
    return time.monotonic(), time.time()


def read_lines(path: Path) -> list[Json]:
    """Read the whole lines that are there by now."""
    return [json.loads(line) for line in path.read_bytes().split(b"\n")[:-1]]
