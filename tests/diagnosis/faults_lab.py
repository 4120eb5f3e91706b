"""One lab of many: what is done to it, and what the API server shows of it."""

from __future__ import annotations

import dataclasses
import json
from typing import TYPE_CHECKING, Any, Final

import standin_names as names
from bed_client import JSON_PATCH, path_of
from standin_lab_tools import LINUX, Labs
from standin_run import STRATEGIC, topology

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bed_client import Json
    from faults_site import Site

HOST: Final = f"{names.TEST}host"
TOPOLOGY: Final = "t"
# What a lab has, in the order in which it is taken away, so that nobody makes anew what is gone.
MADE: Final = (
    (names.VERSION, "topologies"),
    (names.VERSION, "nodes"),
    ("apps/v1", "deployments"),
    ("apps/v1", "replicasets"),
    ("v1", "pods"),
)
Ref = tuple[str, str, str]  # kind, namespace, name


@dataclasses.dataclass(frozen=True)
class Lab(Labs):
    """A namespace with at most one Topology, ``t``; ``wanted`` are the Nodes that are to be ready in the end."""

    site: Site
    wanted: set[str] = dataclasses.field(default_factory=set)

    def start(
        self, nodes: Iterable[str] | dict[str, Json] = "ab", *links: list[str], **rollout: int
    ) -> None:
        """Create the Topology; by default two devices, one after the other."""
        specs = nodes if isinstance(nodes, dict) else dict.fromkeys(nodes, LINUX)
        self.wanted.update(specs)
        body = topology(self.namespace, TOPOLOGY, specs, **(rollout or {"batchSize": 1}))
        if links:
            definition = body["spec"]["definition"]
            inner = json.loads(definition["containerlab"])
            inner["topology"]["links"] = [{"endpoints": ends} for ends in links]
            definition["containerlab"] = json.dumps(inner)
        self.client.create(self.path("topologies"), body).ok()

    def redefine(self, nodes: dict[str, Json]) -> None:
        """Change the definition of the Topology."""
        definition = topology(self.namespace, TOPOLOGY, nodes)["spec"]["definition"]
        path = self.path("topologies", TOPOLOGY)
        self.client.patch(path, {"spec": {"definition": definition}}).ok()

    def device(self, name: str, spec: Json | None = None, **annotations: str) -> None:
        """Create a standalone Node that is to be ready in the end."""
        self.wanted.add(name)
        self.node(name, spec, **annotations)

    def at(self, version: str, plural: str, name: str = "") -> str:
        """Give the path of an object of the namespace."""
        return path_of(version, plural, self.namespace, name)

    def see(self, version: str, plural: str, name: str) -> Json:
        """Read an object; empty when it is not there."""
        answer = self.client.get(self.at(version, plural, name))
        return answer.json() if answer.status == 200 else {}

    def make(self, version: str, kind: str, name: str, **parts: Any) -> None:
        """Create an object, or bring it to what is said."""
        body = {"apiVersion": version, "kind": kind, "metadata": {"name": name}, **parts}
        plural = f"{kind.lower()}s" if not kind.endswith("y") else f"{kind.lower()[:-1]}ies"
        self.client.apply(self.at(version, plural, name), body).ok()

    def quota(self, what: str, most: int) -> None:
        """Limit the namespace, and wait until the limit is in force."""
        hard = {what: str(most)}
        self.make("v1", "ResourceQuota", "few", spec={"hard": hard})
        self.wait(
            "the quota counts",
            lambda: self.see("v1", "resourcequotas", "few").get("status", {}).get("hard") == hard,
        )

    def drop(self, version: str, plural: str, name: str, **query: str) -> None:
        """Delete an object."""
        self.client.delete(self.at(version, plural, name), **query).ok()

    def label(self, **labels: str | None) -> None:
        """Change labels of the namespace for the policies of faults_policies.py; None takes one away."""
        given = {f"{names.TEST}{key}": value for key, value in labels.items()}
        self.say(path_of("v1", "namespaces", name=self.namespace), labels=given)

    def say(self, path: str, **meta: dict[str, str | None]) -> None:
        """Change labels or annotations of an object."""
        self.client.patch(path, {"metadata": meta}).ok()

    def fails(self, node: str, how: str | None) -> None:
        """Let the Pods of a Node fail that are made from now on, or be well."""
        self.site.node_faults("device_fails", {f"{self.namespace}/{node}": how})

    def heal(self, node: str) -> None:
        """Let the Pod of a Node be well again, and those that come after it."""
        self.fails(node, None)
        if node in self.pods():
            self.fail(node, None)

    def planned(self, node: str, reason: str) -> bool:
        """Tell whether a Node's plan has this verdict."""
        return node in self.nodes() and self.reason(node) == reason

    def released(self, node: str) -> bool:
        """Tell whether a Node is there and not held."""
        view = self.nodes().get(node)
        return view is not None and not view.hold

    def pod(self, node: str) -> Json:
        """Read the Pod of a Node that stays; empty when there is none."""
        view = self.pods().get(node)
        return self.see("v1", "pods", view.name) if view else {}

    def pod_path(self, node: str) -> str:
        """Give the path of the Pod of a Node that stays."""
        return self.at("v1", "pods", self.pods()[node].name)

    def set_pod_status(self, node: str, **status: Any) -> None:
        """Write into the status of a Pod as a kubelet does."""
        self.client.patch(f"{self.pod_path(node)}/status", {"status": status}, STRATEGIC).ok()

    def lift_gates(self, node: str) -> None:
        """Let the scheduler have the Pod of a Node."""
        change = [{"op": "remove", "path": "/spec/schedulingGates"}]
        self.client.patch(self.pod_path(node), change, JSON_PATCH).ok()

    def says(self, node: str, text: str) -> bool:
        """Tell whether the Deployment of a Node has a condition with these words."""
        status = self.see("apps/v1", "deployments", node).get("status") or {}
        return text in json.dumps(status.get("conditions") or [])

    def event(self, reason: str) -> bool:
        """Tell whether an Event has this reason."""
        query = {"fieldSelector": f"reason={reason}"}
        return bool(self.client.get(self.at("v1", "events"), **query).ok()["items"])

    def waits_for(self, node: str) -> str:
        """Give the reason for which the primary container of a Node waits."""
        status = self.pod(node).get("status") or {}
        found = [*status.get("initContainerStatuses", []), *status.get("containerStatuses", [])]
        reasons = [one["state"].get("waiting", {}).get("reason", "") for one in found]
        return next((one for one in reasons if one not in ("", "PodInitializing")), "")

    def ref(self, kind: str, name: str) -> Ref:
        """Name an object as reports do."""
        return kind, self.namespace, name

    def node_ref(self, name: str = "a") -> Ref:
        """Name a Node."""
        return self.ref("Node", name)

    def pod_ref(self, node: str = "a") -> Ref:
        """Name the Pod of a Node."""
        return self.ref("Pod", self.pods()[node].name)

    def clear(self) -> None:
        """Delete all of it at once; a namespace alone would take its time."""
        for version, plural in MADE[:-1]:
            self.client.delete(self.at(version, plural))
        for pod in self.client.get(self.at("v1", "pods")).ok()["items"]:
            if "finalizers" in pod["metadata"]:
                path = self.at("v1", "pods", pod["metadata"]["name"])
                self.client.patch(path, {"metadata": {"finalizers": None}})
        self.client.delete(self.at("v1", "pods"), gracePeriodSeconds="0")
        self.client.delete(path_of("v1", "namespaces", name=self.namespace))
