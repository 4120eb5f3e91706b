"""The same recording, worked out the slow way: all tables of objects that were ever seen, looked through anew.

Takes JSON and no struct of the product's; shares no code with the tracker.
"""

from __future__ import annotations

import collections
import dataclasses
from datetime import datetime
from typing import Any

Json = dict[str, Any]
PODS, NODES = "pods", "nodes.c9s.run"
CONDITIONS = {"PodScheduled": "scheduled", "PodReadyToStartContainers": "sandbox", "Ready": "ready"}


@dataclasses.dataclass
class Seen:
    """A moment of one kind: when, whether it was the first list, and all objects by UID, in the order they came."""

    kind: str
    when: float
    first: bool
    table: dict[str, Json]


def seconds(text: str) -> float:
    return datetime.fromisoformat(text).timestamp()


def facts(kind: str, obj: Json) -> dict[str, float | None]:
    """Give milestones that an object has reached, with their stamps."""
    return _of_pod(obj) if kind == PODS else _of_node(obj)


def _of_node(obj: Json) -> dict[str, float | None]:
    meta = obj["metadata"]
    found: dict[str, float | None] = {"created": seconds(meta["creationTimestamp"])}
    if meta["annotations"].get("c9s.run/startup-admitted") == meta["uid"]:
        found["admitted"] = None
    if any(one["status"] == "True" for one in obj["status"].get("conditions", [])):
        found["planned"] = None
    return found


def _of_pod(obj: Json) -> dict[str, float | None]:
    meta, status = obj["metadata"], obj["status"]
    found: dict[str, float | None] = {"pod": seconds(meta["creationTimestamp"])}
    for one in status["conditions"]:
        if one["status"] == "True":
            found[CONDITIONS[one["type"]]] = seconds(one["lastTransitionTime"])
    for one in status.get("initContainerStatuses", []):
        (state, details) = next(iter(one["state"].items()))
        if one["name"] == "planner":
            found["preparing"] = seconds(details["startedAt"])
        if state == "terminated":
            name = "prepared" if one["name"] == "planner" else "passed"
            found[name] = seconds(details["finishedAt"])
    if meta["annotations"].get("c9s.run/startup-host-admitted") == meta["uid"]:
        found["granted"] = None
    if is_started(obj):
        (main,) = [one for one in obj["spec"]["containers"] if one["name"] == primary(obj)]
        running = main_status(obj)["state"]["running"]["startedAt"]
        found["started"] = None if "startupProbe" in main else seconds(running)
    return found


def primary(obj: Json) -> str:
    name: str = obj["metadata"]["annotations"]["kubectl.kubernetes.io/default-container"]
    return name


def main_status(obj: Json) -> Json:
    found = [one for one in obj["status"]["containerStatuses"] if one["name"] == primary(obj)]
    return found[0] if found else {}


def is_started(obj: Json) -> bool:
    return main_status(obj).get("started") is True


def counts(table: dict[str, Json]) -> dict[str, collections.Counter[str]]:
    """Count the Pods of each host."""
    hosts: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)
    for obj in table.values():
        gated = any(one["name"] == "startup-gate" for one in obj["spec"]["initContainers"])
        granted = "granted" in facts(PODS, obj)
        state = "started" if is_started(obj) else "booting" if granted or not gated else "queued"
        hosts[obj["spec"]["nodeName"] or "unscheduled"].update(["pods", state])
        if "ready" in facts(PODS, obj):
            hosts[obj["spec"]["nodeName"] or "unscheduled"].update(["ready"])
    return hosts


def peaks(history: list[Seen]) -> dict[str, tuple[int, float]]:
    """Give the most boots of each host, and when that was first so."""
    found: dict[str, tuple[int, float]] = {}
    for seen in history:
        if seen.kind == PODS:
            for host, count in counts(seen.table).items():
                if count["booting"] > found.get(host, (0, 0.0))[0]:
                    found[host] = (count["booting"], seen.when)
    return found


def reached(history: list[Seen], expected: int) -> dict[str, float]:
    """Give when so many Pods were there, started or ready at once."""
    found: dict[str, float] = {}
    for seen in history:
        if seen.kind == PODS:
            total = sum(counts(seen.table).values(), collections.Counter())
            for goal in ("pods", "started", "ready"):
                if total[goal] >= expected:
                    found.setdefault(goal, seen.when)
    return found


def devices(history: list[Seen]) -> dict[str, tuple[dict[str, float], dict[str, float], int]]:
    """Give stamps, observed times and replaced Pods by device: of each kind the object that was made last counts."""
    stamps: dict[str, dict[str, float]] = collections.defaultdict(dict)
    times: dict[str, dict[str, float]] = collections.defaultdict(dict)
    known: dict[str, set[str]] = collections.defaultdict(set)
    order: dict[str, list[tuple[float, int, str]]] = collections.defaultdict(list)
    whose: dict[str, tuple[str, str]] = {}
    for number, seen in enumerate(history):
        for place, (uid, obj) in enumerate(seen.table.items()):
            labels = obj["metadata"]["labels"]
            name = (
                labels["c9s.run/direct-workload"] if seen.kind == PODS else obj["metadata"]["name"]
            )
            if uid not in whose:
                whose[uid] = (seen.kind, name)
                born = seconds(obj["metadata"]["creationTimestamp"])
                order[f"{seen.kind} {name}"].append((born, number * 1000 + place, uid))
            for milestone, stamp in facts(seen.kind, obj).items():
                if milestone not in known[uid]:
                    known[uid].add(milestone)
                    if stamp is not None:
                        stamps[uid][milestone] = stamp
                    if not seen.first:
                        times[uid][milestone] = seen.when
    found = {}
    for name in {name for _, name in whose.values()}:
        last = [
            max(order[f"{kind} {name}"])[2] for kind in (NODES, PODS) if order[f"{kind} {name}"]
        ]
        merged = [{k: v for uid in last for k, v in one[uid].items()} for one in (stamps, times)]
        found[name] = (*merged, max(len(order[f"{PODS} {name}"]) - 1, 0))
    return found  # type: ignore[return-value]
