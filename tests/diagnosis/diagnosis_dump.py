"""A whole installation in few words: by default a leader, a pool, two hosts, a Config, and nothing wrong."""

from __future__ import annotations

from typing import Any

from diagnosis_objects import (
    C9S,
    DAY,
    IMAGE,
    Json,
    ago,
    condition,
    event,
    name_of,
    new,
    put,
    split,
    uid,
)
from diagnosis_stages import Stages

HOME = "c9s"
LEADER = "clabernetes-manager-8f97b79819-dfmcj"


def host(name: str) -> Json:
    """Make a core Node that is well."""
    kinds = ("MemoryPressure", "DiskPressure", "PIDPressure")
    conditions = [condition(kind, "False", DAY, "KubeletIsFine") for kind in kinds]
    conditions.append(condition("Ready", "True", DAY, "KubeletReady"))
    return new("v1", "Node", name, 30 * DAY, spec={}, status={"conditions": conditions})


def lease(full: str, holder: str, renewed: float = 3) -> Json:
    """Make a Lease."""
    spec = {"holderIdentity": holder, "leaseDurationSeconds": 60, "renewTime": ago(renewed)}
    return new("coordination.k8s.io/v1", "Lease", full, 10 * DAY, spec=spec)


class Site(Stages):
    """Objects of an installation; ``batch`` and ``per_host`` are the limits of its Config."""

    def __init__(self, batch: int = 0, per_host: int = 0, *, app: str = "clabernetes") -> None:
        super().__init__()
        self.app = app
        self.limited = batch > 0
        self.leader = LEADER.replace("clabernetes", app)
        self.lease = self.add(
            lease(f"{HOME}/{app}-manager", f"clabernetes-{self.leader}-tv4m4h2vk4gv"[:63])
        )
        rollout = {"batchSize": batch, "maxConcurrentPerHost": per_host}
        self.config = self.configure(
            HOME, **{key: value for key, value in rollout.items() if value}
        )
        self.hosts = {name: self.add(host(name)) for name in ("worker-1", "worker-2")}
        self.managers = [self._manager(f"{self.leader[:-5]}{end}") for end in ("dfmcj", "hdhcf")]
        self.manager = self._part("manager")
        self.pool = self._part("planner-pool")
        self.workers = [self._worker(str(number)) for number in range(2)]

    def configure(self, namespace: str, edited: float | None = None, **rollout: int) -> Json:
        """Make a Config; ``edited`` says when its limits were last written."""
        found = new(C9S, "Config", f"{namespace}/clabernetes", DAY, spec={"rollout": rollout})
        if edited is not None:
            self.edit(found, edited)
        return self.add(found)

    @staticmethod
    def edit(config: Json, since: float) -> None:
        """Say when the limits of a Config were written."""
        block: Json = {f"f:{field}": {} for field in config["spec"]["rollout"]}
        config["metadata"]["managedFields"] = [
            {
                "manager": "kubectl-edit",
                "operation": "Update",
                "time": ago(since),
                "fieldsV1": {"f:spec": {"f:rollout": block}},
            }
        ]

    def _manager(self, name: str) -> Json:
        state = {"running": {"startedAt": ago(7200)}}
        status = {
            "name": "manager",
            "started": True,
            "ready": True,
            "restartCount": 0,
            "state": state,
        }
        return self.add(
            new(
                "v1", "Pod", f"{HOME}/{name}", 7200,
                labels={"c9s.run/app": self.app, "c9s.run/component": "manager"},
                spec={"nodeName": "worker-1", "containers": [{"name": "manager", "image": IMAGE}]},
                status={
                    "phase": "Running", "containerStatuses": [status],
                    "conditions": [condition("Ready", "True", 7190)],
                },
            )
        )  # fmt: skip

    def _part(self, part: str) -> Json:
        template = {"spec": {"containers": [{"name": "main", "image": IMAGE}]}}
        return self.add(
            new(
                "apps/v1", "Deployment", f"{HOME}/{self.app}-{part}", 10 * DAY,
                labels={"c9s.run/app": self.app, "c9s.run/component": part},
                spec={"replicas": 2, "template": template},
                status={"replicas": 2, "availableReplicas": 2},
            )
        )  # fmt: skip

    def _worker(self, name: str) -> Json:
        return self.add(
            new(
                "v1", "Pod", f"{HOME}/{self.app}-planner-pool-27cac55038-{name}", 7200,
                labels={"c9s.run/app": self.app, "c9s.run/component": "planner-pool"},
                spec={"nodeName": "worker-2", "containers": [{"name": "planner", "image": IMAGE}]},
                status={"phase": "Running", "conditions": [condition("Ready", "True", 7190)]},
            )
        )  # fmt: skip

    def leaderless(self, renewed: float = 500) -> None:
        """Let nobody lead any more."""
        self.lease["spec"]["renewTime"] = ago(renewed)

    def not_ready(self, name: str, since: float) -> Json:
        """Let a host fall silent."""
        found = self.hosts[name]
        said = ("NodeStatusUnknown", "Kubelet stopped posting node status.")
        put(found["status"]["conditions"], condition("Ready", "Unknown", since, *said))
        return found

    def pressed(self, name: str, kind: str, since: float) -> Json:
        """Let a host run short of something."""
        found = self.hosts[name]
        put(found["status"]["conditions"], condition(kind, "True", since, f"KubeletHas{kind}"))
        return found

    def topology(self, full: str, made: float = 900, **rollout: int) -> Json:
        """Make a Topology; it counts the Nodes that are made for it."""
        said = condition("TopologyReady", "False", made - 5, "notready", "a node is not ready")
        return self.add(
            new(
                C9S, "Topology", full, made, spec={"rollout": rollout},
                status={"nodeCount": 0, "conditions": [said], "topologyState": "deploying"},
            )
        )  # fmt: skip

    def node(self, full: str, lab: Json | None = None, **flags: Any) -> Json:
        """Make a Node: ``made`` ago, ``admitted`` (if there is a batch it is, unless told), ``hold`` (True, or a UID).

        ``shares`` names the Node in whose Pod it runs.
        """
        own = uid(C9S, "Node", full)
        annotations = {}
        if flags.pop("admitted", self.limited and "hold" not in flags):
            annotations["c9s.run/startup-admitted"] = own
        hold = flags.pop("hold", "")
        if hold:
            annotations["c9s.run/startup-hold"] = lab["metadata"]["uid"] if lab and hold is True else hold  # fmt: skip
        mode = {"network-mode": f"container:{flags.pop('shares')}"} if "shares" in flags else {}
        found = new(
            C9S, "Node", full, flags.pop("made", 890), owner=lab, annotations=annotations,
            spec={"kind": "linux", "image": "busybox:1.37", **mode}, status={}, **flags,
        )  # fmt: skip
        if lab is not None:
            lab["status"]["nodeCount"] += 1
            found["metadata"]["labels"]["c9s.run/topologyOwner"] = lab["metadata"]["name"]
        return self.add(found)

    def link(self, a: Json, b: Json, *, tunnel: int | None = 7, refused: str = "") -> Json:
        """Make a Link between two Nodes: accepted with a tunnel, without one, or refused for a reason."""
        namespace, name = split(name_of(a))
        ends = [{"nodeName": one["metadata"]["name"], "interfaceName": "eth1"} for one in (a, b)]
        said = condition("Accepted", "False" if refused else "True", 800, refused or "Accepted")
        status: Json = {"conditions": [said]}
        if tunnel is not None and not refused:
            status["tunnelID"] = tunnel
        full = f"{namespace}/{name}-{b['metadata']['name']}"
        spec = {"endpointA": ends[0], "endpointB": ends[1]}
        return self.add(new(C9S, "Link", full, 880, spec=spec, status=status))

    def event(self, about: Json, reason: str, message: str, last: float = 10, **flags: Any) -> Json:
        """Make a Warning about an object, last seen some time ago."""
        return self.add(event(about, reason, message, last, **flags))
