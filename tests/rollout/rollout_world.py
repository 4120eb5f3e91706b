"""Small worlds for tests of the gates: objects by name, and what a pass of the product writes, carried out."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from kubectl_c9s.rollout.gates import global_gate, topology_gate
from kubectl_c9s.rollout.hosts import host_gate
from kubectl_c9s.rollout.views import NodeView, PodView, Snapshot, TopologyView

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kubectl_c9s.rollout.gates import GlobalGate, TopologyGate
    from kubectl_c9s.rollout.groups import Group
    from kubectl_c9s.rollout.hosts import HostGate


def names(found: Iterable[NodeView | PodView | Group]) -> list[str]:
    """Give ``namespace/name`` of each."""
    return [one.full_name for one in found]


class World:
    """An installation. A Topology's UID is its namespace, a Node's ``namespace/name``, a Pod's is counted up.

    Passes carry out all writes of a decision, or the first ``writes`` of them, as one that dies there.
    """

    def __init__(self, batch: int = 0, per_host: int = 0) -> None:
        self.batch, self.per_host = batch, per_host
        self.labs: dict[str, TopologyView] = {}
        self.nodes: dict[str, NodeView] = {}
        self.pods: dict[str, PodView] = {}
        self.births = itertools.count(1)

    def lab(self, namespace: str, defined: str, batch: int = 0, per_host: int = 0) -> None:
        """Add a Topology and all Nodes it defines; with a batch size they are held (admission.md §3.1)."""
        self.labs[namespace] = TopologyView(namespace, "lab", namespace, batch, per_host)
        self.define(namespace, *defined.split())
        for name in defined.split():
            hold = namespace if batch else ""
            self.node(f"{namespace}/{name}", owner=namespace, hold=hold)

    def limit(self, namespace: str, **limits: int) -> None:
        """Change the limits of a Topology."""
        self.labs[namespace] = replace(self.labs[namespace], **limits)

    def define(self, namespace: str, *defined: str) -> None:
        """Change the names that a Topology's definition has."""
        known = frozenset(defined)
        self.labs[namespace] = replace(self.labs[namespace], defined=known, expected=len(known))

    def node(self, full_name: str, owner: str = "", **fields: Any) -> NodeView:
        """Add a standalone Node, or one that a Topology controls."""
        namespace, name = full_name.split("/")
        owned = {"topology": owner, "owners": (owner,)} if owner else {}
        values: dict[str, Any] = {"uid": full_name, **owned, **fields}
        self.nodes[full_name] = NodeView(namespace, name, **values)
        return self.nodes[full_name]

    def pod(self, node: str, **fields: Any) -> str:
        """Add a Pod of a Node on ``h1``, younger than all others, and give its UID; the Node need not exist."""
        birth = next(self.births)
        namespace, name = node.split("/")
        uid = f"{node}#{birth}"
        known = self.nodes.get(node)
        values: dict[str, Any] = {
            "created": f"{birth:09}",
            "node_uid": known.uid if known else node,
            "host": "h1",
        }
        self.pods[uid] = PodView(namespace, f"{name}-{birth}", uid, **(values | fields))
        return uid

    def change(self, what: str, **fields: Any) -> None:
        """Change a Pod by UID or a Node by name."""
        if what in self.pods:
            self.pods[what] = replace(self.pods[what], **fields)
        else:
            self.nodes[what] = replace(self.nodes[what], **fields)

    def ready(self, *nodes: str) -> None:
        """Give the Pods of each Node a sandbox; a Node without a Pod gets one."""
        for node in nodes:
            mine = [one.uid for one in self.pods.values() if one.node_uid == self.nodes[node].uid]
            for uid in mine or [self.pod(node)]:
                self.change(uid, sandbox=True)

    @property
    def snapshot(self) -> Snapshot:
        """Give what the gates see."""
        nodes, pods = tuple(self.nodes.values()), tuple(self.pods.values())
        return Snapshot(self.batch, self.per_host, nodes, pods, tuple(self.labs.values()))

    def lab_gate(self, namespace: str) -> TopologyGate:
        """Look at T of a Topology."""
        return topology_gate(self.labs[namespace], self.nodes.values(), self.pods.values())

    @property
    def queue(self) -> GlobalGate:
        """Look at G."""
        return global_gate(self.snapshot)

    @property
    def hosts(self) -> HostGate:
        """Look at H."""
        return host_gate(self.snapshot)

    def release(self, namespace: str, writes: int | None = None) -> list[str]:
        """Carry out a pass of a Topology; give the names of the Nodes whose hold went."""
        lifts = self.lab_gate(namespace).lifts[:writes]
        for node in lifts:
            self.change(node.full_name, hold="")
        return [node.name for node in lifts]

    def admit(self, writes: int | None = None) -> list[str]:
        """Carry out a pass of the global batch; name the Nodes marked."""
        marks = self.queue.marks[:writes]
        for node in marks:
            self.change(node.full_name, mark=node.uid)
        return names(marks)

    def grant(self, writes: int | None = None) -> list[str]:
        """Carry out a pass of the host slots; give the UIDs of the Nodes whose Pods may boot."""
        grants = self.hosts.grants[:writes]
        for pod in grants:
            self.change(pod.uid, grant=pod.uid)
        return [pod.node_uid for pod in grants]
