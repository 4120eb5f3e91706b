from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from kubectl_c9s.resources import crd as crds
from kubectl_c9s.resources import schema
from kubectl_c9s.resources.schema_strict import DURATION_ORDER, RULES
from kubectl_c9s.rollout.owners import YIELD_TO
from kubectl_c9s.rollout.policyfile import policy_of

if TYPE_CHECKING:
    from collections.abc import Iterator

PLURALS = {
    "Config": "configs",
    "Topology": "topologies",
    "Node": "nodes",
    "Link": "links",
    "NodeProfile": "nodeprofiles",
    "RolloutPolicy": "rolloutpolicies",
}
ALL = (*schema.KINDS, *schema.TOOLKIT_KINDS)
SHORT_FORM = {"use", "fields", "list", "unique", "map", "says", "fragments", "rules"}


def nodes(part: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Give all schemas within a schema."""
    yield part
    inner = [
        *part.get("properties", {}).values(),
        part.get("items"),
        part.get("additionalProperties"),
    ]
    for item in (*inner, *part.get("allOf", ()), *part.get("anyOf", ())):
        if item:
            yield from nodes(item)


def root(kind: str) -> dict[str, Any]:
    (version,) = crds.crd(kind)["spec"]["versions"]
    found: dict[str, Any] = version["schema"]["openAPIV3Schema"]
    return found


@pytest.mark.parametrize("kind", ALL)
def test_a_definition_is_complete(kind: str) -> None:
    made = crds.crd(kind)
    spec = made["spec"]
    assert made["apiVersion"] == "apiextensions.k8s.io/v1"
    assert made["kind"] == "CustomResourceDefinition"
    group = "c9s.run" if kind in schema.KINDS else "toolkit.c9s.run"
    assert made["metadata"] == {"name": f"{PLURALS[kind]}.{group}"}
    assert (spec["group"], spec["scope"]) == (group, "Namespaced")
    assert spec["names"]["kind"] == kind
    assert spec["names"]["plural"] == PLURALS[kind]
    assert spec["names"]["listKind"] == f"{kind}List"
    (version,) = spec["versions"]
    assert (version["name"], version["served"], version["storage"]) == ("v1alpha1", True, True)


@pytest.mark.parametrize("kind", ALL)
def test_a_definition_is_plain_json_without_our_short_form(kind: str) -> None:
    made = crds.crd(kind)
    assert json.loads(json.dumps(made)) == made
    for part in nodes(root(kind)):
        assert not SHORT_FORM & part.keys()


@pytest.mark.parametrize("kind", ALL)
def test_a_schema_is_structural(kind: str) -> None:
    for part in nodes({"properties": {n: root(kind)["properties"][n] for n in ("spec", "status")}}):
        assert set(part.get("required", ())) <= part.get("properties", {}).keys()
        assert ("items" in part) == (part.get("type") == "array")
        assert not {"properties", "additionalProperties"} <= part.keys()
        for key in part.get("x-kubernetes-list-map-keys", ()):
            assert key in part["items"]["required"]


def test_kinds_with_a_status_subresource_are_those_whose_status_is_written_apart() -> None:
    with_status = {
        kind
        for kind in ALL
        if "status" in crds.crd(kind)["spec"]["versions"][0].get("subresources", {})
    }
    assert with_status == {"Topology", "Node", "Link", "RolloutPolicy"}


def test_defaults_are_where_the_api_server_fills_them_in() -> None:
    found = {
        (kind, name, str(field["default"]))
        for kind in ALL
        for part in nodes(root(kind))
        for name, field in part.get("properties", {}).items()
        if "default" in field
    }
    assert found == {
        ("Config", "containerStopSignals", "False"),
        ("Config", "policy", "IfNotPresent"),
        ("Node", "mode", "read"),
        ("Node", "name", ""),
        ("NodeProfile", "enabled", "True"),
        ("RolloutPolicy", "allowRelease", "False"),
        ("RolloutPolicy", "mode", "Report"),
        ("RolloutPolicy", "slowAfter", "60s"),
        ("RolloutPolicy", "stalledAfter", "300s"),
        ("RolloutPolicy", "suspend", "False"),
        ("RolloutPolicy", "yieldTo", str(list(YIELD_TO))),
        ("Topology", "enabled", "True"),
        ("Topology", "exposeType", "LoadBalancer"),
        ("Topology", "mode", "read"),
    }


def test_a_policy_has_a_short_name_and_shows_how_it_stands() -> None:
    spec = crds.crd("RolloutPolicy")["spec"]
    assert spec["names"]["shortNames"] == ["c9spolicy"]
    columns = [one["name"] for one in spec["versions"][0]["additionalPrinterColumns"]]
    assert columns == ["Mode", "Active", "Ready", "Enforced", "Start", "Age"]


def test_the_defaults_of_a_policy_are_those_of_the_code_and_of_the_offline_check() -> None:
    stall = root("RolloutPolicy")["properties"]["spec"]["properties"]["stall"]
    (rule,) = stall["x-kubernetes-validations"]
    filled_in = {name: field["default"] for name, field in stall["properties"].items()}
    assert dict(RULES[rule["rule"]][DURATION_ORDER]) == filled_in
    read = policy_of({"metadata": {"name": "p"}, "spec": {"stall": filled_in}})
    assert read == policy_of({"metadata": {"name": "p"}})


def test_a_definition_belongs_to_the_caller() -> None:
    made = crds.crd("Link")
    made["spec"]["versions"][0]["additionalPrinterColumns"][0].clear()
    made["spec"]["versions"][0]["subresources"].clear()
    made["spec"]["names"]["shortNames"].clear()
    assert (
        crds.crd("Link")["spec"]["versions"][0]["additionalPrinterColumns"][0]["name"] == "Node-A"
    )
    assert crds.crd("Link")["spec"]["versions"][0]["subresources"] == {"status": {}}
    assert crds.crd("Link")["spec"]["names"]["shortNames"] == ["c9slink"]


def test_a_foreign_kind_has_no_definition() -> None:
    with pytest.raises(KeyError):
        crds.crd("Pod")
