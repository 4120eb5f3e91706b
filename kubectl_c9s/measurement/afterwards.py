"""A start after the fact, from its objects: what their stamps tell, and a word for what they do not.

Nothing is seen happening, so all seconds of such a run, also those of the whole, count by stamps from the anchor on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from kubectl_c9s.measurement import run as runs
from kubectl_c9s.measurement import watched
from kubectl_c9s.measurement.overall import LASTS, TOPOLOGY
from kubectl_c9s.measurement.reached import is_gated
from kubectl_c9s.measurement.run import Peak
from kubectl_c9s.measurement.tracker import Tracker
from kubectl_c9s.measurement.watched import DEVICES, LISTED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from kubectl_c9s.measurement.overall import Goal
    from kubectl_c9s.measurement.run import Device, Manifest, Run
    from kubectl_c9s.measurement.watched import WatchedPod

_GOALS: Final[dict[Goal, str]] = {"pods": runs.POD, "started": runs.STARTED, "ready": runs.READY}
_UNKNOWN: Final = (
    "after the fact: all times are stamps, in whole seconds from the anchor on; when marks, plans and grants were"
    " written, and when a primary with a startup probe was started, no stamp tells"
)
_PEAKS: Final = (
    "peaks are worked out of stamps: a boot is taken to last from the end of the gate, or without one from scheduling,"
    " to its start or, when no stamp tells that, to Ready; boots of Pods that are gone are missing"
)


def afterwards(
    objects: Mapping[str, Sequence[Any]],
    now: float,
    goal: Goal,
    expected: int | None = None,
    manifest: Manifest | None = None,
) -> Run:
    """Make a run of the objects of each kind (as kubectl names it) at the moment ``now``, in seconds since 1970.

    Reached or not says what the objects are like now. A kind that is missing was not collected.
    """
    tracker = Tracker(expected)
    for kind in watched.TYPES:
        if kind in objects:
            tracker.take(kind, LISTED, objects[kind], 0.0)
    run = tracker.run("reached" if tracker.reached(goal) else "recording", 0.0, manifest)
    begin = run.anchor.at if run.anchor else now
    found = dict(_overall(run.devices, run.expected, begin))
    if (ready := tracker.labs.ready_at) is not None:
        found[TOPOLOGY] = ready - begin
    # Who was so far once, and is not so any more, does not make a whole.
    kept = {name: at for name, at in found.items() if name in run.overall}
    missing = [kind for kind in watched.TYPES if kind not in objects]
    return msgspec.structs.replace(
        run,
        clock="stamped",
        elapsed=max(now - begin, 0.0),
        overall=kept,
        peaks=dict(_peaks(run.devices, _gated(objects.get(watched.PODS, ())), begin)),
        notes=(*run.notes, _UNKNOWN, _PEAKS, *(f"not collected: {one}" for one in missing)),
    )


def _gated(pods: Iterable[WatchedPod]) -> set[tuple[str, str]]:
    """Give namespace and name of the devices whose Pods wait for a grant before they boot."""
    return {(one.metadata.namespace, DEVICES.device(one)) for one in pods if is_gated(one)}


def _overall(devices: Sequence[Device], expected: int, begin: float) -> Iterator[tuple[str, float]]:
    """Give when as many devices as expected had reached something; a device without a stamp has not."""
    names = dict(LASTS.values()) | _GOALS
    for name, milestone in names.items():
        times = sorted(one.stamps[milestone] for one in devices if milestone in one.stamps)
        if 0 < expected <= len(times):
            yield name, times[expected - 1] - begin


def _peaks(
    devices: Iterable[Device], gated: set[tuple[str, str]], begin: float
) -> Iterator[tuple[str, Peak]]:
    """Give the most boots of each host that overlap by their stamps; those that only touch do not."""
    edges: dict[str, list[tuple[float, int]]] = {}
    for one in devices:
        times = one.stamps
        is_behind_gate = (one.namespace, one.name) in gated
        start = times.get(runs.PASSED if is_behind_gate else runs.SCHEDULED)
        if not one.host or start is None:
            continue
        end = times.get(runs.STARTED, times.get(runs.READY, float("inf")))
        edges.setdefault(one.host, []).extend([(start, 1), (max(end, start), -1)])
    for host in sorted(edges):
        booting = 0
        peak = Peak(0, 0.0)
        for at, step in sorted(edges[host]):
            booting += step
            if booting > peak.booting:
                peak = Peak(booting, at - begin)
        if peak.booting:
            yield host, peak
