from __future__ import annotations

import math
import subprocess
import sys
from typing import Any

import pytest
from kube_samples import expected_objects, obj, samples

from kubectl_c9s.resources import schema
from kubectl_c9s.resources.schema_source import definition
from kubectl_c9s.resources.schema_strict import RULES

ALL = (*schema.KINDS, *schema.TOOLKIT_KINDS)


def messages(kind: str, value: object) -> list[str]:
    return [f"{found.place}: {found.message}" for found in schema.violations(kind, value)]


def node(**spec: Any) -> dict[str, Any]:
    return obj("Node", {key.replace("_", "-"): value for key, value in spec.items()})


@pytest.mark.parametrize("kind", ALL)
def test_a_full_object_of_each_kind_is_valid(kind: str) -> None:
    assert messages(kind, samples()[kind]) == []
    assert schema.is_valid(kind, samples()[kind])


@pytest.mark.parametrize("kind", ALL)
def test_a_kind_is_not_taken_for_another(kind: str) -> None:
    other = samples()["Link" if kind == "Node" else "Node"]
    assert f"kind: must be {kind}" in messages(kind, other)


def test_a_foreign_kind_has_no_schema() -> None:
    for ask in (schema.spec_schema, schema.validator):
        with pytest.raises(KeyError):
            ask("Pod")


@pytest.mark.skipif(not expected_objects(), reason="the folder of shared cases is not here")
def test_all_expected_objects_of_the_shared_cases_are_valid() -> None:
    for kind, item in expected_objects():
        assert messages(kind, item) == []
        assert schema.is_valid(kind, item)


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ({"image": 1}, "spec.image: must be a string"),
        ({"env": []}, "spec.env: must be a mapping"),
        ({"env": {"A": 1}}, "spec.env.A: must be a string"),
        ({"exec": "a"}, "spec.exec: must be a list"),
        ({"exec": [None]}, "spec.exec[0]: must be a string"),
        ({"privileged": "true"}, "spec.privileged: must be true or false"),
        ({"startup_delay": True}, "spec.startup-delay: must be an integer"),
        ({"startup_delay": 1.5}, "spec.startup-delay: must be an integer"),
        ({"startup_delay": 2**63}, "spec.startup-delay: must be at most 9223372036854775807"),
        ({"startup_delay": 10**5000}, "spec.startup-delay: is a number too large for JSON"),
        ({"cpu": "1"}, "spec.cpu: must be a number"),
        ({"cpu": -0.5}, "spec.cpu: must be at least 0"),
        ({"cpu": math.nan}, "spec.cpu: is not a finite number"),
        ({"restart_policy": "no"}, "must be one of always, Always, unless-stopped"),
        ({"restart_policy": 1}, "must be one of always, Always, unless-stopped"),
        ({"ports": ["22\n"]}, "spec.ports[0]: must be a port"),
        ({"ports": ["0"]}, "spec.ports[0]: must be a port"),
        ({"ports": ["65536"]}, "spec.ports[0]: must be a port"),
        ({"ports": ["22-23"]}, "spec.ports[0]: must be a port"),
        ({"ports": ["22/Tcp"]}, "spec.ports[0]: must be a port"),
        ({"aliases": ["a" * 64]}, "spec.aliases[0]: must have at most 63 characters"),
        ({"aliases": ["1a"]}, "spec.aliases[0]: must be a DNS-1035 label"),
        ({"network_mode": "host"}, "spec.network-mode: must be container:<name"),
        ({"network_mode": "container:A"}, "spec.network-mode: must be container:<name"),
        ({"network_mode": "container:" + "a" * 64}, "must have at most 73 characters"),
        ({"certificate": {"validity-duration": "1d"}}, "must be a duration"),
        ({"filesFromURL": [{"url": "u", "filePath": "f", "digest": "x"}]}, "must be sha256:"),
        ({"filesFromSecret": [{"filePath": "f"}]}, "spec.filesFromSecret[0].secretName: is req"),
        ({"healthcheck": {"retries": -1}}, "spec.healthcheck.retries: must be at least 0"),
        ({"extras": {}}, "spec.extras: unknown field"),
        ({"components": [{"mda": [{"slots": 1}]}]}, "spec.components[0].mda[0].slots: unknown"),
        ({"config": {"vars": {"a": [math.inf]}}}, "spec.config.vars.a[0]: is not a finite number"),
        ({"kind_specific_config": {"a": {1: 2}}}, "has a key that is not a string"),
        ({"kind_specific_config": {"a": b"x"}}, "is not a value of JSON"),
        ({"kind_specific_config": {"a": "\ud800"}}, "is not valid Unicode"),
        ({"env": {"A": "\ud800"}}, "spec.env.A: is not valid Unicode"),
        ({"env": {"\ud800": "A"}}, "spec.env: has a key that is not valid Unicode"),
        ({"restart_policy": "\ud800"}, "spec.restart-policy: is not valid Unicode"),
    ],
)
def test_what_the_node_schema_does_not_allow_is_named(spec: dict[str, Any], expected: str) -> None:
    (found,) = messages("Node", node(**spec))
    assert expected in found
    assert not schema.is_valid("Node", node(**spec))


def test_one_port_has_one_application_protocol() -> None:
    entries = [{"port": p, "appProtocol": "x"} for p in ("1/tcp", "1/udp", "1/tcp")]
    found = messages("Node", node(appProtocols=entries))
    assert found == ["spec.appProtocols[2]: repeats the port of an earlier item"]


def test_a_pull_secret_is_named_once() -> None:
    profile = obj("NodeProfile", {"imagePull": {"pullSecrets": ["a", "b", "a", "a"]}})
    assert messages("NodeProfile", profile) == [
        "spec.imagePull.pullSecrets[2]: repeats an earlier item",
        "spec.imagePull.pullSecrets[3]: repeats an earlier item",
    ]


@pytest.mark.parametrize("amount", [0.5, True, "1Gii", "", "1e1.5", "1\n", [], "9" * 6000])
def test_an_amount_that_nobody_can_read_is_refused(amount: object) -> None:
    profile = obj("NodeProfile", {"resources": {"limits": {"cpu": amount}}})
    assert messages("NodeProfile", profile) == [
        "spec.resources.limits.cpu: must be a quantity such as 2, 500m or 4Gi"
    ]
    assert not schema.is_valid("NodeProfile", profile)


def test_the_largest_rollout_limit_has_31_bits() -> None:
    config = samples()["Config"]
    config["spec"]["rollout"]["batchSize"] = 2**31 - 1
    assert schema.is_valid("Config", config)


@pytest.mark.parametrize("limit", [-1, 2**31])
def test_rollout_limits_are_not_negative_and_have_32_bits(limit: int) -> None:
    for kind in ("Config", "Topology"):
        value = samples()[kind]
        value["spec"]["rollout"] = {"batchSize": limit}
        assert [found.path for found in schema.violations(kind, value)] == [
            ("spec", "rollout", "batchSize")
        ]


def test_a_config_of_another_name_is_refused() -> None:
    config = samples()["Config"]
    config["metadata"]["name"] = "other"
    assert messages("Config", config) == ["metadata.name: must be clabernetes"]


@pytest.mark.parametrize(
    ("metadata", "expected"),
    [
        ({}, "metadata.name: is required"),
        ({"name": "A"}, "metadata.name: must be a DNS-1123 subdomain"),
        ({"name": "a" * 254}, "metadata.name: must have at most 253 characters"),
        ({"name": "a", "namespace": "a.b"}, "metadata.namespace: must be a DNS-1123 label"),
        ({"name": "a", "foo": 1}, "metadata.foo: unknown field"),
        ({"name": "a", "labels": {"a": 1}}, "metadata.labels.a: must be a string"),
        ({"name": "a", "labels": {"a b": ""}}, "metadata.labels.a b: the name part must be"),
        ({"name": "a", "labels": {"a": "b c"}}, "metadata.labels.a: a label value must be"),
        ({"name": "a", "annotations": {"a b": ""}}, "metadata.annotations.a b: the name part"),
        ({"name": "a", "annotations": {"a": "x" * 2**18}}, "must have at most 262144 bytes"),
        ({"name": "a", "ownerReferences": [{"kind": "x"}]}, "is required"),
        ({"name": "a", "creationTimestamp": "today"}, "must be a time"),
        ({"name": "a", "managedFields": [{"fieldsV1": {"f": math.nan}}]}, "finite"),
    ],
)
def test_metadata_is_held_to_the_rules_of_the_api_server(
    metadata: dict[str, Any], expected: str
) -> None:
    link = samples()["Link"] | {"metadata": metadata}
    assert any(expected in found for found in messages("Link", link))
    assert not schema.is_valid("Link", link)


def test_annotation_keys_may_have_capitals_in_their_prefix() -> None:
    link = samples()["Link"]
    link["metadata"]["annotations"] = {"Example.com/x": "any text\n" * 100}
    assert messages("Link", link) == []


def test_a_field_that_is_null_counts_as_absent() -> None:
    value = samples()["Topology"]
    value["spec"] |= {"rollout": None, "expose": {"exposeType": None}}
    value["metadata"] |= {"creationTimestamp": None, "namespace": ""}
    assert messages("Topology", value) == []
    assert schema.is_valid("Topology", value)
    value["spec"]["definition"] = None
    assert messages("Topology", value) == ["spec.definition: is required"]
    assert not schema.is_valid("Topology", value)


def test_all_violations_are_listed_once_and_by_place() -> None:
    spec = {"ports": ["x"] * 11, "zzz": 1, "image": 1, "kind": 2}
    found = schema.violations("Node", obj("Node", spec))
    places = [violation.place for violation in found]
    assert places == [
        "spec.image",
        "spec.kind",
        *(f"spec.ports[{i}]" for i in range(11)),
        "spec.zzz",
    ]


def test_a_copy_of_a_schema_belongs_to_the_caller() -> None:
    schema.spec_schema("Link")["properties"].clear()
    assert schema.spec_schema("Link")["properties"].keys() == {"endpointA", "endpointB", "mtu"}


def test_every_cel_rule_of_the_schemas_is_enforced() -> None:
    found = set()
    for kind in ALL:
        parts: list[Any] = [definition(kind)]
        while parts:
            part = parts.pop()
            if isinstance(part, dict):
                found |= {r["rule"] for r in part.get("x-kubernetes-validations", ())}
                found |= {r["rule"] for r in part["rules"]} if "rules" in part else set()
                parts += part.values()
    assert found == set(RULES)


def test_the_schema_engine_is_loaded_by_the_first_validator_only() -> None:
    code = (
        "import sys; from kubectl_c9s.resources import schema; schema.spec_schema('Node');"
        "assert 'jsonschema_rs' not in sys.modules; schema.validator('Link');"
        "assert 'jsonschema_rs' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
