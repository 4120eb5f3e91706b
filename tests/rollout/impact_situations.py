"""Situations by chance, each from one number: labs, standalone Nodes, their Pods, and one change of limits."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, TypeAlias

from impact_plans import OTHERS, LabPlan, NodePlan, PodPlan, Situation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from impact_plans import Block, Value

Turn: TypeAlias = Literal["", "off", "unset", "first", "raised", "lowered", "zero"]
SPACES = ("a", "b", "c")
KINDS: tuple[tuple[Turn, Turn], ...] = (
    ("off", ""), ("first", ""), ("raised", ""), ("lowered", ""), ("unset", ""),
    ("", "off"), ("", "first"), ("", "raised"), ("", "lowered"), ("", "unset"),
    ("first", "first"), ("off", "off"), ("raised", "lowered"), ("lowered", "raised"),
    ("off", "first"), ("first", "off"), ("unset", "unset"), ("zero", "first"),
)  # fmt: skip
"""What happens to batchSize and maxConcurrentPerHost; a situation's kind is its seed's."""
NAMES = ("batchSize", "maxConcurrentPerHost")
FLAGS = {"batchSize": "--batch-size", "maxConcurrentPerHost": "--max-concurrent-per-host"}


def kind_of(seed: int) -> tuple[Turn, Turn]:
    """Give what a seed's change does to both fields."""
    return KINDS[seed % len(KINDS)]


def config_situation(seed: int) -> Situation:
    """Make three namespaces with labs and standalone Nodes, and a change of the Config."""
    chance = _Chance(seed)
    labs = [chance.lab(space) for space in SPACES[:2] if chance.odds(0.6)]
    nodes = [node for lab in labs for node in chance.lab_nodes(lab, 4, 0.6)]
    for space in SPACES:
        nodes += chance.standalone(space, chance.between(2, 5))
    if chance.blocked and chance.odds(0.6):
        nodes.append(chance.blocker(chance.pick(SPACES)))
    if chance.odds(0.25):
        nodes += [NodePlan("c", "x", shares="y"), NodePlan("c", "y", shares="x")]
    if chance.odds(0.2):
        nodes.append(chance.ghost("b"))
    return chance.changed(seed, "config", "", labs, nodes)


def topology_situation(
    seed: int, space: str, *, stuck: bool = False, ghost: bool = False
) -> Situation:
    """Make a namespace with a lab on hosts of its own, and a change of that Topology.

    ``stuck`` adds a workload that keeps the global batch from ever going on, ``ghost`` a Pod without its Node.
    """
    chance = _Chance(seed, tuple(f"{space}-h{number}" for number in range(3)))
    held = 0.65 if kind_of(seed)[0] else 0.1
    lab = chance.lab(space)
    nodes = chance.lab_nodes(lab, chance.between(4, 7), held, twisted=bool(kind_of(seed)[0]))
    special = chance.pick(("", "", "", "", "taken", "ignored"))
    if special == "taken":
        nodes, lab = nodes[1:], replace(lab, taken=nodes[0].name)
        nodes = [one for one in nodes if one.shares != lab.taken]
    lab = replace(lab, ignored=special == "ignored")
    nodes += chance.standalone(space, 2)
    if stuck:
        nodes.append(NodePlan(space, "z-stuck", mark="own"))
    if ghost:
        nodes.append(chance.ghost(space))
    return chance.changed(seed, f"topology/{lab.name}", space, [lab], nodes)


class _Chance:
    """Everything that is drawn for one situation, in the order of drawing."""

    def __init__(self, seed: int, hosts: tuple[str, ...] = ("h0", "h1", "h2")) -> None:
        self._random = random.Random(seed)  # noqa: S311 - a seed makes a situation, no secret
        self._kind = kind_of(seed)
        self._hosts = hosts
        self.blocked = self.odds(0.3)
        self._late = self.odds(0.25)

    def odds(self, of: float) -> bool:
        return self._random.random() < of

    def between(self, low: int, high: int) -> int:
        return self._random.randint(low, high)

    def pick(self, values: tuple[str, ...]) -> str:
        return self._random.choice(values)

    def _names(self, count: int, letters: str) -> list[str]:
        """Give names whose order says nothing about the order of birth."""
        return self._random.sample(
            [f"{one}{number}" for one in letters for number in range(4)], count
        )

    def lab(self, space: str) -> LabPlan:
        limits = {name: self.between(0, 2) for name in NAMES if self.odds(0.6)}
        return LabPlan(space, "lab", limits or None, ignored=self.odds(0.1))

    def lab_nodes(
        self, lab: LabPlan, count: int, held: float, *, twisted: bool = False
    ) -> list[NodePlan]:
        """Make the Nodes of a lab: held ones, released ones, some in the Pod of another."""
        found: list[NodePlan] = []
        foreign = twisted and self.odds(0.15)
        for name in self._names(count, "klm"):
            leaders = [node for node in found if node.shares is None]
            node = NodePlan(lab.space, name, lab.name)
            if leaders and self.odds(0.25):
                leader = self._random.choice(leaders)
                hold = leader.hold if self.odds(0.8) else ""
                found.append(replace(node, shares=leader.name, hold=hold, mark=leader.mark))
            elif self.odds(held):
                found.append(replace(node, hold="stale" if foreign and self.odds(0.4) else "own"))
            else:
                found.append(self._standing(node))
        return found

    def standalone(self, space: str, count: int) -> list[NodePlan]:
        """Make Nodes without a Topology, groups among them."""
        found = [self._standing(NodePlan(space, name)) for name in self._names(count, "pqrs")]
        for leader in tuple(found):
            if self.odds(0.25):
                mark = leader.mark if self.odds(0.7) else ""
                found.append(NodePlan(space, f"{leader.name}-in", shares=leader.name, mark=mark))
        if self.odds(0.1):
            found.append(NodePlan(space, "lost", shares="gone"))
        self._random.shuffle(found)
        return found

    def _standing(self, node: NodePlan) -> NodePlan:
        """Make a primary that is not held: new, admitted, running without a mark, ignored, leaving."""
        late = self._late and self.odds(0.5)
        how = self._random.choices(
            ("new", "admitted", "unmarked", "left over", "ignored", "leaving"),
            (40, 40, 20, 8, 4, 4) if not node.lab else (5, 60, 25, 0, 0, 5),
        )[0]
        node = replace(node, late=late)
        if how == "new":
            return replace(node, mark="stale" if self.odds(0.2) else "")
        marks: dict[str, Value] = {"admitted": "own", "left over": "stale"}
        mark = marks.get(how, "")
        node = replace(node, mark=mark, ignored=how == "ignored", leaving=how == "leaving")
        return replace(node, pods=tuple(self._pods()))

    def _pods(self) -> Iterator[PodPlan]:
        """Make the Pods of a primary: mostly one with its sandbox, sometimes an older one that is going."""
        if self.odds(0.12):
            yield replace(self._pod(), leaving=True, phase="Pending")
        if self.odds(0.08):
            yield PodPlan(self.pick(self._hosts), app=OTHERS)
        if self.odds(0.1):
            yield self._pod()
        yield replace(self._pod(), sandbox=not (self.blocked and self.odds(0.25)))

    def _pod(self) -> PodPlan:
        host = self.pick(self._hosts)
        how = self._random.choices(
            ("queued", "stale", "granted", "ungated", "started", "ended"), (45, 5, 15, 15, 25, 6)
        )[0]
        return {
            "queued": PodPlan(host, gated=True),
            "stale": PodPlan(host, gated=True, grant="stale"),
            "granted": PodPlan(host, gated=True, grant="own"),
            "ungated": PodPlan(host),
            "started": PodPlan(
                host, gated=self.odds(0.5), grant="own", started=True, phase="Running"
            ),
            "ended": PodPlan(host, phase=self.pick(("Failed", "Succeeded"))),
        }[how]

    def blocker(self, space: str) -> NodePlan:
        """Make a workload that keeps the global batch back, if not for good."""
        node = NodePlan(space, "block", mark=self._random.choice(("own", "")))
        pods: tuple[PodPlan, ...] = (PodPlan(self.pick(self._hosts), sandbox=False),)
        if node.mark and self.odds(0.5):
            pods = ()
        elif self.odds(0.3):
            pods = (PodPlan("", sandbox=False, gated=True),)
        return replace(node, pods=pods)

    def ghost(self, space: str) -> NodePlan:
        """Make a Pod that boots although its Node is gone, perhaps on its way out itself."""
        pod = PodPlan(self.pick(self._hosts), leaving=self.odds(0.5))
        return NodePlan(space, "ghost", ghost=True, pods=(pod,))

    def changed(
        self, seed: int, target: str, space: str, labs: list[LabPlan], nodes: list[NodePlan]
    ) -> Situation:
        """Add the change, and which gates have come to rest before it: those that it does not touch, at least."""
        before: dict[str, int] = {}
        after: dict[str, int] = {}
        flags: list[str] = []
        own = "G" if target == "config" else "T"
        settled = {"H", "G", "T"}
        for name, turn, gate in zip(NAMES, self._kind, (own, "H"), strict=True):
            old, new = self._values(turn)
            before |= {} if old is None else {name: old}
            after |= {} if new is None else {name: new}
            if turn in {"off", "first", "raised", "lowered", "zero"}:
                flags += [FLAGS[name], str(new)]
            elif turn == "unset":
                flags += ["--unset", name]
            if turn not in {"", "zero"} and self.odds(0.7):
                settled -= {gate}
        present = before if before or self.odds(0.5) else None
        labs = [self._with(lab, present) if target != "config" else lab for lab in labs]
        return Situation(
            seed, target, space, present, after, tuple(flags), tuple(labs), tuple(nodes), frozenset(settled)
        )  # fmt: skip

    @staticmethod
    def _with(lab: LabPlan, rollout: Block) -> LabPlan:
        return replace(lab, rollout=rollout)

    def _values(self, turn: Turn) -> tuple[int | None, int | None]:
        """Give the old and the new value of a field."""
        low, more = self.between(1, 2), self.between(1, 3)
        none = self._random.choice((None, 0))
        if turn == "":
            same = self._random.choice((None, low))
            return same, same
        return {
            "off": (low, 0),
            "unset": (low, None),
            "first": (none, low),
            "raised": (low, low + more),
            "lowered": (low + more, low),
            "zero": (None, 0),
        }[turn]
