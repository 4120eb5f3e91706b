"""Small worlds for tests of the gates: Nodes and Pods by name, and what a pass writes carried out."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import standin_gates as gates
from standin_views import NodeView, Owner, PodView, Snapshot, TopologyView

if TYPE_CHECKING:
    from collections.abc import Iterable

    from standin_views import HostPass, TopologyPass

ENDLESS = 1_000_000


def lab(name: str, uid: str = "", **limits: int) -> TopologyView:
    """Make a Topology of its own namespace; its UID is its name unless given."""
    return TopologyView(name, name, uid or name, **limits)


class World:
    """Nodes and Pods of an installation. A Node's UID is ``namespace/name``, a Pod's is that, ``#`` and a count."""

    def __init__(self, batch: int = 0, per_host: int = 0, *labs: TopologyView) -> None:
        self.batch, self.per_host = batch, per_host
        self.labs = {one.uid: one for one in labs}
        self.nodes: dict[str, NodeView] = {}
        self.pods: dict[str, PodView] = {}
        self._births = 0

    def node(self, full_name: str, owner: str = "", **fields: Any) -> NodeView:
        """Add a standalone Node, or one that a Topology controls."""
        namespace, name = full_name.split("/")
        owners = (Owner(owner, controlling_topology=True),) if owner else ()
        values: dict[str, Any] = {"uid": full_name, "owners": owners} | fields
        self.nodes[full_name] = NodeView(namespace, name, **values)
        return self.nodes[full_name]

    def pod(self, node: str, **fields: Any) -> PodView:
        """Add a Pod of a Node, younger than all others; it need not exist."""
        self._births += 1
        namespace, name = node.split("/")
        uid = f"{node}#{self._births}"
        known = self.nodes.get(node)
        values = {
            "created": f"{self._births:09}",
            "node_uid": known.uid if known else node,
            "host": "h1",
        } | fields
        self.pods[uid] = PodView(namespace, f"{name}-{self._births}", uid, **values)
        return self.pods[uid]

    def change(self, uid: str, **fields: Any) -> None:
        """Change a Pod by UID or a Node by name."""
        if uid in self.pods:
            self.pods[uid] = dataclasses.replace(self.pods[uid], **fields)
        else:
            self.nodes[uid] = dataclasses.replace(self.nodes[uid], **fields)

    def ready(self, *nodes: str) -> None:
        """Give each Node a Pod with a sandbox, or its Pods one."""
        for node in nodes:
            uids = [pod.uid for pod in self.pods.values() if pod.node_uid == self.nodes[node].uid]
            for uid in uids or [self.pod(node).uid]:
                self.change(uid, sandbox=True)

    @property
    def snapshot(self) -> Snapshot:
        """Give what the queue sees."""
        nodes, pods = list(self.nodes.values()), list(self.pods.values())
        return Snapshot(self.batch, self.per_host, nodes, pods, list(self.labs.values()))

    def admit(self, writes: int = ENDLESS) -> list[str]:
        """Carry out a pass of the global batch, at most that many writes; name the Nodes marked."""
        done = [node.full_name for node in gates.global_pass(self.snapshot).marks[:writes]]
        for name in done:
            self.change(name, mark=self.nodes[name].uid)
        return done

    def release(
        self, topology: TopologyView, expected: Iterable[str], writes: int = ENDLESS
    ) -> tuple[list[str], TopologyPass]:
        """Carry out a pass of a Topology; name the Nodes released."""
        snapshot = self.snapshot
        given = gates.topology_pass(topology, list(expected), snapshot.nodes, snapshot.pods)
        done = given.releases[:writes]
        for node in done:
            self.change(node.full_name, hold="")
        return [node.name for node in done], given

    def grant(self, writes: int = ENDLESS) -> tuple[list[str], HostPass]:
        """Carry out a pass of the host slots; name the Nodes whose Pods may boot."""
        given = gates.host_pass(self.snapshot)
        done = given.grants[:writes]
        for pod in done:
            self.change(pod.uid, grant=pod.uid)
        return [pod.uid.partition("#")[0] for pod in done], given
