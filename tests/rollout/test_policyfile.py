"""What a RolloutPolicy wants of a Config and of Topologies."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from policy_draws import labels, limits, namespaces, policies
from policy_objects import policy

from kubectl_c9s.resources import schema
from kubectl_c9s.rollout.limits import Limits
from kubectl_c9s.rollout.owners import YIELD_TO
from kubectl_c9s.rollout.policyfile import (
    NOT_OBEYED,
    Bounds,
    Guards,
    RolloutPolicy,
    Stall,
    obeyed_part,
    policy_of,
    rule_for,
    wanted_for_config,
    wanted_for_topology,
)


def one_rule(present: int | None, **said: int) -> int | None:
    """Give what a rule for all namespaces wants of ``batchSize``."""
    made = policy_of(policy(topologies=[{"match": {}, "batchSize": said}]))
    wanted = wanted_for_topology(made, "ns", {}, Limits(present, 7))
    assert wanted is not None
    assert wanted.max_concurrent_per_host == 7
    return wanted.batch_size


@given(policies, limits)
def test_what_was_written_to_a_config_is_not_written_again(
    made: RolloutPolicy, present: Limits
) -> None:
    wanted = wanted_for_config(made, present)
    assert wanted_for_config(made, wanted) == wanted


@given(policies, namespaces, labels, limits)
def test_what_was_written_to_a_topology_is_not_written_again(
    made: RolloutPolicy, namespace: str, marks: dict[str, str], present: Limits
) -> None:
    wanted = wanted_for_topology(made, namespace, marks, present)
    if wanted is not None:
        assert wanted_for_topology(made, namespace, marks, wanted) == wanted


@given(policies, limits)
def test_a_config_has_what_the_policy_says_and_keeps_what_it_does_not_speak_of(
    made: RolloutPolicy, present: Limits
) -> None:
    for said, was, now in zip(made.config, present, wanted_for_config(made, present), strict=True):
        if said is None:
            assert now is was
        else:
            assert (now or 0) == said


@given(policies, namespaces, labels, limits)
def test_a_topology_is_never_outside_the_bounds_of_its_rule(
    made: RolloutPolicy, namespace: str, marks: dict[str, str], present: Limits
) -> None:
    wanted = wanted_for_topology(made, namespace, marks, present)
    rule = rule_for(made, namespace, marks)
    assert (wanted is None) == (rule is None)
    if wanted is None or rule is None:
        return
    for said, was, now in zip(rule.bounds, present, wanted, strict=True):
        if now:
            assert now <= (said.maximum or now)
            assert now >= (said.minimum or now)
        else:
            assert not said.maximum
        if said == Bounds():
            assert now is was


@given(policies, namespaces, labels, limits)
def test_absent_and_zero_are_no_drift(
    made: RolloutPolicy, namespace: str, marks: dict[str, str], present: Limits
) -> None:
    wanted = wanted_for_topology(made, namespace, marks, present) or present
    for was, now in [
        *zip(present, wanted, strict=True),
        *zip(present, wanted_for_config(made, present), strict=True),
    ]:
        assert (was or 0) != (now or 0) or was is now


@given(policies, namespaces, labels)
def test_the_first_rule_that_matches_wins(
    made: RolloutPolicy, namespace: str, marks: dict[str, str]
) -> None:
    rule = rule_for(made, namespace, marks)
    matching = [one for one in made.topologies if one.applies_to(namespace, marks)]
    assert rule is (matching[0] if matching else None)


@pytest.mark.parametrize(
    ("present", "said", "wanted"),
    [
        (None, {"default": 25}, 25),
        (0, {"default": 25}, 0),
        (7, {"default": 25}, 7),
        (None, {"default": 0}, None),
        (None, {"max": 50}, 50),
        (0, {"max": 50}, 50),
        (51, {"max": 50}, 50),
        (50, {"max": 50}, 50),
        (None, {"default": 25, "max": 50}, 25),
        (0, {"default": 25, "max": 50}, 50),
        (None, {"default": 0, "max": 50}, 50),
        (0, {"max": 0}, 0),
        (9, {"max": 0}, 9),
        (None, {"min": 5}, None),
        (0, {"min": 5}, 0),
        (4, {"min": 5}, 5),
        (5, {"min": 5}, 5),
        (1, {"min": 0}, 1),
        (3, {"min": 5, "default": 6, "max": 7}, 5),
        (9, {}, 9),
        (None, {}, None),
    ],
)
def test_off_is_more_than_every_maximum_and_not_less_than_a_minimum(
    present: int | None, said: dict[str, int], wanted: int | None
) -> None:
    assert one_rule(present, **said) == wanted


@pytest.mark.parametrize(
    ("match", "matched"),
    [
        ({}, True),
        ({"namespaces": ["*"]}, True),
        ({"namespaces": ["x", "ci-*"]}, True),
        ({"namespaces": ["ci"]}, False),
        ({"namespaces": None, "labels": None}, True),
        ({"labels": {"tier": "ci"}}, True),
        ({"labels": {"tier": "ci", "other": "x"}}, False),
        ({"labels": {"tier": "c*"}}, False),
        ({"namespaces": ["ci-1"], "labels": {"tier": "prod"}}, False),
    ],
)
def test_a_rule_matches_by_namespace_and_by_all_of_its_labels(
    match: dict[str, Any], *, matched: bool
) -> None:
    made = policy_of(policy(topologies=[{"match": match, "batchSize": {"max": 1}}]))
    found = wanted_for_topology(made, "ci-1", {"tier": "ci", "team": "a"}, Limits())
    assert found == (Limits(1) if matched else None)


def test_a_rule_without_limits_leaves_alone_what_later_rules_would_manage() -> None:
    exempt: dict[str, Any] = {"match": {"namespaces": ["lab"]}}
    rest: dict[str, Any] = {"match": {}, "batchSize": {"max": 5}}
    made = policy_of(policy(topologies=[exempt, rest]))
    assert wanted_for_topology(made, "lab", {}, Limits(9)) == Limits(9)
    assert wanted_for_topology(made, "other", {}, Limits(9)) == Limits(5)


def test_a_zero_in_the_policy_switches_a_limit_of_the_config_off() -> None:
    made = policy_of(policy(config={"batchSize": 0}))
    assert wanted_for_config(made, Limits(9, 3)) == Limits(0, 3)
    assert wanted_for_config(made, Limits(None, None)) == Limits(None, None)


def test_a_file_is_read_with_its_defaults() -> None:
    assert policy_of(policy()) == RolloutPolicy("pace")
    obj = policy(config={"batchSize": 5}, guards={"allowRelease": True, "yieldTo": []})
    obj["metadata"]["namespace"] = "c9s"
    read = policy_of(obj)
    assert (read.name, read.namespace, read.config) == ("pace", "c9s", Limits(5))
    assert read.guards == Guards(allow_release=True, yield_to=())
    assert (read.mode, read.suspend, read.stall) == ("Report", False, Stall(60.0, 300.0))
    assert policy_of(policy(guards={})).guards == Guards(allow_release=False, yield_to=YIELD_TO)


def test_what_is_for_the_reconciler_is_read() -> None:
    read = policy_of(policy(mode="Enforce", suspend=True, stall={"slowAfter": "1m30s"}))
    assert (read.mode, read.suspend, read.stall) == ("Enforce", True, Stall(90.0, 300.0))
    stall = {"slowAfter": ".5s", "stalledAfter": "250\u00b5s"}
    assert policy_of(policy(stall=stall)).stall == Stall(0.5, 0.00025)
    empty = policy_of(policy(mode=None, suspend=None, stall={"stalledAfter": None}))
    assert empty == RolloutPolicy("pace")


@given(policies, namespaces, labels, limits)
def test_a_rule_never_takes_a_limit_of_a_topology_away(
    made: RolloutPolicy, namespace: str, marks: dict[str, str], present: Limits
) -> None:
    wanted = wanted_for_topology(made, namespace, marks, present) or present
    for was, now in zip(present, wanted, strict=True):
        assert now or not was


def test_fields_that_nothing_obeys_are_left_out_and_change_nothing() -> None:
    plain = policy(config={"batchSize": 5})
    full = policy(config={"batchSize": 5}, **dict.fromkeys(NOT_OBEYED, "x"))
    assert obeyed_part(full) == plain
    assert set(NOT_OBEYED) < full["spec"].keys()
    assert obeyed_part({"spec": "x"}) == {"spec": "x"}
    assert policy_of(full) == policy_of(plain)


@given(policies)
def test_what_is_drawn_here_is_what_the_schema_takes(made: RolloutPolicy) -> None:
    def written(numbers: tuple[int | None, ...], names: list[str]) -> dict[str, int]:
        pairs = zip(names, numbers, strict=True)
        return {name: number for name, number in pairs if number is not None}

    fields = ["batchSize", "maxConcurrentPerHost"]
    topologies = [
        {
            "match": {"labels": rule.labels}
            | ({"namespaces": list(rule.namespaces)} if rule.namespaces else {})
        }
        | {
            field: written(said, ["default", "max", "min"])
            for field, said in zip(fields, rule.bounds, strict=True)
        }
        for rule in made.topologies
    ]
    obj = policy(config=written(made.config, fields), topologies=topologies)
    assert schema.violations("RolloutPolicy", obj) == []
    read = policy_of(obj)
    assert read.config == made.config
    assert [one.bounds for one in read.topologies] == [one.bounds for one in made.topologies]
