"""One device of a large installation, with what belongs to it (diagnose_snapshot.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from snapshot_parts import C9S, IMAGE, LABS, PER_HOST, STAGES, Json, ago, condition, meta, uid

if TYPE_CHECKING:
    from collections.abc import Iterator


class Device:
    """One device with what belongs to it."""

    def __init__(self, number: int) -> None:
        self.namespace, self.name = f"lab-{number % LABS}", f"d{number}"
        self.stage = STAGES[number // LABS % len(STAGES)]
        self.age = 900.0 + number % 600
        self.host = "" if self.stage == "no host" else f"worker-{number // PER_HOST}"
        self.labels = {
            "c9s.run/app": "clabernetes",
            "c9s.run/direct-workload": self.name,
            "app.kubernetes.io/name": self.name,
        }

    def node(self) -> Json:
        """Make the Node."""
        own = meta("Node", self.namespace, self.name, self.age + 10)
        own["annotations"] = {"c9s.run/startup-admitted": own["uid"]}
        reasons = (
            "NodeProfileResolved",
            "PlanApplied",
            "Prepared",
            "ConnectivityReady",
            "ContainersReady",
        )
        conditions = [
            condition(one, "True", self.age, reason=one, message=f"{one}: done") for one in reasons
        ]
        status = {
            "readiness": "ready",
            "planDigest": f"sha256:{uid(self.name) * 2}",
            "conditions": conditions,
        }
        return {
            "apiVersion": C9S,
            "kind": "Node",
            "metadata": own,
            "spec": {"kind": "linux", "image": "busybox:1.37"},
            "status": status,
        }

    def pod(self) -> Json:
        """Make the Pod."""
        main = f"device-{uid(self.name)[:12]}"
        own = meta(
            "Pod",
            self.namespace,
            f"{self.name}-5d9f-{uid(self.name)[:5]}",
            self.age,
            labels=self.labels,
        )
        own["annotations"] = {
            "c9s.run/direct-node-uid": uid("Node", self.namespace, self.name),
            "kubectl.kubernetes.io/default-container": main,
            "c9s.run/node-plan-digest": f"sha256:{uid(self.name) * 2}",
        }
        if self.stage != "queued":
            own["annotations"]["c9s.run/startup-host-admitted"] = own["uid"]
        probe = {
            "exec": {
                "command": [
                    "/var/lib/clabernetes/lifecycle-bin/manager",
                    "node-runtime",
                    "readiness",
                ]
            },
            "initialDelaySeconds": 10,
            "periodSeconds": 10,
            "timeoutSeconds": 10,
            "failureThreshold": 90,
        }
        spec: Json = {
            "containers": [
                {
                    "name": main,
                    "image": "busybox:1.37",
                    "resources": {"requests": {"cpu": "10m", "memory": "64Mi"}},
                    "startupProbe": probe,
                }
            ],
            "initContainers": [
                {"name": one, "image": IMAGE} for one in ("startup-gate", "planner", "clabwire")
            ],
            "restartPolicy": "Always",
            "schedulerName": "default-scheduler",
            "serviceAccountName": "clabernetes-direct",
        }
        if self.host:
            spec["nodeName"] = self.host
        return {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": own,
            "spec": spec,
            "status": self._status(main),
        }

    def _status(self, main: str) -> Json:
        conditions = [
            condition(
                "PodScheduled",
                "True" if self.host else "False",
                self.age,
                message="" if self.host else "0/50 nodes are available: 50 Too many pods.",
            )
        ]
        if self.host:
            conditions += [
                condition(one, "False" if self.stage == "no sandbox" else "True", self.age - 2)
                for one in ("PodReadyToStartContainers", "Initialized", "ContainersReady", "Ready")
            ]
        running = {
            "state": {"running": {"startedAt": ago(self.age - 9)}},
            "image": IMAGE,
            "imageID": f"sha256:{uid(main) * 2}",
            "ready": True,
            "restartCount": 0,
            "lastState": {},
        }
        waiting = running | {"state": {"waiting": {"reason": "PodInitializing"}}}
        goes = self.stage in ("runs", "boots")
        gate = (
            running
            if self.stage == "queued"
            else running
            | {"state": {"terminated": {"exitCode": 0, "finishedAt": ago(self.age - 8)}}}
        )
        return {
            "phase": "Running" if goes else "Pending",
            "conditions": conditions,
            "podIP": "10.42.1.122",
            "startTime": ago(self.age - 1),
            "initContainerStatuses": [
                gate | {"name": "startup-gate"},
                waiting | {"name": "planner"},
                (running | {"started": True} if goes else waiting) | {"name": "clabwire"},
            ]
            if self.host
            else [],
            "containerStatuses": [
                (running if goes else waiting) | {"name": main, "started": self.stage == "runs"}
            ]
            if self.host
            else [],
        }

    def events(self, pod: Json) -> Iterator[Json]:
        """Make an Event of each API about the Pod."""
        own = pod["metadata"]
        about = {
            "apiVersion": "v1",
            "kind": "Pod",
            **{key: own[key] for key in ("name", "namespace", "uid")},
        }
        reason = {
            "no sandbox": "FailedCreatePodSandBox",
            "no host": "FailedScheduling",
            "boots": "Unhealthy",
        }.get(self.stage, "FailedMount")
        message = f"{reason}: rpc error: desc = failed to setup network for sandbox {uid(own['name']) * 2}"
        head = meta("Event", self.namespace, f"{own['name']}.{uid(reason)[:16]}", self.age - 5)
        base = {"kind": "Event", "reason": reason, "type": "Warning"}
        yield base | {
            "apiVersion": "v1",
            "metadata": head,
            "involvedObject": about,
            "message": message,
            "count": 9,
            "firstTimestamp": ago(self.age - 5),
            "lastTimestamp": ago(30),
            "source": {"component": "kubelet", "host": self.host},
        }
        yield base | {
            "apiVersion": "events.k8s.io/v1",
            "metadata": head,
            "regarding": about,
            "note": message,
            "type": "Normal",
            "eventTime": ago(self.age),
            "series": {"count": 3, "lastObservedTime": ago(20)},
        }

    def owners(self) -> Iterator[Json]:
        """Make Deployment, ReplicaSet and a Link."""
        spec = {
            "replicas": 1,
            "template": {
                "metadata": {"labels": self.labels},
                "spec": {"containers": [{"name": "main", "image": IMAGE}]},
            },
        }
        for kind, name in (("Deployment", self.name), ("ReplicaSet", f"{self.name}-5d9f")):
            own = meta(kind, self.namespace, name, self.age + 5, labels=self.labels)
            above = ("apps/v1", "Deployment") if kind == "ReplicaSet" else (C9S, "Node")
            own["ownerReferences"] = [
                {
                    "apiVersion": above[0],
                    "kind": above[1],
                    "name": self.name,
                    "uid": uid(above[1], self.namespace, self.name),
                    "controller": True,
                }
            ]
            status = {
                "replicas": 1,
                "availableReplicas": 1,
                "conditions": [
                    condition(
                        "Available",
                        "True",
                        self.age,
                        message="Deployment has minimum availability.",
                    )
                ],
            }
            yield {
                "apiVersion": "apps/v1",
                "kind": kind,
                "metadata": own,
                "spec": spec,
                "status": status,
            }
        ends = {
            f"endpoint{end}": {
                "nodeName": f"d{int(self.name[1:]) + offset}",
                "interfaceName": "eth1",
            }
            for end, offset in (("A", 0), ("B", LABS))
        }
        yield {
            "apiVersion": C9S,
            "kind": "Link",
            "metadata": meta("Link", self.namespace, f"{self.name}-l", self.age),
            "spec": ends,
            "status": {"tunnelID": 7, "conditions": [condition("Accepted", "True", 800)]},
        }
