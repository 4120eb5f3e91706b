"""The objects of a simulated installation, as the gates see them.

The gates are asked with what can still matter: a Node leaves the batch gate's sight when its group is admitted and has
a sandbox, a Pod the host gate's when it is started. In a simulation neither is ever lost again, so the answers are
those for all objects, at a fraction of the time.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from kubectl_c9s.rollout.groups import newest_pods, primary_of
from kubectl_c9s.rollout.views import Snapshot

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kubectl_c9s.rollout.views import NodeView, PodView, TopologyView


class State:
    """Nodes and Pods by UID, and the limits."""

    def __init__(self, start: Snapshot) -> None:
        self.batch, self.per_host = start.batch, start.per_host
        self.topologies = start.topologies
        self.nodes: dict[str, NodeView] = {}
        self.pods: dict[str, PodView] = {}
        self.pods_of: defaultdict[str, dict[str, PodView]] = defaultdict(dict)
        self._unstarted: defaultdict[str, dict[str, PodView]] = defaultdict(dict)
        self.on_host: Counter[str] = Counter()
        self._orphans: dict[str, PodView] = {}
        self._open: dict[str, NodeView] = {}
        self._by_name: dict[tuple[str, str], str] = {}
        self._shares: defaultdict[str, dict[str, str | None]] = defaultdict(dict)
        self._shared: Counter[tuple[str, str]] = Counter()

    def put_node(self, node: NodeView) -> None:
        """Add a Node or change it."""
        if node.uid not in self.nodes:
            self._by_name[node.namespace, node.name] = node.uid
            self._shares[node.namespace][node.name] = node.shares
            self._open_group(node)
        self.nodes[node.uid] = node
        if node.uid in self._open:
            self._open[node.uid] = node
            self._close(node)

    def change_node(self, uid: str, **fields: Any) -> NodeView:
        """Change fields of a Node; give it."""
        node = replace(self.nodes[uid], **fields)
        self.put_node(node)
        return node

    def _open_group(self, node: NodeView) -> None:
        """Show a new Node to the gate, and the primary it belongs to again."""
        self._open[node.uid] = node
        if node.shares is not None:
            self._shared[node.namespace, primary_of(node.name, self._shares[node.namespace])] += 1
            for name in (node.shares, self.primary_name(node)):
                uid = self._by_name.get((node.namespace, name))
                if uid is not None:
                    self._open[uid] = self.nodes.get(uid, node)

    def _close(self, node: NodeView) -> None:
        """Let a device alone go out of the gate's sight when nothing about it can matter any more."""
        alone = node.shares is None and not self._shared[node.namespace, node.name]
        if alone and node.mark == node.uid and self.has_sandbox(node.uid):
            self._open.pop(node.uid, None)

    def primary_name(self, node: NodeView) -> str:
        """Give the name of the Node whose Pod this one shares, its own if it shares none."""
        if node.shares is None:
            return node.name
        return primary_of(node.name, self._shares[node.namespace])

    def put_pod(self, pod: PodView) -> None:
        """Add a Pod or change it."""
        before = self.pods.get(pod.uid)
        self.pods[pod.uid] = pod
        self.pods_of[pod.node_uid][pod.uid] = pod
        if pod.host and not (before and before.host):
            self.on_host[pod.host] += 1
        if pod.started:
            self._unstarted[pod.host].pop(pod.uid, None)
        elif pod.node_uid not in self.nodes:
            self._orphans[pod.uid] = pod
        elif pod.host:
            self._unstarted[pod.host][pod.uid] = pod
        if pod.node_uid in self._open:
            self._close(self._open[pod.node_uid])

    def has_sandbox(self, uid: str) -> bool:
        """Tell whether the newest Pod of a Node has a sandbox."""
        pods = self.pods_of.get(uid)
        newest = newest_pods(pods.values()).get(uid) if pods else None
        return newest is not None and newest.sandbox

    def for_batches(self) -> Snapshot:
        """Give what the batch gate of the installation is asked with."""
        pods = (pod for uid in self._open for pod in self.pods_of[uid].values())
        nodes = tuple(self._open.values())
        return Snapshot(self.batch, self.per_host, nodes, tuple(pods), self.topologies)

    def for_hosts(self, hosts: Iterable[str]) -> Snapshot:
        """Give what the host gate is asked with when some hosts have changed; an orphan matters to all."""
        pods = [pod for host in hosts for pod in self._unstarted[host].values()]
        pods.extend(self._orphans.values())
        owners = {pod.node_uid for pod in pods}
        nodes = tuple(self.nodes[uid] for uid in owners if uid in self.nodes)
        return Snapshot(self.batch, self.per_host, nodes, tuple(pods), self.topologies)

    @property
    def hosts(self) -> set[str]:
        """Name the hosts that have Pods which are not started."""
        return {host for host, pods in self._unstarted.items() if pods}

    def for_topology(self, topology: TopologyView) -> tuple[list[NodeView], list[PodView]]:
        """Give the Nodes and Pods that the gate of a Topology is asked with."""
        nodes = [
            node
            for node in self.nodes.values()
            if node.namespace == topology.namespace and topology.uid in node.owners
        ]
        return nodes, [pod for node in nodes for pod in self.pods_of[node.uid].values()]
