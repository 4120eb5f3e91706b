"""What live tests do with labs and look at in them."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import standin_names as names
from bed_client import path_of
from standin_run import config, topology, wait_for
from standin_views import NodeView, PodView, condition, view_node, view_pod

if TYPE_CHECKING:
    from collections.abc import Callable

    from bed_client import ApiClient
    from standin_run import Standin
    from standin_views import Json

LINUX = {"kind": "linux"}


@dataclasses.dataclass(frozen=True)
class Labs:
    """A namespace with labs, the stand-in that looks after it, and a client of an administrator."""

    client: ApiClient
    standin: Standin
    namespace: str

    def limit(self, **rollout: int) -> None:
        """Write the Config."""
        self._write(*config(self.standin.namespace, **rollout))

    def _write(self, path: str, body: Json) -> None:
        wait_for(f"{path} is taken", lambda: self.client.apply(path, body).status < 400)

    def topology(self, name: str, nodes: dict[str, Json], **rollout: int) -> None:
        """Create a Topology of busybox devices."""
        body = topology(self.namespace, name, nodes, **rollout)
        self.client.create(self.path("topologies"), body).ok()

    def node(self, name: str, spec: Json | None = None, **annotations: str) -> None:
        """Create a standalone Node; annotations are those of the test bed, without their prefix."""
        test = {f"{names.TEST}{key.replace('_', '-')}": value for key, value in annotations.items()}
        body = {
            "apiVersion": names.VERSION,
            "kind": "Node",
            "metadata": {"name": name, "namespace": self.namespace, "annotations": test},
            "spec": {"kind": "linux", "image": "busybox:1.37"} | (spec or {}),
        }
        self.client.create(self.path("nodes"), body).ok()

    def path(self, plural: str, name: str = "") -> str:
        """Give the path of c9s objects of the labs' namespace."""
        return path_of(names.VERSION, plural, self.namespace, name)

    def nodes(self) -> dict[str, NodeView]:
        """Read the Nodes as the gates see them."""
        views = map(view_node, self.client.get(self.path("nodes")).ok()["items"])
        return {view.name: view for view in views}

    def status(self, plural: str, name: str) -> Json:
        """Read the status of a c9s object; empty when there is none."""
        status: Json = self.client.get(self.path(plural, name)).ok().get("status") or {}
        return status

    def pods(self) -> dict[str, PodView]:
        """Read the devices' Pods that stay, by their Nodes' names."""
        found = self.client.get(path_of("v1", "pods", self.namespace)).ok()["items"]
        views = map(view_pod, found)
        return {view.workload: view for view in views if view.device and not view.deleting}

    def ready(self) -> set[str]:
        """Name the Nodes whose readiness is ``ready``."""
        found = self.client.get(self.path("nodes")).ok()["items"]
        return {
            one["metadata"]["name"]
            for one in found
            if (one.get("status") or {}).get("readiness") == "ready"
        }

    def reason(self, node: str, kind: str = "PlanApplied") -> str | None:
        """Give the reason of a Node's condition."""
        found = self.status("nodes", node).get("conditions") or []
        return next((one["reason"] for one in found if one["type"] == kind), None)

    def fail(self, node: str, how: str | None) -> None:
        """Let the Pod of a Node fail, or be well again."""
        path = path_of("v1", "pods", self.namespace, self.pods()[node].name)
        self.client.patch(path, {"metadata": {"annotations": {names.FAIL: how}}}).ok()

    def pod_condition(self, node: str, kind: str) -> str | None:
        """Give the status of a condition of a Node's Pod."""
        path = path_of("v1", "pods", self.namespace, self.pods()[node].name)
        return condition(self.client.get(path).ok().get("status") or {}, kind)

    def wait(self, what: str, holds: Callable[[], object]) -> None:
        """Wait until something holds."""
        wait_for(what, holds)

    def passes(self, number: int = 3) -> None:
        """Let so many passes of the queue go by."""
        first = self.standin.state()["tally"]["passes"]
        self.wait(
            f"{number} more passes",
            lambda: self.standin.state()["tally"]["passes"] >= first + number,
        )
