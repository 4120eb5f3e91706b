"""Pods by host: what each counts as now, and the most boots at once (measurement.md §3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from kubectl_c9s.measurement.reached import is_gated, is_granted, is_ready, primary_status
from kubectl_c9s.measurement.run import HostCount, Peak

if TYPE_CHECKING:
    from kubectl_c9s.measurement.watched import WatchedPod

UNSCHEDULED: Final = "unscheduled"
State = Literal["started", "booting", "queued"]


class Place(NamedTuple):
    """Where a Pod counts, and as what."""

    host: str
    state: State
    ready: bool


def place_of(pod: WatchedPod, primary: str) -> Place:
    """Say what a Pod counts as; unlike the manager's own count, one that has ended or has no host does, too."""
    status = primary_status(pod, primary)
    state: State = "queued"
    if status is not None and status.started is True:
        state = "started"
    elif is_granted(pod) or not is_gated(pod):
        state = "booting"
    return Place(pod.spec.node_name or UNSCHEDULED, state, is_ready(pod))


class HostCounts:
    """Counts of the present by host, their ``total``, and ``peaks`` of all times."""

    def __init__(self) -> None:
        self.total = HostCount()
        self.peaks: dict[str, Peak] = {}
        self._hosts: dict[str, HostCount] = {}
        self._risen: set[str] = set()

    def move(self, before: Place | None, after: Place | None) -> None:
        """Let a Pod count as something else; None is before it was there, or when it is gone."""
        if before == after:
            return
        if before is not None:
            _add(self._hosts[before.host], before, -1)
            _add(self.total, before, -1)
        if after is not None:
            _add(self._hosts.setdefault(after.host, HostCount()), after, 1)
            _add(self.total, after, 1)
            if after.state == "booting":
                self._risen.add(after.host)

    def note_peaks(self, elapsed: float) -> None:
        """Note what is a peak now; not between the Pods of one list, which show the same moment."""
        for host in self._risen:
            booting = self._hosts[host].booting
            peak = self.peaks.get(host)
            if booting > (peak.booting if peak else 0):
                self.peaks[host] = Peak(booting, elapsed)
        self._risen.clear()

    def now(self) -> dict[str, HostCount]:
        """Give the counts of every host that has Pods, by name."""
        return {
            host: HostCount(one.pods, one.started, one.booting, one.queued, one.ready)
            for host, one in sorted(self._hosts.items())
            if one.pods
        }


def _add(count: HostCount, place: Place, step: int) -> None:
    count.pods += step
    count.ready += step * place.ready
    if place.state == "started":
        count.started += step
    elif place.state == "booting":
        count.booting += step
    else:
        count.queued += step
