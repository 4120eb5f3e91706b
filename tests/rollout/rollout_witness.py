"""A witness to histories: it judges what passes write by what stood before, in its own words for the rules.

It asks nothing of the gates. A breach is an AssertionError. ``whole`` says that a pass was carried out to its end: then
it must also not have been too shy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rollout_cluster import ENDED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from rollout_cluster import Cluster

    from kubectl_c9s.rollout.views import NodeView, PodView, TopologyView


class Witness:
    """Watches one Cluster; it is told of every pass before its writes are carried out."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster

    def _pod(self, node: NodeView, namespace: str = "") -> PodView | None:
        mine = [
            pod
            for pod in self._cluster.pods.values()
            if pod.node_uid == node.uid and not pod.deleting and namespace in {"", pod.namespace}
        ]
        return max(mine, key=lambda pod: pod.created, default=None)

    def _unready(self, nodes: Iterable[NodeView], namespace: str = "") -> list[str]:
        pods = {node.full_name: self._pod(node, namespace) for node in nodes}
        return [name for name, pod in pods.items() if pod is None or not pod.sandbox]

    def marks(self, written: Sequence[NodeView], *, whole: bool) -> None:
        """Judge a pass of the global batch (admission.md §4.3)."""
        nodes = [node for node in self._cluster.nodes.values() if not node.deleting]
        led = {node.uid: self._lead(node) for node in nodes}
        leaders = [node for node in nodes if led[node.uid] is node]
        admitted = [node for node in leaders if node.mark == node.uid or self._pod(node)]
        queue = [node for node in leaders if node not in admitted and not node.hold]
        queue.sort(key=lambda node: (node.created, node.full_name))
        decided = [node for node in written if node in queue]
        batch, blocked = self._cluster.batch, self._unready(admitted)
        assert batch > 0 or not written, "G is off"
        assert not (decided and blocked), f"admitted {decided} past {blocked}"
        assert decided == queue[: min(len(decided), batch)], "out of turn, or more than a batch"
        let_in = [*admitted, *decided]
        missing = [n for n in nodes if led[n.uid] in let_in and n.mark != n.uid]
        assert all(node in missing for node in written), "a mark for nobody's sake"
        repairs = [node for node in missing if led[node.uid] in admitted]
        if decided:
            first = written.index(decided[0])
            assert all(node in written[:first] for node in repairs), "repairs come first"
        self._primary_first(written, lambda node: node.mark == node.uid, led)
        if whole and batch > 0:
            assert set(written) == set(missing)
            assert blocked or len(decided) == min(batch, len(queue)), "too shy"

    def _lead(self, node: NodeView) -> NodeView | None:
        """Give the primary as G sees it: no Node on the way to it is going, and it is not ignored."""
        found: NodeView | None = node
        while found is not None and not found.deleting and found.shares is not None:
            found = self._cluster.nodes.get(f"{found.namespace}/{found.shares}")
        return None if found is None or found.deleting or found.ignored else found

    @staticmethod
    def _primary_first(
        written: Sequence[NodeView],
        done: Callable[[NodeView], bool],
        led: dict[str, NodeView | None],
    ) -> None:
        seen: list[NodeView] = []
        for node in written:
            primary = led[node.uid]
            assert primary is not None, f"{node.full_name} has no primary"
            assert primary is node or done(primary) or primary in seen, "the primary comes first"
            seen.append(node)
        assert len(set(seen)) == len(seen), "written twice"

    def lifts(self, lab: TopologyView, written: Sequence[NodeView], *, whole: bool) -> None:
        """Judge a pass of a Topology (§3)."""
        assert lab.defined is not None
        own = [node for node in self._cluster.nodes.values() if lab.uid in node.owners]
        led = {node.uid: self._cluster.primary(node) for node in own}
        complete = {node.name for node in own} == lab.defined and None not in led.values()
        assert complete or not written, "released from an incomplete lab"
        leaders = [node for node in own if led[node.uid] is node]
        queue = sorted((node for node in leaders if node.hold), key=lambda node: node.name)
        admitted = [node for node in leaders if not node.hold]
        decided = [node for node in written if node in queue]
        batch = lab.batch or len(queue)
        blocked = self._unready(admitted, lab.namespace) if lab.batch else []
        assert not (decided and blocked), f"released {decided} past {blocked}"
        assert decided == queue[: min(len(decided), batch)], "out of turn, or more than a batch"
        let_out = [*admitted, *decided]
        held = [node for node in own if node.hold and led[node.uid] in let_out]
        assert all(node in held for node in written), "lifted for nobody's sake"
        self._primary_first(written, lambda node: not node.hold, led)
        if whole and complete:
            assert set(written) == set(held)
            assert blocked or len(decided) == min(batch, len(queue)), "too shy"

    def grants(self, written: Sequence[PodView], *, whole: bool) -> None:
        """Judge a pass of the host slots (§5.2)."""
        pods = [pod for pod in self._cluster.pods.values() if pod.host]
        waits = [pod for pod in pods if pod.gated and pod.grant != pod.uid]
        booting = [pod for pod in pods if pod not in waits]
        booting = [pod for pod in booting if not pod.started and pod.phase not in ENDED]
        known = {node.uid: node.topology for node in self._cluster.nodes.values()}
        orphans = [pod for pod in booting if pod.node_uid not in known]
        assert not (written and orphans), f"granted beside {orphans}"
        waits = [pod for pod in waits if not pod.deleting and pod.node_uid in known]
        for pod in written:
            assert pod in waits, f"{pod.full_name} does not wait"
            assert self._fits(pod, booting, known), f"no slot for {pod.full_name}"
            waits.remove(pod)
            booting.append(pod)
        if whole and not orphans:
            idle = [pod.full_name for pod in waits if self._fits(pod, booting, known)]
            assert not idle, f"too shy with {idle}"

    def _fits(self, pod: PodView, booting: list[PodView], known: dict[str, str]) -> bool:
        here = [one for one in booting if one.host == pod.host]
        topology = known[pod.node_uid]
        own = [one for one in here if known.get(one.node_uid) == topology]
        lab = self._cluster.labs.get(topology)
        limits = [(self._cluster.per_host, here), (lab.per_host if lab else 0, own)]
        return all(not limit or len(taken) < limit for limit, taken in limits)
