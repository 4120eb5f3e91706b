"""What a situation of a start consists of: Topologies, Nodes and Pods as they are to be, and a change.

Plans are values. UIDs are the API server's, so a plan says "own" where the UID of the object itself is meant.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

OURS = ""
OTHERS = "somebody-elses"
"""The application a Pod belongs to: that of the installation, or another one, whose Pods the gates do not see."""

Block: TypeAlias = "Mapping[str, int] | None"
Value: TypeAlias = Literal["", "own", "stale"]
"""An annotation: absent, with the UID it needs, or with one that was left over."""


@dataclass(frozen=True)
class PodPlan:
    """A Pod of a primary. ``host`` is empty for one that is not scheduled; ``leaving`` one is terminating."""

    host: str
    phase: str = "Pending"
    sandbox: bool = True
    gated: bool = False
    grant: Value = ""
    started: bool = False
    leaving: bool = False
    app: str = OURS


@dataclass(frozen=True)
class NodePlan:
    """A Node. ``lab`` names its Topology, ``late`` ones are born in a later second, ``ghost`` ones are no Node.

    A ghost stands for a Node that was deleted: only its Pods are there.
    """

    space: str
    name: str
    lab: str = ""
    shares: str | None = None
    hold: Value = ""
    mark: Value = ""
    ignored: bool = False
    leaving: bool = False
    late: bool = False
    ghost: bool = False
    pods: tuple[PodPlan, ...] = ()


@dataclass(frozen=True)
class LabPlan:
    """A Topology and what is special about it; ``taken`` is a name of its Nodes that somebody else's Node has."""

    space: str
    name: str
    rollout: Block = None
    ignored: bool = False
    taken: str = ""


@dataclass(frozen=True)
class Situation:
    """A state and a change of one object's limits, all from ``seed``.

    ``target`` is ``config`` or ``topology/NAME`` of ``space``; ``flags`` are those of the command, ``before`` and
    ``after`` the blocks. ``settled`` are the gates (H, G, T) that have come to rest under the old limits.
    """

    seed: int
    target: str
    space: str
    before: Block
    after: Block
    flags: tuple[str, ...]
    labs: tuple[LabPlan, ...]
    nodes: tuple[NodePlan, ...]
    settled: frozenset[str]

    def __str__(self) -> str:
        words = (
            f"{self.target} in {self.space or 'its own namespace'}, {self.before} → {self.after}"
        )
        return f"situation {self.seed}: {words}; settled: {''.join(sorted(self.settled)) or 'none'}"
