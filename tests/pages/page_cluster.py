"""The cluster of pages: a manager that leads and three hosts, with two labs or without, and so again for each page."""

from __future__ import annotations

import dataclasses
import functools
import http.client
import time
from typing import TYPE_CHECKING, Final

import standin_names as names
from bed_client import path_of
from cluster_objects import HOSTS, KINDS, LABS, MANAGER, config_path, made, topology
from standin_run import wait_for
from standin_views import condition

if TYPE_CHECKING:
    from bed_client import ApiClient, Json
    from bed_own import OwnBed
    from netcheck_tools import Tools
    from standin_run import Standin

Place = tuple[str, str, str, str]  # version, plural, namespace, name
TIDY_WITHIN: Final = 90.0  # seconds


@dataclasses.dataclass
class Cluster:
    """A bed of the pages alone, with names as the pages have them; ``tools`` are what is found inside its Pods."""

    bed: OwnBed
    client: ApiClient
    standin: Standin
    tools: Tools
    _known: set[Place] = dataclasses.field(default_factory=set)

    def open(self) -> None:
        """Make what is always there."""
        for host in HOSTS:
            labels = {"kubernetes.io/hostname": host, "kubernetes.io/os": "linux"}
            self.make("v1", "nodes", "", made("v1", "Node", host, labels=labels))
        for host in HOSTS:
            wait_for(f"{host} takes Pods", functools.partial(self._takes_pods, host))
        self.standin.start()
        for namespace, _ in LABS:
            self.namespace(namespace)
        self.limit()
        self._known = {place for place, _ in self._all()}

    def tidy(self, *, labs: bool) -> None:
        """Take away what a page has left; ``labs`` tells whether the next one finds the two labs ready."""
        self.standin.faults()
        wait_for("what is left is gone", functools.partial(self._clean, labs=labs), TIDY_WITHIN)
        usual = {"spec": None, "metadata": {"annotations": None}}
        # Guardrails that were just taken away are in force for a moment more.
        wait_for(
            "limits go",
            lambda: self.client.patch(config_path(), usual).status < http.client.BAD_REQUEST,
        )
        self.limit()
        for host in HOSTS:
            path = path_of("v1", "nodes", name=host)
            self.client.patch(path, {"spec": {"unschedulable": None}}).ok()
        if labs:
            self._make_labs()

    def _make_labs(self) -> None:
        for (namespace, name), (nodes, links) in LABS.items():
            path = path_of(names.VERSION, "topologies", namespace, name)
            self.client.patch(path, {"spec": {"rollout": None}, "metadata": {"labels": None}})
            self.make(names.VERSION, "topologies", namespace, topology(name, nodes, links))
        for (namespace, _), (nodes, _) in LABS.items():
            for node in nodes:
                path = path_of(names.VERSION, "nodes", namespace, node)
                self.client.patch(path, {"metadata": {"labels": {names.IGNORE: None}}})
            self.wait_ready(namespace, len(nodes))

    def limit(self, **rollout: int) -> None:
        """Write the Config and wait until the leader has seen it."""
        body = made(
            names.VERSION, "Config", names.CONFIG, spec={"rollout": rollout} if rollout else {}
        )
        self.make(names.VERSION, "configs", MANAGER, body)
        wanted = [rollout.get("batchSize", 0), rollout.get("maxConcurrentPerHost", 0)]
        wait_for("the leader sees the limits", lambda: self.standin.state()["limits"] == wanted)

    def make(self, version: str, plural: str, namespace: str, body: Json) -> None:
        """Create an object, or bring it to what is said."""
        path = path_of(version, plural, namespace, body["metadata"]["name"])
        self.client.apply(path, body).ok()

    def namespace(self, name: str) -> None:
        """Make a namespace that takes Pods."""
        self.make("v1", "namespaces", "", made("v1", "Namespace", name))
        account = path_of("v1", "serviceaccounts", name, "default")
        wait_for(f"{name} takes Pods", lambda: self.client.get(account).status == 200)

    def wait_ready(self, namespace: str, count: int) -> None:
        """Wait until so many devices of a namespace are ready, with a Pod that stays."""
        wait_for(
            f"{count} devices of {namespace} are ready",
            lambda: len(self.ready(namespace)) >= count and len(self.pods(namespace)) >= count,
        )

    def ready(self, namespace: str) -> list[str]:
        """Name the Nodes of a namespace that are ready."""
        found = self.client.get(path_of(names.VERSION, "nodes", namespace)).ok()["items"]
        return [
            one["metadata"]["name"]
            for one in found
            if (one.get("status") or {}).get("readiness") == "ready"
        ]

    def pods(self, namespace: str = "lab") -> dict[str, Json]:
        """Give the Pods of devices that stay, by their Nodes' names."""
        query = {"labelSelector": names.WORKLOAD}
        found = self.client.get(path_of("v1", "pods", namespace), **query).ok()["items"]
        return {
            one["metadata"]["labels"][names.WORKLOAD]: one
            for one in found
            if "deletionTimestamp" not in one["metadata"]
        }

    def _takes_pods(self, host: str) -> bool:
        found = self.client.get(path_of("v1", "nodes", name=host)).ok()
        ready = condition(found.get("status") or {}, "Ready") == "True"
        return ready and not found["spec"].get("taints")

    def _all(self) -> list[tuple[Place, Json]]:
        """Give all objects of the kinds that pages deal with, but those that go with their owner."""
        found = []
        for version, plural in KINDS:
            answer = self.client.get(path_of(version, plural))
            # A kind that is not there has no objects: a page may load one.
            for one in answer.ok()["items"] if answer.status != http.client.NOT_FOUND else []:
                meta = one["metadata"]
                place = version, plural, meta.get("namespace", ""), meta["name"]
                if not meta.get("ownerReferences") or plural == "pods":
                    found.append((place, one))
        return found

    def _clean(self, *, labs: bool) -> bool:
        """Delete what is not ours once more; tell whether there was nothing."""
        left = [(place, one) for place, one in self._all() if self._is_left(place, one, labs=labs)]
        for (version, plural, namespace, name), one in left:
            if "deletionTimestamp" not in one["metadata"] or plural == "pods":
                path = path_of(version, plural, namespace, name)
                self.client.delete(path, gracePeriodSeconds="0")
        if left:
            time.sleep(0.3)
        return not left

    def _is_left(self, place: Place, one: Json, *, labs: bool) -> bool:
        """Tell whether an object is to go; a namespace that is going is waited for, as others may want its name."""
        _, plural, namespace, name = place
        if place in self._known or name.startswith("kube-") or namespace.startswith("kube-"):
            return False
        kept = {namespace for namespace, _ in LABS} if labs else set()
        if plural == "topologies" and labs:
            return (namespace, name) not in LABS
        if plural == "pods" and one["metadata"].get("ownerReferences"):
            return namespace not in {MANAGER, *kept}
        return True
