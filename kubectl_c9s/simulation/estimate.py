"""Stage times from records: what each step takes, and where devices wait for each other.

Everything is worked out step by step (``waits.py``, ``estimatecontrollers.py``); nothing is fitted to totals.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from kubectl_c9s.simulation import milestones as ms
from kubectl_c9s.simulation.builtin import BUILT_IN
from kubectl_c9s.simulation.distribution import Distribution, recorded
from kubectl_c9s.simulation.estimatecontrollers import controllers
from kubectl_c9s.simulation.queues import COALESCE
from kubectl_c9s.simulation.recording import most_on_a_host
from kubectl_c9s.simulation.stages import Origin, Seen, StageTimes, Step
from kubectl_c9s.simulation.waits import Passage, limit_and_delays

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from kubectl_c9s.simulation.recording import Record

_ENOUGH: Final = 10
"""Devices below which nothing is worked out of their spacing: ours."""
_LEAST: Final = 3


def stage_times(records: Sequence[Record]) -> StageTimes:
    """Work out the steps of records of one installation; what they do not show is as built in."""
    replica_set, pod = controllers(records)
    return StageTimes(
        write=_write(records),
        plan=_plan(records),
        replica_set=replica_set,
        pod=pod,
        schedule=_step(_passages(records, ms.POD, ms.SCHEDULED), BUILT_IN.schedule),
        sandbox=_sandbox(records),
        granted_early=_granted(records, early=True),
        granted_late=_granted(records, early=False),
        boot=_boot(records),
        ready=_step(_passages(records, ms.STARTED, ms.READY), BUILT_IN.ready),
        seen=_seen(records),
    )


def _passages(
    records: Iterable[Record], first: str, then: str, *, by_host: bool = False
) -> list[Passage]:
    return [
        Passage(begin, end, (number, device.host if by_host else ""))
        for number, record in enumerate(records)
        for device, begin, end in record.between(first, then)
    ]


def _step(passages: Sequence[Passage], built_in: Step, *, by_host: bool = False) -> Step:
    """Give a step as recorded; without any record of it as built in."""
    if not passages:
        return built_in
    rate, delays = limit_and_delays(passages)
    origin = Origin("recorded", len(passages))
    return Step(recorded(delays), origin, rate, per_host=by_host and rate > 0)


def _sandbox(records: Sequence[Record]) -> Step:
    """Sandboxes may be made one after another on each host, or as long as they take."""
    passages = _passages(records, ms.SCHEDULED, ms.SANDBOX, by_host=True)
    return _step(passages, BUILT_IN.sandbox, by_host=True)


def _write(records: Iterable[Record]) -> Step:
    """Take the gaps between writes of one pass: passes are at least 250 ms apart."""
    gaps: list[float] = []
    for record in records:
        if record.resolution < COALESCE:
            for milestone in (ms.ADMITTED, ms.GRANTED):
                times = sorted(
                    one.seconds[milestone] for one in record.devices if milestone in one.seconds
                )
                gaps.extend(b - a for a, b in pairwise(times))
    within = [gap for gap in gaps if gap < COALESCE]
    if len(within) < _ENOUGH:
        return BUILT_IN.write
    mean = sum(within) / len(within)  # a watch brings several at once: single gaps say little
    return Step(Distribution(seconds=(mean, mean)), Origin("recorded", len(within)))


def _plan(records: Sequence[Record]) -> Step:
    """Without marks in a record: from the Node when there were no batches, else by the spacing of Deployments."""
    passages, unmarked = [], []
    for number, record in enumerate(records):
        marked = any(ms.ADMITTED in one.seconds for one in record.devices)
        first = ms.ADMITTED if marked else ms.CREATED
        if marked or not record.rollout.batch_size:
            found = record.between(first, ms.DEPLOYMENT)
            passages += [Passage(begin, end, (number, "")) for _, begin, end in found]
        else:
            unmarked.append(record)
    if passages or not unmarked:
        return _step(passages, BUILT_IN.plan)
    return _spaced(unmarked)


def _spaced(records: Iterable[Record]) -> Step:
    rates: list[float] = []
    count = 0
    for record in records:
        times = sorted(
            one.seconds[ms.DEPLOYMENT] for one in record.devices if ms.DEPLOYMENT in one.seconds
        )
        pause = 2 * record.resolution + COALESCE
        for burst in _bursts(times, pause):
            span = burst[-1] - burst[0]
            if len(burst) >= _ENOUGH and span >= 2 * record.resolution:
                rates.append((len(burst) - 1) / span)
                count += len(burst)
    if not rates:
        return BUILT_IN.plan
    origin = Origin("recorded spacing of Deployments", count)
    return BUILT_IN.plan._replace(rate=sorted(rates)[len(rates) // 2], origin=origin)


def _bursts(times: Sequence[float], pause: float) -> list[list[float]]:
    """Divide ascending times where nothing happens for so long."""
    found: list[list[float]] = []
    for time in times:
        if found and time - found[-1][-1] <= pause:
            found[-1].append(time)
        else:
            found.append([time])
    return found


def _granted(records: Iterable[Record], *, early: bool) -> Step:
    """Without the times of grants: as long as the tenth of the devices took that waited least."""
    built_in = BUILT_IN.granted_early if early else BUILT_IN.granted_late
    known: list[float] = []
    unknown: list[float] = []
    for record in records:
        for device, sandbox, passed in record.between(ms.SANDBOX, ms.PASSED):
            granted = device.seconds.get(ms.GRANTED)
            if granted is None:
                unknown.append(passed - sandbox)
            elif (granted <= sandbox) is early:
                known.append(passed - max(granted, sandbox))
    if known:
        return Step(recorded(known), Origin("recorded", len(known)))
    least = sorted(unknown)[: len(unknown) // 10]
    if len(least) < _LEAST:
        return built_in
    return Step(recorded(least), Origin("recorded, the tenth that waited least", len(least)))


def _boot(records: Iterable[Record]) -> Step:
    passages = []
    for number, record in enumerate(records):
        for device, sandbox, started in record.between(ms.SANDBOX, ms.STARTED):
            begin = device.seconds.get(ms.PASSED, sandbox)
            passages.append(Passage(begin, started, (number, "")))
    return _step(passages, BUILT_IN.boot)


def _seen(records: Sequence[Record]) -> Seen:
    booting = most_on_a_host(records, ms.PASSED, ms.STARTED)
    return Seen(
        max((len(record.devices) for record in records), default=0),
        max((len(record.hosts) for record in records), default=0),
        max((_largest_batch(record) for record in records), default=0),
        max(booting, most_on_a_host(records, ms.SANDBOX, ms.STARTED) if not booting else 0),
        most_on_a_host(records, ms.SCHEDULED, ms.SANDBOX),
    )


def _largest_batch(record: Record) -> int:
    return min(record.rollout.batch_size or len(record.devices), len(record.devices))
