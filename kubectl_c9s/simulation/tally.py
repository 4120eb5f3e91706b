"""Counts what happens in a simulated start: the timeline, and the peaks that limits are there for."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from kubectl_c9s.rollout.hosts import is_booting, is_queued

if TYPE_CHECKING:
    from kubectl_c9s.rollout.views import PodView

COUNTED = (
    "created", "admitted", "pods", "sandboxes", "booting", "queued", "started", "ready",
)  # fmt: skip
"""What a timeline has. ``booting`` and ``queued`` are of now, all others those that have come so far."""
UNREADY = "unready"


class Tally:
    """Counts by time; ``changes`` are (seconds, what, difference), ``peaks`` by what and host, ``""`` for all."""

    def __init__(self) -> None:
        self.changes: list[tuple[float, str, int]] = []
        self.peaks: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self._now: defaultdict[str, Counter[str]] = defaultdict(Counter)

    def count(self, when: float, what: str) -> None:
        """Count one that has reached a milestone."""
        self.changes.append((when, what, 1))

    def pod_changed(self, when: float, before: PodView | None, after: PodView) -> None:
        """Count what a Pod was, and what it is."""
        was, now = _kinds(before), _kinds(after)
        for what in was - now:
            self._add(when, what, before.host if before else "", -1)
        for what in now - was:
            self._add(when, what, after.host, 1)
        if before and before.host != after.host and UNREADY in was & now:
            self._add(when, UNREADY, after.host, 1, overall=False)

    def _add(
        self, when: float, what: str, host: str, difference: int, *, overall: bool = True
    ) -> None:
        if overall:
            self.changes.append((when, what, difference))
        for place in {"", host} if overall else {host}:
            self._now[what][place] += difference
            self.peaks[what][place] = max(self.peaks[what][place], self._now[what][place])


def _kinds(pod: PodView | None) -> set[str]:
    """Say what a Pod counts as; booting and queued are the host gate's own words (admission.md §5.2)."""
    found: set[str] = set()
    if pod is None or pod.deleting:
        return found
    if not pod.sandbox:
        found.add(UNREADY)
    if pod.host:
        if is_queued(pod):
            found.add("queued")
        elif is_booting(pod):
            found.add("booting")
    return found
