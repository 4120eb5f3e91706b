"""What is known of a RolloutPolicy and of the start it rules, as its status tells it (policy.md "Reporting").

The reconciler fills these from its decisions and from a diagnosis, which this room does not know.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from kubectl_c9s.rollout.holding import Circumstances

if TYPE_CHECKING:
    from kubectl_c9s.rollout.drifting import Drift
    from kubectl_c9s.rollout.enforcing import Decision
    from kubectl_c9s.rollout.holding import Hold
    from kubectl_c9s.rollout.policyfile import RolloutPolicy

Verdict: TypeAlias = Literal["stalled", "misconfigured", "slow", "healthy"]
HostVerdict: TypeAlias = Literal["stalled", "slow", "healthy"]


class Start(NamedTuple):
    """What a diagnosis says: its verdict, the first cause's code, the workload or object it blames, how many wait."""

    verdict: Verdict
    code: str = ""
    blocker: str = ""
    waiting: int = 0


class BlockerRow(NamedTuple):
    """One that keeps others back: ``workload`` is ``namespace/name``, ``since`` RFC 3339 or empty."""

    workload: str
    cause: str
    scope: str
    since: str
    waiting: int


class HostRow(NamedTuple):
    """The device Pods of a host; ``cap`` is the Config's limit, 0 for off."""

    host: str
    booting: int
    queued: int
    started: int
    cap: int
    verdict: HostVerdict


class Written(NamedTuple):
    """A write that the server has taken, one for each field, and when (RFC 3339)."""

    drift: Drift
    time: str


class Facts(NamedTuple):
    """All that the status of one policy follows from.

    ``ruler``: name of the policy that rules in place of this one, empty when this one does. ``policy`` is None when it
    cannot be obeyed; ``problem`` says why. ``start`` is None while the view is too poor for a diagnosis. ``failures``
    are writes that the server refused (``Forbidden``, ``WriteFailed``). ``blockers`` come worst first, ``writes``
    newest first: those since the last status are enough.
    """

    generation: int
    policy: RolloutPolicy | None = None
    problem: str = ""
    ruler: str = ""
    how: Circumstances = Circumstances(0.0)
    decisions: tuple[Decision, ...] = ()
    failures: tuple[Hold, ...] = ()
    start: Start | None = None
    blockers: tuple[BlockerRow, ...] = ()
    hosts: tuple[HostRow, ...] = ()
    writes: tuple[Written, ...] = ()

    @property
    def is_active(self) -> bool:
        """Tell whether this policy rules and can be obeyed."""
        return not self.ruler and self.policy is not None

    @property
    def is_writing(self) -> bool:
        """Tell whether something is to be sent, or its effect to be seen."""
        return any(one.awaiting or one.patch is not None for one in self.decisions)

    @property
    def managed(self) -> int:
        """Count the objects that the policy speaks of."""
        return sum(one.managed for one in self.decisions)

    @property
    def drifted(self) -> list[str]:
        """Name the objects that are not as the policy wants them."""
        return [one.drift[0].object for one in self.decisions if one.drift]
