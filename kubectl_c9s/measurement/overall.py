"""What a start has reached as a whole, and when that was seen (measurement.md §3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from kubectl_c9s.measurement import run as runs
from kubectl_c9s.measurement import watched

if TYPE_CHECKING:
    from collections.abc import Callable

    from kubectl_c9s.measurement.run import HostCount

Goal = Literal["pods", "started", "ready"]
GOALS: Final[tuple[Goal, ...]] = ("pods", "started", "ready")
"""Reached when so many Pods are there, started or ready at once."""
TOPOLOGY: Final = "topology"
LASTS: Final = {
    watched.NODES: ("plans", runs.PLANNED),
    watched.DEPLOYMENTS: ("deployments", runs.DEPLOYMENT),
    watched.REPLICA_SETS: ("replicaSets", runs.REPLICA_SET),
}
"""Reached with the last device, by kind: the name, and the milestone of the device."""


class Overall:
    """Observed seconds by name. The first time stays, unless there turn out to be more devices.

    ``grown`` is when the number of devices last rose.
    """

    def __init__(self) -> None:
        self.times: dict[str, float] = {}
        self.grown = 0.0
        self._counted = dict.fromkeys(LASTS, 0)

    def grow(self, elapsed: float) -> None:
        """Take back what was reached with fewer devices than there are."""
        self.grown = elapsed
        for name in (*GOALS, *(name for name, _ in LASTS.values())):
            self.times.pop(name, None)

    def note_goals(self, total: HostCount, expected: int, elapsed: float) -> None:
        """Note the goals; with more Pods than expected they are reached, too."""
        if expected:
            counts = {"pods": total.pods, "started": total.started, "ready": total.ready}
            for goal, count in counts.items():
                if count >= expected:
                    self.times.setdefault(goal, elapsed)

    def count(self, kind: str) -> None:
        """Count an object of a kind that has reached its milestone."""
        self._counted[kind] += 1

    def note_last(
        self, kind: str, expected: int, elapsed: float, devices: Callable[[], int]
    ) -> None:
        """Note that the last device was there; ``devices`` counts them, which is only asked when it may be so."""
        name = LASTS[kind][0]
        if name in self.times or not 0 < expected <= self._counted[kind]:
            return
        if devices() >= expected:
            self.times[name] = elapsed

    def note_topology(self, elapsed: float) -> None:
        """Note that all Topologies are ready."""
        self.times.setdefault(TOPOLOGY, elapsed)
