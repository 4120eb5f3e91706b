"""Objects as an API server gives them, with all that a lab would not want to show to others."""

from __future__ import annotations

import hashlib
import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

Json = dict[str, Any]
NOW = datetime(2026, 9, 21, 10, 10, tzinfo=UTC)
C9S = "c9s.run/v1alpha1"
REGISTRY = "registry.hidden.example/acme"
SECRETS = ("hunter2-Pa55word", "tok-9f3e77aa", "s3cr3t/key=42")
"""Values that stand in environment, commands and messages of these objects."""


def at(seconds_ago: float) -> str:
    """Give a moment before the capture."""
    return (NOW - timedelta(seconds=seconds_ago)).strftime("%Y-%m-%dT%H:%M:%SZ")


def uid(*parts: str) -> str:
    """Give the same UID for the same words."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, "/".join(parts)))


def digest(text: str, length: int = 10) -> str:
    """Give what stands for a hash in names."""
    return hashlib.sha256(text.encode()).hexdigest()[:length]


def meta(kind: str, namespace: str, name: str, age: float, **more: Any) -> Json:
    """Make metadata; there are always a label and an annotation that nobody needs."""
    found = {
        "name": name,
        "uid": uid(kind, namespace, name),
        "resourceVersion": "4100037",
        "creationTimestamp": at(age),
        "labels": {"acme.example/owner": "jane-doe"},
        "annotations": {"acme.example/note": SECRETS[0]},
    }
    if namespace:
        found["namespace"] = namespace
    for key in ("labels", "annotations"):
        found[key] |= more.pop(key, {})
    return found | more


def owner(kind: str, version: str, namespace: str, name: str) -> Json:
    """Make a controlling owner reference."""
    return {
        "apiVersion": version,
        "kind": kind,
        "name": name,
        "uid": uid(kind, namespace, name),
        "controller": True,
        "blockOwnerDeletion": True,
    }


def condition(kind: str, status: str, age: float, **more: Any) -> Json:
    """Make a condition."""
    return {"type": kind, "status": status, "lastTransitionTime": at(age)} | more


def written(annotation: str, age: float, manager: str = "acme-operator") -> Json:
    """Make an entry of managedFields for an annotation."""
    fields: Json = {
        "f:metadata": {"f:annotations": {".": {}, f"f:{annotation}": {}, "f:acme.example/note": {}}}
    }
    return {
        "manager": manager,
        "operation": "Update",
        "time": at(age),
        "fieldsType": "FieldsV1",
        "fieldsV1": fields,
    }


def config(namespace: str, age: float = 86400, **rollout: int) -> Json:
    """Make a Config."""
    spec = {"rollout": rollout, "imagePull": {"pullSecrets": [SECRETS[1]]}}
    fields: Json = {"f:spec": {"f:rollout": {f"f:{field}": {} for field in rollout}}}
    entry = {
        "manager": "jane-doe-script",
        "operation": "Update",
        "time": at(age / 2),
        "fieldsV1": fields,
    }
    own = meta("Config", namespace, "clabernetes", age, managedFields=[entry])
    return {"apiVersion": C9S, "kind": "Config", "metadata": own, "spec": spec}


def topology(namespace: str, name: str, nodes: int, age: float = 4000, **rollout: int) -> Json:
    """Make a Topology; its definition has a secret."""
    definition = (
        f"name: {name}\ntopology: {{nodes: {{hidden-node: {{env: {{KEY: {SECRETS[1]}}}}}}}}}\n"
    )
    return {
        "apiVersion": C9S,
        "kind": "Topology",
        "metadata": meta("Topology", namespace, name, age),
        "spec": {"definition": {"containerlab": definition}, "rollout": rollout},
        "status": {"nodeCount": nodes, "topologyState": "deploying"},
    }


def node(namespace: str, name: str, age: float, lab: str = "", **more: Any) -> Json:
    """Make a Node of c9s; ``planned`` says whether it has a plan."""
    planned = more.pop("planned", True)
    own = meta("Node", namespace, name, age, generation=1, **more.pop("metadata", {}))
    if lab:
        own["ownerReferences"] = [owner("Topology", C9S, namespace, lab)]
    conditions = [
        condition(
            "PlanApplied",
            "True",
            age - 4,
            reason="PlanApplied",
            message="plan applied",
            observedGeneration=1,
        )
    ]
    spec = {
        "kind": "linux",
        "image": f"{REGISTRY}/nos:9.9",
        "env": {"PASSWORD": SECRETS[0]},
        "profileRef": {"name": "gold-profile"},
    }
    status = {
        "readiness": "notready",
        "planDigest": f"sha256:{digest(name, 64)}",
        "conditions": conditions if planned else [],
    }
    status |= more.pop("status", {})
    return {
        "apiVersion": C9S,
        "kind": "Node",
        "metadata": own,
        "spec": spec | more,
        "status": status,
    }


def link(namespace: str, a: str, b: str, **status: Any) -> Json:
    """Make a Link."""
    ends = [{"nodeName": one, "interfaceName": f"xe-{digest(one, 3)}"} for one in (a, b)]
    spec = {"endpointA": ends[0], "endpointB": ends[1]}
    own = meta("Link", namespace, f"{a}-eth1-{b}-eth1", 4000)
    return {"apiVersion": C9S, "kind": "Link", "metadata": own, "spec": spec, "status": status}


def labels(workload: str) -> Json:
    """Give the labels of what belongs to a device."""
    return {
        "c9s.run/app": "clabernetes",
        "c9s.run/direct-workload": workload,
        "app.kubernetes.io/name": workload,
    }


def template(image: str) -> Json:
    """Make a Pod template."""
    return {
        "spec": {
            "containers": [
                {"name": "main", "image": image, "env": [{"name": "KEY", "value": SECRETS[2]}]}
            ]
        }
    }


def deployment(namespace: str, name: str, age: float, **more: Any) -> Json:
    """Make the Deployment of a device."""
    status = {"replicas": 1, "availableReplicas": 0} | more.pop("status", {})
    own = meta("Deployment", namespace, name, age, labels=labels(name) | more.pop("labels", {}))
    spec = {"replicas": 1, "template": template(f"{REGISTRY}/nos:9.9")} | more
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": own,
        "spec": spec,
        "status": status,
    }


def replica_set(namespace: str, name: str, age: float, **status: Any) -> Json:
    """Make the ReplicaSet of a device's Deployment."""
    whole = f"{name}-{digest(name)}"
    own = meta("ReplicaSet", namespace, whole, age, labels=labels(name))
    own["ownerReferences"] = [owner("Deployment", "apps/v1", namespace, name)]
    spec = {"replicas": 1, "template": template(f"{REGISTRY}/nos:9.9")}
    return {
        "apiVersion": "apps/v1",
        "kind": "ReplicaSet",
        "metadata": own,
        "spec": spec,
        "status": {"replicas": 1} | status,
    }


def event(about: Json, reason: str, message: str, age: float, *, new_api: bool = False) -> Json:
    """Make a Warning in one of the two APIs."""
    own = about["metadata"]
    place = {key: own[key] for key in ("name", "namespace", "uid") if key in own}
    place |= {"apiVersion": about["apiVersion"], "kind": about["kind"]}
    head = meta(
        "Event", own.get("namespace", "default"), f"{own['name']}.{digest(message, 16)}", age
    )
    found: Json = {"kind": "Event", "metadata": head, "reason": reason, "type": "Warning"}
    if new_api:
        series = {"count": 7, "lastObservedTime": at(age)}
        return found | {
            "apiVersion": "events.k8s.io/v1",
            "regarding": place,
            "note": message,
            "series": series,
        }
    source = {"component": "kubelet", "host": "hidden-host"}
    times = {"count": 3, "firstTimestamp": at(age + 60), "lastTimestamp": at(age)}
    return (
        found
        | {"apiVersion": "v1", "involvedObject": place, "message": message, "source": source}
        | times
    )
