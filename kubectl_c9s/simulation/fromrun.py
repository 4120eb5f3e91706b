"""A record from a recorded start (``measure watch``): what the watches saw, else what the stamps tell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kubectl_c9s.measurement import run as runs
from kubectl_c9s.simulation import milestones as ms
from kubectl_c9s.simulation.recording import DeviceTimes, LimitsThen, Record

if TYPE_CHECKING:
    from kubectl_c9s.measurement.run import Device, Run


def record_of_run(run: Run) -> Record:
    """Give the record of a run; its devices are all of one clock.

    Observed times go first: they are finer and have marks, grants and starts. A device counts then if its Node was seen
    coming. By stamps a primary with a startup probe counts as started when it is Ready, no earlier than it was.
    """
    limits = LimitsThen()
    if run.manifest.limits is not None:
        there = run.manifest.limits
        limits = LimitsThen(there.batch_size, there.max_concurrent_per_host)
    seen = [one for one in run.devices if runs.CREATED in one.observed]
    if seen:
        times = [(one, one.observed) for one in seen]
        resolution = 0.0
    else:
        times = [(one, _stamped(one)) for one in run.devices]
        resolution = runs.RESOLUTION
    first = min((at for _, reached in times for at in reached.values()), default=0.0)
    devices = tuple(
        DeviceTimes(
            one.namespace,
            one.name,
            one.host,
            {name: reached[name] - first for name in ms.MILESTONES if name in reached},
        )
        for one, reached in times
    )
    return Record(resolution=resolution, rollout=limits, devices=devices)


def _stamped(device: Device) -> dict[str, float]:
    times = dict(device.stamps)
    if runs.STARTED not in times and runs.READY in times:
        times[runs.STARTED] = times[runs.READY]
    return times
