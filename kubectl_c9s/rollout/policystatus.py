"""The status of a RolloutPolicy: from what was there, what is known and the time to what is to stand there (policy.md).

The same facts give the same status at any time, so nothing is written at rest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from kubectl_c9s.resources.moments import text_of
from kubectl_c9s.rollout.policyconditions import TYPES, conditions_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kubectl_c9s.rollout.policyconditions import Said
    from kubectl_c9s.rollout.policyfacts import Facts, HostRow, Written

MOST_WRITES: Final = 20
MOST_BLOCKERS: Final = 20
MOST_HOSTS: Final = 50
_WORST_FIRST: Final = ("stalled", "slow", "healthy")

Json: TypeAlias = dict[str, Any]


class Transition(NamedTuple):
    """A condition that is another one than before: for one Event."""

    type: str
    status: str
    reason: str
    message: str


def policy_status(old: Mapping[str, Any] | None, facts: Facts, now: float) -> Json:
    """Give the whole status; ``old`` is the one on the server, ``now`` in seconds since 1970.

    Of the old one stay the times of conditions whose status is the same, conditions of others (their types have a
    domain), the writes, before which the new ones come, and, while nothing can be diagnosed, blockers and hosts.
    """
    old = old or {}
    status: Json = {
        "observedGeneration": facts.generation,
        "active": facts.is_active,
        "conditions": _conditions(old, conditions_of(facts), facts.generation, text_of(now)),
    }
    if facts.is_active:
        status["enforced"] = {
            "managed": facts.managed,
            "drifted": len(facts.drifted),
            "writes": _writes(old, facts.writes),
        }
        status |= _found(facts) if facts.start else _kept(old)
    return status


def differs(old: Mapping[str, Any] | None, new: Json) -> bool:
    """Tell whether the status on the server has to be written."""
    return (old or {}) != new


def transitions(old: Mapping[str, Any] | None, new: Json) -> tuple[Transition, ...]:
    """Give our conditions whose status or reason has changed, those that are new included."""
    before = _by_type(old or {})
    return tuple(
        Transition(one["type"], one["status"], one["reason"], one["message"])
        for one in new["conditions"]
        if one["type"] in TYPES and _state(before.get(one["type"])) != _state(one)
    )


def _found(facts: Facts) -> Json:
    hosts = sorted(facts.hosts, key=_rank)
    return {
        "blockers": [_given(row._asdict()) for row in facts.blockers[:MOST_BLOCKERS]],
        "hosts": [row._asdict() for row in hosts[:MOST_HOSTS]],
    }


def _kept(old: Mapping[str, Any]) -> Json:
    return {name: old[name] for name in ("blockers", "hosts") if name in old}


def _state(condition: Mapping[str, Any] | None) -> tuple[Any, Any]:
    found = condition or {}
    return found.get("status"), found.get("reason")


def _by_type(status: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    return {one["type"]: one for one in status.get("conditions") or ()}


def _conditions(
    old: Mapping[str, Any], said: Sequence[Said], generation: int, now: str
) -> list[Json]:
    before = _by_type(old)
    ours = []
    for one in said:
        was = before.get(one.type) or {}
        since = was.get("lastTransitionTime") if was.get("status") == one.status else None
        times = {"observedGeneration": generation, "lastTransitionTime": since or now}
        ours.append(one._asdict() | times)
    return [*ours, *(dict(one) for kind, one in before.items() if "/" in kind)]


def _writes(old: Mapping[str, Any], new: Sequence[Written]) -> list[Json]:
    """Give the latest writes; one that is told twice is one."""
    rows = [_row(one) for one in new]
    rows += [
        dict(row)
        for row in (old.get("enforced") or {}).get("writes") or ()
        if dict(row) not in rows
    ]
    return rows[:MOST_WRITES]


def _row(one: Written) -> Json:
    drift = one.drift
    row = {
        "object": drift.object,
        "field": drift.field,
        "old": drift.old,
        "new": drift.new,
        "why": drift.why,
        "previousWriter": drift.writer,
        "time": one.time,
    }
    return _given(row)


def _given(row: Json) -> Json:
    """Leave out what is not known."""
    return {key: value for key, value in row.items() if value not in {None, ""}}


def _rank(row: HostRow) -> tuple[int, int, int, str]:
    return _WORST_FIRST.index(row.verdict), -row.queued, -row.booting, row.host
