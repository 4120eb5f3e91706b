"""Objects of planned situations as the API takes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import standin_names as names
from standin_run import topology

if TYPE_CHECKING:
    from collections.abc import Iterable

    from impact_plans import LabPlan, NodePlan, PodPlan
    from standin_views import Json

STALE: Final = "00000000-0000-4000-8000-000000000000"
"""A UID that nobody has."""
STAYS: Final = f"{names.TEST}stays"
"""A finalizer that nobody removes: a Node with it is deleted and stays."""
DEVICE: Final = "device"


def topology_body(plan: LabPlan, nodes: Iterable[NodePlan]) -> Json:
    """Make a Topology that defines these Nodes, and the one whose name is taken."""
    inner: dict[str, Json] = {}
    for node in nodes:
        inner[node.name] = {"kind": "linux"}
        if node.shares:
            inner[node.name]["network-mode"] = f"container:{node.shares}"
    if plan.taken:
        inner[plan.taken] = {"kind": "linux"}
    body = topology(plan.space, plan.name, inner, **(plan.rollout or {}))
    if plan.rollout is None:
        del body["spec"]["rollout"]
    if plan.ignored:
        body["metadata"]["labels"] = {names.IGNORE: ""}
    return body


def standalone_body(plan: NodePlan) -> Json:
    """Make a Node without a Topology."""
    spec = {"kind": "linux", "image": "busybox:1.37"}
    if plan.shares:
        spec["network-mode"] = f"container:{plan.shares}"
    meta = {"name": plan.name, "namespace": plan.space}
    return {"apiVersion": names.VERSION, "kind": "Node", "metadata": meta, "spec": spec}


def with_state(body: Json, plan: NodePlan, topology_uid: str) -> Json:
    """Give a Node the annotations, labels and finalizers it is to be created with."""
    annotations = {}
    if plan.hold:
        annotations[names.HOLD] = topology_uid if plan.hold == "own" else STALE
    if plan.mark == "stale":
        annotations[names.ADMITTED] = STALE
    meta = body["metadata"] | {"annotations": annotations}
    if plan.ignored:
        meta["labels"] = meta.get("labels", {}) | {names.IGNORE: ""}
    if plan.leaving:
        meta["finalizers"] = [STAYS]
    return body | {"metadata": meta}


def pod_body(node: NodePlan, name: str, plan: PodPlan, node_uid: str, app: str) -> Json:
    """Make a Pod of a primary as a manager's Deployment would."""
    labels = {names.APP: plan.app or app, names.WORKLOAD: node.name}
    annotations = {names.NODE_UID: node_uid, names.DEFAULT_CONTAINER: DEVICE}
    if plan.grant == "stale":
        annotations[names.GRANT] = STALE
    inits = [names.GATE, names.PLANNER] if plan.gated else [names.PLANNER]
    spec: Json = {
        "automountServiceAccountToken": False,
        "initContainers": [{"name": one, "image": "manager"} for one in inits],
        "containers": [
            {"name": DEVICE, "image": "busybox"},
            {"name": "second", "image": "busybox"},
        ],
    }
    if plan.host:
        spec["nodeName"] = plan.host
    meta = {"name": name, "namespace": node.space, "labels": labels, "annotations": annotations}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": meta, "spec": spec}


def pod_status(plan: PodPlan) -> Json:
    """Make what a kubelet would say of a Pod; its other container has always started."""
    conditions = []
    if plan.sandbox:
        conditions.append({"type": names.SANDBOX, "status": "True"})
    statuses = [_container(DEVICE, started=plan.started), _container("second", started=True)]
    return {"phase": plan.phase, "conditions": conditions, "containerStatuses": statuses}


def _container(name: str, *, started: bool) -> Json:
    fixed = {"image": "busybox", "imageID": "", "ready": False, "restartCount": 0}
    return {"name": name, "started": started, **fixed}
