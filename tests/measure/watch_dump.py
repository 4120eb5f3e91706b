"""A saved List of a small start, as ``kubectl get -o json`` would give it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from watch_objects import MAIN, SANDBOX, condition, container, init, made, node, pod, topology

if TYPE_CHECKING:
    from pathlib import Path

    from watch_objects import Json

C9S = "c9s.run/v1alpha1"


def ready_pod(name: str, born: float, ready: float) -> Json:
    """Make a Pod with a gate and a startup probe that is ready."""
    one = pod(name, born, host="h1", gated=True, probed=True)
    condition(condition(one, "PodScheduled", born), SANDBOX, born + 1)
    init(init(one, "startup-gate", born + 1, born + 2), "planner", born + 2, born + 3)
    one["status"]["podIPs"] = [{"ip": f"10.0.0.{born}"}]
    return condition(container(one, MAIN, started=True, since=born + 3), "Ready", ready)


def items(ready: int, waiting: int = 0) -> list[Json]:
    """Give the objects of a Topology with devices that are ready, and others that have no Pod yet."""
    names = [f"n{number}" for number in range(ready + waiting)]
    found: list[tuple[str, str, Json]] = [(C9S, "Topology", topology("ring", 0))]
    for number, name in enumerate(names):
        owned = node(name, 1, labels={"c9s.run/topologyOwner": "ring"})
        found.append((C9S, "Node", owned))
        if number < ready:
            found.append(("apps/v1", "Deployment", made(name, 1, f"d-{name}")))
            replica_set = made(f"{name}-1", 2, f"r-{name}", workload=name)
            found.append(("apps/v1", "ReplicaSet", replica_set))
            one = ready_pod(name, 2 + number, 9 + number)
            one["metadata"]["labels"]["c9s.run/topologyOwner"] = "ring"
            found.append(("v1", "Pod", one))
    return [{"apiVersion": version, "kind": kind, **body} for version, kind, body in found]


def saved(folder: Path, ready: int, waiting: int = 0) -> str:
    """Write them into a file; give its path."""
    path = folder / "objects.json"
    body = {"apiVersion": "v1", "kind": "List", "items": items(ready, waiting)}
    path.write_text(json.dumps(body), encoding="utf-8")
    return str(path)
