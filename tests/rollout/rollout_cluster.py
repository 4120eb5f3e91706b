"""A World that lives: what controllers and kubelets do around the gates, each step only when it is told to.

A Node of its own that may be planned gets a Deployment, which decides then whether its Pods have the gate
(admission.md §5.1) and keeps one Pod alive. No Node here is in a circle.
"""

from __future__ import annotations

import zlib
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace
from rollout_world import World

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterator

    from kubectl_c9s.rollout.views import NodeView, PodView

HOSTS = ("h1", "h2", "h3")
ENDED = ("Succeeded", "Failed")


class Cluster(World):
    """Nodes with their Deployments and Pods. ``lost`` has the Nodes that were deleted and come back."""

    def __init__(self, batch: int = 0, per_host: int = 0) -> None:
        super().__init__(batch, per_host)
        self.gates: dict[str, bool] = {}  # of the Deployments, by UID of the Node
        self.lost: dict[str, NodeView] = {}

    def primary(self, node: NodeView) -> NodeView | None:
        """Give the Node that leads a Node's group."""
        found: NodeView | None = node
        while found is not None and found.shares is not None:
            found = self.nodes.get(f"{found.namespace}/{found.shares}")
        return found

    def progress(self) -> Iterator[Callable[[], None]]:
        """Give all steps that bring a start forward."""
        for node in self.nodes.values():
            if node.deleting:
                yield partial(self._remove, node)
            elif self._may_be_planned(node):
                yield partial(self._plan, node)
            if node.uid in self.gates and not self._active(node):
                yield partial(self._make_pod, node)
        known = {node.uid for node in self.nodes.values()}
        for pod in self.pods.values():
            if pod.node_uid not in known and not pod.deleting:
                yield partial(self._change_pod, pod, deleting=True)
            elif pod.deleting or pod.phase in ENDED:
                yield partial(self._vanish, pod)
            elif (fields := self._next_of(pod)) is not None:
                yield partial(self._change_pod, pod, **fields)
        for node in self.lost.values():
            yield partial(self._return, node)

    def _may_be_planned(self, node: NodeView) -> bool:
        mine = node.shares is None and not node.ignored and node.uid not in self.gates
        return mine and not node.hold and (not self.batch or node.mark == node.uid)

    def _active(self, node: NodeView) -> list[PodView]:
        mine = (pod for pod in self.pods.values() if pod.node_uid == node.uid)
        return [pod for pod in mine if not pod.deleting and pod.phase not in ENDED]

    @staticmethod
    def _next_of(pod: PodView) -> dict[str, object] | None:
        if not pod.host:
            return {"host": HOSTS[zlib.crc32(pod.node_uid.encode()) % len(HOSTS)]}
        if not pod.sandbox:
            return {"sandbox": True}
        if not pod.started and (not pod.gated or pod.grant == pod.uid):
            return {"started": True, "phase": "Running"}
        return None

    def _plan(self, node: NodeView) -> None:
        lab = self.labs.get(node.topology)
        self.gates[node.uid] = self.per_host > 0 or (lab is not None and lab.per_host > 0)

    def _make_pod(self, node: NodeView) -> None:
        """Make a Pod; the grant of one that is still there came with the copy of its annotations."""
        if node.uid in self.gates:
            gated, now = self.gates[node.uid], self._now()
            grant = next((one.uid for one in self.pods.values() if one.node_uid == node.uid), "")
            self.pod(node.full_name, host="", gated=gated, grant=grant, created=now)

    def _now(self) -> str:
        return f"{next(self.births) // 4:09}"  # several in a second

    def _change_pod(self, pod: PodView, **fields: object) -> None:
        if pod.uid in self.pods:
            self.change(pod.uid, **fields)

    def _vanish(self, pod: PodView) -> None:
        self.pods.pop(pod.uid, None)

    def _remove(self, node: NodeView) -> None:
        del self.nodes[node.full_name]
        self.gates.pop(node.uid, None)
        self.lost[node.full_name] = node

    def _return(self, node: NodeView) -> None:
        """Make a Node again: with the annotations it had, and a hold where new Nodes get one."""
        del self.lost[node.full_name]
        uid = f"{node.full_name}@{next(self.births)}"
        hold = self._hold(node.topology)
        again = replace(node, uid=uid, created=self._now(), deleting=False, hold=hold)
        self.nodes[node.full_name] = again

    def _hold(self, topology: str) -> str:
        return topology if topology and self.labs[topology].batch else ""

    def disturbances(self, chance: random.Random) -> Iterator[Callable[[], None]]:
        """Give steps that nobody hopes for, one of a kind."""
        if nodes := [node for node in self.nodes.values() if not node.ignored]:
            node = chance.choice(nodes)
            yield partial(self.change, node.full_name, deleting=True)
            yield partial(self._add_member, node, primary=chance.random() < 0.5)
        if pods := [pod for pod in self.pods.values() if pod.host]:
            pod = chance.choice(pods)
            yield partial(self.change, pod.uid, deleting=True)
            yield partial(self.change, pod.uid, phase="Failed", started=False)
            yield partial(self.change, pod.uid, started=False)
            yield partial(self.change, pod.uid, sandbox=False)
        yield partial(self._set_limits, chance)

    def _add_member(self, node: NodeView, *, primary: bool) -> None:
        """Add a Node to the group of another, or a group beside it."""
        name = f"{chr(97 + zlib.crc32(node.uid.encode()) % 26)}-{next(self.births)}"
        lab = self.labs.get(node.topology)
        if lab is not None and lab.defined is not None:
            self.define(lab.uid, name, *lab.defined)
        fields = {"shares": None if primary else node.name, "created": self._now()}
        hold = self._hold(node.topology)
        self.node(f"{node.namespace}/{name}", owner=node.topology, hold=hold, **fields)

    def _set_limits(self, chance: random.Random) -> None:
        self.batch, self.per_host = chance.randint(0, 3), chance.randint(0, 3)
        for uid in self.labs:
            self.limit(uid, batch=chance.randint(0, 3), per_host=chance.randint(0, 2))
