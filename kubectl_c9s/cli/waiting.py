"""Waiting for Nodes after ``apply``, by watching them."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Final

import msgspec

from kubectl_c9s.cluster import kinds
from kubectl_c9s.cluster.watching import Watcher
from kubectl_c9s.output.safe_text import safe_text
from kubectl_c9s.resources.errors import Undecided
from kubectl_c9s.resources.listing import some

if TYPE_CHECKING:
    from kubectl_c9s.cluster.applying import Plan
    from kubectl_c9s.cluster.connection import Connection
    from kubectl_c9s.cluster.watching import Event

_REPORT: Final = 2.0  # seconds between two lines of progress
_NAMED: Final = 5


class _Meta(msgspec.Struct):
    name: str = ""
    generation: int = 0


class _Condition(msgspec.Struct, rename={"seen": "observedGeneration"}):
    type: str = ""
    status: str = ""
    seen: int = 0


class _Status(msgspec.Struct):
    readiness: str = ""
    conditions: list[_Condition] = []


class _Node(msgspec.Struct):
    metadata: _Meta
    status: _Status = msgspec.field(default_factory=_Status)


def wait_for_nodes(connection: Connection, plan: Plan, state: str, limit: float) -> None:
    """Wait until every Node of the plan is ``planned`` or ``ready``.

    Raises Undecided after ``limit`` seconds (0: never). Namespaces are looked at one after the other: each watch
    begins with what is already so.
    """
    deadline = time.monotonic() + limit if limit else float("inf")
    wanted: dict[str, set[str]] = {}
    for one in plan.objects:
        if one.resource == kinds.NODES:
            wanted.setdefault(one.key[1], set()).add(one.key[2])
    total = sum(map(len, wanted.values()))
    waiting = _Waiting(state, wanted, total)
    for namespace in sorted(wanted):
        watcher = Watcher(connection, kinds.NODES, _Node, namespace=namespace, deadline=deadline)
        for event in watcher.events():
            waiting.take(namespace, event)
            if not waiting.missing[namespace]:
                break
        else:
            raise Undecided(waiting.complaint())


class _Waiting:
    """Which Nodes of each namespace have not reached the state."""

    def __init__(self, state: str, wanted: dict[str, set[str]], total: int) -> None:
        self.missing = {namespace: set(names) for namespace, names in wanted.items()}
        self._wanted = wanted
        self._state = state
        self._total = total
        self._told = 0.0

    def take(self, namespace: str, event: Event) -> None:
        """Take what a watch says; a Node that is gone, or no longer so, is missing again."""
        missing, wanted = self.missing[namespace], self._wanted[namespace]
        if event.type == "LISTED":
            missing |= wanted
        for node in event.items:
            if node.metadata.name not in wanted:
                continue
            if event.type != "DELETED" and _reached(node, self._state):
                missing.discard(node.metadata.name)
            else:
                missing.add(node.metadata.name)
        self._tell()

    def _tell(self) -> None:
        left = sum(map(len, self.missing.values()))
        if not left or time.monotonic() - self._told >= _REPORT:
            self._told = time.monotonic()
            done = self._total - left
            print(f"{done} of {self._total} Nodes {self._state}", file=sys.stderr)

    def complaint(self) -> str:
        """Say which Nodes are missing."""
        names = [
            f"{space}/{name}"
            for space in sorted(self.missing)
            for name in sorted(self.missing[space])
        ]
        return safe_text(f"not {self._state} in time: {some(names, _NAMED)}")


def _reached(node: _Node, state: str) -> bool:
    if state == "ready":
        return node.status.readiness == "ready"
    return any(
        one.type == "PlanApplied" and one.status == "True" and one.seen == node.metadata.generation
        for one in node.status.conditions
    )
