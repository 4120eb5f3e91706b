"""Distributions of measured times, by the rule of measurement.md §1: a median, and a nearest rank for the tail."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_HIGH = 0.95


class Distribution(msgspec.Struct, frozen=True, omit_defaults=True):
    """Count and five figures, in the unit of the samples; of no samples only ``count: 0``."""

    count: int
    min: float | None = None
    mean: float | None = None
    p50: float | None = None
    p95: float | None = None
    max: float | None = None


def distribution(samples: Iterable[float]) -> Distribution:
    """Sum up samples: p50 is the mean of the middle two for an even count, p95 the value of rank ceil(0.95·n)."""
    ordered = sorted(samples)
    if not ordered:
        return Distribution(0)
    return Distribution(
        len(ordered),
        ordered[0],
        math.fsum(ordered) / len(ordered),
        median(ordered),
        nearest_rank(ordered, _HIGH),
        ordered[-1],
    )


def median(ordered: Sequence[float]) -> float:
    """Give the statistical median of ascending samples, of which there must be one."""
    middle = len(ordered) // 2
    if len(ordered) % 2:
        return ordered[middle]
    return (ordered[middle - 1] + ordered[middle]) / 2


def nearest_rank(ordered: Sequence[float], share: float) -> float:
    """Give the value of rank ceil(share·n) of ascending samples, of which there must be one; 0 < share ≤ 1."""
    # A product such as 0.07 · 100 lies a hair above the whole number that is meant.
    rank = math.ceil(round(share * len(ordered), 9))
    return ordered[max(rank, 1) - 1]
