"""Calico: waiting for and holding the host-wide IPAM lock, from the log of its CNI plugin (measurement.md §5).

A line is ``2026-01-31 10:00:00.123 [INFO][4242] source.go 17: message``; 4242 is the process, one for each call of the
plugin. A call is one of ours when it says ``Auto assigning IP`` for our namespace: releases use the same lock and do
not say so. Of each call the last times count of asking for the lock, having it, and giving it back.

Process numbers recur. A call is over when its process asks for the lock again, or assigns again, after it gave the lock
back: what follows is another call. One that asks anew without having given back (it was killed, and its number
recurred) is taken to begin again: times from before would be another's.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Final

from kubectl_c9s.measurement.cni.reader import CniTimes, Source
from kubectl_c9s.measurement.statistics import distribution

_LINE: Final = re.compile(
    rb"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)[.,](\d{1,9}) \[[A-Z]+\]\[(\d{1,10})\] (.*)", re.DOTALL
)
_ASSIGNING: Final = b"Auto assigning IP"
_LOCK: Final = b"host-wide IPAM lock"
_WORDS: Final = (
    (b"About to acquire " + _LOCK, "about"),
    (b"Acquired " + _LOCK, "acquired"),
    (b"Released " + _LOCK, "released"),
)
_MOST_OPEN: Final = 65536
_MICRO: Final = 1_000_000


class Calico:
    """The reader for Calico, installed by its manifest or its operator."""

    name: Final = "calico"
    source: Final = Source(
        ("kube-system", "calico-system"),
        "k8s-app=calico-node",
        "calico-node",
        ("cat", "/var/log/calico/cni/cni.log"),
    )

    def parser(self, namespace: str, since: float | None) -> CalicoParser:
        """Make a parser; the log's times are taken to be UTC, as in Calico's image."""
        return CalicoParser(namespace, since)


class _Call:
    """One call of the plugin: its times so far (microseconds), and whether it assigned, for us or for another."""

    __slots__ = ("about", "acquired", "assigned", "ours", "released")

    def __init__(self) -> None:
        self.about: int | None = None
        self.acquired: int | None = None
        self.released: int | None = None
        self.assigned = False
        self.ours = False


class CalicoParser:
    """Takes the log of one host; keeps the last call of each process, and two numbers of each call of ours."""

    def __init__(self, namespace: str, since: float | None) -> None:
        self._namespace = f'"namespace":"{namespace}"'.encode()
        self._since = b"" if since is None else _second(since)
        self._calls: dict[int, _Call] = {}
        self._waits: list[float] = []
        self._holds: list[float] = []
        self._allocations = 0
        self._lines = 0
        self._odd = 0
        self._first = self._last = b""
        self._begin: int | None = None
        self._end: int | None = None

    def feed(self, line: bytes) -> None:
        """Take a line without its end."""
        self._lines += 1
        assigning = _ASSIGNING in line
        told = _LOCK in line
        if self._first and not assigning and not told:
            return
        match = _LINE.match(line)
        if match is None:
            self._odd += assigning or told
            return
        self._first = self._first or match[1]
        if assigning or told:
            self._last = match[1]
        if match[1] >= self._since and (assigning or told):
            self._take(int(match[3]), match, assigning=assigning)

    def _take(self, process: int, match: re.Match[bytes], *, assigning: bool) -> None:
        at = _moment(match[1], match[2])
        event = next((event for words, event in _WORDS if words in match[4]), None)
        if at is None or (event is None and not assigning):
            self._odd += 1
            return
        call = self._calls.get(process)
        if call is None or (call.released is not None and event not in {"acquired", "released"}):
            call = self._begin_call(process)
        if assigning:
            ours = self._namespace in match[4]
            if call.assigned and call.ours != ours:  # killed, and the number recurred
                call = self._begin_call(process)
            call.assigned, call.ours = True, ours
        if event == "about":
            call.acquired = call.released = None
        if event is not None:
            setattr(call, event, at)

    def _begin_call(self, process: int) -> _Call:
        """Close the call of a process, and begin the next; of very many open calls the oldest is closed."""
        self._close(self._calls.pop(process, None))
        if len(self._calls) >= _MOST_OPEN:
            self._close(self._calls.pop(next(iter(self._calls))))
        call = self._calls[process] = _Call()
        return call

    def _close(self, call: _Call | None) -> None:
        if call is None or not call.ours:
            return
        self._allocations += 1
        for before, after, kept in (
            (call.about, call.acquired, self._waits),
            (call.acquired, call.released, self._holds),
        ):
            if before is None or after is None:
                continue
            if after < before:  # the clock of the host was set back
                self._odd += 1
                continue
            kept.append((after - before) / _MICRO)
        moments = [at for at in (call.about, call.acquired, call.released) if at is not None]
        if moments:
            self._begin = min(moments if self._begin is None else [self._begin, *moments])
            self._end = max(moments if self._end is None else [self._end, *moments])

    def result(self) -> CniTimes:
        """Close all calls and sum up; nothing is to be fed afterwards."""
        for call in self._calls.values():
            self._close(call)
        self._calls.clear()
        return CniTimes(
            self._allocations,
            distribution(self._waits),
            round(sum(self._waits), 6),
            distribution(self._holds),
            round(sum(self._holds), 6),
            ((self._end or 0) - (self._begin or 0)) / _MICRO,
            self._lines,
            self._odd,
            self._first.decode("ascii", "replace"),
            self._last.decode("ascii", "replace"),
            not self._since or b"" < self._first <= self._since,
        )


def _second(since: float) -> bytes:
    """Give a moment as the log writes it, without the fraction: lines of its second count."""
    return datetime.fromtimestamp(int(since), UTC).strftime("%Y-%m-%d %H:%M:%S").encode()


def _moment(second: bytes, fraction: bytes) -> int | None:
    """Give microseconds since 1970 of a line, so that differences are exact; None for a date that there is not."""
    try:
        whole = datetime.fromisoformat(f"{second.decode()}+00:00")
    except ValueError:
        return None
    return int(whole.timestamp()) * _MICRO + int(fraction[:6].ljust(6, b"0"))
