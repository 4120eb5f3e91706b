"""How a start went on: how many devices had reached each milestone by when, and how fast their Pods came."""

from __future__ import annotations

import itertools
import math
from bisect import bisect_left
from typing import TYPE_CHECKING, Final

import msgspec

from kubectl_c9s.measurement.run import MILESTONES, POD
from kubectl_c9s.measurement.stages import times_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from kubectl_c9s.measurement.run import Device
    from kubectl_c9s.measurement.stages import Clock

MOST_BINS: Final = 120
FINEST: Final[Mapping[Clock, float]] = {"stamped": 1.0, "observed": 0.1}
"""The shortest bins, in seconds."""
_WIDTHS: Final = (
    0.1,
    0.2,
    0.5,
    1,
    2,
    3,
    4,
    5,
    6,
    10,
    15,
    20,
    30,
    60,
    120,
    300,
    600,
    900,
    1800,
    3600,
)


class Progress(msgspec.Struct, frozen=True, rename="camel"):
    """Devices that had reached a milestone at the end of each bin; bins of ``width`` seconds, the first from 0.

    ``origin`` says what the seconds count from.
    """

    origin: str
    width: float
    reached: dict[str, tuple[int, ...]]

    @property
    def moments(self) -> list[float]:
        """Give the end of each bin, in seconds from the start."""
        number = max(map(len, self.reached.values()), default=0)
        return [self.width * (index + 1) for index in range(number)]


class Arrivals(msgspec.Struct, frozen=True, rename="camel"):
    """Pods as they were made: how many, when the first and the last, on average and at most a second.

    ``per_second`` is of the time from the first to the last, with the resolution of a second added; ``peak`` is that of
    the bin with most, which begins at ``peak_at``. ``bins`` counts the Pods of each bin of ``width`` seconds.
    """

    pods: int
    first: float
    last: float
    per_second: float
    peak: float
    peak_at: float
    width: float
    bins: tuple[int, ...]


def bin_ends(longest: float, most: int = MOST_BINS, least: float = 1.0) -> list[float]:
    """Give the ends of so many bins at most that hold all times up to the longest, which is not below 0.

    They are as short as can be, of a round width and not below the least: stamps tell nothing below a second.
    """
    width = bin_width(longest, most, least)
    # A time on the edge of two bins is in the later one.
    number = next(n for n in itertools.count(int(longest / width)) if width * n > longest)
    return [width * (index + 1) for index in range(number)]


def bin_width(longest: float, most: int, least: float) -> float:
    """Give the shortest round width, in seconds, with which so many bins hold the longest time."""
    for width in _WIDTHS:
        if width >= least and longest < width * most:
            return float(width)
    return float(10 ** math.ceil(math.log10((longest + 1) / most)))


def progress(
    devices: Sequence[Device], clock: Clock, start: float | None, origin: str
) -> Progress | None:
    """Count devices by milestone over time; times before the start are left out. None without any."""
    if start is None:
        return None
    times = {milestone: _since(devices, milestone, clock, start) for milestone in MILESTONES}
    times = {milestone: sorted(found) for milestone, found in times.items() if found}
    if not times:
        return None
    longest = max(found[-1] for found in times.values())
    ends = bin_ends(longest, least=FINEST[clock])
    return Progress(
        origin, ends[0], {name: cumulative(found, ends) for name, found in times.items()}
    )


def cumulative(ordered: Sequence[float], ends: Iterable[float]) -> tuple[int, ...]:
    """Count the ascending times that lie before each end."""
    return tuple(bisect_left(ordered, end) for end in ends)


def arrivals(
    devices: Sequence[Device], clock: Clock, found: Progress | None, start: float | None
) -> Arrivals | None:
    """Sum up how Pods came; None when no Pod has a time of the kind."""
    if found is None or start is None or POD not in found.reached:
        return None
    times = sorted(_since(devices, POD, clock, start))
    reached = found.reached[POD]
    bins = tuple(after - before for before, after in itertools.pairwise((0, *reached)))
    most = max(bins)
    return Arrivals(
        len(times),
        times[0],
        times[-1],
        len(times) / (times[-1] - times[0] + 1.0),
        most / found.width,
        found.width * bins.index(most),
        found.width,
        bins,
    )


def _since(devices: Iterable[Device], milestone: str, clock: Clock, start: float) -> list[float]:
    times = (times_of(device, clock) for device in devices)
    return [one[milestone] - start for one in times if milestone in one and one[milestone] >= start]
