"""A simulated start as somebody would have saved it at some moment: the objects with the API server's stamps."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from kubectl_c9s.simulation import milestones as ms

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kubectl_c9s.rollout.views import NodeView
    from kubectl_c9s.simulation.engine import Outcome
    from kubectl_c9s.simulation.scenario import Scenario

Json = dict[str, Any]
BEGIN = datetime(2026, 5, 4, 10, tzinfo=UTC)
C9S = "c9s.run/v1alpha1"


def stamp(seconds: float) -> str:
    """Give a time of the start as the server stamps it: whole seconds, cut off."""
    return (BEGIN + timedelta(seconds=int(seconds))).strftime("%Y-%m-%dT%H:%M:%SZ")


def saved(scenario: Scenario, outcome: Outcome, at: float = float("inf")) -> Json:
    """Give a List of what was there at a moment, by default at the end, with the header of our snapshots."""
    limits = {
        "batchSize": scenario.snapshot.batch,
        "maxConcurrentPerHost": scenario.snapshot.per_host,
    }
    items: list[Json] = [
        _object(C9S, "Config", "c9s", "clabernetes", 0, {"spec": {"rollout": limits}}),
        *(
            {"apiVersion": "v1", "kind": "Node", "metadata": {"name": host}}
            for host in scenario.hosts
        ),
    ]
    end = max(max(times.values()) for times in outcome.times.values())
    hosts = {pod.node_uid: pod.host for pod in outcome.pods}
    for coming in scenario.coming:
        if coming.seconds <= at:
            node = coming.node
            seen = {
                key: when for key, when in outcome.times.get(node.uid, {}).items() if when <= at
            }
            items.extend(_device(node, seen, hosts.get(node.uid, ""), coming.seconds))
    header = {"version": 1, "at": stamp(min(at, end)), "collected": []}
    return {
        "apiVersion": "v1",
        "kind": "List",
        "metadata": {},
        "c9sSnapshot": header,
        "items": items,
    }


def _object(version: str, kind: str, namespace: str, name: str, seconds: float, more: Json) -> Json:
    meta = {"namespace": namespace, "name": name, "creationTimestamp": stamp(seconds)}
    return {
        "apiVersion": version,
        "kind": kind,
        **more,
        "metadata": meta | more.get("metadata", {}),
    }


def _device(node: NodeView, seen: Mapping[str, float], host: str, born: float) -> list[Json]:
    marked = {"c9s.run/startup-admitted": node.uid} if ms.ADMITTED in seen else {}
    meta: Json = {"uid": node.uid, "annotations": marked}
    labels = {"c9s.run/app": "clabernetes", "c9s.run/direct-workload": node.name}
    found = [_object(C9S, "Node", node.namespace, node.name, born, {"metadata": meta, "spec": {}})]
    for kind, milestone in (("Deployment", ms.DEPLOYMENT), ("ReplicaSet", ms.REPLICA_SET)):
        if milestone in seen:
            more = {"metadata": {"labels": labels}}
            found.append(_object("apps/v1", kind, node.namespace, node.name, seen[milestone], more))
    if ms.POD in seen:
        found.append(_pod(node, seen, labels, host))
    return found


def _pod(node: NodeView, seen: Mapping[str, float], labels: Json, host: str) -> Json:
    uid = f"pod of {node.uid}"
    annotations = {
        "c9s.run/direct-node-uid": node.uid,
        "kubectl.kubernetes.io/default-container": "main",
        "c9s.run/startup-host-admitted": uid if ms.GRANTED in seen else "",
    }
    kinds = {
        "PodScheduled": ms.SCHEDULED,
        "PodReadyToStartContainers": ms.SANDBOX,
        "Ready": ms.READY,
    }
    conditions = [
        {"type": kind, "status": "True", "lastTransitionTime": stamp(seen[milestone])}
        for kind, milestone in kinds.items()
        if milestone in seen
    ]
    started = ms.STARTED in seen
    running = {"running": {"startedAt": stamp(seen[ms.STARTED])}} if started else {}
    status = {
        "phase": "Running" if started else "Pending",
        "conditions": conditions,
        "containerStatuses": [{"name": "main", "started": started, "state": running}],
    }
    spec = {"nodeName": host if ms.SCHEDULED in seen else "", "containers": [{"name": "main"}]}
    meta = {"uid": uid, "labels": labels, "annotations": annotations}
    more = {"metadata": meta, "spec": spec, "status": status}
    return _object("v1", "Pod", node.namespace, f"{node.name}-0", seen[ms.POD], more)
