"""Histograms of Prometheus: a mean, and quantiles by linear interpolation as ``histogram_quantile`` gives them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Mapping


class Histogram(msgspec.Struct, frozen=True):
    """Observations by upper bound: ``buckets`` are (bound, how many were at most that), ascending, the last bound +Inf.

    ``total`` is the sum of all observations, in their unit; ``count`` is how many there were.
    """

    buckets: tuple[tuple[float, float], ...]
    total: float
    count: float

    @property
    def mean(self) -> float | None:
        """Give sum over count; None without an observation, or when a figure is not finite."""
        if not self.count or not math.isfinite(self.total) or not math.isfinite(self.count):
            return None
        return self.total / self.count

    @property
    def largest(self) -> float | None:
        """Give the largest finite bound: a quantile that equals it may be anything above."""
        finite = [bound for bound, _ in self.buckets if math.isfinite(bound)]
        return finite[-1] if finite else None


def histogram_of(buckets: Mapping[float, float], total: float, count: float) -> Histogram:
    """Make a histogram from counts by bound, which need not be sorted; a count below its neighbour's is raised to it.

    Counts of a bound are cumulative. Those of several series, added up, can go down when their bounds are not the same.
    """
    rising: list[tuple[float, float]] = []
    for bound in sorted(bound for bound in buckets if not math.isnan(bound)):
        least = rising[-1][1] if rising else 0.0
        rising.append((bound, max(buckets[bound], least)))
    return Histogram(tuple(rising), total, count)


def quantile_of(histogram: Histogram, share: float) -> float | None:
    """Estimate a quantile (0 ≤ share ≤ 1) in the unit of the bounds; None where nothing can be said.

    As Prometheus does: even spread within a bucket, the lowest begins at 0 (if its bound is above), and what lies in
    the +Inf bucket counts as the largest finite bound. None without observations, without +Inf, or with no other bound.
    """
    bounds = histogram.buckets
    if len(bounds) < 2 or bounds[-1][0] != math.inf or not 0 <= share <= 1:  # noqa: PLR2004 - +Inf and one more
        return None
    wanted = share * bounds[-1][1]
    if not bounds[-1][1] or not math.isfinite(wanted):
        return None
    below = 0.0
    start = min(0.0, bounds[0][0])
    for bound, count in bounds[:-1]:
        if count >= wanted:
            return _within(start, bound, below, count, wanted)
        below, start = count, bound
    return start


def _within(start: float, end: float, below: float, count: float, wanted: float) -> float:
    if count == below:  # share 0 of an empty first bucket
        return start
    return start + (end - start) * (wanted - below) / (count - below)
