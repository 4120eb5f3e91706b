"""Logs of Calico's CNI plugin as a test writes them, and a second way to read them: whole, and by letters."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from kubectl_c9s.measurement.cni.calico import Calico
from kubectl_c9s.measurement.cni.reader import Lines
from kubectl_c9s.measurement.statistics import distribution

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kubectl_c9s.measurement.cni.reader import CniTimes

START = datetime(2026, 12, 31, 23, 59, 50, tzinfo=UTC)
OURS, OTHER = "c9s-lab", "c9s-lab-2"
MESSAGES = {
    "about": "ipam_plugin.go 353: About to acquire host-wide IPAM lock.",
    "acquired": "ipam_plugin.go 368: Acquired host-wide IPAM lock.",
    "released": "ipam_plugin.go 370: Released host-wide IPAM lock.",
    "noise": 'plugin.go 446: Added Mac, interface name, and active container ID to endpoint {"namespace":"c9s-lab"}',
}
LETTERS = {"about": "B", "acquired": "A", "released": "R"}


class Event(NamedTuple):
    """A line: milliseconds since START, process, what it says (``ours`` and ``other`` assign)."""

    at: int
    process: int
    what: str


def line(event: Event, level: str = "INFO") -> str:
    moment = START + timedelta(milliseconds=event.at)
    stamp = moment.strftime("%Y-%m-%d %H:%M:%S") + f".{moment.microsecond // 1000:03d}"
    if event.what in {"ours", "other"}:
        space = OURS if event.what == "ours" else OTHER
        attributes = f'map[string]string{{"namespace":"{space}", "node":"h1", "pod":"r1"}}'
        words = f'ipam_plugin.go 283: Auto assigning IP ContainerID="c" assignArgs=Args{{Attrs:{attributes}}}'
    else:
        words = MESSAGES[event.what]
    return f"{stamp} [{level}][{event.process}] {words}"


def log(events: list[Event]) -> bytes:
    return "".join(f"{line(event)}\n" for event in events).encode()


def at_once(process: int, begin: int, wait: int, hold: int, what: str = "ours") -> list[Event]:
    """Give the lines of a whole call."""
    return [
        Event(begin, process, what),
        Event(begin, process, "about"),
        Event(begin + wait, process, "acquired"),
        Event(begin + wait + hold, process, "released"),
    ]


# A call, as letters: up to and with its last release; then the next begins with what is no A and no R.
_CALL = re.compile(r"[^R]*(?:R[AR]*)?")


def naive(events: list[Event], since: int = -(10**9)) -> tuple[int, list[int], list[int]]:
    """Give allocations, waits and holds in milliseconds: of each process all lines at once, cut into calls."""
    lines: dict[int, list[Event]] = defaultdict(list)
    first_second = (since // 1000) * 1000
    for event in events:
        if event.at >= first_second and event.what != "noise":
            lines[event.process].append(event)
    calls, waits, holds = 0, [], []
    for own in lines.values():
        for call in _cut(own):
            if not any(one.what == "ours" for one in call):
                continue
            calls += 1
            last = max((n for n, one in enumerate(call) if one.what == "about"), default=0)
            times = {
                one.what: one.at for n, one in enumerate(call) if n >= last or one.what == "about"
            }
            if "about" in times and times.get("acquired", -1) >= times["about"]:
                waits.append(times["acquired"] - times["about"])
            if "acquired" in times and times.get("released", -1) >= times["acquired"]:
                holds.append(times["released"] - times["acquired"])
    return calls, sorted(waits), sorted(holds)


def _cut(own: list[Event]) -> list[list[Event]]:
    letters = "".join(LETTERS.get(one.what, "O" if one.what == "ours" else "X") for one in own)
    calls, start = [], 0
    while start < len(own):
        found = _CALL.match(letters, start)
        assert found is not None
        end = found.end()
        # Assignments for two namespaces are those of two calls.
        kinds = re.search(r"O[^OX]*X|X[^OX]*O", letters[start:end])
        if kinds:
            end = start + kinds.end() - 1
        calls.append(own[start:end])
        start = end
    return calls


def read(pieces: Iterable[bytes], since: float | None = None) -> CniTimes:
    parser, lines = Calico().parser(OURS, since), Lines()
    for piece in pieces:
        for one in lines.feed(piece):
            parser.feed(one)
    for one in lines.end():
        parser.feed(one)
    return parser.result()


def stamp(milliseconds: int) -> float:
    return (START + timedelta(milliseconds=milliseconds)).timestamp()


def same(found: CniTimes, expected: tuple[int, list[int], list[int]]) -> None:
    calls, waits, holds = expected
    assert found.allocations == calls
    for got, total, wanted in (
        (found.waits, found.wait_sum, waits),
        (found.holds, found.hold_sum, holds),
    ):
        right = distribution(one / 1000 for one in wanted)
        assert got.count == right.count
        assert math.isclose(total, sum(wanted) / 1000, abs_tol=1e-9)
        if right.count:
            for name in ("min", "mean", "p50", "p95", "max"):
                assert math.isclose(getattr(got, name), getattr(right, name), abs_tol=1e-9)
