"""Why a difference is named and not put right (policy.md "Enforcing")."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias

from kubectl_c9s.rollout.drifting import full_name
from kubectl_c9s.rollout.impact import config_effects, topology_effects, turn_of
from kubectl_c9s.rollout.limits import FIELDS, limits_of
from kubectl_c9s.rollout.owners import gitops_owner
from kubectl_c9s.rollout.patches import block_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubectl_c9s.resources.objects import KubeObject
    from kubectl_c9s.rollout.limits import Limits
    from kubectl_c9s.rollout.ownwrites import History
    from kubectl_c9s.rollout.policyfile import RolloutPolicy
    from kubectl_c9s.rollout.proposal import Surroundings

Reason: TypeAlias = Literal[
    "Standby", "Suspended", "ReportMode", "StaleView", "ConfigMissing", "Unsupported", "GitOpsOwner", "Guard",
    "NoLeader", "Fighting", "Forbidden", "WriteFailed",
]  # fmt: skip
REASONS: Final[tuple[Reason, ...]] = (
    "Standby", "Suspended", "ReportMode", "StaleView", "ConfigMissing", "Unsupported", "GitOpsOwner", "Guard",
    "NoLeader", "Fighting", "Forbidden", "WriteFailed",
)  # fmt: skip
"""In the order in which they are asked: the first that holds is the one that is named.

First what was decided by somebody (another leader, ``suspend``, ``mode``): then nothing is to be written anyway. Then
what is not known (``StaleView``), since all others are judged by it; then what makes a write pointless (no Config,
no field, an owner that would put it back), what makes it harmful (waiting workloads would start; nobody leads), and
what experience says. ``Forbidden`` and ``WriteFailed`` are what a write has met: only who writes knows them.
"""
CHOSEN: Final[frozenset[Reason]] = frozenset({"Suspended", "ReportMode"})
"""Reasons that the policy itself gives: nothing is wrong with it."""


class Circumstances(NamedTuple):
    """How things stand with the one who decides; ``now`` is in seconds on a monotonic clock.

    ``complete``: every watch has listed. ``fresh``: none is older than it may be; ``trouble`` says what is wrong with
    them. ``leading``: the Lease is ours. ``managed``: a manager leads. ``unsupported``: kinds without ``spec.rollout``.
    """

    now: float
    complete: bool = True
    fresh: bool = True
    leading: bool = True
    managed: bool = True
    unsupported: frozenset[str] = frozenset()
    trouble: str = ""

    @property
    def blind(self) -> str:
        """Say why the view is not to be trusted, empty when it is."""
        if not self.complete:
            return self.trouble or "not everything has been seen yet"
        return "" if self.fresh else self.trouble or "what was seen is older than it may be"


class Hold(NamedTuple):
    """A reason, what to know about it, and the object it is about (empty: all of them)."""

    reason: Reason
    message: str
    object: str = ""


class Case(NamedTuple):
    """A difference that is to be judged: the object as it was read, and the limits it is to have."""

    obj: KubeObject
    after: Limits
    around: Surroundings
    history: History

    @property
    def before(self) -> Limits:
        """Give the limits that were read."""
        return limits_of(block_of(self.obj))

    @property
    def lifted(self) -> list[str]:
        """Give the fields that would no longer limit anything."""
        pairs = zip(FIELDS, self.before, self.after, strict=True)
        return [field for field, old, new in pairs if turn_of(old, new) == "off"]


def hold_of(policy: RolloutPolicy, case: Case, how: Circumstances) -> Hold | None:
    """Give the first reason in the order of :data:`REASONS` to leave the difference alone; None: write it."""
    found = next(_reasons(policy, case, how), None)
    return None if found is None else found._replace(object=full_name(case.obj))


def hold_without_config(policy: RolloutPolicy, how: Circumstances, name: str) -> Hold:
    """Say why the limits of a Config that is not there are not put right."""
    missing = Hold("ConfigMissing", "the manager's namespace has no Config")
    return next(beforehand(policy, how), missing)._replace(object=name)


def beforehand(policy: RolloutPolicy, how: Circumstances) -> Iterator[Hold]:
    """Give the reasons that are there whatever the objects are like."""
    if not how.leading:
        yield Hold("Standby", "another process leads")
    if policy.suspend:
        yield Hold("Suspended", "the policy is suspended")
    if policy.mode != "Enforce":
        yield Hold("ReportMode", "the policy only reports")
    if how.blind:
        yield Hold("StaleView", how.blind)


def _reasons(policy: RolloutPolicy, case: Case, how: Circumstances) -> Iterator[Hold]:
    yield from beforehand(policy, how)
    if not _is_in_view(case):
        yield Hold("StaleView", "it is not among the objects that were seen")
        return
    if case.obj["kind"] in how.unsupported:
        yield Hold("Unsupported", f"this release's {case.obj['kind']} has no spec.rollout")
    changed = zip(FIELDS, case.before, case.after, strict=True)
    touched = [field for field, old, new in changed if old != new]
    owner = gitops_owner(case.obj, policy.guards.yield_to, touched)
    if owner is not None:
        verb = "owns spec.rollout" if owner.owns else "keeps this object"
        message = f"{owner.tool} {verb} ({owner.evidence}) and would put it back"
        yield Hold("GitOpsOwner", message)
    yield from _releases(policy, case, how)
    if case.history.is_fighting(how.now):
        message = "somebody else keeps undoing what is written: three times in five minutes"
        yield Hold("Fighting", message)


def _releases(policy: RolloutPolicy, case: Case, how: Circumstances) -> Iterator[Hold]:
    """Judge limits that go; counts are left out of what is told, since messages stay as they are at rest."""
    if not (released := _released(case)):
        return
    message = f"{' and '.join(released)} off would start what waits behind it"
    if not policy.guards.allow_release:
        yield Hold("Guard", f"{message}, and guards.allowRelease is false")
    if not how.managed:
        yield Hold("NoLeader", f"{message}, and no manager leads")


def _is_in_view(case: Case) -> bool:
    obj, topologies = case.obj, case.around.snapshot.topologies
    return obj["kind"] == "Config" or any(one.uid == obj["metadata"]["uid"] for one in topologies)


def _released(case: Case) -> list[str]:
    """Name the fields whose limit holds something back now that would start at once (config-and-chart.md §3)."""
    if not case.lifted:
        return []
    snapshot = case.around.snapshot
    if case.obj["kind"] == "Config":
        effects = config_effects(snapshot, case.before, case.after)
    else:
        view = next(one for one in snapshot.topologies if one.uid == case.obj["metadata"]["uid"])
        effects = topology_effects(snapshot, view, case.before, case.after)
    return [effect.field for effect in effects if effect.released]
