"""What each host went through: its devices, peaks, how long they took there, and how full it was over time."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final

import msgspec

from kubectl_c9s.measurement.arrivals import FINEST, MOST_BINS, bin_ends, cumulative
from kubectl_c9s.measurement.run import READY, SCHEDULED, STARTED, HostCount, Peak
from kubectl_c9s.measurement.stages import (
    POD_TO_READY,
    SCHEDULED_TO_SANDBOX,
    Clock,
    Timing,
    main_clock,
    timing,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kubectl_c9s.measurement.run import Device, Run, Sample

HOST_BINS: Final = 60
UNSCHEDULED: Final = "unscheduled"


class Seen(msgspec.Struct, frozen=True, rename="camel"):
    """Counts of a host as observed: the most of any sample in each bin, or of the last one before it."""

    booting: tuple[int, ...]
    queued: tuple[int, ...]
    started: tuple[int, ...]
    ready: tuple[int, ...]


class Stamped(msgspec.Struct, frozen=True, rename="camel"):
    """Counts of a host by stamps, at the end of each bin: how many had been scheduled, started, become ready."""

    scheduled: tuple[int, ...]
    started: tuple[int, ...]
    ready: tuple[int, ...]


class HostTimes(msgspec.Struct, frozen=True, rename="camel"):
    """A host. ``peak`` is the most boots at once; ``cores`` and ``memory`` the most it was seen to use.

    ``sandbox`` is scheduled->sandbox, ``pod_to_ready`` pod->ready, both by the ``clock`` of the timelines.
    """

    name: str
    devices: int
    ready: int
    peak: Peak | None
    sandbox: Timing
    pod_to_ready: Timing
    cores: float | None
    memory: float | None
    seen: Seen | None
    stamped: Stamped | None


class Timelines(msgspec.Struct, frozen=True, rename="camel"):
    """All hosts by name; ``clock`` is the kind of time of how long devices took there.

    Widths are those of the bins of timelines, in seconds, 0 without any. ``seen`` counts the Pods of all hosts
    together, unscheduled ones too, in finer bins of ``width`` seconds.

    Observed bins, and when peaks were, count from the first that was seen of any device; stamped bins from the anchor.
    """

    clock: Clock
    width: float
    seen: Seen | None
    seen_width: float
    stamped_width: float
    hosts: tuple[HostTimes, ...]


def timelines(run: Run, anchor: float | None, first: float | None) -> Timelines:
    """Work out the timelines of all hosts of a run; devices without a host and unscheduled Pods are not among them.

    ``anchor`` is a stamp, ``first`` an observed time: what the two kinds of time count from. Peaks of a run that was
    made after the fact count from the anchor already.
    """
    there: dict[str, list[Device]] = defaultdict(list)
    for device in run.devices:
        if device.host:
            there[device.host].append(device)
    names = {*there, *run.peaks, *(name for one in run.samples for name in one.hosts)}
    first = 0.0 if first is None or run.clock == "stamped" else first
    samples = [(one.elapsed - first, one) for one in run.samples]
    samples = sorted((pair for pair in samples if pair[0] >= 0), key=lambda pair: pair[0])
    longest = max((at for at, _ in samples), default=None)
    clock = main_clock(run.devices)
    fine, ends = _ends(longest, MOST_BINS, "observed"), _ends(longest, HOST_BINS, "observed")
    stamped_ends = _ends(_last_stamp(run.devices, anchor), HOST_BINS, "stamped")
    return Timelines(
        clock,
        fine[0] if fine else 0.0,
        _binned_seen([(at, _together(one)) for at, one in samples], fine),
        ends[0] if ends else 0.0,
        stamped_ends[0] if stamped_ends else 0.0,
        tuple(
            HostTimes(
                name,
                len(devices := there.get(name, [])),
                sum(READY in one.stamps or READY in one.observed for one in devices),
                _shifted(run.peaks.get(name), first),
                timing(devices, SCHEDULED_TO_SANDBOX, clock),
                timing(devices, POD_TO_READY, clock),
                _most_used(samples, name, "cpu"),
                _most_used(samples, name, "memory"),
                _seen(samples, name, ends),
                _stamped(devices, anchor, stamped_ends),
            )
            for name in sorted(names - {UNSCHEDULED})
        ),
    )


def _together(sample: Sample) -> HostCount:
    counts = sample.hosts.values()
    return HostCount(
        *(sum(getattr(one, name) for one in counts) for name in HostCount.__struct_fields__)
    )


def _ends(longest: float | None, most: int, clock: Clock) -> list[float]:
    return [] if longest is None or longest < 0 else bin_ends(longest, most, FINEST[clock])


def _last_stamp(devices: Sequence[Device], anchor: float | None) -> float | None:
    if anchor is None:
        return None
    names = (SCHEDULED, STARTED, READY)
    times = [one.stamps[name] - anchor for one in devices for name in names if name in one.stamps]
    return max(times, default=None)


def _shifted(peak: Peak | None, first: float) -> Peak | None:
    return Peak(peak.booting, peak.elapsed - first) if peak else None


def _most_used(samples: Sequence[tuple[float, Sample]], host: str, what: str) -> float | None:
    used = (one.usage[host] for _, one in samples if host in one.usage)
    return max((getattr(one, what) for one in used), default=None)


def _seen(samples: Sequence[tuple[float, Sample]], host: str, ends: Sequence[float]) -> Seen | None:
    return _binned_seen([(at, one.hosts.get(host)) for at, one in samples], ends)


def _binned_seen(
    counts: Sequence[tuple[float, HostCount | None]], ends: Sequence[float]
) -> Seen | None:
    if not ends or not any(count for _, count in counts):
        return None
    bins = _binned(counts, ends)
    return Seen(*(tuple(_of(each, name) for each in bins) for name in Seen.__struct_fields__))


def _binned(
    counts: Sequence[tuple[float, HostCount | None]], ends: Sequence[float]
) -> list[list[HostCount]]:
    """Give the counts that each bin shows: those in it, else the last one before; none before the first."""
    found, index, last = [], 0, None
    for end in ends:
        here = []
        while index < len(counts) and counts[index][0] < end:
            last = counts[index][1]
            here.append(last)
            index += 1
        found.append([one for one in here or [last] if one is not None])
    return found


def _of(counts: Sequence[HostCount], name: str) -> int:
    return max((getattr(one, name) for one in counts), default=0)


def _stamped(
    devices: Sequence[Device], anchor: float | None, ends: Sequence[float]
) -> Stamped | None:
    if anchor is None or not ends:
        return None
    times: Mapping[str, list[float]] = {
        name: sorted(one.stamps[name] - anchor for one in devices if name in one.stamps)
        for name in (SCHEDULED, STARTED, READY)
    }
    if not any(times.values()):
        return None
    return Stamped(*(cumulative(times[name], ends) for name in (SCHEDULED, STARTED, READY)))
