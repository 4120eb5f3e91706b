"""Status of Nodes and Topologies as the manager keeps it (diagnosis.md §3), from what is seen of their Pods."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, Final

import standin_names as names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from standin_views import Json

BOUND: Final = "status is bound to the current plan"
GOES: Final = ("directContainers", "error")
LEFT: Final = "the last applied workload was left unchanged"


@dataclasses.dataclass(frozen=True)
class Verdict:
    """What became of a Node's plan: a reason of PlanApplied or NodeProfileResolved, and words to it."""

    reason: str = "PlanApplied"
    message: str = BOUND
    digest: str = ""

    @property
    def applied(self) -> bool:
        """Tell whether the plan is in force."""
        return self.reason == "PlanApplied"


@dataclasses.dataclass(frozen=True)
class _Fact:
    kind: str
    status: str
    reason: str
    message: str


def node_status(node: Json, verdict: Verdict, pod: Json | None, container: str, now: str) -> Json:
    """Give the status of a Node; times of what is as before stay. ``pod`` is None while there is none."""
    facts = _plan_facts(verdict)
    status: Json = {"readiness": "notready"}
    if verdict.applied:
        facts += _pod_facts((pod or {}).get("status") or {}, container, missing=pod is None)
        status["planDigest"] = verdict.digest
        if all(fact.status == "True" for fact in facts):
            status["readiness"] = "ready"
    if pod is not None:
        status["directContainers"] = _direct((pod.get("status") or {}), container)
    old = (node.get("status") or {}).get("conditions") or []
    generation = node["metadata"].get("generation", 1)
    status["conditions"] = [_condition(fact, old, generation, now) for fact in facts]
    return status


def _plan_facts(verdict: Verdict) -> list[_Fact]:
    if verdict.reason.startswith("NodeProfile"):
        return [_Fact("NodeProfileResolved", "False", verdict.reason, verdict.message)]
    resolved = _Fact("NodeProfileResolved", "True", "NodeProfileResolved", "profile is resolved")
    state = "True" if verdict.applied else "False"
    return [resolved, _Fact("PlanApplied", state, verdict.reason, verdict.message)]


def _pod_facts(status: Json, container: str, *, missing: bool) -> list[_Fact]:
    if missing:
        pending = ("Unknown", "DirectPodPending", "the direct Pod does not exist yet")
        kinds = ("Prepared", "ConnectivityReady", "ContainersReady")
        return [_Fact(kind, *pending) for kind in kinds]
    inits = {one["name"]: one for one in status.get("initContainerStatuses") or []}
    mains = {one["name"]: one for one in status.get("containerStatuses") or []}
    ready = mains.get(container, {}).get("ready") is True
    containers = (
        ("True", "ContainersReady", "all containers are ready")
        if ready
        else ("False", "DirectContainersNotReady", f"container {container} is not ready")
    )
    return [
        _Fact("Prepared", *_prepared(inits.get(names.PLANNER, {}))),
        _Fact("ConnectivityReady", *_connected(inits.get(names.CLABWIRE, {}))),
        _Fact("ContainersReady", *containers),
        _Fact("LinkLifecycleAction", "True", "LinkLive", "links are changed live"),
    ]


def _prepared(helper: Json) -> tuple[str, str, str]:
    state = helper.get("state") or {}
    if "terminated" in state and state["terminated"].get("exitCode") == 0:
        return "True", "PreparationCompleted", "preparation completed"
    if helper.get("restartCount") or "terminated" in state:
        return "False", "HelperNotReady", "helper planner has failed"
    return "Unknown", "HelperPending", "helper planner has not finished"


def _connected(helper: Json) -> tuple[str, str, str]:
    if helper.get("started") is True:
        return "True", "ConnectivityReady", "connectivity is ready"
    if "running" in (helper.get("state") or {}):
        return "False", "HelperNotReady", "helper clabwire is not ready"
    return "Unknown", "HelperPending", "helper clabwire has not started"


def _direct(status: Json, container: str) -> list[Json]:
    found = [one for one in status.get("containerStatuses") or [] if one["name"] == container]
    return [
        {
            "id": one.get("containerID") or one["name"],
            "name": one["name"],
            "state": next(iter(one.get("state") or {}), "waiting"),
            "ready": one.get("ready") is True,
            "restartCount": one.get("restartCount", 0),
        }
        for one in found
    ]


def _condition(fact: _Fact, old: Sequence[Json], generation: int, now: str) -> Json:
    before = next((one for one in old if one["type"] == fact.kind), None)
    same = before is not None and before["status"] == fact.status
    return {
        "type": fact.kind,
        "status": fact.status,
        "reason": fact.reason,
        "message": fact.message,
        "observedGeneration": generation,
        "lastTransitionTime": before["lastTransitionTime"] if same and before else now,
    }


def topology_status(
    topology: Json, nodes: Sequence[Json | None], links: int, error: str, reason: str, now: str
) -> Json:
    """Give the status of a Topology from its Nodes, None for one that is not there.

    ``reason`` is that of TopologyReady when there is an ``error``.
    """
    before = topology.get("status") or {}
    ready = sum(((node or {}).get("status") or {}).get("readiness") == "ready" for node in nodes)
    whole = not error and ready == len(nodes)
    was = before.get("topologyState") in ("running", "degraded")
    state = "running" if whole else "degraded" if was else "deploying"
    fact = _Fact("TopologyReady", "True", "ready", "all nodes report ready")
    if not whole:
        words = error or "one or more nodes report not ready"
        fact = _Fact("TopologyReady", "False", reason if error else "notready", words)
    generation = topology["metadata"].get("generation", 1)
    status: dict[str, Any] = {
        "kind": "containerlab",
        "nodeCount": len(nodes),
        "readyNodeCount": ready,
        "linkCount": links,
        "topologyReady": whole,
        "topologyState": "deployfailed" if error else state,
        "observedGeneration": generation,
        "conditions": [_condition(fact, before.get("conditions") or [], generation, now)],
    }
    return status | ({"error": error} if error else {})


def change(old: Json | None, new: Json) -> Json:
    """Give the merge patch from one status to another; empty when nothing has changed.

    The digest of the last plan stays while a newer one is refused.
    """
    before = old or {}
    changed = {key: value for key, value in new.items() if before.get(key) != value}
    return changed | {key: None for key in GOES if key in before and key not in new}
