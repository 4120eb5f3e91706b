"""Seeded histories: passes of the gates, whole and cut short, in a Cluster that works, breaks and is changed."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from rollout_cluster import Cluster
from rollout_witness import Witness

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

ROUNDS = 400
"""A start of as many groups as histories have ends long before."""


class History:
    """One history. ``chance`` drives everything; the decision maker keeps nothing from pass to pass."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)  # noqa: S311 - a seed makes a history, no secret
        self.cluster = build(self.chance)
        self._witness = Witness(self.cluster)

    def run(self, steps: int) -> Cluster:
        """Take steps of all kinds, in any order."""
        for _ in range(steps):
            kind = self.chance.random()
            if kind < 0.4:
                self.decide(self.chance.choice(self.passes()), self._death())
            elif kind < 0.85:
                self._take(self.cluster.progress())
            else:
                self._take(self.cluster.disturbances(self.chance))
        return self.cluster

    def _take(self, steps: Iterable[Callable[[], None]]) -> None:
        if possible := list(steps):
            self.chance.choice(possible)()

    def _death(self) -> int | None:
        """Give the writes after which the decision maker dies; None when it does not."""
        return self.chance.randint(0, 4) if self.chance.random() < 0.5 else None

    def passes(self) -> list[str]:
        """Name the passes of the installation: of H, of G, and of each Topology by its UID."""
        return ["H", "G", *self.cluster.labs]

    def decide(self, which: str, writes: int | None) -> int:
        """Make a pass, cut short after so many writes, under the eyes of the witness; count its writes."""
        cluster, whole = self.cluster, writes is None
        if which == "H":
            self._witness.grants(cluster.hosts.grants[:writes], whole=whole)
            return len(cluster.grant(writes))
        if which == "G":
            self._witness.marks(cluster.queue.marks[:writes], whole=whole)
            return len(cluster.admit(writes))
        lifts = cluster.lab_gate(which).lifts[:writes]
        self._witness.lifts(cluster.labs[which], lifts, whole=whole)
        return len(cluster.release(which, writes))

    def settle(self, *, deaths: bool = False) -> Cluster:
        """Let everything come up, nothing more breaks; with ``deaths`` the decision maker still dies half the time.

        Done when neither the cluster nor a whole pass has anything left to do.
        """
        for _ in range(ROUNDS):
            busy = 0
            for which in self.passes():
                busy += self.decide(which, self._death() if deaths else None)
            for step in list(self.cluster.progress()):
                step()
                busy += 1
            if not busy and not any(self.decide(which, None) for which in self.passes()):
                return self.cluster
        raise AssertionError("the start does not end")


def build(chance: random.Random) -> Cluster:
    """Make labs, standalone Nodes in groups, Pods of before, a Node without its primary, an ignored group."""
    cluster = Cluster(chance.randint(0, 3), chance.randint(0, 3))
    for lab in "lm"[: chance.randint(0, 2)]:
        batch, per_host = chance.randint(0, 3), chance.randint(0, 2)
        members = [f"{letter}{number}" for number, letter in enumerate("cabd")]
        cluster.lab(lab, " ".join(members), batch=batch, per_host=per_host)
        _share(chance, cluster, lab, members)
    alone = [f"n{number}" for number in range(chance.randint(0, 5))]
    for name in alone:
        cluster.node(f"x/{name}", created=f"{chance.randint(0, 2):09}")
    _share(chance, cluster, "x", alone)
    for name in [node.full_name for node in cluster.nodes.values() if node.shares is None]:
        if not cluster.nodes[name].hold and chance.random() < 0.3:
            cluster.pod(name, sandbox=True, started=True, phase="Running")
            cluster.gates[name] = False
    cluster.node("x/lost", shares="gone")
    cluster.node("x/ignored", ignored=True)
    cluster.node("x/with-ignored", shares="ignored")
    cluster.pod("x/ignored", phase="Failed")
    return cluster


def _share(chance: random.Random, cluster: Cluster, namespace: str, members: list[str]) -> None:
    """Put some Nodes into the Pod of one before them."""
    for index, name in enumerate(members):
        if index and chance.random() < 0.4:
            cluster.change(f"{namespace}/{name}", shares=members[chance.randrange(index)])
