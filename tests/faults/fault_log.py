"""The log of the proxy: JSON lines, flushed one by one, enough to count by client and to repeat a run.

- ``rules``: a table was put in. ``seed``, ``table``, ``wall`` (seconds since 1970).
- ``request``: what came and what was decided, written before anything happens. ``id`` (from 1), ``key``, the fields of
  :class:`Asked` and of :class:`Decision`.
- ``end``: how it went, same ``id``: ``forwarded`` (whole, to the server), ``status`` (what the server said, null for
  nothing), ``audit`` (the server's audit ID), ``answered`` (the status that the client was given, null for none),
  ``bytes`` and ``events`` of the body that went to the client, ``why`` it ended: ``done``, ``cut``, ``client-gone``,
  ``server-gone`` or ``stopped``.

Every line has ``mono``, seconds by the machine's monotonic clock, as the recorder's lines have (watch_lines.py).
"""

from __future__ import annotations

import dataclasses
import itertools
import json
import time
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from fault_decide import Decision
    from fault_request import Asked
    from fault_rules import Json, Table


@dataclasses.dataclass
class End:
    """How a request went, filled in while it goes; see the module."""

    id: int
    forwarded: bool = False
    status: int | None = None
    audit: str = ""
    answered: int | None = None
    bytes: int = 0
    events: int = 0
    why: str = "done"


class Journal:
    """Writes the log; one thread."""

    def __init__(self, path: Path) -> None:
        self._file: IO[str] = path.open("a", encoding="utf-8")
        self._ids = itertools.count(1)
        self.requests = 0

    def rules(self, table: Table) -> None:
        """Write that a table was put in."""
        self._line("rules", seed=table.seed, table=table.source, wall=time.time())

    def request(self, asked: Asked, decision: Decision) -> End:
        """Write what came and what was decided."""
        self.requests += 1
        end = End(next(self._ids))
        what = dataclasses.asdict(asked) | {"key": asked.key}
        self._line("request", id=end.id, **what, **decision.json())
        return end

    def end(self, end: End) -> None:
        """Write how it went."""
        self._line("end", **dataclasses.asdict(end))

    def _line(self, kind: str, **values: Any) -> None:
        self._file.write(json.dumps({"type": kind, "mono": time.monotonic(), **values}) + "\n")
        self._file.flush()

    def close(self) -> None:
        """End the file."""
        self._file.close()


def read_log(path: Path, since: int = 0) -> list[Json]:
    """Read the whole lines of a log from an offset in bytes on."""
    with path.open("rb") as file:
        file.seek(since)
        lines = file.read().split(b"\n")[
            :-1
        ]  # after the last end of line is nothing, or half a line
    return [json.loads(line) for line in lines]


@dataclasses.dataclass(frozen=True)
class Pass:
    """One request of a log: what came and was decided, and how it went (None while it goes)."""

    request: Json
    end: Json | None

    @property
    def fault(self) -> str:
        """Name what was done, empty for nothing (a delay is no fault)."""
        return str(self.request["fault"]["do"]) if self.request["fault"] else ""

    @property
    def forwarded(self) -> bool:
        """Tell whether the server was given the whole request."""
        return bool(self.end and self.end["forwarded"])


def passes(lines: list[Json]) -> list[Pass]:
    """Bring the two lines of each request together, in the order in which the requests came."""
    ends = {line["id"]: line for line in lines if line["type"] == "end"}
    return [Pass(one, ends.get(one["id"])) for one in lines if one["type"] == "request"]
