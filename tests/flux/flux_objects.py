"""Objects as the manager and the reconciler leave them, and the checks that we print for Flux."""

from __future__ import annotations

from typing import Any, Final

from kubectl_c9s.output.fluxhealth import checks

Json = dict[str, Any]
C9S: Final = "c9s.run/v1alpha1"
TOOLKIT: Final = "toolkit.c9s.run/v1alpha1"
MANAGER: Final = [{"manager": "manager", "operation": "Update", "subresource": "status"}]


def printed(*, fail_fast: bool = False) -> list[Json]:
    """Give the checks as Flux gets them."""
    return [
        {
            "apiVersion": one.api_version,
            "kind": one.kind,
            "inProgress": one.in_progress,
            "failed": one.failed,
            "current": one.current,
        }
        for one in checks(fail_fast=fail_fast)
    ]


def made(kind: str, status: Json | None, *, generation: int = 2, api: str = C9S) -> Json:
    """Make an object; with a status somebody has written it through its subresource."""
    meta: Json = {"name": "x", "namespace": "lab", "generation": generation, "managedFields": []}
    obj: Json = {"apiVersion": api, "kind": kind, "metadata": meta, "spec": {}}
    if status is not None:
        meta["managedFields"] = MANAGER
        obj["status"] = status
    return obj


def condition(
    kind: str, status: str, reason: str, message: str = "words", generation: int = 2
) -> Json:
    """Make a condition."""
    return {
        "type": kind,
        "status": status,
        "reason": reason,
        "message": message,
        "observedGeneration": generation,
        "lastTransitionTime": "2026-01-01T00:00:00Z",
    }


def node(*conditions: Json, readiness: str = "notready") -> Json:
    """Make a Node with conditions."""
    return made("Node", {"readiness": readiness, "conditions": list(conditions)})


PROFILE: Final = condition("NodeProfileResolved", "True", "NodeProfileResolved")
PLAN: Final = condition("PlanApplied", "True", "PlanApplied")
PREPARED: Final = condition("Prepared", "True", "PreparationCompleted")
CONNECTED: Final = condition("ConnectivityReady", "True", "ConnectivityReady")
CONTAINERS: Final = condition("ContainersReady", "True", "ContainersReady")
LIVE: Final = condition("LinkLifecycleAction", "True", "LinkLive")
"""What a device that is ready says."""
