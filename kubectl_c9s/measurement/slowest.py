"""Which devices and hosts took longest, and which devices never got there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from kubectl_c9s.measurement.run import MILESTONES, POD, READY
from kubectl_c9s.measurement.stages import (
    CREATED_TO_READY,
    POD_TO_READY,
    STAGES,
    Clock,
    duration,
    main_clock,
    times_of,
)
from kubectl_c9s.measurement.statistics import median

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from kubectl_c9s.measurement.hosttimes import HostTimes
    from kubectl_c9s.measurement.run import Device
    from kubectl_c9s.measurement.stages import Stage

SHOWN: Final = 10
_ENOUGH: Final = 3
"""Devices of a host; a median of fewer says nothing about it."""
_INNER: Final = tuple(stage for stage in STAGES if stage.group != "whole")


class SlowDevice(msgspec.Struct, frozen=True, rename="camel"):
    """A device by the seconds from its Pod to Ready, and the stage it spent most of them in."""

    name: str
    host: str
    seconds: float
    stage: str
    stage_seconds: float | None


class UnreadyDevice(msgspec.Struct, frozen=True, rename="camel"):
    """A device that has not become ready, and the last milestone it reached; empty when it reached none."""

    name: str
    host: str
    last: str


class SlowHost(msgspec.Struct, frozen=True, rename="camel"):
    """A host by the median of pod->ready of its devices, and that median less the one of all hosts' medians."""

    name: str
    devices: int
    median: float
    beyond: float


class Slowest(msgspec.Struct, frozen=True, rename="camel"):
    """The slowest of a start; ``clock`` is the kind of time of its seconds, stamps where there are any.

    ``whole`` is the stage that devices are ordered by. ``unready`` names the first ones of ``unready_devices``.
    """

    clock: Clock
    whole: str
    devices: tuple[SlowDevice, ...]
    hosts: tuple[SlowHost, ...]
    unready: tuple[UnreadyDevice, ...]
    unready_devices: int


def slowest(devices: Sequence[Device], hosts: Sequence[HostTimes]) -> Slowest:
    """Find the slowest devices and hosts; equal ones by their names."""
    clock = main_clock(devices)
    # A Pod's own time; before it a device waits for its batch, which is no fault of its own.
    whole = (
        POD_TO_READY if any(POD in times_of(one, clock) for one in devices) else CREATED_TO_READY
    )
    timed = [
        (seconds, one) for one in devices if (seconds := duration(one, whole, clock)) is not None
    ]
    timed = [(seconds, one) for seconds, one in timed if seconds >= 0]
    timed.sort(key=lambda pair: (-pair[0], pair[1].full_name))
    unready = sorted(
        (one for one in devices if READY not in one.stamps and READY not in one.observed),
        key=lambda one: one.full_name,
    )
    return Slowest(
        clock,
        whole.name,
        tuple(_slow(seconds, one, clock) for seconds, one in timed[:SHOWN]),
        _slow_hosts(hosts),
        tuple(UnreadyDevice(one.full_name, one.host, _last(one)) for one in unready[:SHOWN]),
        len(unready),
    )


def _slow(seconds: float, device: Device, clock: Clock) -> SlowDevice:
    stages = [
        (took, stage.name)
        for stage in _own_steps(device, clock)
        if (took := duration(device, stage, clock)) is not None
    ]
    took, name = max(stages, key=lambda one: one[0], default=(None, ""))
    return SlowDevice(device.full_name, device.host, seconds, name, took)


def _own_steps(device: Device, clock: Clock) -> Iterable[Stage]:
    """Give the stages behind the Pod that have nothing known of the device between their ends."""
    times = times_of(device, clock)
    since = MILESTONES.index(POD)
    return (
        stage
        for stage in _INNER
        if MILESTONES.index(stage.begin) >= since and not any(one in times for one in stage.between)
    )


def _slow_hosts(hosts: Iterable[HostTimes]) -> tuple[SlowHost, ...]:
    known = [
        (host.pod_to_ready.seconds.p50, host)
        for host in hosts
        if host.pod_to_ready.seconds.count >= _ENOUGH
    ]
    medians = [(middle, host) for middle, host in known if middle is not None]
    if not medians:
        return ()
    usual = median(sorted(middle for middle, _ in medians))
    medians.sort(key=lambda pair: (-pair[0], pair[1].name))
    return tuple(
        SlowHost(host.name, host.pod_to_ready.seconds.count, middle, middle - usual)
        for middle, host in medians[:SHOWN]
    )


def _last(device: Device) -> str:
    met = {*device.stamps, *device.observed}
    return max(met, key=MILESTONES.index, default="")
