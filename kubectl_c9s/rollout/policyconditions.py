"""The conditions of a RolloutPolicy (policy.md, conventions.md §10).

``Ready``, ``Reconciling`` and ``Stalled`` are read by kstatus, which Flux and others wait by: Reconciling=True is in
progress, Stalled=True has failed, so the two are never true together; Ready=False alone is in progress for ever. So
Stalled is true when nothing goes on without a person: the start is stalled, as ``diagnose`` says, or the policy itself
has no effect. ``Enforced`` says whether the objects are as the policy wants them, and if not, why.

Messages have at most 1024 characters and neither ages nor counts of what goes by: the same facts give the same words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias

from kubectl_c9s.resources.listing import some
from kubectl_c9s.rollout.holding import CHOSEN, REASONS, beforehand

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kubectl_c9s.rollout.holding import Hold
    from kubectl_c9s.rollout.policyfacts import Facts

LONGEST: Final = 1024
"""The most characters a message has."""
_SHOWN: Final = 5
_ELLIPSIS: Final = " ..."
_NOT_STALLED: Final = {"misconfigured": "Misconfigured", "slow": "Slow", "healthy": "Healthy"}

Status: TypeAlias = Literal["True", "False", "Unknown"]
Type: TypeAlias = Literal["Ready", "Reconciling", "Stalled", "Enforced"]
TYPES: Final[tuple[Type, ...]] = ("Ready", "Reconciling", "Stalled", "Enforced")


class Said(NamedTuple):
    """A condition without its times; ``reason`` is a word in CamelCase."""

    type: Type
    status: Status
    reason: str
    message: str


def conditions_of(facts: Facts) -> tuple[Said, ...]:
    """Give the conditions in the order of :data:`TYPES`."""
    if not facts.is_active:
        return _without_effect(facts)
    enforced, stalled = _enforced(facts), _stalled(facts)
    found = (
        _ready(facts, enforced, stalled),
        _reconciling(facts, stalled),
        stalled,
        enforced,
    )
    return tuple(one._replace(message=_bounded(one.message)) for one in found)


def reason_of(code: str) -> str:
    """Give the code of a cause as a reason: ``sandbox-failed`` becomes ``SandboxFailed``."""
    return "".join(part.capitalize() for part in code.split("-"))


def _without_effect(facts: Facts) -> tuple[Said, ...]:
    """Speak of a policy that another one supersedes, or that cannot be obeyed: somebody has to change that."""
    if facts.ruler:
        reason = "Superseded"
        message = f"RolloutPolicy {facts.ruler} is older and rules: only one is obeyed"
    else:
        reason, message = "Invalid", f"nothing of it is obeyed: {facts.problem}"
    message = _bounded(message)
    return (
        Said("Ready", "False", reason, message),
        Said("Reconciling", "False", reason, "nothing is under way"),
        Said("Stalled", "True", reason, message),
        Said("Enforced", "False", reason, message),
    )


def _enforced(facts: Facts) -> Said:
    """Name the first reason in the order of ``REASONS``, and what it is about."""
    assert facts.policy is not None  # noqa: S101 - is_active was asked
    holds = [*beforehand(facts.policy, facts.how), *facts.failures]
    holds += [one.hold for one in facts.decisions if one.hold is not None]
    if holds:
        holds.sort(key=lambda hold: (REASONS.index(hold.reason), hold.object, hold.message))
        return Said("Enforced", "False", holds[0].reason, _told(facts, holds))
    if facts.is_writing:
        return Said("Enforced", "Unknown", "Writing", "a write is under way")
    message = f"{facts.managed} object(s) are as the policy wants them"
    return Said("Enforced", "True", "Enforced", message)


def _told(facts: Facts, holds: list[Hold]) -> str:
    if holds[0].object:
        return _first(f"{hold.object}: {hold.message}" for hold in holds if hold.object)
    names = facts.drifted
    differ = f"{len(names)} object(s) differ: {some(names, _SHOWN)}" if names else "nothing differs"
    return f"{holds[0].message}; {differ}"


def _first(texts: Iterable[str]) -> str:
    texts = list(texts)
    more = f"; and {len(texts) - _SHOWN} more" if len(texts) > _SHOWN else ""
    return "; ".join(texts[:_SHOWN]) + more


def _stalled(facts: Facts) -> Said:
    """Say what ``diagnose`` says. Who waits is counted only in a start that does not go on: elsewhere it changes."""
    start = facts.start
    if start is None or facts.how.blind:
        message = facts.how.blind or "nothing has been diagnosed yet"
        return Said(
            "Stalled", "Unknown", "StaleView" if facts.how.blind else "Undiagnosed", message
        )
    about = ": ".join(part for part in (start.code, start.blocker) if part)
    if start.verdict == "stalled":
        waiting = f"; {start.waiting} workload(s) wait" if start.waiting else ""
        return Said("Stalled", "True", reason_of(start.code) or "Stalled", f"{about}{waiting}")
    message = about if about and start.verdict != "healthy" else "nothing stands in the way"
    return Said("Stalled", "False", _NOT_STALLED[start.verdict], message)


def _reconciling(facts: Facts, stalled: Said) -> Said:
    if stalled.status != "True" and facts.how.blind:
        return Said("Reconciling", "True", "StaleView", facts.how.blind)
    if stalled.status != "True" and facts.is_writing:
        return Said("Reconciling", "True", "Writing", "a write is under way")
    return Said("Reconciling", "False", "Settled", "nothing is under way")


def _ready(facts: Facts, enforced: Said, stalled: Said) -> Said:
    """Ready is what does what it is told to, and stands before a start that goes on."""
    assert facts.policy is not None  # noqa: S101 - is_active was asked
    if facts.how.blind:
        return Said("Ready", "False", "StaleView", facts.how.blind)
    if stalled.status == "True":
        return stalled._replace(type="Ready", status="False")
    if enforced.status == "False" and enforced.reason not in CHOSEN:
        return enforced._replace(type="Ready")
    if facts.policy.suspend:
        return Said("Ready", "True", "Suspended", "nothing is written until suspend is false")
    if facts.policy.mode == "Report":
        return Said(
            "Ready", "True", "Reporting", "differences are reported, and nothing is written"
        )
    return Said("Ready", "True", "Enforcing", "differences are put right")


def _bounded(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - len(_ELLIPSIS)] + _ELLIPSIS
