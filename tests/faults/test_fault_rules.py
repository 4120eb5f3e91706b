"""The rule table: what it refuses, and which requests a rule takes."""

from __future__ import annotations

import collections
import json
from typing import TYPE_CHECKING, Any

import pytest
from fault_decide import ByLog, ByRules, Decision
from fault_request import Asked, describe
from fault_rules import DOES, BadRules, read_table
from fault_values import draw_seconds
from hypothesis import given
from hypothesis import strategies as st

if TYPE_CHECKING:
    import random

PODS = "/api/v1/namespaces/n/pods"


def asked(name: str = "p", method: str = "PATCH", agent: str = "tool/1") -> Asked:
    return describe(method, f"{PODS}/{name}", {"user-agent": agent})


def deciding(*rules: dict[str, Any], seed: int = 0) -> ByRules:
    return ByRules(read_table({"seed": seed, "rules": list(rules)}))


def hits(decides: ByRules, requests: list[Asked], seconds: float = 0.0) -> list[bool]:
    return [bool(decides.decide(one, seconds).rules) for one in requests]


@pytest.mark.parametrize(
    "row",
    [
        {"do": "explode"},
        {},
        {"do": "error", "with": {"retry_after": 1}},
        {"do": "error", "with": {"retryAfter": -1}},
        {"do": "error", "when": "now"},
        {"do": "error", "match": {"verbs": "get"}},
        {"do": "error", "match": {"verb": "("}},
        {"do": "error", "match": {"verb": ["get"]}},
        {"do": "error", "match": {"nth": 0}},
        {"do": "error", "match": {"nth": [1, "2"]}},
        {"do": "error", "match": {"after": -1}},
        {"do": "error", "match": {"limit": True}},
        {"do": "error", "match": {"per": "client"}},
        {"do": "error", "match": {"between": [2, 1]}},
        {"do": "error", "match": {"between": 3}},
        {"do": "error", "match": {"probability": 1.5}},
        {"do": "error", "match": {"probability": "0.5"}},
        {"do": "latency", "with": {"seconds": -1}},
        {"do": "latency", "with": {"seconds": {"uniform": [1]}}},
        {"do": "latency", "with": {"seconds": {"normal": [1, 2]}}},
        {"do": "latency", "with": {"seconds": {"lognormal": {"median": 1, "sigma": 1}}}},
        {"do": "latency", "with": {"seconds": float("nan")}},
        {"do": "hang", "with": {"seconds": {"uniform": [1, 2]}}},
        {"do": "lost-reply", "with": {"how": "end"}},
        {"do": "lost-reply", "with": {"how": "gently"}},
        {"do": "webhook", "with": {"code": 404}},
        {"do": "drop"},
        {"do": "real-conflict", "with": {"patch": "x"}},
        [],
        None,
    ],
)
def test_a_rule_that_would_not_do_what_it_seems_to_say_is_refused(row: Any) -> None:
    with pytest.raises(BadRules, match="rule-1"):
        read_table({"rules": [row]})


@pytest.mark.parametrize(
    "table", [[], None, {"rule": []}, {"seed": "x"}, {"rules": {}}, {"seed": 1.5}]
)
def test_what_is_no_table_is_refused(table: Any) -> None:
    with pytest.raises(BadRules):
        read_table(table)


def test_two_rules_of_one_name_are_refused() -> None:
    with pytest.raises(BadRules, match="storm"):
        read_table({"rules": [{"name": "storm", "do": "error"}, {"name": "storm", "do": "gone"}]})


def test_every_effect_can_be_asked_for_by_its_name_alone_but_the_drop_that_needs_a_when() -> None:
    rows = [{"do": do} | ({"with": {"events": 1}} if do == "drop" else {}) for do in DOES]
    table = read_table({"rules": rows})
    assert [rule.do for rule in table.rules] == list(DOES)


def test_what_a_rule_does_not_name_matches_everything_and_what_it_names_matches_as_a_whole() -> (
    None
):
    def matches(**texts: str) -> bool:
        return hits(deciding({"do": "error", "match": texts}), [asked("leaf-1")]) == [True]

    assert matches()
    assert matches(verb="patch|create", resource="pods", namespace="n", name="leaf-.*")
    assert matches(agent="tool/.*", user="", subresource="", path=f"{PODS}/leaf-1")
    assert not matches(name="leaf")
    assert not matches(resource="pod")
    assert not matches(agent="tool")
    assert not matches(subresource="status")


def test_the_nth_the_later_ones_and_at_most_so_many() -> None:
    five = [asked(name) for name in "abcde"]
    assert hits(deciding({"do": "error", "match": {"nth": 2}}), five) == [0, 1, 0, 0, 0]
    assert hits(deciding({"do": "error", "match": {"nth": [1, 5]}}), five) == [1, 0, 0, 0, 1]
    assert hits(deciding({"do": "error", "match": {"after": 3}}), five) == [0, 0, 0, 1, 1]
    after_one = {"after": 1, "limit": 2}
    assert hits(deciding({"do": "error", "match": after_one}), five) == [0, 1, 1, 0, 0]


def test_per_object_every_object_has_a_first_time() -> None:
    rule = {"do": "error", "match": {"nth": 1, "per": "object"}}
    requests = [asked("a"), asked("b"), asked("a"), asked("b"), asked("c")]
    assert hits(deciding(rule), requests) == [1, 1, 0, 0, 1]


def test_a_rule_may_have_its_time() -> None:
    decides = deciding({"do": "error", "match": {"between": [1, 2]}})
    assert [bool(decides.decide(asked(), at).rules) for at in (0.9, 1, 1.9, 2)] == [0, 1, 1, 0]


def test_delays_add_up_and_of_the_faults_the_first_is_done() -> None:
    half = {"do": "latency", "with": {"seconds": 0.5}}
    late = {"do": "latency", "with": {"seconds": 2, "when": "reply"}}
    rules: list[dict[str, Any]] = [
        half,
        {"do": "error"},
        {"do": "gone"},
        half | {"name": "more"},
        late,
    ]
    decides = deciding(*rules)
    decision = decides.decide(asked(), 0)
    assert (decision.before, decision.reply) == (1.0, 2.0)
    assert decision.fault is not None
    assert decision.fault.do == "error"
    assert decision.rules == ("rule-1", "rule-2", "more", "rule-5")
    assert decides.counts() == {"rule-1": 1, "rule-2": 1, "rule-3": 0, "more": 1, "rule-5": 1}


def test_what_is_done_to_a_watch_alone_leaves_other_requests_in_peace() -> None:
    decides = deciding(*({"do": do} for do in ("lag", "silent", "expire")))
    assert decides.decide(asked(), 0).rules == ()
    watch = describe("GET", f"{PODS}?watch=1", {})
    assert decides.decide(watch, 0).rules == ("rule-1", "rule-2")


def test_a_share_is_about_what_was_asked_for_and_another_seed_takes_others() -> None:
    rule = {"do": "error", "match": {"probability": 0.1}}
    requests = [asked(f"p-{number}") for number in range(2000)]
    first, again = hits(deciding(rule), requests), hits(deciding(rule), requests)
    other = hits(deciding(rule, seed=1), requests)
    assert first == again != other
    assert 140 < sum(first) < 260  # five deviations


requests_of_many = st.lists(st.sampled_from("abcdef"), min_size=1, max_size=30)


@given(requests_of_many, st.randoms(use_true_random=False), st.integers(0, 99))
def test_whatever_the_order_of_requests_each_meets_the_same_fate(
    names: list[str], chance: random.Random, seed: int
) -> None:
    rules = [
        {"do": "error", "match": {"probability": 0.3}},
        {"do": "lost-reply", "match": {"probability": 0.3}},
        {"do": "gone", "match": {"nth": 2, "per": "object"}},
        {"do": "latency", "with": {"seconds": {"uniform": [0, 1]}}},
    ]

    def fates(order: list[str]) -> dict[str, list[Decision]]:
        decides, found = deciding(*rules, seed=seed), collections.defaultdict(list)
        for name in order:
            found[name].append(decides.decide(asked(name), 0))
        return found

    mixed = list(names)
    chance.shuffle(mixed)
    assert fates(names) == fates(mixed)


@given(requests_of_many, st.integers(0, 99))
def test_a_log_repeats_what_was_decided_and_adds_nothing(names: list[str], seed: int) -> None:
    rules: list[dict[str, Any]] = [
        {"name": "half", "do": "error", "match": {"probability": 0.5}},
        {"do": "lost-reply", "match": {"after": 3, "limit": 2}},
        {"do": "latency", "with": {"seconds": {"lognormal": {"median": 1, "sigma": 2, "max": 9}}}},
    ]
    decides = deciding(*rules, seed=seed)
    first = [(asked(name), decides.decide(asked(name), 0)) for name in names]
    lines = [{"type": "request", "key": one.key, **what.json()} for one, what in first]
    log = ByLog([{"type": "rules"}, *json.loads(json.dumps(lines)), {"type": "end"}])
    assert [log.decide(one, 0) for one, _ in first] == [what for _, what in first]
    assert log.counts().get("half", 0) == decides.counts()["half"]
    assert log.decide(asked("unheard-of"), 0) == Decision(1)


@given(st.randoms(use_true_random=False))
def test_drawn_times_keep_their_bounds(chance: random.Random) -> None:
    assert draw_seconds(2, chance) == 2.0
    assert 1 <= draw_seconds({"uniform": [1, 3]}, chance) <= 3
    shape = {"lognormal": {"median": 0.1, "sigma": 3, "max": 0.5}}
    assert 0 <= draw_seconds(shape, chance) <= 0.5
