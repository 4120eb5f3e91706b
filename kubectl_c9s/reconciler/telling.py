"""What is told of a policy: its status, and one Event for each transition and each write (policy.md, pacing.md §9)."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from kubectl_c9s.cluster.kinds import Resource
from kubectl_c9s.reconciler.feeds import POLICIES
from kubectl_c9s.reconciler.writer import MANAGER, Task
from kubectl_c9s.rollout.policystatus import differs, policy_status, transitions

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from kubectl_c9s.reconciler.writer import Result
    from kubectl_c9s.resources.objects import KubeObject
    from kubectl_c9s.rollout.policyfacts import Facts, Written

EVENTS: Final = Resource("events.k8s.io", "v1", "events", "Event")
_CALM: Final = 10.0
"""Seconds between two status writes that only move counts of hosts."""
_AGAIN: Final = 5.0
"""Seconds after which a status that could not be written is tried again."""
_WARNINGS: Final = frozenset({("Stalled", "True"), ("Enforced", "False"), ("Ready", "False")})
_NO_EVENT: Final = frozenset({"Standby", "StaleView", "Undiagnosed", "Writing"})
"""Reasons that come and go with the process itself, and are no news of the policy."""
_LONGEST_NOTE: Final = 1024


class Told(NamedTuple):
    """A status that was sent: when, and on which version of the policy."""

    at: float
    version: str
    status: dict[str, Any]


class Teller:
    """Writes statuses of policies, the server's version of each being the one the watch has shown last."""

    def __init__(self, window: float, *, events: bool, identity: str) -> None:
        self._window = window
        self._events = events
        self._identity = identity
        self._sent: dict[str, Told] = {}
        self._pending: set[str] = set()
        self._rest: dict[str, float] = {}

    def status_task(
        self, policy: KubeObject, facts: Facts, now: float, wall: float
    ) -> tuple[Task | None, float]:
        """Give the write of a status, if there is one to be made now; and in how many seconds to look again."""
        meta, old = policy["metadata"], policy.get("status")
        uid = meta["uid"]
        new = policy_status(old, facts, wall)
        if uid in self._pending or not differs(old, new):
            return None, float("inf")
        told = self._sent.get(uid)
        if told is not None and told.version == meta["resourceVersion"]:
            return None, self._window  # the watch has yet to show what was written
        urgent = bool(transitions(old, new)) or _without_hosts(old) != _without_hosts(new)
        pause = self._window if urgent else _CALM
        due = max((told.at + pause) if told else now, self._rest.get(uid, now))
        if due > now:
            return None, due - now
        self._pending.add(uid)
        self._sent[uid] = Told(now, meta["resourceVersion"], new)
        body = {
            "metadata": {"resourceVersion": meta["resourceVersion"]},
            "status": _merge(old, new),
        }
        task = Task(policy, uid, POLICIES, meta["namespace"], meta["name"], body, "status")
        return task, float("inf")

    def take(self, result: Result, now: float) -> list[Task]:
        """Note what became of a status; give the Events of what has changed with it."""
        uid = result.task.uid
        self._pending.discard(uid)
        told = self._sent.get(uid)
        if result.outcome != "written" or told is None:
            self._sent.pop(uid, None)
            self._rest[uid] = now + (_AGAIN if result.outcome != "conflict" else self._window)
            return []
        policy: KubeObject = result.task.tag
        changed = transitions(policy.get("status"), told.status)
        return [
            self._event(policy, one.reason, one.message, one.type, one.status)
            for one in changed
            if self._events and one.type in {"Stalled", "Enforced"} and one.reason not in _NO_EVENT
        ]

    def forget(self, uids: Iterable[str]) -> None:
        """Forget policies that are gone."""
        for uid in uids:
            self._sent.pop(uid, None)
            self._pending.discard(uid)
            self._rest.pop(uid, None)

    def write_events(self, policy: KubeObject, writes: Iterable[Written]) -> list[Task]:
        """Give the Event of a write: old, new, why, who had written it."""
        if not self._events:
            return []
        found = []
        for one in writes:
            drift = one.drift
            old = "absent" if drift.old is None else drift.old
            writer = f", written by {drift.writer}" if drift.writer else ""
            note = f"{drift.object}: {drift.field} {old}{writer} → {drift.new} ({drift.why})"
            found.append(self._event(policy, "Enforced", note, "Enforced", "True"))
        return found

    def _event(self, policy: KubeObject, reason: str, note: str, kind: str, status: str) -> Task:
        meta = policy["metadata"]
        name = f"{meta['name'][:200]}.{secrets.token_hex(8)}"
        body = {
            "apiVersion": EVENTS.api_version,
            "kind": EVENTS.kind,
            "metadata": {"name": name, "namespace": meta["namespace"]},
            "eventTime": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
            "type": "Warning" if (kind, status) in _WARNINGS else "Normal",
            "reason": reason,
            "action": "Enforce" if kind == "Enforced" else "Report",
            "note": note[:_LONGEST_NOTE],
            "reportingController": f"toolkit.c9s.run/{MANAGER}",
            "reportingInstance": self._identity[:128],
            "regarding": {
                "apiVersion": POLICIES.api_version,
                "kind": POLICIES.kind,
                "namespace": meta["namespace"],
                "name": meta["name"],
                "uid": meta["uid"],
            },
        }
        return Task("event", "", EVENTS, meta["namespace"], name, body, collection=True)


def _without_hosts(status: Mapping[str, Any] | None) -> dict[str, Any]:
    return {key: value for key, value in (status or {}).items() if key != "hosts"}


def _merge(old: Mapping[str, Any] | None, new: dict[str, Any]) -> dict[str, Any]:
    """Give the merge patch that makes one status of another; lists are replaced as a whole."""
    found: dict[str, Any] = dict.fromkeys(key for key in old or {} if key not in new)
    for key, value in new.items():
        before = (old or {}).get(key)
        if value == before:
            continue
        both = isinstance(value, dict) and isinstance(before, dict)
        found[key] = _merge(before, value) if both else value
    return found
