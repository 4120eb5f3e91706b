"""Simulated time: what happens when, one after another; and the limits that several devices share."""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import count
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")


class EventLoop:
    """Calls actions at their times; of equal times in the order they were put."""

    def __init__(self) -> None:
        self.now = 0.0
        self._order = count()
        self._events: list[tuple[float, int, Callable[..., None], object]] = []

    def at(self, when: float, action: Callable[[T], None], subject: T) -> None:
        """Call ``action(subject)`` at a time, which is now or later."""
        heappush(self._events, (when, next(self._order), action, subject))

    def run(self) -> None:
        """Go on until nothing is left to happen."""
        while self._events:
            self.now, _, action, subject = heappop(self._events)
            action(subject)


class Turns:
    """Turns at ``rate`` a second, as many as ``burst`` at once after a rest; 0 is no limit."""

    def __init__(self, rate: float, burst: int = 1) -> None:
        self._gap = 1.0 / rate if rate > 0 else 0.0
        self._ahead = (burst - 1) * self._gap
        self._next = 0.0

    def take(self, now: float) -> float:
        """Take the next turn; give its time, which is now or later."""
        turn = max(now, self._next - self._ahead)
        self._next = max(self._next, now) + self._gap
        return turn
