"""Devices at every stage on their way, from a plan to a primary that has started."""

from __future__ import annotations

from typing import Any

from diagnosis_objects import Json, ago, condition, name_of, new, put, uid

SANDBOX = "PodReadyToStartContainers"
GRANT = "c9s.run/startup-host-admitted"
GATE_IMAGE = "registry.example/c9s/manager:0.10.0"
PROBE = {
    "exec": {"command": ["ready"]},
    "initialDelaySeconds": 10,
    "periodSeconds": 10,
    "failureThreshold": 90,
}
ALLOWANCE = 910.0
"""Seconds that the startup probe of these devices allows."""


def running(since: float, *, started: bool = False, restarts: int = 0) -> Json:
    """Give the status of a container that runs."""
    state = {"running": {"startedAt": ago(since)}}
    return {"state": state, "started": started, "ready": started, "restartCount": restarts}


def waiting(reason: str, message: str = "", restarts: int = 0) -> Json:
    """Give the status of a container that waits."""
    state = {"waiting": {"reason": reason, "message": message}}
    return {"state": state, "started": False, "ready": False, "restartCount": restarts}


def ended(since: float, code: int = 0) -> Json:
    """Give the status of a container that has ended."""
    state = {
        "terminated": {
            "exitCode": code,
            "reason": "Error" if code else "Completed",
            "startedAt": ago(since + 5),
            "finishedAt": ago(since),
        }
    }
    return {"state": state, "started": False, "ready": not code, "restartCount": 0}


class Stages:
    """Objects in the order of their making, with those of devices among them."""

    app = "clabernetes"

    def __init__(self) -> None:
        self.objects: list[Json] = []

    def add(self, obj: Json) -> Json:
        """Take an object up."""
        self.objects.append(obj)
        return obj

    def remove(self, *gone: Json) -> None:
        """Drop objects."""
        self.objects = [one for one in self.objects if all(one is not other for other in gone)]

    @staticmethod
    def say(node: Json, kind: str, status: str, reason: str, since: float) -> None:
        """Set a condition of a Node for its present generation."""
        found = condition(kind, status, since, reason, f"what {reason} says")
        found["observedGeneration"] = node["metadata"]["generation"]
        put(node["status"].setdefault("conditions", []), found)

    def plan(self, node: Json, since: float) -> None:
        """Let a Node have its plan."""
        self.say(node, "NodeProfileResolved", "True", "NodeProfileResolved", since)
        self.say(node, "PlanApplied", "True", "PlanApplied", since)

    def _labels(self, node: Json) -> Json:
        return {"c9s.run/app": self.app, "c9s.run/direct-workload": node["metadata"]["name"]}

    def deployment(self, node: Json, made: float) -> Json:
        """Plan a Node and make its Deployment."""
        self.plan(node, made + 1)
        spec = {"replicas": 1, "template": {"spec": {"containers": []}}}
        labels, status = self._labels(node), {"replicas": 1}
        full = name_of(node)
        return self.add(
            new(
                "apps/v1",
                "Deployment",
                full,
                made,
                owner=node,
                labels=labels,
                spec=spec,
                status=status,
            )
        )

    def replica_set(self, node: Json, made: float) -> Json:
        """Make the Deployment of a Node and its ReplicaSet."""
        owner = self.deployment(node, made)
        status = {"replicas": 0}
        return self.add(
            new(
                "apps/v1",
                "ReplicaSet",
                f"{name_of(node)}-5d9f",
                made,
                owner=owner,
                labels=self._labels(node),
                spec={"replicas": 1},
                status=status,
            )
        )

    def refuse(self, replica_set: Json, message: str, since: float = 500) -> None:
        """Let the API server refuse the Pod of a ReplicaSet."""
        said = condition("ReplicaFailure", "True", since, "FailedCreate", message)
        replica_set["status"]["conditions"] = [said]

    def pod(self, node: Json, made: float = 600, host: str = "worker-1", **flags: Any) -> Json:
        """Make the Pod of a Node, with what it comes from: bound if there is a host; ``again`` makes one more Pod.

        ``sandbox`` is the status of its condition or None for none, ``gate`` one of ``queued``, ``granted`` and
        ``passed``; ``primary`` and other containers (``planner``, ``clabwire``) are their statuses; ``since`` is when
        the sandbox came or failed.
        """
        again = flags.pop("again", "")
        if not again:
            self.replica_set(node, flags.pop("deployed", made + 1))["status"]["replicas"] = 1
        owner = next(
            one
            for one in self.objects
            if one["kind"] == "ReplicaSet" and name_of(one) == f"{name_of(node)}-5d9f"
        )
        full, main = f"{name_of(node)}-5d9f-{again or 'pod'}", f"device-{node['metadata']['name']}"
        annotations = {
            "c9s.run/direct-node-uid": node["metadata"]["uid"],
            "kubectl.kubernetes.io/default-container": main,
        }
        gate = flags.pop("gate", "")
        if gate in ("granted", "passed"):
            annotations[GRANT] = uid("v1", "Pod", full)
        inits = [*(["startup-gate"] if gate else []), "planner", "clabwire"]
        spec: Json = {
            "initContainers": [{"name": one, "image": GATE_IMAGE} for one in inits],
            "containers": [{"name": main, "image": "busybox:1.37", "startupProbe": PROBE}],
        }
        if host:
            spec["nodeName"] = host
        status = _status(made, host, gate, main, flags)
        return self.add(
            new(
                "v1",
                "Pod",
                full,
                made,
                owner=owner,
                labels=self._labels(node),
                annotations=annotations,
                spec=spec,
                status=status,
            )
        )

    def run(self, node: Json, made: float = 600, host: str = "worker-1", **flags: Any) -> Json:
        """Let a device run: its primary has started."""
        flags = {"primary": running(made - 5, started=True)} | flags
        return self.pod(node, made, host, **flags)

    def boot(self, node: Json, runs: float = 20, host: str = "worker-1", **flags: Any) -> Json:
        """Let a device boot: its primary runs and has not started."""
        flags = {"primary": running(runs, restarts=flags.pop("restarts", 0))} | flags
        return self.pod(node, flags.pop("made", runs + 10), host, **flags)

    def queue(self, node: Json, made: float = 500, host: str = "worker-1", **flags: Any) -> Json:
        """Let a device wait at the gate of its host."""
        return self.pod(node, made, host, gate="queued", **flags)

    def unbound(self, node: Json, message: str, since: float = 600, **flags: Any) -> Json:
        """Let a Pod find no host."""
        pod = self.pod(node, flags.pop("made", since), "", **flags)
        said = condition("PodScheduled", "False", since, "Unschedulable", message)
        put(pod["status"]["conditions"], said)
        return pod

    def gated(self, node: Json, *gates: str, since: float = 600) -> Json:
        """Let a Pod have scheduling gates."""
        pod = self.unbound(node, "Scheduling is blocked due to non-empty scheduling gates", since)
        pod["spec"]["schedulingGates"] = [{"name": gate} for gate in gates]
        pod["status"]["conditions"][-1]["reason"] = "SchedulingGated"
        return pod

    def blocked(self, node: Json, since: float = 600, host: str = "worker-1", **flags: Any) -> Json:
        """Let a bound Pod have no sandbox."""
        return self.pod(node, flags.pop("made", since), host, sandbox="False", since=since, **flags)


def terminate(pod: Json, since: float, *finalizers: str) -> Json:
    """Let a Pod be deleted, since a while."""
    pod["metadata"] |= {"deletionTimestamp": ago(since), "deletionGracePeriodSeconds": 30}
    if finalizers:
        pod["metadata"]["finalizers"] = list(finalizers)
    return pod


def _status(made: float, host: str, gate: str, main: str, flags: Json) -> Json:
    sandbox, since = flags.pop("sandbox", "True"), flags.pop("since", made - 1)
    primary = flags.pop("primary", waiting("PodInitializing"))
    conditions = [condition("PodScheduled", "True", made)]
    if host and sandbox:
        said = ("PodSandboxNotReady", "no pod sandbox exists") if sandbox == "False" else ()
        conditions.append(condition(SANDBOX, sandbox, since, *said))
    ready = "True" if primary["started"] else "False"
    conditions += [condition(kind, ready, made - 2) for kind in ("ContainersReady", "Ready")]
    found: Json = {
        "conditions": conditions,
        "phase": "Running" if "running" in primary["state"] else "Pending",
    }
    if not host:
        return found
    inits = {
        "startup-gate": running(made - 2) if gate in ("queued", "granted") else ended(made - 3)
    }
    if not gate:
        inits = {}
    inits |= {
        name: flags.pop(name) for name in ("planner", "clabwire", "startup-gate") if name in flags
    }
    found["initContainerStatuses"] = [{"name": name} | status for name, status in inits.items()]
    found["containerStatuses"] = [{"name": main} | primary]
    return found | flags
