"""Stages of a start: how long devices took from one milestone to the next, by stamps and, apart from it, as observed.

A stage is worked out for each device whose times of one kind are both there; a stamp never meets an observed time, and
no stage comes from differences of percentiles (measurement.md §1). Stages of different devices overlap.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple

import msgspec

from kubectl_c9s.measurement.run import (
    ADMITTED,
    CREATED,
    DEPLOYMENT,
    GRANTED,
    MILESTONES,
    PASSED,
    PLANNED,
    POD,
    PREPARED,
    PREPARING,
    READY,
    REPLICA_SET,
    SANDBOX,
    SCHEDULED,
    STARTED,
)
from kubectl_c9s.measurement.statistics import Distribution, distribution

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from kubectl_c9s.measurement.run import Device

Clock = Literal["stamped", "observed"]
"""Which of the two kinds of time: the API server's stamps, or the monotonic clock of the recording."""
CLOCKS: Final[tuple[Clock, ...]] = ("stamped", "observed")
Group = Literal["step", "bridge", "whole"]
SINCE: Final = "FromStart"


class Stage(NamedTuple):
    """A way between two milestones.

    A ``step`` has no milestone between its ends. A ``bridge`` has some, and is for runs that have none of their times
    (marks and grants have no stamp, plain Pods no plan). A ``whole`` is a long way, looked at for itself.
    """

    begin: str
    end: str
    group: Group = "step"

    @property
    def name(self) -> str:
        """Give ``begin->end``."""
        return f"{self.begin}->{self.end}"

    @property
    def between(self) -> tuple[str, ...]:
        """Give the milestones it passes over."""
        return MILESTONES[MILESTONES.index(self.begin) + 1 : MILESTONES.index(self.end)]


CREATED_TO_READY: Final = Stage(CREATED, READY, "whole")
POD_TO_READY: Final = Stage(POD, READY, "whole")
SCHEDULED_TO_SANDBOX: Final = Stage(SCHEDULED, SANDBOX)
STAGES: Final = (
    Stage(CREATED, ADMITTED),
    Stage(ADMITTED, PLANNED),
    Stage(PLANNED, DEPLOYMENT),
    Stage(CREATED, DEPLOYMENT, "bridge"),
    Stage(DEPLOYMENT, REPLICA_SET),
    Stage(REPLICA_SET, POD),
    Stage(POD, SCHEDULED),
    SCHEDULED_TO_SANDBOX,
    Stage(SANDBOX, PREPARING),
    Stage(PREPARING, PREPARED),
    Stage(SANDBOX, PREPARED, "bridge"),
    Stage(PREPARED, GRANTED),
    Stage(GRANTED, PASSED),
    Stage(PREPARED, PASSED, "bridge"),
    Stage(PASSED, STARTED),
    Stage(PREPARED, STARTED, "bridge"),
    Stage(SANDBOX, STARTED, "bridge"),
    Stage(STARTED, READY),
    Stage(SANDBOX, READY, "bridge"),
    POD_TO_READY,
    CREATED_TO_READY,
)
"""All stages, in the order of a device's way (measurement.md §2)."""


class Timing(msgspec.Struct, frozen=True, rename="camel"):
    """How long a stage took, in seconds; ``negative`` devices ended it before they began and are left out of it.

    ``unfinished`` counts devices that have the time of its begin and not that of its end.
    """

    seconds: Distribution
    negative: int = 0
    unfinished: int = 0


class StageTiming(msgspec.Struct, frozen=True, rename="camel"):
    """A stage by both kinds of time; ``counts_as_step`` by which of them it is a piece of a device's way."""

    name: str
    group: Group
    stamped: Timing
    observed: Timing
    counts_as_step: tuple[Clock, ...]

    def by(self, clock: Clock) -> Timing:
        """Give the timing by one kind of time."""
        return self.stamped if clock == "stamped" else self.observed


class Longest(msgspec.Struct, frozen=True, rename="camel"):
    """The step with the longest median, by one kind of time."""

    clock: Clock
    stage: str
    median: float
    devices: int


def times_of(device: Device, clock: Clock) -> Mapping[str, float]:
    """Give a device's times of one kind, by milestone."""
    return device.stamps if clock == "stamped" else device.observed


def duration(device: Device, stage: Stage, clock: Clock) -> float | None:
    """Give a device's seconds in a stage, below 0 when its clocks jumped; None without both times of the kind."""
    times = times_of(device, clock)
    if stage.begin in times and stage.end in times:
        return times[stage.end] - times[stage.begin]
    return None


def main_clock(devices: Iterable[Device]) -> Clock:
    """Choose stamps to put devices in order, unless only observed times tell how long any of them took."""
    whole = (POD_TO_READY, CREATED_TO_READY)
    known = {
        clock
        for device in devices
        for clock in CLOCKS
        if any(duration(device, stage, clock) is not None for stage in whole)
    }
    return "observed" if known == {"observed"} else "stamped"


def timing(devices: Iterable[Device], stage: Stage, clock: Clock) -> Timing:
    """Sum up a stage over devices, by one kind of time."""
    taken, unfinished = [], 0
    for device in devices:
        seconds = duration(device, stage, clock)
        if seconds is not None:
            taken.append(seconds)
        elif stage.begin in times_of(device, clock):
            unfinished += 1
    return _timing(taken, unfinished)


def stage_timings(devices: Sequence[Device]) -> tuple[StageTiming, ...]:
    """Sum up all stages that a device has by any kind of time."""
    met = {clock: _met(devices, clock) for clock in CLOCKS}
    found = (
        StageTiming(
            stage.name,
            stage.group,
            timing(devices, stage, "stamped"),
            timing(devices, stage, "observed"),
            tuple(clock for clock in CLOCKS if _counts(stage, met[clock])),
        )
        for stage in STAGES
    )
    return tuple(one for one in found if any(_seen(one.by(clock)) for clock in CLOCKS))


def from_start(
    devices: Sequence[Device], start: Mapping[Clock, float | None]
) -> tuple[StageTiming, ...]:
    """Give ``podFromStart`` and so on for each milestone: its times since the start by the same kind of time."""
    found = (
        StageTiming(
            f"{milestone}{SINCE}",
            "whole",
            _since(devices, milestone, "stamped", start["stamped"]),
            _since(devices, milestone, "observed", start["observed"]),
            (),
        )
        for milestone in MILESTONES
    )
    return tuple(one for one in found if any(_seen(one.by(clock)) for clock in CLOCKS))


def longest_steps(stages: Iterable[StageTiming]) -> Iterator[Longest]:
    """Say where the time went: by each kind of time the step with the longest median; the first of equal ones."""
    stages = tuple(stages)
    for clock in CLOCKS:
        steps = [
            (median, one)
            for one in stages
            if clock in one.counts_as_step and (median := one.by(clock).seconds.p50) is not None
        ]
        if steps:
            median, one = max(steps, key=lambda step: step[0])
            yield Longest(clock, one.name, median, one.by(clock).seconds.count)


def _counts(stage: Stage, met: frozenset[str]) -> bool:
    """Tell whether a stage is a piece of the way: a bridge is one where all it passes over is unknown."""
    if not {stage.begin, stage.end} <= met or stage.group == "whole":
        return False
    return met.isdisjoint(stage.between)


def _met(devices: Iterable[Device], clock: Clock) -> frozenset[str]:
    return frozenset().union(*(times_of(device, clock) for device in devices))


def _since(devices: Iterable[Device], milestone: str, clock: Clock, start: float | None) -> Timing:
    if start is None:
        return Timing(Distribution(0))
    times = (times_of(device, clock) for device in devices)
    return _timing([one[milestone] - start for one in times if milestone in one], 0)


def _timing(taken: Sequence[float], unfinished: int) -> Timing:
    sound = [seconds for seconds in taken if seconds >= 0]
    return Timing(distribution(sound), len(taken) - len(sound), unfinished)


def _seen(timing: Timing) -> bool:
    return bool(timing.seconds.count or timing.negative)
