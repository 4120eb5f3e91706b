"""Rules for one object: schema, kind, metadata, ConfigMaps, CEL."""

from __future__ import annotations

from typing import Any

import pytest
from checking import API, check, config, config_map, link, node, place, profile, stream, topology


def test_objects_that_are_right_have_no_findings() -> None:
    answer = check(
        stream(
            profile("p"), link("l", "a:eth1", "b:eth1"), node("a", profile="p"), node("b"), config()
        )
    )
    assert (answer.code, answer.findings) == (0, [])
    assert answer.report["summary"]["valid"] == 5


@pytest.mark.parametrize(
    ("spec", "path"),
    [
        ("image: 5", "spec.image"),
        ("ports: ['0']", "spec.ports[0]"),
        ("restart-policy: sometimes", "spec.restart-policy"),
        ("network-mode: host", "spec.network-mode"),
        ("cpu: -1", "spec.cpu"),
    ],
)
def test_what_the_api_server_would_refuse_is_an_error_at_its_place(spec: str, path: str) -> None:
    text = f"apiVersion: {API}\nkind: Node\nmetadata: {{name: a}}\nspec:\n  kind: linux\n  {spec}\n"
    found = check(text).only()
    mark = "'0'" if "ports" in spec else spec.partition(":")[0]
    assert (found["severity"], found["code"], found["path"]) == ("error", "not-admissible", path)
    assert (found["file"], found["line"], found["column"]) == ("<stdin>", *place(text, mark))


def test_a_required_field_that_is_missing_is_reported_at_its_parent() -> None:
    head = f"apiVersion: {API}\nkind: Link\nmetadata: {{name: a}}\n"
    text = f"{head}spec:\n  endpointA: {{nodeName: a, interfaceName: b}}\n"
    found = check(text).only()
    assert (found["code"], found["path"], found["line"]) == ("not-admissible", "spec.endpointB", 4)


def test_an_unknown_field_is_an_error_at_its_key() -> None:
    text = stream(node("a", startup_konfig="x"))
    found = check(text).only()
    assert (found["code"], found["path"]) == ("unknown-field", "spec.startup-konfig")
    assert (found["line"], found["column"]) == place(text, "startup-konfig")


@pytest.mark.parametrize("kind", ["Node", "Topology"])
def test_another_version_is_an_error(kind: str) -> None:
    one = node("a") if kind == "Node" else topology("a")
    one["apiVersion"] = "c9s.run/v1"
    assert check(stream(one)).codes() == ["unsupported-version"]


@pytest.mark.parametrize(("kind", "word"), [("LauncherProfile", "NodeProfile"), ("Nod", "no kind")])
def test_a_kind_that_the_group_does_not_have_is_an_error(kind: str, word: str) -> None:
    found = check(stream({**node("a"), "kind": kind})).only()
    assert found["code"] == "unknown-kind"
    assert word in found["message"]


@pytest.mark.parametrize("name", ["clabernetes-2", "config"])
def test_a_config_of_another_name_is_an_error(name: str) -> None:
    found = check(stream(config(name=name))).only()
    assert (found["code"], found["path"]) == ("config-name", "metadata.name")


BOTH = {"c9s.run/app": "clabernetes", "c9s.run/topologyOwner": "lab"}


@pytest.mark.parametrize(
    ("metadata", "path"),
    [
        ({"labels": BOTH}, "metadata.labels.c9s.run/app"),
        (
            {"labels": {"c9s.run/topologyKind": "containerlab"}},
            "metadata.labels.c9s.run/topologyKind",
        ),
        (
            {"annotations": {"c9s.run/startup-hold": "u"}},
            "metadata.annotations.c9s.run/startup-hold",
        ),
        (
            {"annotations": {"c9s.run/startup-admitted": "u"}},
            "metadata.annotations.c9s.run/startup-admitted",
        ),
        ({"uid": "0a"}, "metadata.uid"),
        ({"resourceVersion": "7"}, "metadata.resourceVersion"),
    ],
)
def test_metadata_that_a_standalone_object_must_not_have_is_an_error(
    metadata: dict[str, Any], path: str
) -> None:
    text = stream(node("a", metadata=metadata))
    found = check(text).only()
    assert (found["code"], found["path"]) == ("forbidden-metadata", path)
    key = path.removeprefix("metadata.").removeprefix("labels.").removeprefix("annotations.")
    assert (found["line"], found["column"]) == place(text, key)


def test_an_owner_reference_to_a_topology_and_a_status_are_forbidden() -> None:
    owner = {"apiVersion": API, "kind": "Topology", "name": "lab", "uid": "u"}
    one = node("a", metadata={"ownerReferences": [owner]})
    one["status"] = {"readiness": "ready"}
    found = check(stream(one)).findings
    assert [(one["code"], one["path"]) for one in found if one["code"] == "forbidden-metadata"] == [
        ("forbidden-metadata", "metadata.ownerReferences[0]"),
        ("forbidden-metadata", "status"),
    ]


def test_a_topology_and_a_config_may_have_what_the_manager_gives_them_but_not_what_the_server_writes() -> (
    None
):
    lab = topology("lab")
    lab["metadata"]["labels"] = BOTH
    lab["status"] = {}
    assert check(stream(lab)).findings == []
    settings = config()
    settings["metadata"] |= {"resourceVersion": "7", "labels": BOTH}
    assert check(stream(settings)).codes() == ["forbidden-metadata"]


def test_labels_of_a_topology_are_checked() -> None:
    lab = topology("lab")
    lab["metadata"]["labels"] = {"role": "not a label"}
    found = check(stream(lab)).only()
    assert (found["code"], found["path"]) == ("not-admissible", "metadata.labels.role")


@pytest.mark.parametrize(
    ("change", "code", "path"),
    [
        ({"data": {"a": 5}}, "not-admissible", "data.a"),
        ({"data": {"a": True}}, "not-admissible", "data.a"),
        ({"data": ["a"]}, "not-admissible", "data"),
        ({"data": {"a/b": "x"}}, "not-admissible", "data.a/b"),
        ({"data": {"..": "x"}}, "not-admissible", "data..."),
        ({"data": {"a": "x"}, "binaryData": {"a": "eA=="}}, "not-admissible", "binaryData.a"),
        ({"binaryData": {"a": "?"}}, "not-admissible", "binaryData.a"),
        ({"metadata": {"name": "A"}}, "not-admissible", "metadata.name"),
        ({"metadata": {"name": "a", "labels": {"x": "?"}}}, "not-admissible", "metadata.labels.x"),
        ({"date": {"a": "x"}}, "unknown-field", "date"),
        ({"metadata": {"name": "a", "uid": "x"}}, "forbidden-metadata", "metadata.uid"),
    ],
)
def test_a_config_map_that_the_api_server_would_refuse_is_an_error(
    change: dict[str, Any], code: str, path: str
) -> None:
    found = check(stream(config_map("a", b="x") | change)).only()
    assert (found["severity"], found["code"], found["path"]) == ("error", code, path)


def test_a_config_map_may_hold_folded_base64_nulls_and_owner_labels() -> None:
    one = config_map("a", lab="lab", b="x") | {"binaryData": {"c": "eH\nh4"}, "immutable": True}
    one["data"]["d"] = None
    assert check(stream(one)).findings == []


def crd(rule: str) -> dict[str, Any]:
    schema = {"openAPIV3Schema": {"x-kubernetes-validations": [{"rule": rule}]}}
    spec = {
        "group": "c9s.run",
        "names": {"kind": "Config"},
        "versions": [{"name": "v1alpha1", "schema": schema}],
    }
    return {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {"name": "configs.c9s.run"}, "spec": spec}  # fmt: skip


def test_a_cel_rule_that_is_not_evaluated_is_an_info_at_its_place() -> None:
    text = stream(crd("self.spec.rollout.batchSize < 100"), config())
    answer = check(text)
    assert answer.code == 0
    found = answer.only()
    assert (found["severity"], found["code"]) == ("info", "rule-not-checked")
    assert (found["line"], found["column"]) == place(text, "rule:")
    assert "self.spec.rollout.batchSize < 100" in found["message"]


def test_a_cel_rule_that_is_evaluated_is_not_reported() -> None:
    assert check(stream(crd("(self.metadata.name\n  == 'clabernetes')"), config())).findings == []


def test_a_cel_rule_on_kinds_of_others_is_not_reported() -> None:
    other = crd("self.spec.size < 100")
    other["spec"]["group"] = "example.com"
    assert check(stream(other, config())).findings == []


@pytest.mark.parametrize(
    ("groups", "noted"), [(["c9s.run"], True), (["*"], True), (["apps"], False)]
)
def test_a_policy_on_our_kinds_is_not_evaluated(groups: list[str], noted: bool) -> None:  # noqa: FBT001 - a case
    policy = {
        "apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingAdmissionPolicy",
        "metadata": {"name": "caps"},
        "spec": {"matchConstraints": {"resourceRules": [{"apiGroups": groups}]},
                 "validations": [{"expression": "object.spec.x < 5"}]},
    }  # fmt: skip
    answer = check(stream(policy, config()), "--strict")
    assert answer.code == 0
    assert answer.codes() == ["rule-not-checked"] * noted
