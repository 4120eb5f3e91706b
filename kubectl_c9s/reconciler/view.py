"""What the watches show now, and how far it may be trusted."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, NamedTuple

from kubectl_c9s.reconciler.feeds import slim
from kubectl_c9s.resources.listing import some

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from kubectl_c9s.cluster.watching import Event


class Look(NamedTuple):
    """Objects by kind and UID, as they are at one moment; ``missing`` says of kinds why they are not there.

    ``silent`` names kinds whose watch has said nothing for longer than it may, ``forbidden`` those of the missing ones
    for which a right is missing. ``losses`` counts how often anything was lost, also what is there again.
    """

    objects: dict[str, dict[str, Any]]
    missing: dict[str, str]
    silent: tuple[str, ...]
    changed: frozenset[str]
    forbidden: frozenset[str] = frozenset()
    losses: int = 0

    def of(self, name: str) -> list[Any]:
        """Give the objects of a kind."""
        return list(self.objects.get(name, {}).values())

    def trouble(self, needed: Iterable[str]) -> str:
        """Say what is wrong with the kinds that are needed, empty for nothing."""
        needed = list(needed)
        lost = [f"{name}: {why}" for name, why in sorted(self.missing.items()) if name in needed]
        if lost:
            return f"cannot watch {some(lost, 3)}"
        waiting = sorted(name for name in needed if name not in self.objects)
        if waiting:
            return f"{some(waiting)} not yet listed"
        silent = sorted(name for name in self.silent if name in needed)
        return f"nothing has been heard of {some(silent)}" if silent else ""


class View:
    """Filled by the threads of the watches, read by the one that decides.

    ``alive`` tells for each kind when its watch was last heard of; one that was silent for ``patience`` seconds is not
    trusted, be it that the connection looks as if it were there.
    """

    def __init__(self, patience: float, clock: Callable[[], float]) -> None:
        self._patience = patience
        self._clock = clock
        self._objects: dict[str, dict[str, Any]] = {}
        self._missing: dict[str, str] = {}
        self._alive: dict[str, Callable[[], float]] = {}
        self._changed: set[str] = set()
        self._forbidden: set[str] = set()
        self._losses = 0
        self._condition = threading.Condition()
        self._woken = False

    def heard(self, name: str, alive: Callable[[], float]) -> None:
        """Note where to ask when a watch was last heard of."""
        with self._condition:
            self._alive[name] = alive

    def take(self, name: str, event: Event) -> None:
        """Take what a watch says."""
        with self._condition:
            if event.type == "LISTED":
                self._objects[name] = {_uid(item): slim(name, item) for item in event.items}
                self._missing.pop(name, None)
                self._forbidden.discard(name)
            else:
                known = self._objects.setdefault(name, {})
                for item in event.items:
                    if event.type == "DELETED":
                        known.pop(_uid(item), None)
                    else:
                        known[_uid(item)] = slim(name, item)
            self._changed.add(name)
            self._condition.notify_all()

    def lost(self, name: str, why: str, *, is_forbidden: bool = False) -> None:
        """Note that a kind cannot be watched: what was seen of it is worth nothing any more."""
        with self._condition:
            self._losses += 1
            self._forbidden.discard(name)
            if is_forbidden:
                self._forbidden.add(name)
            if self._missing.get(name) != why:
                self._changed.add(name)
            self._missing[name] = why
            self._objects.pop(name, None)
            self._condition.notify_all()

    def wake(self) -> None:
        """Let who waits look at something else than the watches."""
        with self._condition:
            self._woken = True
            self._condition.notify_all()

    def wait(self, seconds: float) -> None:
        """Wait until something changes, or for so long."""
        with self._condition:
            self._condition.wait_for(lambda: self._changed or self._woken, max(seconds, 0.0))

    def look(self) -> Look:
        """Give what is seen now; what has changed since the last look is named once."""
        now = self._clock()
        with self._condition:
            silent = tuple(
                name for name, alive in self._alive.items() if now - alive() > self._patience
            )
            changed, self._changed, self._woken = frozenset(self._changed), set(), False
            objects = {name: dict(found) for name, found in self._objects.items()}
            forbidden = frozenset(self._forbidden)
            return Look(objects, dict(self._missing), silent, changed, forbidden, self._losses)

    def ages(self) -> dict[str, float]:
        """Give for each kind the seconds since its watch was last heard of."""
        now = self._clock()
        with self._condition:
            return {name: now - alive() for name, alive in self._alive.items()}


def _uid(item: Any) -> str:
    return str(item["metadata"]["uid"] if isinstance(item, dict) else item.metadata.uid)
