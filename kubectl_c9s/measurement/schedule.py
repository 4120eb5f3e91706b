"""A schedule of arrivals: the file that ``measure schedule`` writes and ``measure replay`` follows (measurement.md §4).

JSON of kind ``ArrivalSchedule`` (docs/schemas/arrival-schedule.json): which Pod comes how many seconds after an origin,
on which host, with which image. Its entries are sorted by offset and name, and their names are distinct.
"""

from __future__ import annotations

import hashlib
import math
from typing import TYPE_CHECKING, Final, Literal

import msgspec

from kubectl_c9s.measurement.ownfiles import OwnFile
from kubectl_c9s.resources.errors import RefusedInput
from kubectl_c9s.resources.names import is_dns1123_label, is_dns1123_subdomain

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

KIND: Final = "ArrivalSchedule"
FORMAT: Final = 1
LONGEST: Final = 7 * 86400.0
"""The latest offset that is taken, in seconds: a week."""

_FILE: Final = OwnFile(KIND, FORMAT, "schedule", "measure schedule writes such files")


class Unusable(RefusedInput):
    """An input that was read and cannot be used; ``problems`` has a sentence for each thing that is wrong."""

    def __init__(self, message: str, problems: Sequence[str], *, hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.problems = tuple(problems)


class _Part(msgspec.Struct, rename="camel", omit_defaults=True, forbid_unknown_fields=True):
    pass


class Origin(_Part):
    """The object whose creation is second 0: its kind, ``namespace/name``, and its stamp in seconds since 1970."""

    kind: str
    name: str
    at: float


class Entry(_Part):
    """A Pod that arrives: ``offset`` is in seconds from the origin; ``namespace`` is where the recorded one was."""

    name: str
    host: str
    offset: float
    image: str
    namespace: str = ""


class Schedule(_Part, kw_only=True):
    """A schedule; ``source`` says in words what it was made of."""

    format: Literal[1] = FORMAT
    kind: Literal["ArrivalSchedule"] = KIND
    source: str = ""
    origin: Origin
    entries: tuple[Entry, ...]

    @property
    def hosts(self) -> list[str]:
        """Name the hosts."""
        return sorted({one.host for one in self.entries})

    @property
    def length(self) -> float:
        """Give the offset of the last arrival, in seconds."""
        return max((one.offset for one in self.entries), default=0.0)

    @property
    def digest(self) -> str:
        """Give ``sha256:…`` of the entries: two replays of one digest were asked for the same."""
        return f"sha256:{hashlib.sha256(msgspec.json.encode(self.entries, order='deterministic')).hexdigest()}"


def in_order(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """Sort entries by offset and name."""
    return tuple(sorted(entries, key=lambda one: (one.offset, one.name)))


def write_schedule(schedule: Schedule) -> bytes:
    """Give the file of a schedule."""
    return _FILE.write(schedule)


def read_schedule(data: bytes, name: str) -> Schedule:
    """Read the file of a schedule; it may have been written by hand, in any order.

    Raises RefusedInput for what is none (cut off, foreign, of a newer format), and Unusable for what is wrong in it.
    """
    schedule = _FILE.read(data, name, Schedule)
    if problems := list(problems_of(schedule.entries)):
        raise Unusable(f"{name}: the schedule cannot be used", problems)
    return msgspec.structs.replace(schedule, entries=in_order(schedule.entries))


def problems_of(entries: Sequence[Entry]) -> Iterator[str]:
    """Say what is wrong with entries: a sentence each."""
    if not entries:
        yield "there is no entry in it"
    seen: set[str] = set()
    for one in entries:
        if one.name in seen:
            yield f"{one.name!r} is there twice"
        seen.add(one.name)
        if not is_dns1123_label(one.name):
            yield f"{one.name!r} is no name that a Pod can have"
        if not is_dns1123_subdomain(one.host):
            yield (
                f"{one.name!r} has no host"
                if not one.host
                else f"{one.name!r}: {one.host!r} is no host"
            )
        if not one.image.strip():
            yield f"{one.name!r} has no image"
        if not (math.isfinite(one.offset) and 0 <= one.offset <= LONGEST):
            yield f"{one.name!r}: {one.offset} is no offset from 0 to {LONGEST:.0f} seconds"
