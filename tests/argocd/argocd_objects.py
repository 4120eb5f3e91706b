"""Makes objects with a status, as the manager and the reconciler write them."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]
GENERATION = 2
UID = "5f1c"


@dataclass(frozen=True)
class Ago:
    """A time so many seconds before it is asked for: tables are made long before the tests that use them run."""

    seconds: float

    def __str__(self) -> str:
        moment = time.gmtime(time.time() - self.seconds)
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", moment)


def condition(
    kind: str, status: str, reason: str = "", *, age: float = 5, of: int = GENERATION
) -> Json:
    """Make a condition that speaks of generation ``of`` and is so for ``age`` seconds."""
    return {
        "type": kind,
        "status": status,
        "reason": reason or kind,
        "message": f"words on {reason or kind}",
        "observedGeneration": of,
        "lastTransitionTime": Ago(age),
    }


def thing(
    kind: str, status: Json | None, *, labels: Json | None = None, **annotations: str
) -> Json:
    """Make an object; ``annotations`` are those of the manager, without their prefix."""
    group = "toolkit.c9s.run" if kind == "RolloutPolicy" else "c9s.run"
    marks = {f"c9s.run/{key.replace('_', '-')}": value for key, value in annotations.items()}
    meta = {"name": "one", "namespace": "lab", "generation": GENERATION, "uid": UID}
    found: Json = {
        "apiVersion": f"{group}/v1alpha1",
        "kind": kind,
        "metadata": meta | {"annotations": marks, "labels": labels or {}},
        "spec": {},
    }
    return found | ({"status": status} if status is not None else {})


PLANNED = (condition("NodeProfileResolved", "True"), condition("PlanApplied", "True"))
RUNS = (
    *PLANNED,
    condition("Prepared", "True", "PreparationCompleted"),
    condition("ConnectivityReady", "True"),
    condition("ContainersReady", "True"),
)
GATED = (  # what a Pod that waits for a slot of its host looks like
    *PLANNED,
    condition("Prepared", "False", "HelperNotReady", age=5000),
    condition("ConnectivityReady", "False", "HelperNotReady", age=5000),
    condition("ContainersReady", "False", "DirectContainersNotReady", age=5000),
)


def node(
    *conditions: Json, readiness: str = "notready", containers: Any = (), **annotations: Any
) -> Json:
    """Make a Node; later conditions take the place of those of the same type."""
    latest = {one["type"]: one for one in conditions}
    status: Json = {"readiness": readiness, "conditions": list(latest.values())}
    if containers:
        status["directContainers"] = list(containers)
    return thing("Node", status, **annotations)


def container(*, ready: bool, restarts: int) -> Json:
    return {
        "id": "1",
        "name": "device-1",
        "ready": ready,
        "restartCount": restarts,
        "state": "running",
    }


def link(status: str, reason: str, **more: Any) -> Json:
    return thing("Link", {"conditions": [condition("Accepted", status, reason, **more)]})


def topology(ready: Json | None, state: str, *, of: int = GENERATION, **status: Any) -> Json:
    found = {"topologyState": state, "observedGeneration": of, "nodeCount": 3, "readyNodeCount": 1}
    return thing("Topology", found | {"conditions": [ready] if ready else []} | status)


def policy(*conditions: Json, of: int = GENERATION) -> Json:
    return thing("RolloutPolicy", {"observedGeneration": of, "conditions": list(conditions)})
