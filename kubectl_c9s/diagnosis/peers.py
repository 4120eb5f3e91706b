"""Whether devices that boot wait for devices that wait for a slot (causes.md row 31)."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from typing import TYPE_CHECKING

from kubectl_c9s.diagnosis.boot import booting_since
from kubectl_c9s.rollout.hosts import is_booting, is_queued

if TYPE_CHECKING:
    from kubectl_c9s.diagnosis.world import World
    from kubectl_c9s.resources.observed import ObservedPod
    from kubectl_c9s.rollout.views import PodView


class Peers:
    """The Links between the Pods that boot and those that are queued; workloads go by the UID of their primary."""

    def __init__(self, world: World) -> None:
        self._world = world
        bound = [view for view in world.snapshot.pods if view.host]
        self._queued = {view.node_uid for view in bound if is_queued(view) and not view.deleting}
        self._booting: set[str] = set()
        self._known: dict[int, bool] = {}
        self._hosts: defaultdict[str, list[PodView]] = defaultdict(list)
        self._labs: defaultdict[str, list[PodView]] = defaultdict(list)
        for view in bound:
            if is_booting(view):
                self._booting.add(view.node_uid)
                self._hosts[view.host].append(view)
                self._labs[self._lab(view)].append(view)

    def _lab(self, view: PodView) -> str:
        node = self._world.node_view.get(view.node_uid)
        return (node.topology if node else "") or view.namespace

    def _peers(self, uid: str) -> set[str]:
        """Give the workloads at the other ends of the Links of one, its members' included."""
        node = self._world.node_view.get(uid)
        group = self._world.group_of.get((node.namespace, node.name)) if node else None
        if group is None:
            return set()
        ends = {
            (member.namespace, end)
            for member in group.members
            for link in self._world.links.get((member.namespace, member.name), ())
            for end in (link.spec.endpoint_a.node_name, link.spec.endpoint_b.node_name)
        }
        found = (self._world.group_of.get(end) for end in ends)
        return {peer.primary.uid for peer in found if peer is not None} - {uid}

    @cached_property
    def _awaiting(self) -> set[str]:
        """Workloads that boot and wait for a queued one: for a peer, or for a peer that boots and waits itself.

        A device in the middle of a chain waits for the next one, which waits for the one that is queued.
        """
        found: set[str] = set()
        more = list(self._queued)
        while more:
            new = (self._peers(more.pop()) & self._booting) - found
            found |= new
            more += new
        return found

    def awaited(self, pod: ObservedPod) -> list[str]:
        """Give ``namespace/name`` of the queued workloads that a Pod waits for, the nearest by its Links."""
        uid = self._world.pod_view[pod.metadata.uid].node_uid
        seen, near = {uid}, {uid}
        while near:
            near = {peer for one in near for peer in self._peers(one)} - seen
            seen |= near
            if near & self._queued:
                return sorted(self._world.node_view[one].full_name for one in near & self._queued)
            near &= self._booting
        return []

    def all_wait_for_peers(self, pod: ObservedPod) -> bool:
        """Tell whether all that boot on its host, or all that boot of its lab, are like it (diagnosis.md §4.5)."""
        if not self._awaiting:
            return False
        view = self._world.pod_view[pod.metadata.uid]
        return self._all_wait(self._hosts[view.host]) or self._all_wait(self._labs[self._lab(view)])

    def _all_wait(self, views: list[PodView]) -> bool:
        known = self._known.get(id(views))
        if known is None:
            known = self._known[id(views)] = all(self._waits(one) for one in views)
        return known

    def _waits(self, view: PodView) -> bool:
        pod = self._world.pods[view.uid]
        return view.node_uid in self._awaiting and booting_since(pod) is not None
