"""What a simulation of starts gives: for each combination of limits times, peaks, a timeline, and how sure it is.

All times are seconds from the beginning. Counts are of devices: Nodes that share a Pod count once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping


class Spread(NamedTuple):
    """A figure over the runs of a combination, each with chance of its own: the least, the median, the greatest."""

    low: float
    middle: float
    high: float


class Moment(NamedTuple):
    """Counts at a time. ``booting`` and ``queued`` are of that moment, the others of what has come so far."""

    seconds: float
    created: int = 0
    admitted: int = 0
    pods: int = 0
    sandboxes: int = 0
    booting: int = 0
    queued: int = 0
    started: int = 0
    ready: int = 0


class HostPeaks(NamedTuple):
    """The most there was at once: Pods without a sandbox, boots, and Pods waiting for a slot of their host."""

    sandboxes: int
    boots: int
    queued: int


class Batches(NamedTuple):
    """The batches that were released, how large they were, and the seconds from release to the last sandbox."""

    number: Spread
    size: Spread
    seconds: Spread


class Combination(NamedTuple):
    """The forecast for one pair of limits.

    ``until`` has the seconds until all devices have a sandbox, are started, are ready; None when some never do:
    ``unfinished`` says how many. ``peaks`` are over the whole installation, ``hosts`` by host: each the greatest over
    all runs. ``batches`` is None without any. ``timeline`` is that of the run with the median time.
    """

    batch_size: int
    max_concurrent_per_host: int
    until: Mapping[str, Spread | None]
    unfinished: int
    peaks: HostPeaks
    hosts: Mapping[str, HostPeaks]
    batches: Batches | None
    timeline: tuple[Moment, ...]


class StageFigures(NamedTuple):
    """What a step was taken to be: its delay, and the limit that devices share, 0 for none; and where it comes from.

    ``recorded`` is the number of recorded devices behind it, 0 for published figures.
    """

    stage: str
    origin: str
    recorded: int
    median: float
    p95: float
    longest: float
    per_second: float
    unit: str


class Simulation(NamedTuple):
    """Forecasts, what they rest on, and what speaks against taking them at their word."""

    source: str
    devices: int
    hosts: int
    runs: int
    stages: tuple[StageFigures, ...]
    combinations: tuple[Combination, ...]
    notes: tuple[str, ...]
