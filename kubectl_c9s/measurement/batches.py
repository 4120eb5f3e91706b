"""Batches found from the times alone: groups of devices that came together, with clear pauses between them.

The method (docs/measure-report.md): devices are sorted by the time they were let in, and a pause between two that is
ten times as long as the gap which three quarters of all do not exceed begins a new batch. It must also be longer than
a floor, below which the resolution of the times, or a single slow request, would look like a pause.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

import msgspec

from kubectl_c9s.measurement.run import ADMITTED, DEPLOYMENT, POD, READY, SANDBOX
from kubectl_c9s.measurement.stages import times_of
from kubectl_c9s.measurement.statistics import nearest_rank

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from kubectl_c9s.measurement.run import Device
    from kubectl_c9s.measurement.stages import Clock

FEWEST: Final = 8
"""Fewer devices say nothing about a pattern."""
FACTOR: Final = 10.0
SHARE: Final = 0.75
FLOORS: Final[Mapping[Clock, float]] = {"stamped": 4.0, "observed": 1.0}
"""The shortest pause between two batches, in seconds. Stamps are whole seconds: short gaps vanish in them, and steady
arrivals of two a second may seem to pause for three."""
_LET_IN: Final = (ADMITTED, DEPLOYMENT, POD)


class Batch(msgspec.Struct, frozen=True, rename="camel"):
    """Devices that came together: seconds from the start of the first and the last of them.

    ``sandboxes`` and ``ready`` are when the last of them had its sandbox and was ready, None when one never was.
    """

    devices: int
    first: float
    last: float
    sandboxes: float | None
    ready: float | None


class Batches(msgspec.Struct, frozen=True, rename="camel"):
    """What was found by one kind of time; no ``batches`` when all came at once, steadily, or too few.

    ``milestone`` is the one whose times were looked at, ``pause`` the shortest gap, in seconds, that parts two batches.
    """

    milestone: str
    pause: float | None
    batches: tuple[Batch, ...]


def batches(devices: Sequence[Device], clock: Clock, start: float | None) -> Batches | None:
    """Find batches by the first of admitted, Deployment and Pod that has enough times; None when none has."""
    for milestone in _LET_IN:
        known = sorted(
            (one for one in devices if milestone in times_of(one, clock)),
            key=lambda one: times_of(one, clock)[milestone],
        )
        if start is not None and len(known) >= FEWEST:
            times = [times_of(one, clock)[milestone] for one in known]
            pause = shortest_pause(times, FLOORS[clock])
            groups = list(_groups(known, times, pause))
            found = [_batch(group, milestone, clock, start) for group in groups]
            return Batches(milestone, pause, tuple(found) if len(found) > 1 else ())
    return None


def shortest_pause(ordered: Sequence[float], floor: float) -> float:
    """Give the gap that parts two batches of ascending times, of which there must be two."""
    gaps = sorted(after - before for before, after in pairwise(ordered))
    return max(floor, FACTOR * nearest_rank(gaps, SHARE))


def _groups(
    devices: Sequence[Device], times: Sequence[float], pause: float
) -> Iterator[Sequence[Device]]:
    begin = 0
    for index, (before, after) in enumerate(pairwise(times), 1):
        if after - before >= pause:
            yield devices[begin:index]
            begin = index
    yield devices[begin:]


def _batch(group: Sequence[Device], milestone: str, clock: Clock, start: float) -> Batch:
    times = [times_of(one, clock) for one in group]
    last = {
        name: max(one[name] for one in times) - start if all(name in one for one in times) else None
        for name in (SANDBOX, READY)
    }
    first, final = (choose(one[milestone] for one in times) - start for choose in (min, max))
    return Batch(len(group), first, final, last[SANDBOX], last[READY])
