"""Keeps the limits of a Config and of Topologies as the policy wants them; the decisions are those of ``rollout``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from kubectl_c9s.cluster import kinds
from kubectl_c9s.reconciler.feeds import WHOLE
from kubectl_c9s.reconciler.logs import log
from kubectl_c9s.reconciler.seen import NOBODY, around, config_in, whole
from kubectl_c9s.reconciler.writer import Task
from kubectl_c9s.resources.moments import text_of
from kubectl_c9s.rollout.drifting import drift_of
from kubectl_c9s.rollout.enforcing import decide_all
from kubectl_c9s.rollout.holding import Hold
from kubectl_c9s.rollout.limits import limits_of
from kubectl_c9s.rollout.ownwrites import PATIENCE, History
from kubectl_c9s.rollout.patches import block_of
from kubectl_c9s.rollout.policyfacts import Written

if TYPE_CHECKING:
    from kubectl_c9s.diagnosis.world import Place
    from kubectl_c9s.reconciler.view import Look
    from kubectl_c9s.reconciler.writer import Result
    from kubectl_c9s.resources.objects import KubeObject
    from kubectl_c9s.rollout.enforcing import Decision
    from kubectl_c9s.rollout.holding import Circumstances, Reason
    from kubectl_c9s.rollout.policyfile import RolloutPolicy

_RESOURCES: Final = {one.kind: one for one in WHOLE}
_RESTS: Final = {"forbidden": 30.0, "refused": 30.0, "unsent": 2.0, "lost": 2.0}
"""Seconds after which a write that the server has refused, or that did not reach it, is tried again.

One that got lost may have been carried out: the rest is for when it was not.
"""
_READ_REST: Final = 2.0  # seconds between two reads of an object whose state nobody knows
_LONGEST: Final = 5.0


class Failure(NamedTuple):
    """A refused write: what is said of it, on which version, and until when it is not repeated."""

    hold: Hold
    version: str
    until: float


class Enforcer:
    """Remembers own writes and what the server refused."""

    def __init__(self) -> None:
        self._histories: dict[str, History] = {}
        self._failures: dict[str, Failure] = {}
        # When the next read may be sent; never, while one is on its way.
        self._read_from: dict[str, float] = {}
        self._unread: dict[str, Hold] = {}
        self.unsupported: frozenset[str] = frozenset()
        self.writes: list[Written] = []

    def begin_term(self) -> None:
        """Begin anew with a term of leadership: rights may have come back, and others have written meanwhile.

        Own writes stay in mind: what became of one that got lost is to be known before it is sent again, and somebody
        who keeps undoing them is not made a stranger by a Lease that was lost for a moment.
        """
        self._failures, self.unsupported, self.writes = {}, frozenset(), []

    @property
    def failures(self) -> tuple[Hold, ...]:
        """Give what the server refused, by object; a write whose fate is not known yet is no failure.

        That its fate cannot be known, because the object may not be read, is one.
        """
        found = {uid: one.hold for uid, one in self._failures.items() if not self._is_open(uid)}
        found |= {uid: hold for uid, hold in self._unread.items() if self._is_open(uid)}
        return tuple(hold for _, hold in sorted(found.items()))

    def pause(self, now: float) -> float:
        """Give in how many seconds something is tried again, with an upper bound."""
        due = [one.until - now for one in self._failures.values()]
        due += [one - now for one in self._read_from.values()]
        return max(min([_LONGEST, *(one for one in due if one > 0)]), 0.05)

    def _is_open(self, uid: str) -> bool:
        history = self._histories.get(uid)
        return history is not None and bool(history.pending)

    def decide(
        self, policy: RolloutPolicy, look: Look, place: Place, how: Circumstances
    ) -> tuple[tuple[Decision, ...], list[Task]]:
        """Give the decisions about all objects, and what is to be sent; what is sent counts as sent from now on."""
        config = config_in(look, place.namespace)
        topologies = whole(look, kinds.TOPOLOGIES.full_name)
        objects = [*([config] if config else []), *topologies]
        self._note_shown(objects)
        open_ones = any(drift_of(policy, obj) for obj in objects) or any(
            history.pending for history in self._histories.values()
        )
        circle = around(look, config, place) if open_ones else NOBODY
        decisions = decide_all(policy, config, topologies, circle, how, self._histories)
        self._forget_failures(decisions, how.now)
        return decisions, [*self._writes(decisions, how), *self._reads(objects, how)]

    def _note_shown(self, objects: list[KubeObject]) -> None:
        known: dict[str, History] = {}
        for obj in objects:
            meta = obj["metadata"]
            if history := self._histories.get(meta["uid"]):
                limits = limits_of(block_of(obj))
                known[meta["uid"]] = history.shown(meta["resourceVersion"], limits)
        self._histories = known
        self._unread = {uid: hold for uid, hold in self._unread.items() if uid in known}

    def _forget_failures(self, decisions: tuple[Decision, ...], now: float) -> None:
        versions = {one.uid: one.version for one in decisions if one.drift or one.awaiting}
        self._failures = {
            uid: one
            for uid, one in self._failures.items()
            if uid in versions and now < one.until and versions[uid] == one.version
        }

    def _writes(self, decisions: tuple[Decision, ...], how: Circumstances) -> list[Task]:
        found = []
        for one in decisions:
            if one.patch is None or one.uid in self._failures:
                continue
            history = self._histories.get(one.uid, History())
            self._histories[one.uid] = history.sending(one.version, one.limits, how.now)
            self._read_from.pop(one.uid, None)
            resource = _RESOURCES[one.kind]
            found.append(Task(one, one.uid, resource, one.namespace, one.name, one.patch))
        return found

    def _reads(self, objects: list[KubeObject], how: Circumstances) -> list[Task]:
        found = []
        for obj in objects:
            meta = obj["metadata"]
            history = self._histories.get(meta["uid"])
            if history is None or how.now < self._read_from.get(meta["uid"], 0.0):
                continue
            if history.asks_back(meta["resourceVersion"], how.now):
                self._read_from[meta["uid"]] = float("inf")
                resource = _RESOURCES[obj["kind"]]
                found.append(Task(None, meta["uid"], resource, meta["namespace"], meta["name"]))
        return found

    def take(self, result: Result, now: float, wall: float) -> tuple[Written, ...]:
        """Note what became of a task; give what was written, by field. ``wall`` is in seconds since 1970."""
        uid, history = result.task.uid, self._histories.get(result.task.uid)
        if result.task.body is None:
            self._read_from[uid] = now + _READ_REST
            if history is not None and result.outcome == "read":
                self._histories[uid] = history.read_back(result.version)
                # What is left is for the watch to show; of one that is behind nothing more can be learnt by reading.
                self._read_from[uid] = now + PATIENCE
            self._note_read(result)
            return ()
        decision: Decision = result.task.tag
        if history is not None:
            self._histories[uid] = _moved_on(history, result)
        if result.outcome == "written":
            self._failures.pop(uid, None)
            self.unsupported -= {decision.kind}
            found = tuple(Written(drift, text_of(wall)) for drift in decision.drift)
            self.writes = [*found, *self.writes][:50]
            return found
        self._note_failure(decision, result, now)
        return ()

    def _note_read(self, result: Result) -> None:
        """Remember that an object may not be read: nobody will ever know what became of the write to it."""
        task = result.task
        if result.outcome not in {"forbidden", "refused"}:
            self._unread.pop(task.uid, None)
            return
        reason: Reason = "Forbidden" if result.outcome == "forbidden" else "WriteFailed"
        name = f"{task.resource.kind} {task.namespace}/{task.name}"
        if task.uid not in self._unread:
            log.warning(
                "what became of a write cannot be read",
                extra={"object": name, "reason": result.message},
            )
        self._unread[task.uid] = Hold(reason, result.message, name)

    def _note_failure(self, decision: Decision, result: Result, now: float) -> None:
        log.warning(
            "a limit could not be written",
            extra={"object": f"{decision.kind} {decision.namespace}/{decision.name}",
                   "outcome": result.outcome, "reason": result.message},
        )  # fmt: skip
        if result.outcome == "unsupported":
            self.unsupported |= {decision.kind}
        elif result.outcome in _RESTS:
            reason: Reason = "Forbidden" if result.outcome == "forbidden" else "WriteFailed"
            name = f"{decision.kind} {decision.namespace}/{decision.name}"
            hold = Hold(reason, result.message, name)
            until = now + _RESTS[result.outcome]
            self._failures[decision.uid] = Failure(hold, decision.version, until)


def _moved_on(history: History, result: Result) -> History:
    if result.outcome == "written":
        return history.answered(result.version)
    if result.outcome in {"conflict", "gone"}:
        return history.conflicted()
    return history.lost() if result.outcome == "lost" else history.dropped()
