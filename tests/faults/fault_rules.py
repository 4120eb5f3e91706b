"""The rule table: which requests meet which fault. Data, read and checked here (bench.md §5).

::

    seed: 7
    rules:
      - name: storm                    # optional; else rule-1, rule-2, …
        match:
          verb: create|patch           # as in the audit log: get list watch create update patch delete …
          resource: nodes.c9s.run      # plural, or plural.group
          probability: 0.1
        do: too-many-requests          # one of DOES below
        with: {retryAfter: 1}          # what may stand here: DOES, too

Texts in ``match`` (verb, resource, subresource, namespace, name, agent, user, path) are regular expressions over the
whole value; what is not named matches everything. Of the requests that match so far, a rule takes

- ``nth``: these only, counted from 1 (a number or a list); ``after``: those after so many;
- ``per: object``: counts each object by itself, and not all requests of the rule together;
- ``between: [a, b]``: those from a until b seconds after the table was put in;
- ``probability``: that share, drawn by seed; ``limit``: so many at most.

Seconds are a number, ``{uniform: [a, b]}`` or ``{lognormal: {median: m, sigma: s, max: top}}``.
Every ``latency`` and ``lag`` that matches is added up. Of the other effects the first one that matches is done.
"""

from __future__ import annotations

import dataclasses
import json
import re
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from fault_values import is_count, is_duration, is_number, is_span, is_whole

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

Json: TypeAlias = dict[str, Any]

TEXTS: Final = (
    "verb", "resource", "subresource", "namespace", "name", "agent", "user", "path",
)  # fmt: skip
NUMBERS: Final = ("nth", "after", "per", "between", "probability", "limit")
_CUT: Final = {"how": "close"}
# What can be done, and what may stand in `with`, with its default. `how` is close or reset, or, for a drop, end:
# the stream ends as the server itself would end it.
DOES: Final[Mapping[str, Mapping[str, Any]]] = {
    "latency": {"seconds": 0.1, "when": "before"},  # before: forwarding; reply: its first byte
    "lag": {"seconds": 1.0},  # every event of a watch comes so much later
    "too-many-requests": {"retryAfter": 1, "plain": False},
    "conflict": {"retryAfter": None, "plain": False},  # untrue: nobody has changed the object
    "already-exists": {"retryAfter": None, "plain": False},  # untrue, too
    "real-conflict": {"patch": None},  # another writer is faster: a merge patch, or an annotation
    "error": {"retryAfter": None, "plain": False},
    "unavailable": {"retryAfter": None, "plain": False},
    "gone": {"retryAfter": None, "plain": False},
    "webhook": {"retryAfter": None, "plain": False, "code": 403, "message": "not today"},
    "lost-request": _CUT,
    "lost-reply": _CUT,
    "hang": {"seconds": None, "forwarded": False, **_CUT},
    "drop": {"events": None, "bytes": None, "seconds": None, **_CUT},
    "silent": {"events": 0},
    "expire": {"events": 0},  # an ERROR event with code 410 in the stream
}
ADDED_UP: Final = ("latency", "lag")
WATCH_ONLY: Final = ("lag", "silent", "expire")
CHOICES: Final[Mapping[str, tuple[object, ...]]] = {
    "when": ("before", "reply"),
    "how": ("close", "reset", "end"),
    "code": (400, 403, 422, 500),
    "per": ("rule", "object"),
    "plain": (False, True),
    "forwarded": (False, True),
}


class BadRules(ValueError):
    """The table is not one; the message names the rule and what is wrong with it."""


@dataclasses.dataclass(frozen=True)
class Match:
    """Which requests a rule is for; what is None was not asked."""

    texts: Mapping[str, re.Pattern[str]]
    nth: frozenset[int] | None = None
    after: int = 0
    per: str = "rule"
    between: tuple[float, float] | None = None
    probability: float | None = None
    limit: int | None = None


@dataclasses.dataclass(frozen=True)
class Rule:
    """One row: whom it is for, what is done (a key of :data:`DOES`), and its settings, defaults filled in."""

    name: str
    match: Match
    do: str
    settings: Json


@dataclasses.dataclass(frozen=True)
class Table:
    """All rules in order, the seed of all draws, and the data they were read from."""

    seed: int = 0
    rules: tuple[Rule, ...] = ()
    source: Json = dataclasses.field(default_factory=dict)


def read_table(data: Any) -> Table:
    """Read a table from data; :class:`BadRules` for anything that would not do what it seems to say."""
    top = _mapping(data, "the table", ("seed", "rules"))
    seed, rows = top.get("seed", 0), top.get("rules")
    rows = [] if rows is None else rows
    if not is_whole(seed) or not isinstance(rows, list):
        raise BadRules("the table needs a whole number as seed and a list of rules")
    rules = tuple(_rule(row, f"rule-{number}") for number, row in enumerate(rows, 1))
    names = [rule.name for rule in rules]
    if twice := {name for name in names if names.count(name) > 1}:
        raise BadRules(f"two rules are called {', '.join(sorted(twice))}")
    return Table(seed, rules, dict(top))


def load_table(path: Path) -> Table:
    """Read a table from a file; a name that does not end with ``.json`` is YAML."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".json":
        try:
            return read_table(json.loads(text))
        except json.JSONDecodeError as error:
            raise BadRules(f"{path} is no JSON: {error}") from None
    import yaml  # noqa: PLC0415 - the proxy itself needs the standard library alone

    try:
        return read_table(yaml.safe_load(text))
    except yaml.YAMLError as error:
        raise BadRules(f"{path} is no YAML: {error}") from None


def _rule(row: Any, name: str) -> Rule:
    row = _mapping(row, name, ("name", "match", "do", "with"))
    name = str(row.get("name") or name)
    do = row.get("do")
    if do not in DOES:
        raise BadRules(f"{name}: do is {do!r}, and not one of {', '.join(DOES)}")
    given = _mapping(row.get("with") or {}, f"{name}, with", tuple(DOES[do]))
    settings = {**DOES[do], **given}
    _check_settings(name, do, settings)
    return Rule(name, _match(row.get("match") or {}, name), do, settings)


def _check_settings(name: str, do: str, settings: Json) -> None:
    for key, value in settings.items():
        if key in CHOICES and value not in CHOICES[key]:
            raise BadRules(f"{name}: {key} is {value!r}, and not one of {CHOICES[key]}")
        if (
            key == "seconds"
            and value is not None
            and not is_duration(value, fixed=do not in ADDED_UP)
        ):
            raise BadRules(f"{name}: seconds cannot be {value!r}")
        if key in {"events", "bytes", "retryAfter"} and value is not None and not is_count(value):
            raise BadRules(f"{name}: {key} is {value!r}, and no number from 0 on")
    if settings.get("how") == "end" and do != "drop":
        raise BadRules(f"{name}: only a drop can end a stream in good order")
    if do == "drop" and all(settings[key] is None for key in ("events", "bytes", "seconds")):
        raise BadRules(f"{name}: a drop after how many events, bytes or seconds?")
    if not isinstance(settings.get("patch") or {}, dict):
        raise BadRules(f"{name}: the patch is no object")


def _match(data: Any, name: str) -> Match:
    data = _mapping(data, f"{name}, match", (*TEXTS, *NUMBERS))
    if "per" in data and data["per"] not in CHOICES["per"]:
        raise BadRules(f"{name}: per is {data['per']!r}, and not rule or object")
    _check_numbers(data, name)
    nth, between = data.get("nth"), data.get("between")
    return Match(
        {key: _pattern(data[key], name) for key in TEXTS if key in data},
        None if nth is None else frozenset(nth if isinstance(nth, list) else [nth]),
        data.get("after", 0),
        data.get("per", "rule"),
        (between[0], between[1]) if between else None,
        data.get("probability"),
        data.get("limit"),
    )


def _check_numbers(data: Json, name: str) -> None:
    nth = data.get("nth", 1)
    good = {
        "nth": all(is_count(one) and one > 0 for one in (nth if isinstance(nth, list) else [nth])),
        "after": is_count(data.get("after", 0)),
        "limit": is_count(data.get("limit", 0)),
        "between": is_span(data.get("between", [0, 0])),
        "probability": is_number(data.get("probability", 0))
        and 0 <= data.get("probability", 0) <= 1,
    }
    for key, fine in good.items():
        if not fine:
            raise BadRules(f"{name}: {key} cannot be {data[key]!r}")


def _mapping(data: Any, what: str, known: tuple[str, ...]) -> Json:
    if not isinstance(data, dict):
        raise BadRules(f"{what}: want an object, and not {data!r}")
    if unknown := [str(key) for key in data if key not in known]:
        raise BadRules(f"{what}: nobody knows {', '.join(unknown)}; there is {', '.join(known)}")
    return data


def _pattern(text: Any, name: str) -> re.Pattern[str]:
    try:
        return re.compile(text)
    except (re.error, TypeError) as error:
        raise BadRules(f"{name}: {text!r} is no regular expression: {error}") from None
