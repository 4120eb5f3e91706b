"""Whether devices that boot wait for devices that wait for a slot (causes.md row 31)."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from kubectl_c9s.diagnosis.boot import booting_since
from kubectl_c9s.rollout.hosts import is_booting, is_queued

if TYPE_CHECKING:
    from kubectl_c9s.diagnosis.world import World
    from kubectl_c9s.resources.observed import ObservedPod
    from kubectl_c9s.rollout.views import PodView


class Peers:
    """The Links between the Pods that boot and those that are queued."""

    def __init__(self, world: World) -> None:
        self._world = world
        bound = [view for view in world.snapshot.pods if view.host]
        self._queued = {view.node_uid for view in bound if is_queued(view) and not view.deleting}
        self._hosts: defaultdict[str, list[PodView]] = defaultdict(list)
        self._labs: defaultdict[str, list[PodView]] = defaultdict(list)
        for view in bound:
            if is_booting(view):
                self._hosts[view.host].append(view)
                self._labs[self._lab(view)].append(view)

    def _lab(self, view: PodView) -> str:
        node = self._world.nodes.get(view.node_uid)
        group = self._world.group_of.get((view.namespace, node.metadata.name)) if node else None
        return (group.primary.topology if group else "") or view.namespace

    def queued_peers(self, pod: ObservedPod) -> list[str]:
        """Give ``namespace/name`` of the Nodes at the other ends of its Links whose Pods are queued."""
        meta = pod.metadata
        node = self._world.nodes.get(meta.annotation("c9s.run/direct-node-uid"))
        group = self._world.group_of.get((meta.namespace, node.metadata.name)) if node else None
        if group is None:
            return []
        found = set()
        for member in group.members:
            for link in self._world.links.get((member.namespace, member.name), ()):
                for end in (link.spec.endpoint_a.node_name, link.spec.endpoint_b.node_name):
                    peer = self._world.group_of.get((member.namespace, end))
                    if peer is not None and peer.primary.uid in self._queued:
                        found.add(peer.full_name)
        return sorted(found)

    def all_wait_for_peers(self, pod: ObservedPod) -> bool:
        """Tell whether all that boot on its host, or all that boot of its lab, are like it."""
        view = self._world.pod_view[pod.metadata.uid]
        groups = (self._hosts[view.host], self._labs[self._lab(view)])
        return any(all(self._waits(one) for one in group) for group in groups)

    def _waits(self, view: PodView) -> bool:
        pod = self._world.pods[view.uid]
        return booting_since(pod) is not None and bool(self.queued_peers(pod))
