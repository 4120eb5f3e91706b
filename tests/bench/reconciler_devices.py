"""The objects of a device as a server makes them, for bench_reconciler.py."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

from snapshot_device import Device
from snapshot_parts import C9S, LABS, Json, condition

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["LABS", "device_objects", "manager_objects", "topology"]
STUCK_EVERY = 25
STUCK = ("boots", "queued", "no sandbox", "no host")
SIZE = 4000  # bytes of a Pod's environment: rendered devices carry much that nobody reads


def now() -> str:
    """Give the time, as a MicroTime."""
    return dt.datetime.now(dt.UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def manager_objects(namespace: str) -> Iterator[Json]:
    """Make a Config whose limits differ from the policy, and the Lease of a manager that leads for the time."""
    where = {"namespace": namespace}
    yield {
        "apiVersion": C9S,
        "kind": "Config",
        "metadata": {"name": "clabernetes"} | where,
        "spec": {"rollout": {"batchSize": 100, "maxConcurrentPerHost": 20}},
    }
    yield {
        "apiVersion": "coordination.k8s.io/v1",
        "kind": "Lease",
        "metadata": {
            "name": "clabernetes-manager",
            "labels": {"c9s.run/app": "clabernetes", "c9s.run/component": "manager"},
        }
        | where,
        "spec": {"holderIdentity": "m_1", "leaseDurationSeconds": 7200, "renewTime": now()},
    }


def topology(lab: int, devices: int) -> Json:
    """Make a Topology; its definition is as large as that of its devices."""
    text = "".join(f"    d{number}: {{kind: linux}}\n" for number in range(devices // LABS))
    return {
        "apiVersion": C9S,
        "kind": "Topology",
        "metadata": {"name": f"lab-{lab}", "namespace": f"lab-{lab}"},
        "spec": {"definition": {"containerlab": f"name: lab-{lab}\ntopology:\n  nodes:\n{text}"}},
        "status": {
            "kind": "containerlab",
            "topologyReady": True,
            "nodeCount": devices // LABS,
            "conditions": [condition("TopologyReady", "True", 9, reason="x", message="")],
        },
    }


def device_objects(
    number: int, owner: str, host: str
) -> Iterator[Callable[[Callable[[Json], Json]], None]]:
    """Give what makes the objects of a device, in order; each is called with what creates an object."""
    device = Device(number)
    index = number // LABS
    device.stage = STUCK[index // STUCK_EVERY % 4] if index % STUCK_EVERY == 0 else "runs"
    device.host = "" if device.stage == "no host" else host
    made: dict[str, str] = {}

    def of_node(create: Callable[[Json], Json]) -> None:
        obj = device.node()
        mine(obj)
        obj["metadata"]["annotations"] = {}
        obj["metadata"]["ownerReferences"] = [
            {
                "apiVersion": C9S,
                "kind": "Topology",
                "name": device.namespace,
                "uid": owner,
                "controller": True,
                "blockOwnerDeletion": True,
            }
        ]
        made["node"] = create(obj)["metadata"]["uid"]

    def of_pod(create: Callable[[Json], Json]) -> None:
        obj = device.pod()
        mine(obj)
        notes = obj["metadata"]["annotations"]
        notes["c9s.run/direct-node-uid"] = made["node"]
        if device.stage != "queued":
            notes.pop("c9s.run/startup-host-admitted")
            obj["spec"]["initContainers"] = obj["spec"]["initContainers"][1:]
            statuses = obj["status"]["initContainerStatuses"]
            obj["status"]["initContainerStatuses"] = statuses[1:]
        for container in (*obj["spec"]["containers"], *obj["spec"]["initContainers"]):
            container["env"] = [{"name": "DEVICE", "value": "x" * (SIZE // 4)}]
            container.setdefault("image", "busybox")
        obj["spec"]["automountServiceAccountToken"] = False
        obj["spec"].pop("serviceAccountName")
        create(obj)

    yield of_node
    yield of_pod
    for owned in device.owners():
        yield _creating(owned)


def _creating(obj: Json) -> Callable[[Callable[[Json], Json]], None]:
    mine(obj)
    obj["metadata"].pop("ownerReferences", None)
    if obj["apiVersion"] == "apps/v1":
        labels = obj["metadata"]["labels"]
        obj["spec"]["selector"] = {"matchLabels": labels}
        obj["status"]["readyReplicas"] = 1
    if obj["kind"] == "Link":
        obj.pop("status")

    def make(create: Callable[[Json], Json]) -> None:
        create(obj)

    return make


def mine(obj: Json) -> None:
    """Take out of the metadata what a server writes itself."""
    for key in ("uid", "creationTimestamp", "resourceVersion", "generation"):
        obj["metadata"].pop(key, None)
