"""All that is told of one recorded start (docs/measure-report.md): pure figures, from its Run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from kubectl_c9s.measurement.addresses import Addresses, addresses
from kubectl_c9s.measurement.arrivals import Arrivals, Progress, arrivals, progress
from kubectl_c9s.measurement.batches import Batches, batches
from kubectl_c9s.measurement.hosttimes import Timelines, timelines
from kubectl_c9s.measurement.run import (
    CREATED,
    DEPLOYMENT,
    MILESTONES,
    POD,
    Anchor,
    Churn,
    Device,
    Manifest,
    Replayed,
    Run,
)
from kubectl_c9s.measurement.slowest import Slowest, slowest
from kubectl_c9s.measurement.stages import (
    CLOCKS,
    Clock,
    Longest,
    StageTiming,
    from_start,
    longest_steps,
    stage_timings,
    times_of,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

_BEGINNINGS = (CREATED, DEPLOYMENT, POD)


class Total(msgspec.Struct, frozen=True, rename="camel"):
    """When the whole start had reached something, by the report's ``clock``.

    ``since_start`` counts from where times of this kind count from; None when nobody saw the start begin.
    ``since_recording`` counts from the beginning of the recording, None after the fact.
    """

    since_start: float | None
    since_recording: float | None


class StartReport(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """One recorded start in figures.

    ``last`` has for each milestone that all expected devices reached by stamps the seconds from the anchor to the last
    of them. ``overall`` has the moments of the run, and ``clock`` is the kind of time they and peaks have: stamps for a
    run that was made after the fact. ``unseen`` devices were there before the recording began. ``reached`` counts
    devices by milestone and kind of time.
    """

    name: str
    verdict: str
    expected: int
    devices: int
    elapsed: float
    manifest: Manifest
    anchor: Anchor | None
    clock: Clock
    unseen: int
    overall: dict[str, Total]
    last: dict[str, float]
    reached: dict[Clock, dict[str, int]]
    stages: tuple[StageTiming, ...]
    since_start: tuple[StageTiming, ...]
    longest: tuple[Longest, ...]
    progress: dict[Clock, Progress | None]
    arrivals: dict[Clock, Arrivals | None]
    batches: dict[Clock, Batches | None]
    timelines: Timelines
    slowest: Slowest
    addresses: Addresses
    churn: Churn | None
    replay: Replayed | None
    notes: tuple[str, ...] = ()

    @property
    def peak(self) -> int | None:
        """Give the most boots that any host was seen to have at once; None when nobody looked."""
        peaks = [one.peak.booting for one in self.timelines.hosts if one.peak]
        return max(peaks, default=None)


def start_report(run: Run, name: str) -> StartReport:
    """Work out everything of a run; ``name`` is that of its file. Notes are added by :mod:`reportnotes`."""
    devices = run.devices
    anchor = run.anchor or _stand_in(run)
    start = starts(run)
    stages = stage_timings(devices)
    went = {
        clock: progress(devices, clock, start[clock], _origin(anchor, clock)) for clock in CLOCKS
    }
    hosts = timelines(run, start["stamped"], start["observed"])
    return StartReport(
        name=name,
        verdict=run.verdict,
        expected=run.expected,
        devices=len(devices),
        elapsed=run.elapsed,
        manifest=run.manifest,
        anchor=anchor,
        clock=run.clock,
        unseen=(unseen := sum(map(_was_there, devices))),
        overall=_overall(run, None if unseen else start["observed"]),
        last=_last(run, start["stamped"]),
        reached={clock: _reached(run, clock) for clock in CLOCKS},
        stages=stages,
        since_start=from_start(devices, start),
        longest=tuple(longest_steps(stages)),
        progress=went,
        arrivals={clock: arrivals(devices, clock, went[clock], start[clock]) for clock in CLOCKS},
        batches={clock: batches(devices, clock, start[clock]) for clock in CLOCKS},
        timelines=hosts,
        slowest=slowest(devices, hosts.hosts),
        addresses=addresses(devices),
        churn=run.churn,
        replay=run.replay,
    )


def starts(run: Run) -> Mapping[Clock, float | None]:
    """Give where times of each kind count from: the anchor's stamp; the first that was observed of any device."""
    anchor = run.anchor or _stand_in(run)
    seen = [time for one in run.devices for time in one.observed.values()]
    return {"stamped": anchor.at if anchor else None, "observed": min(seen, default=None)}


def _stand_in(run: Run) -> Anchor | None:
    """Without an anchor, take the first object that was created: it has a stamp of the same server."""
    for milestone in _BEGINNINGS:
        times = [
            (one.stamps[milestone], one.full_name) for one in run.devices if milestone in one.stamps
        ]
        if times:
            at, name = min(times)
            return Anchor(f"first {milestone}", name, at)
    return None


def _origin(anchor: Anchor | None, clock: Clock) -> str:
    if clock == "observed":
        return "the first that was seen of any device"
    return f"{anchor.kind} {anchor.name}" if anchor else ""


def _overall(run: Run, first: float | None) -> dict[str, Total]:
    if run.clock == "stamped":
        return {name: Total(at, None) for name, at in run.overall.items()}
    return {
        name: Total(at - first if first is not None and at >= first else None, at)
        for name, at in run.overall.items()
    }


def _was_there(device: Device) -> bool:
    """Tell whether a device had begun before anybody looked: its first stamp has no observed time beside it."""
    first = min(device.stamps, key=MILESTONES.index, default=None)
    return first is not None and first not in device.observed


def _reached(run: Run, clock: Clock) -> dict[str, int]:
    counts = {
        milestone: sum(milestone in times_of(one, clock) for one in run.devices)
        for milestone in MILESTONES
    }
    return {milestone: count for milestone, count in counts.items() if count}


def _last(run: Run, anchor: float | None) -> dict[str, float]:
    """Give when the last device reached each milestone; only of those that all did, and none before the anchor."""
    if anchor is None or not run.devices:
        return {}
    found = {}
    for milestone in MILESTONES:
        times = [one.stamps[milestone] for one in run.devices if milestone in one.stamps]
        if len(times) >= max(run.expected, len(run.devices)) and max(times) >= anchor:
            found[milestone] = max(times) - anchor
    return found
