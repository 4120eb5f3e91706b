"""The Deployment of a group as the manager makes it (admission.md §1), and the digest that identifies its plan."""

from __future__ import annotations

import hashlib
import json
import math
from typing import TYPE_CHECKING, Any, Final

import standin_names as names

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from standin_views import Json

IMAGE: Final = "registry.example/c9s/manager:standin"
ACCOUNT: Final = "clabernetes-direct"
STARTUP_SECONDS: Final = 900
PERIOD: Final = 10
RUNTIME: Final = ["/var/lib/clabernetes/lifecycle-bin/manager", "node-runtime"]


def digest_of(members: Sequence[Json], profile: Json | None, lab: str) -> str:
    """Give the identity of a plan: it changes with the Nodes' specs, their profile and the lab's name."""
    specs = [[one["metadata"]["name"], one["spec"]] for one in members]
    text = json.dumps([specs, (profile or {}).get("spec"), lab], sort_keys=True)
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def container_name(node: Json) -> str:
    """Give the name of a Node's container in the Pod of its group."""
    meta = node["metadata"]
    text = f"{meta['namespace']}/{meta['name']}"
    return f"device-{hashlib.sha256(text.encode()).hexdigest()[:12]}"


def deployment(
    members: Sequence[Json],
    digest: str,
    app: str,
    *,
    gated: bool,
    probed: bool = True,
    test_annotations: Mapping[str, str] | None = None,
) -> Json:
    """Make the Deployment of a group; the first member is its primary, ``gated`` what §5.1 has decided.

    ``test_annotations`` go to the Pod: what the fake host reads.
    """
    meta = members[0]["metadata"]
    labels = {names.APP: app, names.WORKLOAD: meta["name"], "app.kubernetes.io/name": meta["name"]}
    annotations = {names.NODE_UID: meta["uid"], names.DIGEST: digest}
    pod_labels = labels | _owner_label(meta)
    pod_annotations = annotations | {names.DEFAULT_CONTAINER: container_name(members[0])}
    pod_annotations |= test_annotations or {}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {
            "name": meta["name"],
            "namespace": meta["namespace"],
            "labels": labels,
            "annotations": annotations,
            "ownerReferences": [_owner(meta)],
        },
        "spec": {
            "replicas": 1,
            "revisionHistoryLimit": 0,
            "strategy": {"type": "Recreate"},
            "selector": {"matchLabels": {names.WORKLOAD: meta["name"]}},
            "template": {
                "metadata": {"labels": pod_labels, "annotations": pod_annotations},
                "spec": _pod_spec(members, gated=gated, probed=probed),
            },
        },
    }


def _owner_label(meta: Json) -> dict[str, str]:
    owner = (meta.get("labels") or {}).get(names.OWNER)
    return {names.OWNER: owner} if owner else {}


def _owner(meta: Json) -> Json:
    return {
        "apiVersion": names.VERSION,
        "kind": "Node",
        "name": meta["name"],
        "uid": meta["uid"],
        "controller": True,
        "blockOwnerDeletion": True,
    }


def _pod_spec(members: Sequence[Json], *, gated: bool, probed: bool) -> dict[str, Any]:
    gate = [_helper(names.GATE, names.GATE, mount=True)] if gated else []
    return {
        "serviceAccountName": ACCOUNT,
        "automountServiceAccountToken": False,
        "hostname": members[0]["metadata"]["name"][:63],
        "terminationGracePeriodSeconds": 30,
        "initContainers": [
            *gate,
            _helper(names.PLANNER, "prepare"),
            _helper(names.CLABWIRE, "connectivity") | {"restartPolicy": "Always"},
        ],
        "containers": [_device(node, probed=probed and node is members[0]) for node in members],
        "volumes": [_gate_volume()] if gated else [],
        "topologySpreadConstraints": [
            {
                "maxSkew": 1,
                "topologyKey": "kubernetes.io/hostname",
                "whenUnsatisfiable": "ScheduleAnyway",
                "labelSelector": {
                    "matchExpressions": [{"key": names.WORKLOAD, "operator": "Exists"}]
                },
            }
        ],
    }


def _helper(name: str, command: str, *, mount: bool = False) -> Json:
    container: Json = {"name": name, "image": IMAGE, "command": [*RUNTIME, command]}
    if mount:
        container["volumeMounts"] = [
            {"name": names.GATE, "mountPath": f"/var/run/{names.GATE}", "readOnly": True}
        ]
    return container


def _gate_volume() -> Json:
    """Show the Pod its UID and its grant; the kubelet refreshes both."""
    fields = {"uid": "metadata.uid", "admitted": f"metadata.annotations['{names.GRANT}']"}
    items = [{"path": path, "fieldRef": {"fieldPath": field}} for path, field in fields.items()]
    return {"name": names.GATE, "downwardAPI": {"items": items}}


def _device(node: Json, *, probed: bool) -> Json:
    container = {
        "name": container_name(node),
        "image": node["spec"]["image"],
        "imagePullPolicy": "IfNotPresent",
        "resources": {"requests": {"cpu": "10m", "memory": "64Mi"}},
    }
    if probed:
        container["startupProbe"] = {
            "exec": {"command": [*RUNTIME, "readiness"]},
            "initialDelaySeconds": PERIOD,
            "periodSeconds": PERIOD,
            "timeoutSeconds": PERIOD,
            "failureThreshold": math.ceil(STARTUP_SECONDS / PERIOD),
        }
    return container


def is_gated(body: Json) -> bool:
    """Tell whether a Deployment has the gate; it keeps what it has (admission.md §5.1)."""
    inits = body["spec"]["template"]["spec"].get("initContainers") or []
    return any(one["name"] == names.GATE for one in inits)
