"""The objects of a dump by what rules ask for them."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from typing import TYPE_CHECKING

from kubectl_c9s.resources.moments import seconds_of
from kubectl_c9s.rollout.views import WORKLOAD

if TYPE_CHECKING:
    from kubectl_c9s.diagnosis.dump import Dump
    from kubectl_c9s.resources.observed import Link, ObservedNode, ObservedPod, ObservedTopology
    from kubectl_c9s.resources.surroundings import Event, Host, Lease, Workload


class Lookups:
    """A dump with its cross references; each is made when it is first asked for."""

    def __init__(self, dump: Dump) -> None:
        self.dump = dump

    def has(self, kind: str) -> bool:
        """Tell whether a kind was collected, so that its absence means something."""
        return kind in self.dump.collected

    @cached_property
    def nodes(self) -> dict[str, ObservedNode]:
        """C9s Nodes by UID."""
        return {node.metadata.uid: node for node in self.dump.nodes}

    @cached_property
    def pods(self) -> dict[str, ObservedPod]:
        """Pods by UID."""
        return {pod.metadata.uid: pod for pod in self.dump.pods}

    @cached_property
    def hosts(self) -> dict[str, Host]:
        """Hosts by name."""
        return {host.metadata.name: host for host in self.dump.hosts}

    @cached_property
    def topologies(self) -> dict[str, ObservedTopology]:
        """Topologies by UID."""
        return {topology.metadata.uid: topology for topology in self.dump.topologies}

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
    def labelled_sets(self) -> dict[tuple[str, str | None], list[Workload]]:
        """ReplicaSets by namespace and label of the workload: for a dump without Deployments."""
        found: defaultdict[tuple[str, str | None], list[Workload]] = defaultdict(list)
        for one in self.dump.replica_sets:
            found[one.metadata.namespace, one.metadata.label(WORKLOAD)].append(one)
        return found

    @cached_property
    def leases(self) -> dict[tuple[str, str], Lease]:
        """Leases by namespace and name."""
        return {(one.metadata.namespace, one.metadata.name): one for one in self.dump.leases}

    @cached_property
    def links(self) -> dict[tuple[str, str], list[Link]]:
        """Links by namespace and name of each Node at their ends."""
        found: defaultdict[tuple[str, str], list[Link]] = defaultdict(list)
        for link in self.dump.links:
            for end in {link.spec.endpoint_a.node_name, link.spec.endpoint_b.node_name}:
                found[link.metadata.namespace, end].append(link)
        return found

    @cached_property
    def _events(self) -> dict[str, list[Event]]:
        found: defaultdict[str, list[Event]] = defaultdict(list)
        for event in self.dump.events:
            if event.about.uid and event.warning:
                found[event.about.uid].append(event)
        return found

    def events(self, uid: str, born: float | None, *reasons: str) -> list[Event]:
        """Give the Warnings about an object since a moment, the latest first (causes.md §2)."""
        found = [
            (seconds_of(event.last), event)
            for event in self._events.get(uid, ())
            if event.reason in reasons
        ]
        known = [(last, event) for last, event in found if last is not None and last >= (born or 0)]
        return [event for _, event in sorted(known, key=lambda one: one[0], reverse=True)]
