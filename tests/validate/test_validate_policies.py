"""RolloutPolicies: what the schema refuses, and what has no effect."""

from __future__ import annotations

from typing import Any

import pytest
from checking import check, config, node, place, stream, topology

from kubectl_c9s.resources.crd import crd
from kubectl_c9s.rollout.policyfile import NOT_OBEYED

API = "toolkit.c9s.run/v1alpha1"
HEAD = f"apiVersion: {API}\nkind: RolloutPolicy\nmetadata: {{name: p}}\n"


def policy(name: str = "p", /, **spec: Any) -> dict[str, Any]:
    return {"apiVersion": API, "kind": "RolloutPolicy", "metadata": {"name": name}, "spec": spec}


def rules(*given: dict[str, Any]) -> str:
    return stream(policy(topologies=list(given)))


def test_a_policy_that_is_right_has_no_findings() -> None:
    rule = {
        "match": {"namespaces": ["ci-*", "lab-?"], "labels": {"tier": "ci"}},
        "batchSize": {"default": 25, "max": 50, "min": 5},
        "maxConcurrentPerHost": {"max": 20},
    }
    limits = {"batchSize": 100, "maxConcurrentPerHost": 50}
    guards = {"allowRelease": False, "yieldTo": ["argocd-controller"]}
    for_reconciler = {"mode": "Enforce", "suspend": True, "stall": {"slowAfter": "1m30s"}}
    made = policy(config=limits, topologies=[rule, {"match": {}}], guards=guards, **for_reconciler)
    answer = check(stream(made))
    assert (answer.code, answer.findings) == (0, [])
    assert answer.report["summary"]["valid"] == 1
    assert check(f"{HEAD}").findings == []


@pytest.mark.parametrize(
    ("spec", "path"),
    [
        ("config: {batchSize: -1}", "spec.config.batchSize"),
        ("config: {batchSize: 2147483648}", "spec.config.batchSize"),
        ("config: {maxConcurrentPerHost: '5'}", "spec.config.maxConcurrentPerHost"),
        ("topologies: [{batchSize: {max: 5}}]", "spec.topologies[0].match"),
        ("topologies: [{match: {}, batchSize: 5}]", "spec.topologies[0].batchSize"),
        ("topologies: [{match: {}, batchSize: {min: -1}}]", "spec.topologies[0].batchSize.min"),
        ("topologies: [{match: {}, batchSize: {min: 5, max: 4}}]", "spec.topologies[0].batchSize.min"),
        (
            "topologies: [{match: {}, batchSize: {default: 5, max: 4}}]",
            "spec.topologies[0].batchSize.default",
        ),
        (
            "topologies: [{match: {}, maxConcurrentPerHost: {min: 6, default: 5}}]",
            "spec.topologies[0].maxConcurrentPerHost.default",
        ),
        ("topologies: [{match: {namespaces: []}}]", "spec.topologies[0].match.namespaces"),
        ("topologies: [{match: {namespaces: lab}}]", "spec.topologies[0].match.namespaces"),
        ("topologies: [{match: {namespaces: ['[a]']}}]", "spec.topologies[0].match.namespaces[0]"),
        ("topologies: [{match: {labels: {tier: 1}}}]", "spec.topologies[0].match.labels.tier"),
        ("guards: {allowRelease: 'yes'}", "spec.guards.allowRelease"),
        ("guards: {yieldTo: [a, a]}", "spec.guards.yieldTo[1]"),
        ("guards: {yieldTo: ['']}", "spec.guards.yieldTo[0]"),
        ("mode: enforce", "spec.mode"),
        ("mode: true", "spec.mode"),
        ("suspend: 'no'", "spec.suspend"),
        ("stall: {slowAfter: 60}", "spec.stall.slowAfter"),
        ("stall: {slowAfter: 1 day}", "spec.stall.slowAfter"),
        ("stall: {slowAfter: 0s}", "spec.stall.slowAfter"),
        ("stall: {stalledAfter: 9999999h}", "spec.stall.stalledAfter"),
        ("stall: {slowAfter: 2m, stalledAfter: 119s}", "spec.stall.slowAfter"),
        ("stall: {slowAfter: 301s}", "spec.stall.slowAfter"),
        ("stall: {stalledAfter: 59s}", "spec.stall.slowAfter"),
    ],
)  # fmt: skip
def test_what_the_api_server_would_refuse_is_an_error_at_its_place(spec: str, path: str) -> None:
    text = f"{HEAD}spec:\n  {spec}\n"
    found = check(text).only()
    assert (found["severity"], found["code"], found["path"]) == ("error", "not-admissible", path)
    assert (found["file"], found["line"]) == ("<stdin>", 5)
    if path.endswith((".min", ".default", ".tier", "allowRelease", "batchSize")):
        name = path.rpartition(".")[2]
        assert (found["line"], found["column"]) == place(text, f"{name}:")


def test_everything_that_is_wrong_is_said_at_once() -> None:
    text = rules({"match": {}, "batchSize": {"min": 6, "default": 5, "max": 4}, "colour": "red"})
    assert sorted(check(text).codes()) == ["not-admissible"] * 3 + ["unknown-field"]


@pytest.mark.parametrize("name", NOT_OBEYED)
def test_a_field_that_nothing_obeys_yet_is_a_warning(name: str) -> None:
    text = stream(policy(**{name: {"any": "thing"}}))
    answer = check(text)
    found = answer.only()
    assert (answer.code, found["severity"], found["code"]) == (0, "warning", "policy-field-unused")
    assert (found["path"], found["line"]) == (f"spec.{name}", place(text, f"{name}:")[0])
    assert check(stream(policy(**{name: None}))).findings == []


def test_the_fields_that_nothing_obeys_yet_hide_no_error() -> None:
    answer = check(stream(policy(pacing={"window": 5}, pacings="x", config={"batchSize": -1})))
    assert answer.codes("error") == ["not-admissible", "unknown-field"]
    assert answer.codes("warning") == ["policy-field-unused"]


@pytest.mark.parametrize("spec", ["x", ["mode"], 5])
def test_a_policy_without_a_mapping_is_an_error(spec: object) -> None:
    assert check(stream(policy() | {"spec": spec})).codes() == ["not-admissible"]


@pytest.mark.parametrize(
    ("earlier", "later", "taken"),
    [
        ({}, {"namespaces": ["lab"]}, True),
        ({}, {}, True),
        ({"namespaces": ["*"]}, {}, True),
        ({"namespaces": ["x", "ci-*"]}, {"namespaces": ["ci-a*", "ci-1"]}, True),
        ({"namespaces": ["ci-*"]}, {"namespaces": ["ci-1"], "labels": {"tier": "ci"}}, True),
        ({"labels": {"tier": "ci"}}, {"labels": {"tier": "ci", "team": "a"}}, True),
        ({"namespaces": ["ci-*"]}, {"namespaces": ["ci-1", "lab"]}, False),
        ({"namespaces": ["ci-*"]}, {}, False),
        ({"labels": {"tier": "ci"}}, {"labels": {"tier": "prod"}}, False),
        ({"labels": {"tier": "ci"}}, {}, False),
    ],
)
def test_a_rule_behind_one_that_matches_all_of_it_is_a_warning(
    earlier: dict[str, Any], later: dict[str, Any], *, taken: bool
) -> None:
    between = {"match": {"namespaces": ["else"], "labels": {"x": "y"}}}
    first = {"match": earlier, "batchSize": {"max": 5}}
    text = rules(first, {"match": later, "batchSize": {"max": 6}}, between)
    found = [one for one in check(text).findings if one["path"] == "spec.topologies[1]"]
    assert [one["code"] for one in found] == (["unreachable-rule"] if taken else [])
    if taken:
        assert "topologies[0] matches everything" in found[0]["message"]


def test_a_rule_that_is_never_asked_is_reported_once() -> None:
    rest: dict[str, Any] = {"match": {}}
    assert check(rules(rest, rest, rest)).codes() == ["unreachable-rule"] * 2


@pytest.mark.parametrize(
    ("limits", "said", "useless"),
    [
        ({"maxConcurrentPerHost": 20}, {"max": 21}, ["max"]),
        ({"maxConcurrentPerHost": 20}, {"default": 30, "max": 40, "min": 5}, ["default", "max"]),
        ({"maxConcurrentPerHost": 20}, {"max": 20}, []),
        ({"maxConcurrentPerHost": 0}, {"max": 21}, []),
        ({"batchSize": 20}, {"max": 21}, []),
        ({}, {"max": 0}, ["max"]),
        ({}, {"default": 0}, ["default"]),
        ({}, {"default": 0, "max": 5}, ["default"]),
    ],
)
def test_a_limit_of_a_topology_without_effect_is_a_warning(
    limits: dict[str, int], said: dict[str, int], useless: list[str]
) -> None:
    rule = {"match": {}, "maxConcurrentPerHost": said}
    answer = check(stream(policy(config=limits, topologies=[rule])))
    assert answer.codes("error") == []
    at = "spec.topologies[0].maxConcurrentPerHost."
    assert sorted(one["path"] for one in answer.findings) == [at + name for name in useless]
    assert set(answer.codes()) <= {"useless-topology-limit"}


def test_a_batch_of_a_topology_above_that_of_the_config_still_shapes_the_queue() -> None:
    rule = {"match": {}, "batchSize": {"max": 50}}
    assert check(stream(policy(config={"batchSize": 5}, topologies=[rule]))).findings == []


def test_a_policy_of_the_wrong_group_version_or_kind_is_told_the_right_one() -> None:
    found = check(stream(policy() | {"apiVersion": "c9s.run/v1alpha1"})).only()
    assert found["code"] == "unknown-kind"
    assert API in found["message"]
    assert check(stream(policy() | {"apiVersion": "toolkit.c9s.run/v1"})).codes() == [
        "unsupported-version"
    ]
    found = check(stream(node("a") | {"apiVersion": API})).only()
    assert found["code"] == "unknown-kind"
    assert "toolkit.c9s.run has no kind 'Node'" in found["message"]


def test_one_policy_twice_is_reported_as_for_other_objects() -> None:
    assert check(stream(policy(), policy())).codes() == ["repeated-object"]
    other = policy(config={"batchSize": 5})
    assert check(stream(policy(), other)).codes() == ["conflicting-object"]
    assert check(stream(policy(), policy("q"), config(), topology("lab"))).codes("error") == []


def test_what_the_server_writes_is_no_part_of_a_policy_in_git() -> None:
    one = policy()
    one["metadata"] |= {"resourceVersion": "7"}
    assert check(stream(one)).codes() == ["forbidden-metadata"]


def test_the_items_of_a_list_of_policies_are_checked() -> None:
    listed = {"apiVersion": API, "kind": "RolloutPolicyList", "items": [policy(colour="red")]}
    assert check(stream(listed)).codes() == ["unknown-field"]


def test_our_own_rules_in_a_definition_of_the_kind_are_evaluated_and_others_are_not() -> None:
    made = crd("RolloutPolicy")
    assert check(stream(made, policy())).findings == []
    root = made["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
    root["x-kubernetes-validations"] = [{"rule": "self.metadata.name != 'x'"}]
    found = check(stream(made, policy())).only()
    assert (found["severity"], found["code"]) == ("info", "rule-not-checked")
    assert "RolloutPolicy" in found["message"]
