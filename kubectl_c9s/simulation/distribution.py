"""How long a step takes: quantiles that were recorded, and draws from them.

Chance comes from the caller as a source of numbers between 0 and 1, so the same source gives the same times.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

MEDIAN = 0.5
HIGH = 0.95


class Distribution(NamedTuple):
    """Seconds by share of devices, both ascending: the quantile function at ``shares``, straight in between."""

    shares: tuple[float, ...] = (0.0, 1.0)
    seconds: tuple[float, ...] = (0.0, 0.0)

    @property
    def median(self) -> float:
        """Give the time that half of the devices keep within."""
        return self.draw(MEDIAN)

    @property
    def p95(self) -> float:
        """Give the time that 95 of 100 devices keep within."""
        return self.draw(HIGH)

    @property
    def longest(self) -> float:
        """Give the longest time."""
        return self.seconds[-1]

    def draw(self, share: float) -> float:
        """Give the time at a share between 0 and 1, such as a source of chance gives."""
        return _between(share, self.shares, self.seconds)

    def draw_rest(self, share: float, spent: float) -> float:
        """Give what is left for a device that is in the step for ``spent`` seconds, 0 beyond the longest time."""
        past = self._share(spent)
        return max(self.draw(past + share * (1 - past)) - spent, 0.0)

    def _share(self, spent: float) -> float:
        """Give the share of devices that are through after so many seconds."""
        if spent < self.seconds[0]:
            return 0.0
        index = bisect_right(self.seconds, spent)
        if index == len(self.seconds):
            return 1.0
        low, high = self.seconds[index - 1], self.seconds[index]
        part = (spent - low) / (high - low)
        return self.shares[index - 1] + part * (self.shares[index] - self.shares[index - 1])


def _between(at: float, places: tuple[float, ...], values: tuple[float, ...]) -> float:
    index = bisect_left(places, at)
    if index == 0:
        return values[0]
    if index == len(places):
        return values[-1]
    low, high = places[index - 1], places[index]
    return values[index - 1] + (values[index] - values[index - 1]) * (at - low) / (high - low)


def recorded(samples: Iterable[float]) -> Distribution:
    """Make it of measured times, of which there must be one; negative ones, from stamps in seconds, count as 0."""
    ordered = tuple(sorted(max(sample, 0.0) for sample in samples))
    if len(ordered) == 1:
        return Distribution(seconds=ordered * 2)
    steps = len(ordered) - 1
    return Distribution(tuple(index / steps for index in range(len(ordered))), ordered)


def points(*known: tuple[float, float]) -> Distribution:
    """Make it of published quantiles, as pairs of share and seconds; the first share is 0, the last 1."""
    shares, seconds = zip(*known, strict=True)
    return Distribution(shares, seconds)
