"""Brings planned situations about on an API server on which nothing moves by itself, as its administrator."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import impact_objects as objects
import standin_names as names
from bed_client import path_of
from impact_plans import NodePlan
from impact_rest import let_rest
from impact_seen import read
from standin_lab import compile_lab
from standin_run import STRATEGIC

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bed_client import ApiClient
    from impact_plans import LabPlan, Situation
    from impact_seen import Seen
    from standin_views import Json


@dataclass
class Builder:
    """Makes situations of one installation; ``config`` are the limits of its Config before the change."""

    client: ApiClient
    app: str
    config: tuple[int, int]
    _uids: dict[str, str] = field(default_factory=dict)  # of Topologies and Nodes, by their paths
    _compiled: dict[tuple[str, str], Json] = field(default_factory=dict)

    def build(self, situations: Sequence[Situation]) -> Seen:
        """Make everything, let the settled gates come to rest, and give what then stands there."""
        for situation in situations:
            for lab in situation.labs:
                self._lab(
                    lab, [one for one in situation.nodes if one.lab and one.space == lab.space]
                )
        nodes = [node for one in situations for node in one.nodes]
        for late in (False, True):
            if late and any(node.late for node in nodes):
                time.sleep(1.05 - time.time() % 1)  # creation times are in whole seconds
            for node in nodes:
                if node.late == late:
                    self._node(node)
                    self._pods(node)
        let_rest(self.client, self.app, self.config, situations)
        return read(self.client, self.app)

    def _lab(self, plan: LabPlan, nodes: list[NodePlan]) -> None:
        """Make a Topology and all it consists of but its Nodes, as the manager leaves it."""
        made = self._create("topologies", objects.topology_body(plan, nodes))
        lab = compile_lab(made, self.app)
        path = _path("topologies", plan.space, plan.name)
        self._uids[path] = made["metadata"]["uid"]
        status: Json = {"kind": "containerlab", "nodeCount": len(lab.nodes)}
        status |= {"topologyReady": False, "conditions": []}
        self.client.patch(f"{path}/status", {"status": status}).ok()
        if plan.taken:
            self._create("nodes", objects.standalone_body(NodePlan(plan.space, plan.taken)))
        for profile in lab.profiles:
            self._create("nodeprofiles", profile)
        self._compiled |= {(plan.space, one["metadata"]["name"]): one for one in lab.nodes}

    def _node(self, plan: NodePlan) -> None:
        """Make a Node with its annotations; a mark of its own needs its UID."""
        if plan.ghost:
            return
        own = self._compiled[plan.space, plan.name] if plan.lab else objects.standalone_body(plan)
        owner = self._uids.get(_path("topologies", plan.space, plan.lab), "")
        made = self._create("nodes", objects.with_state(own, plan, owner))
        path = _path("nodes", plan.space, plan.name)
        uid = self._uids[path] = made["metadata"]["uid"]
        if plan.mark == "own":
            self._annotate(path, names.ADMITTED, uid)
        if plan.leaving:
            self.client.delete(path).ok()

    def _pods(self, node: NodePlan) -> None:
        uid = self._uids.get(_path("nodes", node.space, node.name), objects.STALE)
        for number, plan in enumerate(node.pods):
            body = objects.pod_body(node, f"{node.name}-{number}", plan, uid, self.app)
            made = self.client.create(path_of("v1", "pods", node.space), body).ok()
            path = path_of("v1", "pods", node.space, made["metadata"]["name"])
            status = {"status": objects.pod_status(plan)}
            self.client.patch(f"{path}/status", status, STRATEGIC).ok()
            if plan.grant == "own":
                self._annotate(path, names.GRANT, made["metadata"]["uid"])
            if plan.leaving:
                self.client.delete(path).ok()  # without a kubelet it stays, terminating

    def _create(self, plural: str, body: Json) -> Json:
        return self.client.create(_path(plural, body["metadata"]["namespace"]), body).ok()

    def _annotate(self, path: str, key: str, value: str) -> None:
        self.client.patch(path, {"metadata": {"annotations": {key: value}}}).ok()


def _path(plural: str, namespace: str, name: str = "") -> str:
    return path_of(names.VERSION, plural, namespace, name)


def clear(client: ApiClient, spaces: Sequence[str]) -> None:
    """Delete everything that situations consist of; nobody holds anything back."""
    for space in spaces:
        for node in client.get(_path("nodes", space)).ok()["items"]:
            if node["metadata"].get("finalizers"):
                path = _path("nodes", space, node["metadata"]["name"])
                client.patch(path, {"metadata": {"finalizers": None}}).ok()
        for plural in ("topologies", "nodes", "nodeprofiles"):
            client.delete(_path(plural, space)).ok()
        client.delete(path_of("apps/v1", "deployments", space)).ok()
        client.delete(path_of("v1", "pods", space), gracePeriodSeconds="0").ok()
