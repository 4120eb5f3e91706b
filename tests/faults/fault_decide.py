"""From rules to decisions: what happens to one request, by seed and by count, or as it was written down before.

A draw depends on the seed, the rule, and which request it is (:attr:`Asked.key`, and how often it was seen), never on
what came between: clients with many connections meet the same faults in every run.
"""

from __future__ import annotations

import collections
import dataclasses
import random
from typing import TYPE_CHECKING, Any, Protocol

from fault_rules import ADDED_UP, WATCH_ONLY, Json, Table
from fault_values import draw_seconds

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from fault_request import Asked
    from fault_rules import Rule


@dataclasses.dataclass(frozen=True)
class Fault:
    """What is done to a request: a key of ``DOES`` that is not added up, and its settings."""

    do: str
    settings: Json


@dataclasses.dataclass(frozen=True)
class Decision:
    """All that happens to one request. Times in seconds; ``nth`` is how often its key was seen, from 1."""

    nth: int
    rules: tuple[str, ...] = ()
    before: float = 0.0
    reply: float = 0.0
    lag: float = 0.0
    fault: Fault | None = None

    def json(self) -> Json:
        """Give it as data for the log."""
        fault = {"do": self.fault.do, "with": self.fault.settings} if self.fault else None
        return dataclasses.asdict(self) | {"rules": list(self.rules), "fault": fault}

    @staticmethod
    def of(data: Mapping[str, Any]) -> Decision:
        """Read what :meth:`json` gave."""
        fault = Fault(data["fault"]["do"], data["fault"]["with"]) if data["fault"] else None
        times = {key: float(data[key]) for key in ("before", "reply", "lag")}
        return Decision(int(data["nth"]), tuple(data["rules"]), **times, fault=fault)


class Decides(Protocol):
    """Decides about requests in the order they come."""

    def decide(self, asked: Asked, seconds: float) -> Decision:
        """Say what happens; ``seconds`` have passed since this began to decide."""

    def counts(self) -> dict[str, int]:
        """Give how often each rule was applied."""


class ByRules:
    """Decides by a rule table."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._keys: collections.Counter[str] = collections.Counter()
        self._seen: collections.Counter[tuple[str, ...]] = collections.Counter()
        self._fired: collections.Counter[str] = collections.Counter()

    def counts(self) -> dict[str, int]:
        """Give how often each rule was applied."""
        return {rule.name: self._fired[rule.name] for rule in self._table.rules}

    def decide(self, asked: Asked, seconds: float) -> Decision:
        """Say what happens to a request."""
        self._keys[asked.key] += 1
        nth = self._keys[asked.key]
        times = {"before": 0.0, "reply": 0.0, "lag": 0.0}
        fault, fired = None, []
        for rule in self._table.rules:
            chance = random.Random(f"{self._table.seed} {rule.name} {asked.key} {nth}")  # noqa: S311 - no secret
            # Asked even when it cannot be applied any more: what a rule counts must not hang on other rules.
            applies = self._applies(rule, asked, seconds, chance)
            if not applies or (fault and rule.do not in ADDED_UP):
                continue
            fired.append(rule.name)
            if rule.do in ADDED_UP:
                times[_when(rule)] += draw_seconds(rule.settings["seconds"], chance)
            else:
                fault = Fault(rule.do, rule.settings)
        self._fired.update(fired)
        return Decision(nth, tuple(fired), **times, fault=fault)

    def _applies(self, rule: Rule, asked: Asked, seconds: float, chance: random.Random) -> bool:
        match = rule.match
        if rule.do in WATCH_ONLY and asked.verb != "watch":
            return False
        if not all(one.fullmatch(getattr(asked, key)) for key, one in match.texts.items()):
            return False
        which = (asked.resource, asked.namespace, asked.name) if match.per == "object" else ()
        self._seen[rule.name, *which] += 1
        seen = self._seen[rule.name, *which]
        drawn = chance.random()
        return (
            (match.nth is None or seen in match.nth)
            and seen > match.after
            and (match.between is None or match.between[0] <= seconds < match.between[1])
            and (match.probability is None or drawn < match.probability)
            and (match.limit is None or self._fired[rule.name] < match.limit)
        )


def _when(rule: Rule) -> str:
    return "lag" if rule.do == "lag" else str(rule.settings["when"])


class ByLog:
    """Decides as a log says that it was decided before; a request that the log does not know meets no fault."""

    def __init__(self, lines: Iterable[Mapping[str, Any]]) -> None:
        self._known: dict[tuple[str, int], Decision] = {}
        self._keys: collections.Counter[str] = collections.Counter()
        self._fired: collections.Counter[str] = collections.Counter()
        for line in lines:
            if line["type"] == "rules":
                self._known.clear()  # the last table is the one to repeat
            if line["type"] == "request":
                decision = Decision.of(line)
                self._known[line["key"], decision.nth] = decision

    def counts(self) -> dict[str, int]:
        """Give how often each rule was applied again."""
        return dict(self._fired)

    def decide(self, asked: Asked, seconds: float) -> Decision:  # noqa: ARG002 - the log knows
        """Say what happened to a request."""
        self._keys[asked.key] += 1
        nth = self._keys[asked.key]
        decision = self._known.get((asked.key, nth), Decision(nth))
        self._fired.update(decision.rules)
        return decision
