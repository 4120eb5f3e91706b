"""A dump with the state of its gates: what every rule looks things up in."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from kubectl_c9s.diagnosis.lookups import Lookups
from kubectl_c9s.resources import labels
from kubectl_c9s.rollout.assemble import snapshot_of, views_of
from kubectl_c9s.rollout.counts import counts_of
from kubectl_c9s.rollout.gates import TopologyGate, gate_of, present_groups, topology_gate
from kubectl_c9s.rollout.groups import Group, newest_pods
from kubectl_c9s.rollout.hosts import host_gate
from kubectl_c9s.rollout.limits import limits_in
from kubectl_c9s.rollout.views import WORKLOAD

if TYPE_CHECKING:
    from kubectl_c9s.diagnosis.dump import Config, Dump
    from kubectl_c9s.diagnosis.settings import Settings
    from kubectl_c9s.resources.observed import ObservedPod
    from kubectl_c9s.rollout.assemble import Views
    from kubectl_c9s.rollout.views import NodeView, PodView


class Place(NamedTuple):
    """Where the manager lives, and the value of ``c9s.run/app``."""

    namespace: str
    app: str = labels.APP_VALUE


class World(Lookups):
    """A dump at a moment (seconds since 1970), with thresholds.

    Where Pods were not collected nobody is said to block a batch: a Pod that was not looked for may be there.
    ``views`` are those of the dump's Nodes and Pods, where they are known already.
    """

    def __init__(
        self, dump: Dump, place: Place, now: float, settings: Settings, views: Views | None = None
    ) -> None:
        super().__init__(dump)
        self.place = place
        self.now = now
        self.settings = settings
        config = limits_in(self.config.spec.rollout if self.config else None)
        views = views or views_of(dump.nodes, dump.pods, place.app)
        self.snapshot = snapshot_of(config, dump.topologies, views)
        self.grouping = present_groups(self.snapshot)
        self.newest: dict[str, PodView] = newest_pods(self.snapshot.pods)
        gate = self._global_gate = gate_of(self.snapshot, self.grouping, self.newest)
        self.global_gate = gate if self.has("pods") else gate._replace(blocking=(), next_batch=())
        hosts = self._host_gate = host_gate(self.snapshot)
        self.host_gate = hosts if self.has("nodes.c9s.run") else hosts._replace(orphans=())

    @property
    def sees_home(self) -> bool:
        """Tell whether the manager's namespace was looked at, or something of it."""
        home = self.place.namespace
        return self.dump.namespace in (None, home) or any(
            namespace == home for namespace, _ in self.leases
        )

    @property
    def knows_limits(self) -> bool:
        """Tell whether the limits of the Config are known, be it that there is none."""
        whole = self.dump.namespace in (None, self.place.namespace)
        return self.config is not None or (self.has("configs.c9s.run") and whole)

    def age(self, since: float | None) -> float:
        """Give the seconds since a moment, 0 for one that is not known."""
        return self.now - since if since is not None else 0.0

    @cached_property
    def config(self) -> Config | None:
        """The Config the manager reads."""
        return self.dump.config_in(self.place.namespace)

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
    def host_pods(self) -> dict[str, list[PodView]]:
        """Device Pods by host."""
        found: defaultdict[str, list[PodView]] = defaultdict(list)
        for pod in self.snapshot.pods:
            found[pod.host].append(pod)
        return found

    @cached_property
    def _topology_gates(self) -> dict[str, TopologyGate]:
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
    def topology_gates(self) -> dict[str, TopologyGate]:
        """T of each Topology, by its UID."""
        found = self._topology_gates
        if self.has("pods"):
            return found
        return {uid: gate._replace(blocking=()) for uid, gate in found.items()}

    def counts(self) -> dict[str, Any]:
        """Count what was seen, blockers of whose Pods nothing is known included; for the rest see ``counts``."""
        return counts_of(self.snapshot, self._global_gate, self._topology_gates, self._host_gate)

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

    def pods_of(self, unit: str) -> list[PodView]:
        """Give the Pods of a Node by its UID, or the one Pod whose UID it is."""
        if unit in self.pod_view:
            return [self.pod_view[unit]]
        return self.views.get(unit, [])

    def lab_of(self, pod: PodView) -> str:
        """Give the UID of the Topology that controls a Pod's Node, empty for none."""
        view = self.node_view.get(pod.node_uid)
        return view.topology if view else ""

    def device_pods(self) -> list[ObservedPod]:
        """Give the Pods with the label of a workload that are of this installation, or of none that they name."""
        own = (None, self.place.app)
        return [
            pod
            for pod in self.dump.pods
            if pod.metadata.label(WORKLOAD) is not None and pod.metadata.label(labels.APP) in own
        ]
