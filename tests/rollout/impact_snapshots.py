"""Snapshots by chance for hypothesis, each from a number and a size, and the same as the stand-in's gates take them.

Chance is weighted so that most of them are plausible: a lab that is complete, workloads of which few block.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import standin_views as standin
from hypothesis import strategies as st

from kubectl_c9s.rollout.limits import Limits
from kubectl_c9s.rollout.views import NodeView, PodView, Snapshot, TopologyView

if TYPE_CHECKING:
    from collections.abc import Collection

LAB = "lab-uid"
both = st.builds(Limits, *[st.sampled_from((None, 0, 1, 2, 3))] * 2)


class _Draw:
    """One snapshot: rare things are decided on for all of it."""

    def __init__(self, seed: int, size: int) -> None:
        self._random = random.Random(seed)  # noqa: S311 - a seed makes a snapshot, no secret
        self._size = size
        self._names: list[str] = []
        rare = ("blocked", "orphan", "incomplete", "missing", "circle", "foreign", "ignored", "odd")
        self._rare = {one for one in rare if self._odds(0.2)}

    def _odds(self, of: float) -> bool:
        return self._random.random() < of

    def _is(self, what: str, of: float = 0.3) -> bool:
        return what in self._rare and self._odds(of)

    def snapshot(self) -> Snapshot:
        self._names = self._random.sample([f"n{number}" for number in range(20)], self._size)
        nodes: list[NodeView] = []
        for name in self._names:
            nodes.append(self._node(name, nodes))
        pods = [pod for node in nodes for pod in self._pods(node)]
        if "orphan" in self._rare:
            pods.append(self._pod("x/ghost", len(pods)))
        self._random.shuffle(pods)
        own = [node for node in nodes if LAB in node.owners]
        lab = TopologyView(
            "a",
            "lab",
            LAB,
            batch=self._random.randint(0, 3),
            per_host=self._random.randint(0, 3),
            expected=len(own) + ("incomplete" in self._rare),
            ignored="ignored" in self._rare,
        )
        limits = self._random.randint(0, 3), self._random.randint(0, 3)
        return Snapshot(*limits, tuple(nodes), tuple(pods), (lab,))

    def _node(self, name: str, before: list[NodeView]) -> NodeView:
        space = self._random.choice("aaab")
        owner = self._random.choice((LAB, LAB, LAB, "", "gone")) if space == "a" else ""
        uid = f"{space}/{name}"
        hold = LAB if owner == LAB and self._odds(0.5) else ""
        if self._is("foreign"):
            hold = "foreign"
        return NodeView(
            space,
            name,
            uid,
            created=self._random.choice("112"),
            deleting=self._is("odd"),
            ignored=self._is("odd"),
            shares=self._shares([one.name for one in before if one.namespace == space]),
            hold=hold,
            mark=uid if not hold and self._odds(0.3) else self._random.choice(("", "", "stale")),
            topology=owner,
            owners=(owner,) if owner else (),
        )

    def _shares(self, before: list[str]) -> str | None:
        """Choose who leads a Node: one before it, but for circles and for names that nobody has."""
        if self._is("missing", 0.15):
            return "nobody"
        if self._is("circle", 0.4):
            return self._random.choice(self._names)
        return self._random.choice(before) if before and self._odds(0.2) else None

    def _pods(self, node: NodeView) -> list[PodView]:
        marked = node.mark == node.uid
        count = 1 if marked else int(not node.hold and self._odds(0.4))
        if self._is("blocked", 0.2):
            count = 0
        pods = [self._pod(node.uid, number) for number in range(count + self._odds(0.1) * count)]
        return [pod for pod in pods if not pod.deleting or len(pods) > 1 or "blocked" in self._rare]

    def _pod(self, owner: str, number: int) -> PodView:
        kinds = ("queued", "stale", "granted", "ungated", "started", "ended")
        how = self._random.choices(kinds, (50, 5, 15, 15, 20, 5))[0]
        uid = f"{owner}#{number}"
        queued = {"queued": "", "stale": "another"}
        return PodView(
            owner.partition("/")[0],
            f"{owner.partition('/')[2]}-{number}",
            uid,
            created=self._random.choice("12"),
            deleting=self._odds(0.08),
            node_uid=owner,
            host=self._random.choice(("h1", "h1", "h2", "" if "blocked" in self._rare else "h3")),
            phase="Failed" if how == "ended" else "Pending",
            sandbox=not self._is("blocked"),
            gated=how in {*queued, "granted"} or self._odds(0.3),
            grant=queued.get(how, uid),
            started=how == "started",
        )


def _snapshot(seed: int, size: int) -> Snapshot:
    return _Draw(seed, size).snapshot()


snapshots = st.builds(_snapshot, st.integers(0, 2**32), st.integers(1, 10))
"""Installations with at most one Topology, ``lab`` in ``a``; the limits are drawn too."""


def seen_by_standin(snapshot: Snapshot, changed: Limits | None = None) -> standin.Snapshot:
    """Give a snapshot as the stand-in's gates take it, with other limits of the Config if any are given."""
    batch, per_host = snapshot.batch, snapshot.per_host
    if changed is not None:
        batch, per_host = changed.batch, changed.per_host
    labs = [
        standin.TopologyView(one.namespace, one.name, one.uid, one.batch, one.per_host)
        for one in snapshot.topologies
    ]
    return standin.Snapshot(
        batch, per_host, [*map(_node, snapshot.nodes)], [*map(_pod, snapshot.pods)], labs
    )


def defined(snapshot: Snapshot) -> Collection[str]:
    """Name the Nodes that the Topology defines; those that are not there have names of their own."""
    own = [node.name for node in snapshot.nodes if LAB in node.owners]
    (lab,) = snapshot.topologies
    return [*own, *(f"absent-{number}" for number in range(lab.expected - len(own)))]


def _node(node: NodeView) -> standin.NodeView:
    owners = [standin.Owner(uid, controlling_topology=uid == node.topology) for uid in node.owners]
    return standin.NodeView(
        node.namespace,
        node.name,
        node.uid,
        created=node.created,
        deleting=node.deleting,
        ignored=node.ignored,
        shares=node.shares,
        hold=node.hold,
        mark=node.mark,
        owners=tuple(owners),
    )


def _pod(pod: PodView) -> standin.PodView:
    return standin.PodView(
        pod.namespace,
        pod.name,
        pod.uid,
        created=pod.created,
        deleting=pod.deleting,
        node_uid=pod.node_uid,
        host=pod.host,
        phase=pod.phase,
        sandbox=pod.sandbox,
        gated=pod.gated,
        grant=pod.grant,
        started=pod.started,
    )
