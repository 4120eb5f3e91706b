"""Pods of devices and of the manager, Deployments, Leases and hosts, as an API server gives them."""

from __future__ import annotations

import json
from typing import Any

from snapshot_objects import (
    REGISTRY,
    SECRETS,
    Json,
    at,
    condition,
    digest,
    labels,
    meta,
    owner,
    template,
    uid,
)

SANDBOX = "PodReadyToStartContainers"
_ENV = [{"name": f"LICENSE_{number}", "value": SECRETS[number % 3]} for number in range(6)]
_COMMAND = ["/opt/acme/launch", "--token", SECRETS[1]]


def pod_name(name: str) -> str:
    """Give the name of a device's Pod."""
    return f"{name}-{digest(name)}-{digest(name[::-1], 5)}"


def pod(namespace: str, name: str, age: float, host: str = "", **more: Any) -> Json:
    """Make the Pod of a device: bound if there is a host, else waiting for one.

    ``primary`` is the state of its container, ``gate`` that of the startup gate (None for a Pod without one).
    """
    container = f"device-{digest(name, 12)}"
    annotations = {
        "c9s.run/direct-node-uid": uid("Node", namespace, name),
        "kubectl.kubernetes.io/default-container": container,
    } | more.pop("annotations", {})
    own = meta("Pod", namespace, pod_name(name), age, labels=labels(name), annotations=annotations)
    own["ownerReferences"] = [owner("ReplicaSet", "apps/v1", namespace, f"{name}-{digest(name)}")]
    gate = more.pop("gate", None)
    probe = {
        "exec": {"command": _COMMAND},
        "initialDelaySeconds": 10,
        "periodSeconds": 10,
        "failureThreshold": 90,
    }
    main = {
        "name": container,
        "image": f"{REGISTRY}/nos:9.9",
        "env": _ENV,
        "command": _COMMAND,
        "startupProbe": probe,
    }
    init = [{"name": one, "image": f"{REGISTRY}/manager:1"} for one in ("planner", "clabwire")]
    gates = [{"name": "startup-gate", "image": f"{REGISTRY}/manager:1"}] if gate else []
    spec: Json = {
        "containers": [main],
        "initContainers": gates + init,
        "serviceAccountName": "acme-account",
    }
    if host:
        spec["nodeName"] = host
    spec |= more.pop("spec", {})
    status = _status(container, age, host, gate, more)
    own |= more.pop("metadata", {})
    return {"apiVersion": "v1", "kind": "Pod", "metadata": own, "spec": spec, "status": status}


def _status(container: str, age: float, host: str, gate: Json | None, more: Json) -> Json:
    sandbox, primary = more.pop("sandbox", "True"), more.pop("primary", None)
    ready = bool(primary and primary.get("started"))
    conditions = [
        condition("PodScheduled", "True" if host else "False", age, **more.pop("scheduled", {}))
    ]
    if sandbox and host:
        why = (
            {}
            if sandbox == "True"
            else {"reason": "PodSandboxNotReady", "message": "no pod sandbox exists"}
        )
        conditions.append(condition(SANDBOX, sandbox, age - 1, **why))
    conditions += [condition(kind, str(ready), age - 2) for kind in ("ContainersReady", "Ready")]
    status: Json = {
        "phase": "Running" if primary else "Pending",
        "conditions": conditions,
        "podIP": "10.42.1.122",
    }
    if gate:
        status["initContainerStatuses"] = [
            {"name": "startup-gate", "started": False, "restartCount": 0, "state": gate}
        ]
    if primary:
        own = {
            "name": container,
            "image": f"{REGISTRY}/nos:9.9",
            "started": False,
            "restartCount": 0,
        }
        status["containerStatuses"] = [own | primary]
    last: Json = more.pop("status", {})
    return status | last


def running(age: float, *, started: bool = True, **more: Any) -> Json:
    """Give the state of a primary that runs."""
    return {"started": started, "state": {"running": {"startedAt": at(age)}}} | more


def waiting(reason: str, message: str, **more: Any) -> Json:
    """Give the state of a primary that waits."""
    return {"state": {"waiting": {"reason": reason, "message": message}}} | more


def host(name: str, *, ready: str = "True", age: float = 90000, **spec: Any) -> Json:
    """Make a core Node."""
    message = (
        "kubelet is posting ready status"
        if ready == "True"
        else "Kubelet stopped posting node status."
    )
    conditions = [
        condition(
            "MemoryPressure",
            "False",
            90000,
            reason="KubeletHasSufficientMemory",
            message="kubelet has sufficient memory available",
        ),
        condition(
            "Ready",
            ready,
            age,
            reason="KubeletReady" if ready == "True" else "NodeStatusUnknown",
            message=message,
        ),
    ]
    status = {
        "conditions": conditions,
        "addresses": [{"type": "InternalIP", "address": "192.0.2.29"}],
    }
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": meta("Host", "", name, 90000),
        "spec": spec,
        "status": status,
    }


def lease(namespace: str, app: str, holder: str, age: float) -> Json:
    """Make the manager's Lease."""
    marks = {"c9s.run/app": app, "c9s.run/component": "manager"}
    own = meta("Lease", namespace, f"{app}-manager", 90000, labels=marks)
    spec = {"holderIdentity": holder, "leaseDurationSeconds": 60, "renewTime": at(age)}
    return {"apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": own, "spec": spec}


def installation(
    namespace: str, app: str = "clabernetes", *, renewed: float = 3, **flaws: Any
) -> list[Json]:
    """Make manager, pool and Lease; ``holder``, ``pool_image`` and ``pool_available`` say what is wrong."""
    marks = {"c9s.run/app": app, "c9s.run/component": "manager"}
    name = f"{app}-manager-8f97b79819-dfmcj"
    holder = flaws.get("holder", f"clabernetes-{name}-tv4m4h2vk4gv"[:63])
    own = meta("Pod", namespace, name, 7000, labels=marks)
    conditions = [condition("Ready", "True", 6900)]
    statuses = [
        {
            "name": "manager",
            "started": True,
            "restartCount": 0,
            "state": {"running": {"startedAt": at(6900)}},
        }
    ]
    status = {"phase": "Running", "conditions": conditions, "containerStatuses": statuses}
    image = f"{REGISTRY}/manager:1"
    manager = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": own,
        "spec": {"nodeName": "hidden-host", "containers": [{"name": "manager", "image": image}]},
        "status": status,
    }
    worker = json.loads(json.dumps(manager))
    worker["metadata"] |= {"name": f"{app}-planner-pool-77-x", "uid": uid("Pod", namespace, "pool")}
    worker["metadata"]["labels"]["c9s.run/component"] = "planner-pool"
    worker["spec"]["containers"] = [{"name": "main", "image": flaws.get("worker_image", image)}]
    pool_status = {"replicas": 2, "availableReplicas": flaws.get("pool_available", 2)}
    pairs = (
        ("manager", image, {"availableReplicas": 1}),
        ("planner-pool", flaws.get("pool_image", image), pool_status),
    )
    found = [manager, lease(namespace, app, holder, renewed), worker]
    for part, wanted, counts in pairs:
        head = meta(
            "Deployment",
            namespace,
            f"{app}-{part}",
            90000,
            labels=marks | {"c9s.run/component": part},
        )
        spec = {"replicas": 2 if part == "planner-pool" else 1, "template": template(wanted)}
        found.append(
            {
                "apiVersion": "apps/v1",
                "kind": "Deployment",
                "metadata": head,
                "spec": spec,
                "status": counts,
            }
        )
    return found
