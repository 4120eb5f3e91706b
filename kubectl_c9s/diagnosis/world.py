"""A dump with its cross references and the state of its gates: what every rule looks things up in."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from kubectl_c9s.resources import labels
from kubectl_c9s.resources.moments import seconds_of
from kubectl_c9s.rollout.assemble import assemble
from kubectl_c9s.rollout.gates import TopologyGate, global_gate, topology_gate
from kubectl_c9s.rollout.groups import Group, group_nodes, newest_pods
from kubectl_c9s.rollout.hosts import host_gate
from kubectl_c9s.rollout.limits import Limits
from kubectl_c9s.rollout.views import WORKLOAD

if TYPE_CHECKING:
    from kubectl_c9s.diagnosis.dump import Config, Dump
    from kubectl_c9s.diagnosis.settings import Settings
    from kubectl_c9s.resources.observed import Link, ObservedNode, ObservedPod, ObservedTopology
    from kubectl_c9s.resources.surroundings import Event, Host, Lease, Workload
    from kubectl_c9s.rollout.views import NodeView, PodView


class Place(NamedTuple):
    """Where the manager lives, and the value of ``c9s.run/app``."""

    namespace: str
    app: str = labels.APP_VALUE


class World:
    """A dump at a moment (seconds since 1970), with thresholds."""

    def __init__(self, dump: Dump, place: Place, now: float, settings: Settings) -> None:
        self.dump = dump
        self.place = place
        self.now = now
        self.settings = settings
        limits = self.config.spec.rollout if self.config else None
        config = Limits(limits.batch_size, limits.max_concurrent_per_host) if limits else Limits()
        self.snapshot = assemble(config, dump.topologies, dump.nodes, dump.pods, place.app)
        self.grouping = group_nodes(node for node in self.snapshot.nodes if not node.deleting)
        self.global_gate = global_gate(self.snapshot)
        self.host_gate = host_gate(self.snapshot)
        self.newest: dict[str, PodView] = newest_pods(self.snapshot.pods)

    def has(self, kind: str) -> bool:
        """Tell whether a kind was collected, so that its absence means something."""
        return kind in self.dump.collected

    def age(self, since: float | None) -> float:
        """Give the seconds since a moment, 0 for one that is not known."""
        return self.now - since if since is not None else 0.0

    @cached_property
    def config(self) -> Config | None:
        """The Config the manager reads."""
        here = (one for one in self.dump.configs if one.metadata.namespace == self.place.namespace)
        return next((one for one in here if one.metadata.name == "clabernetes"), None)

    @cached_property
    def nodes(self) -> dict[str, ObservedNode]:
        """C9s Nodes by UID."""
        return {node.metadata.uid: node for node in self.dump.nodes}

    @cached_property
    def pods(self) -> dict[str, ObservedPod]:
        """Pods by UID."""
        return {pod.metadata.uid: pod for pod in self.dump.pods}

    @cached_property
    def pod_view(self) -> dict[str, PodView]:
        """Device Pods as the gates see them, by UID."""
        return {view.uid: view for view in self.snapshot.pods}

    @cached_property
    def views(self) -> dict[str, list[PodView]]:
        """Device Pods by UID of their Node, terminating ones too."""
        found: defaultdict[str, list[PodView]] = defaultdict(list)
        for pod in self.snapshot.pods:
            found[pod.node_uid].append(pod)
        return found

    @cached_property
    def hosts(self) -> dict[str, Host]:
        """Hosts by name."""
        return {host.metadata.name: host for host in self.dump.hosts}

    @cached_property
    def topologies(self) -> dict[str, ObservedTopology]:
        """Topologies by UID."""
        return {topology.metadata.uid: topology for topology in self.dump.topologies}

    @cached_property
    def topology_gates(self) -> dict[str, TopologyGate]:
        """T of each Topology, by its UID; a Topology sees the Nodes and Pods of its namespace."""
        nodes, pods = defaultdict(list), defaultdict(list)
        for node in self.snapshot.nodes:
            nodes[node.namespace].append(node)
        for pod in self.snapshot.pods:
            pods[pod.namespace].append(pod)
        return {
            one.uid: topology_gate(one, nodes[one.namespace], pods[one.namespace])
            for one in self.snapshot.topologies
        }

    @cached_property
    def deployments(self) -> dict[tuple[str, str], Workload]:
        """Deployments by namespace and name."""
        return {(one.metadata.namespace, one.metadata.name): one for one in self.dump.deployments}

    @cached_property
    def replica_sets(self) -> dict[str, list[Workload]]:
        """ReplicaSets by the UID of their owner."""
        found: defaultdict[str, list[Workload]] = defaultdict(list)
        for one in self.dump.replica_sets:
            for owner in one.metadata.owner_references or ():
                found[owner.uid].append(one)
        return found

    @cached_property
    def leases(self) -> dict[tuple[str, str], Lease]:
        """Leases by namespace and name."""
        return {(one.metadata.namespace, one.metadata.name): one for one in self.dump.leases}

    @cached_property
    def _events(self) -> dict[str, list[Event]]:
        found: defaultdict[str, list[Event]] = defaultdict(list)
        for event in self.dump.events:
            if event.about.uid:
                found[event.about.uid].append(event)
        return found

    def events(self, uid: str, born: str | None, *reasons: str) -> list[Event]:
        """Give the Warnings about an object since its creation, the latest first (causes.md §2)."""
        birth = seconds_of(born) or 0.0
        found = [
            event
            for event in self._events.get(uid, ())
            if event.warning and event.reason in reasons and (seconds_of(event.last) or 0) >= birth
        ]
        return sorted(found, key=lambda event: event.last, reverse=True)

    @cached_property
    def links(self) -> dict[tuple[str, str], list[Link]]:
        """Links by namespace and name of each Node at their ends."""
        found: defaultdict[tuple[str, str], list[Link]] = defaultdict(list)
        for link in self.dump.links:
            for end in {link.spec.endpoint_a.node_name, link.spec.endpoint_b.node_name}:
                found[link.metadata.namespace, end].append(link)
        return found

    @cached_property
    def group_of(self) -> dict[tuple[str, str], Group]:
        """Groups by namespace and name of each member."""
        return {
            (member.namespace, member.name): group
            for group in self.grouping.groups
            for member in group.members
        }

    @cached_property
    def node_view(self) -> dict[str, NodeView]:
        """C9s Nodes as the gates see them, by UID."""
        return {view.uid: view for view in self.snapshot.nodes}

    def lab_of(self, pod: PodView) -> str:
        """Give the UID of the Topology that controls a Pod's Node, empty for none."""
        view = self.node_view.get(pod.node_uid)
        return view.topology if view else ""

    def device_pods(self) -> list[ObservedPod]:
        """Give the Pods that carry the label of a workload, of this installation or not."""
        return [pod for pod in self.dump.pods if pod.metadata.label(WORKLOAD) is not None]
