"""Waiting for Nodes after ``apply``."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

import msgspec

from kubectl_c9s.cluster import kinds
from kubectl_c9s.cluster.reading import list_objects
from kubectl_c9s.resources.errors import Undecided

if TYPE_CHECKING:
    from kubectl_c9s.cluster.applying import Plan
    from kubectl_c9s.cluster.connection import Connection

_PAUSE = 2.0


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


def wait_for_nodes(connection: Connection, plan: Plan, state: str, limit: float) -> int:
    """Wait until every Node of the plan is ``planned`` or ``ready``; raises Undecided when time is up."""
    deadline = time.monotonic() + limit if limit else float("inf")
    wanted = {one.key[1:] for one in plan.objects if one.resource is kinds.NODES}
    while True:
        done = {
            (namespace, node.metadata.name)
            for namespace in {key[0] for key in wanted}
            for node in list_objects(connection, kinds.NODES, _Node, namespace=namespace).items
            if _reached(node, state)
        }
        missing = sorted(wanted - done)
        if not missing:
            return 0
        print(f"{len(wanted) - len(missing)} of {len(wanted)} Nodes {state}", file=sys.stderr)
        if time.monotonic() + _PAUSE > deadline:
            names = ", ".join(f"{namespace}/{name}" for namespace, name in missing[:5])
            more = f" and {len(missing) - 5} more" if len(missing) > 5 else ""  # noqa: PLR2004 - as many as shown
            raise Undecided(f"not {state} in time: {names}{more}")
        time.sleep(_PAUSE)


def _reached(node: _Node, state: str) -> bool:
    if state == "ready":
        return node.status.readiness == "ready"
    return any(
        one.type == "PlanApplied" and one.status == "True" and one.seen == node.metadata.generation
        for one in node.status.conditions
    )
