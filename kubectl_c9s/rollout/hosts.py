"""The host gate H: who boots, who waits for a slot, who would get one (admission.md §5)."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kubectl_c9s.rollout.views import NodeView, PodView, Snapshot, TopologyView

_ENDED: Final = ("Succeeded", "Failed")


class HostCount(NamedTuple):
    """The device Pods of one host: each is booting, queued or started; Pods that have ended are none of them."""

    booting: tuple[PodView, ...] = ()
    queued: tuple[PodView, ...] = ()
    started: tuple[PodView, ...] = ()


class HostGate(NamedTuple):
    """H of the installation. ``hosts`` are by name; ``grants`` the Pods the next pass lets boot, in order.

    ``orphans`` are booting Pods of unknown Nodes: while there is one, nothing is granted anywhere. ``skipped`` are
    queued Pods whose Node or Topology is unknown. Without any gated Pod no pass is made, and ``active`` is false.
    """

    hosts: dict[str, HostCount]
    active: bool = False
    grants: tuple[PodView, ...] = ()
    orphans: tuple[PodView, ...] = ()
    skipped: tuple[PodView, ...] = ()


def is_queued(pod: PodView) -> bool:
    """Tell whether a Pod waits for a grant; one that is terminating is passed over."""
    return pod.gated and pod.grant != pod.uid


def is_booting(pod: PodView) -> bool:
    """Tell whether a Pod takes a slot: free of the gate, not started and not ended, terminating or not."""
    return not is_queued(pod) and not pod.started and pod.phase not in _ENDED


def host_gate(snapshot: Snapshot) -> HostGate:
    """Look at the hosts of all namespaces."""
    bound = [pod for pod in snapshot.pods if pod.host]
    found = HostGate(_count(bound), any(pod.gated for pod in snapshot.pods))
    slots = HostPass(snapshot)
    if slots.orphans:
        return found._replace(orphans=slots.orphans)
    if not found.active:
        return found
    skipped = tuple(pod for pod in slots.queued if not slots.knows(pod))
    return found._replace(grants=slots.grants(), skipped=skipped)


class HostPass:
    """What a pass over a snapshot starts from; it can be made again as if one Pod were gone."""

    def __init__(self, snapshot: Snapshot) -> None:
        bound = [pod for pod in snapshot.pods if pod.host]
        self._per_host = snapshot.per_host
        self._owners = {node.uid: node.topology for node in snapshot.nodes}
        self._limits = {one.uid: one.per_host for one in snapshot.topologies} | {"": 0}
        self._booting = [pod for pod in bound if is_booting(pod)]
        self.orphans = tuple(pod for pod in self._booting if pod.node_uid not in self._owners)
        self.queued = [pod for pod in bound if is_queued(pod) and not pod.deleting]
        self.queued.sort(key=lambda pod: (pod.created, pod.full_name))

    def knows(self, pod: PodView) -> bool:
        """Tell whether the Pod's Node is known, and the Topology of that, if it has one."""
        return self._owners.get(pod.node_uid) in self._limits

    def grants(self, gone: PodView | None = None) -> tuple[PodView, ...]:
        """Give the Pods that are let boot, in order; none while there is an orphan."""
        if any(pod is not gone for pod in self.orphans):
            return ()
        slots = _Slots(self._per_host, self._owners, self._limits)
        for pod in self._booting:
            if pod is not gone:
                slots.take(pod)
        return tuple(
            pod
            for pod in self.queued
            if pod is not gone and self.knows(pod) and slots.fits_and_taken(pod)
        )


class _Slots:
    """The counters of one pass: slots taken per host, and per Topology and host."""

    def __init__(self, per_host: int, owners: dict[str, str], limits: dict[str, int]) -> None:
        self._per_host = per_host
        self._owners = owners
        self._limits = limits
        self._hosts: Counter[str] = Counter()
        self._labs: Counter[tuple[str, str]] = Counter()

    def take(self, pod: PodView) -> None:
        self._hosts[pod.host] += 1
        self._labs[self._owners[pod.node_uid], pod.host] += 1

    def fits_and_taken(self, pod: PodView) -> bool:
        owner = self._owners[pod.node_uid]
        limit = self._limits[owner]
        fits = not self._per_host or self._hosts[pod.host] < self._per_host
        fits = fits and (not limit or self._labs[owner, pod.host] < limit)
        if fits:
            self.take(pod)
        return fits


def _count(bound: Iterable[PodView]) -> dict[str, HostCount]:
    """Count the Pods of each host, hosts by name."""
    rows: dict[str, tuple[list[PodView], list[PodView], list[PodView]]] = {}
    for pod in bound:
        booting, queued, started = rows.setdefault(pod.host, ([], [], []))
        if is_queued(pod):
            if not pod.deleting:
                queued.append(pod)
        elif pod.started:
            started.append(pod)
        elif pod.phase not in _ENDED:
            booting.append(pod)
    return {host: HostCount(*map(tuple, rows[host])) for host in sorted(rows)}


def is_gated(per_host: int, node: NodeView, topologies: Iterable[TopologyView]) -> bool:
    """Tell whether a Deployment that is made now for a primary gets the gate (§5.1)."""
    return per_host > 0 or any(one.per_host > 0 and one.uid == node.topology for one in topologies)
