"""Whether devices wait for each other in a step: the limit under which the recorded departures are explained best.

A step is replayed with the recorded arrivals under one limit after another. A limit is kept when it explains the
departures clearly better than delays alone; what it leaves unexplained is the delay.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from kubectl_c9s.simulation.eventloop import Turns

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_CLEARLY: Final = 0.75
"""A limit is kept when it leaves at most this share of the spread unexplained: ours."""
_ENOUGH: Final = 10
"""Devices below which no limit is looked for: ours."""
_STEPS: Final = 24
_GROWTH: Final = 1.25


class Passage(NamedTuple):
    """A device that went through a step; ``queue`` names those it may have waited for."""

    begin: float
    end: float
    queue: tuple[int, str]


def limit_and_delays(passages: Sequence[Passage]) -> tuple[float, list[float]]:
    """Give devices a second for each queue, 0 for no limit, and each one's delay after its turn."""
    delays = [one.end - one.begin for one in passages]
    best = 0.0
    if len(passages) < _ENOUGH:
        return best, delays
    least = _spread(delays) * _CLEARLY
    lowest = len(passages) / sum(_duration(queue) for queue in _queues(passages))
    for number in range(_STEPS):
        rate = lowest * _GROWTH**number
        rests = _rests(passages, rate)
        if (spread := _spread(rests)) < least:
            best, delays, least = rate, rests, spread
    return best, delays


def _queues(passages: Iterable[Passage]) -> list[list[Passage]]:
    found: dict[tuple[int, str], list[Passage]] = {}
    for one in passages:
        found.setdefault(one.queue, []).append(one)
    return list(found.values())


def _duration(queue: Sequence[Passage]) -> float:
    span = max(one.end for one in queue) - min(one.begin for one in queue)
    return max(span, 0.001)


def _rests(passages: Iterable[Passage], rate: float) -> list[float]:
    """Give what a limit leaves unexplained of each delay; negative where the limit is too low."""
    rests: list[float] = []
    for queue in _queues(passages):
        turns = Turns(rate)
        rests.extend(one.end - turns.take(one.begin) for one in sorted(queue))
    return rests


def _spread(values: Sequence[float]) -> float:
    """Give the mean distance from the median."""
    middle = sorted(values)[len(values) // 2]
    return sum(abs(value - middle) for value in values) / len(values)
