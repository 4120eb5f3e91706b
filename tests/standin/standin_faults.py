"""Faults that can be switched on, and chance with a seed: the same device has the same delays in every run."""

from __future__ import annotations

import dataclasses
import fnmatch
import random
import threading
from typing import TYPE_CHECKING, Any, Final

import standin_names as names

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

# Seconds between which the time a device takes for a step is drawn; the Stages read it from its Pod.
STEPS: Final[Mapping[str, tuple[float, float]]] = {
    "sandbox": (0.05, 0.3),
    "grant": (0.05, 0.3),
    "prepare": (0.05, 0.3),
    "boot": (0.1, 0.6),
    "ready": (0.05, 0.3),
}
FAILURES: Final = (
    "sandbox",
    "mount",
    "no-condition",
    "preparation",
    "connectivity",
    "image-pull",
    "config",
    "crash-loop",
    "probe",
)


@dataclasses.dataclass(frozen=True)
class Faults:
    """What goes wrong. Patterns are those of a shell, over ``namespace/name`` of a Node.

    ``plan_refused`` gives reasons of PlanApplied by pattern, ``device_fails`` entries of :data:`FAILURES`;
    ``foreign_hold`` is for Nodes that a Topology makes from now on. ``slow_planning`` is in seconds, on average.
    """

    no_leader: bool = False
    stale_lease: bool = False
    planner_starved: bool = False
    config_deaf: bool = False
    slow_planning: float = 0.0
    foreign_hold: tuple[str, ...] = ()
    plan_refused: Mapping[str, str] = dataclasses.field(default_factory=dict)
    device_fails: Mapping[str, str] = dataclasses.field(default_factory=dict)

    @staticmethod
    def read(values: Mapping[str, Any]) -> Faults:
        """Make them from JSON; ValueError for what is none of them."""
        known = {field.name for field in dataclasses.fields(Faults)}
        if unknown := set(values) - known:
            raise ValueError(f"no such fault: {', '.join(sorted(unknown))}")
        kinds = set(values.get("device_fails", {}).values())
        if unknown := kinds - set(FAILURES):
            raise ValueError(f"no such failure of a device: {', '.join(sorted(unknown))}")
        return Faults(**dict(values) | {"foreign_hold": tuple(values.get("foreign_hold", ()))})

    def refusal(self, node: str) -> str | None:
        """Give the reason for which a Node's plan is refused."""
        return _by_pattern(self.plan_refused, node)

    def failure(self, node: str) -> str | None:
        """Give how a Node's device fails."""
        return _by_pattern(self.device_fails, node)

    def has_foreign_hold(self, node: str) -> bool:
        """Tell whether a new Node gets the hold of a Topology that is none."""
        return any(fnmatch.fnmatchcase(node, pattern) for pattern in self.foreign_hold)


def _by_pattern(table: Mapping[str, str], node: str) -> str | None:
    return next((value for key, value in table.items() if fnmatch.fnmatchcase(node, key)), None)


class FaultBoard:
    """The faults of now; who listens hears of every change."""

    def __init__(self, faults: Faults) -> None:
        self._now = faults
        self._lock = threading.Lock()
        self._listeners: list[Callable[[], None]] = []

    @property
    def now(self) -> Faults:
        """Give the faults of this moment."""
        return self._now

    def listen(self, heard: Callable[[], None]) -> None:
        """Call this after every change."""
        with self._lock:
            self._listeners.append(heard)

    def forget(self, heard: Callable[[], None]) -> None:
        """Call this no more."""
        with self._lock:
            self._listeners = [one for one in self._listeners if one != heard]

    def put(self, faults: Faults) -> None:
        """Replace all faults."""
        with self._lock:
            self._now, listeners = faults, list(self._listeners)
        for heard in listeners:
            heard()


@dataclasses.dataclass(frozen=True)
class Chance:
    """Draws by seed and by name; ``steps`` may change what :data:`STEPS` says."""

    seed: int = 0
    steps: Mapping[str, tuple[float, float]] = dataclasses.field(default_factory=dict)

    def delays(self, node: str) -> dict[str, str]:
        """Give the annotations with which a device's Pod says how long its steps take."""
        steps = {**STEPS, **self.steps}
        drawn = {name: self.between(f"{node} {name}", *bounds) for name, bounds in steps.items()}
        return {f"{names.TEST}{name}-delay": f"{seconds:.3f}s" for name, seconds in drawn.items()}

    def between(self, what: str, low: float, high: float) -> float:
        """Draw a number for a name; always the same one."""
        return random.Random(f"{self.seed} {what}").uniform(low, high)  # noqa: S311 - no secret
