"""Objects of a start as a watch shows them: small JSON, and the structs that a tracker is fed with."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec

from kubectl_c9s.measurement import watched
from kubectl_c9s.measurement.tracker import Tracker

Json = dict[str, Any]
BEGIN = datetime(2026, 5, 4, 10, tzinfo=UTC)
SANDBOX = "PodReadyToStartContainers"
MAIN = "device-main"
SIDE = "device-side"


def stamp(seconds: float) -> str:
    """Give a time of the server, in whole seconds after the beginning."""
    return (BEGIN + timedelta(seconds=int(seconds))).strftime("%Y-%m-%dT%H:%M:%SZ")


def at(seconds: float) -> float:
    """Give the same in seconds since 1970."""
    return (BEGIN + timedelta(seconds=int(seconds))).timestamp()


def node(name: str, created: float = 0, uid: str = "", **more: Any) -> Json:
    """Make a c9s Node; ``shares`` names whose Pod it runs in, ``planned`` and ``admitted`` how far it is."""
    uid = uid or f"node-{name}"
    annotations = {"c9s.run/startup-admitted": more["admitted"]} if "admitted" in more else {}
    plan = {"type": "PlanApplied", "status": "True", "observedGeneration": more.get("of", 1)}
    return {
        "metadata": {
            "name": name,
            "namespace": "lab",
            "uid": uid,
            "generation": 1,
            "creationTimestamp": stamp(created),
            "annotations": annotations,
            "labels": more.get("labels", {}),
        },
        "spec": {"network-mode": f"container:{more['shares']}"} if "shares" in more else {},
        "status": {"conditions": [plan]} if more.get("planned") else {},
    }


def made(name: str, created: float = 0, uid: str = "", workload: str | None = None) -> Json:
    """Make a Deployment or ReplicaSet of a device."""
    labels = {"c9s.run/direct-workload": workload or name}
    return {
        "metadata": {
            "name": name,
            "namespace": "lab",
            "uid": uid or f"made-{name}",
            "creationTimestamp": stamp(created),
            "labels": labels,
        }
    }


def topology(name: str = "ring", created: float = 0, **status: Any) -> Json:
    """Make a Topology."""
    meta = {"name": name, "namespace": "lab", "uid": name, "creationTimestamp": stamp(created)}
    return {"metadata": meta, "spec": {}, "status": status}


def pod(name: str, created: float = 0, uid: str = "", **more: Any) -> Json:
    """Make a Pod without a gate that has reached nothing; see :func:`reach` for the rest."""
    uid = uid or f"pod-{name}"
    gate = [{"name": "startup-gate"}] if more.get("gated") else []
    probe: Json = {"startupProbe": {"exec": {}}} if more.get("probed") else {}
    return {
        "metadata": {
            "name": f"{name}-{uid}",
            "namespace": "lab",
            "uid": uid,
            "creationTimestamp": stamp(created),
            "labels": {"c9s.run/direct-workload": name},
            "annotations": {"kubectl.kubernetes.io/default-container": MAIN},
        },
        "spec": {
            "nodeName": more.get("host"),
            "initContainers": [*gate, {"name": "planner"}],
            "containers": [{"name": SIDE}, {"name": MAIN, "image": "busybox", **probe}],
        },
        "status": {"phase": "Pending", "conditions": [], "containerStatuses": []},
    }


def grant(body: Json, uid: str | None = None) -> Json:
    """Grant a Pod its start, or give it the grant of another one."""
    body["metadata"]["annotations"]["c9s.run/startup-host-admitted"] = (
        uid or body["metadata"]["uid"]
    )
    return body


def condition(body: Json, kind: str, when: float, status: str = "True") -> Json:
    """Set a condition."""
    found = [one for one in body["status"]["conditions"] if one["type"] != kind]
    new = {"type": kind, "status": status, "lastTransitionTime": stamp(when)}
    body["status"]["conditions"] = [*found, new]
    return body


def container(body: Json, name: str, *, started: bool, since: float, restarts: int = 0) -> Json:
    """Let a container run."""
    found = [one for one in body["status"]["containerStatuses"] if one["name"] != name]
    new = {
        "name": name,
        "started": started,
        "restartCount": restarts,
        "state": {"running": {"startedAt": stamp(since)}},
    }
    body["status"]["containerStatuses"] = [*found, new]
    return body


def init(body: Json, name: str, since: float, until: float | None = None, code: int = 0) -> Json:
    """Let an init container run, or have run."""
    state: Json = {"running": {"startedAt": stamp(since)}}
    if until is not None:
        end = {"startedAt": stamp(since), "finishedAt": stamp(until), "exitCode": code}
        state = {"terminated": end}
    found = body["status"].get("initContainerStatuses", [])
    rest = [one for one in found if one["name"] != name]
    body["status"]["initContainerStatuses"] = [*rest, {"name": name, "state": state}]
    return body


def structs(kind: str, *items: Json) -> list[Any]:
    """Give the structs of objects, read from JSON as from the server."""
    kind_type: Any = watched.TYPES[kind]
    text = msgspec.json.encode(items)
    found: list[Any] = msgspec.json.decode(text, type=list[kind_type])
    return found


def feed(tracker: Tracker, kind: str, event: str, elapsed: float, *items: Json) -> None:
    """Feed a tracker with an event."""
    tracker.take(kind, event, structs(kind, *items), elapsed)


def begun(expected: int | None = None) -> Tracker:
    """Give a tracker whose first lists are in, and empty."""
    tracker = Tracker(expected)
    for kind in watched.TYPES:
        feed(tracker, kind, "LISTED", 0.0)
    return tracker
