"""What a lab loses without its Topology is listed by name, and nothing else is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from generated_labs import topologies, topology
from hypothesis import assume, given

from kubectl_c9s.resources.findings import Findings
from kubectl_c9s.topology.compile import Options, split_topology
from kubectl_c9s.topology.losses import Loss, losses
from kubectl_c9s.topology.verifying import source_of

if TYPE_CHECKING:
    from kubectl_c9s.yamlio.reader import Document

DEFAULT = Options()
# What every lab loses, whatever it says.
GENERAL = {
    "definition-text", "one-status", "lab-batches", "joint-creation", "drift-correction", "certificate-owner",
}  # fmt: skip
# A split warns about these with the very same path; of the other losses the warning has no place of its own.
WARNED = {
    "host-port-pinning",
    "ignored-management-field",
    "dropped-field",
    "ignored-endpoint-field",
    "unused-entry",
}


def lost(document: Document, options: Options = DEFAULT) -> list[Loss]:
    findings = Findings()
    rendered = split_topology(document, options, findings)
    assert rendered is not None, findings.errors
    return losses(rendered, source_of(document, options))


def own(
    definition: Any, spec: dict[str, Any] | None = None, **metadata: Any
) -> list[tuple[str, str]]:
    """Give code and path of what this lab loses in particular."""
    found = lost(topology(definition, spec, **metadata))
    return [(loss.code, loss.path) for loss in found if loss.code not in GENERAL]


def nodes(**bodies: Any) -> dict[str, Any]:
    return {"topology": {"nodes": bodies}}


def test_a_lab_that_says_nothing_special_loses_what_every_lab_loses() -> None:
    found = lost(topology({"name": "lab", **nodes(a={}, b={})}))
    assert [loss.code for loss in found] == [
        "definition-text", "one-status", "lab-batches", "joint-creation", "drift-correction", "certificate-owner",
    ]  # fmt: skip
    assert "2 Nodes and 0 Links" in found[1].text


def test_the_losses_of_a_definition_are_named() -> None:
    text = (Path(__file__).parent / "rich.clab.yml").read_text(encoding="utf-8")
    found = [loss for loss in lost(topology(text)) if loss.code not in GENERAL]
    assert found == [
        Loss("unused-definition-key", "debug", "debug 'true' of the definition is not used"),
        Loss("ignored-management-field", "mgmt.mtu", "mtu '1400' is ignored: the MTU of the management network"),
        Loss(
            "ignored-management-field", "mgmt.network", "network 'oob' is ignored: the name of the management network"
        ),
        Loss(
            "unused-definition-key", "name",
            "name 'something else' of the definition is not used; the lab is called 'lab'",
        ),
        Loss("unused-definition-key", "prefix", "prefix 'lab' of the definition is not used"),
        Loss(
            "not-inherited", "topology.defaults.mgmt-ipv4",
            "mgmt-ipv4 '198.51.100.7' of defaults has no effect: only nodes have it themselves",
        ),
        Loss("dropped-field", "topology.defaults.position", "position '10;20' of defaults has no place in a Node"),
        Loss("unused-block", "topology.groups.unused-group", "group 'unused-group' is used by no node"),
        Loss("unused-block", "topology.kinds.unused_kind", "kind 'unused_kind' is used by no node"),
        Loss(
            "ignored-endpoint-field", "topology.links[1].endpoints[0].mac",
            "mac '02:00:00:00:00:01' of endpoint r2:eth2 is ignored",
        ),
        Loss("renamed-nodes", "topology.nodes.R1", "node 'R1' is called 'r1'"),
        Loss("dropped-field", "topology.nodes.R1.hostname", "hostname 'pretty' of nodes.R1 has no place in a Node"),
        Loss(
            "host-port-pinning", "topology.nodes.R1.ports[0]",
            "node 'R1': the host side of port '127.0.0.1:8443:443/tcp' is lost, '443/tcp' stays",
        ),
    ]  # fmt: skip


@given(topologies())
def test_losses_and_the_warnings_of_a_split_agree(document: Document) -> None:
    findings = Findings()
    rendered = split_topology(document, DEFAULT, findings)
    assume(rendered is not None)
    assert rendered is not None
    found = losses(rendered, source_of(document, DEFAULT))
    # An unused entry for probes stays in the profile, so it is warned about and not lost.
    warned = {
        (one.code, one.path)
        for one in findings.warnings
        if one.code in WARNED and not one.path.startswith("spec.statusProbes.")
    }
    listed = {
        (one.code, one.path)
        for one in found
        if one.code in WARNED and not one.path.startswith("spec.statusProbes.")
    }
    assert listed - warned <= {("unused-entry", "spec.deployment.resources.default")}
    assert warned <= listed
    renamed = {one.text.split("'")[1] for one in found if one.code == "renamed-nodes"}
    assert renamed == {
        one.message.split("'")[1] for one in findings.warnings if one.code == "renamed-nodes"
    }


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ({"rollout": {"batchSize": 5}}, [("lost-rollout", "spec.rollout.batchSize")]),
        ({"deployment": {"filesFromSecret": {"x": []}}}, [("unused-entry", "spec.deployment.filesFromSecret.x")]),
        ({"deployment": {"resources": {"x": {}}}}, [("unused-entry", "spec.deployment.resources.x")]),
        (
            {"deployment": {"resources": {"default": {"requests": {"cpu": 1}}, "a": {"requests": {"cpu": "1000m"}}}}},
            [("redundant-entry", "spec.deployment.resources.a")],
        ),
        (
            {"deployment": {"resources": {"default": {}, "a": {"limits": {"cpu": 1}}, "b": {"limits": {"cpu": 1}}}}},
            [("unused-entry", "spec.deployment.resources.default")],
        ),
        (
            {"deployment": {"persistence": {"enabled": False, "claimSize": "1Gi"}}},
            [("inactive-persistence", "spec.deployment.persistence.claimSize")],
        ),
        ({"deployment": {"persistence": {"enabled": True, "claimSize": "1Gi"}}}, []),
        ({"statusProbes": {"nodeProbeConfigurations": {"x": {}}, "excludedNodes": ["y"]}}, []),
    ],
)  # fmt: skip
def test_policy_that_finds_no_place_is_listed(
    spec: dict[str, Any], expected: list[tuple[str, str]]
) -> None:
    assert own(nodes(a={}, b={}), spec) == expected


def test_a_probe_entry_whose_place_another_node_takes_is_listed() -> None:
    spec = {
        "statusProbes": {
            "nodeProbeConfigurations": {"A": {"startupSeconds": 1}, "a": {"startupSeconds": 2}}
        }
    }
    assert own(nodes(A={}), spec) == [
        ("unused-entry", "spec.statusProbes.nodeProbeConfigurations.a"),
        ("renamed-nodes", "topology.nodes.A"),
    ]


def test_a_limit_of_the_lab_is_named_instead_of_limits_in_general() -> None:
    codes = [
        loss.code for loss in lost(topology(nodes(a={}), {"rollout": {"maxConcurrentPerHost": 4}}))
    ]
    assert "lost-rollout" in codes
    assert "lab-batches" not in codes


def test_management_fields_are_lost_when_management_is_disabled() -> None:
    definition = {"mgmt": [{"ipv4-gw": "198.51.100.1", "bridge": "b"}], **nodes(a={})}
    assert own(definition, {"disableManagement": True}) == [
        ("ignored-management-field", "mgmt.bridge"),
        ("replaced-management", "mgmt.ipv4-gw"),
    ]
    assert own(definition) == [("ignored-management-field", "mgmt.bridge")]


def test_metadata_of_the_topology_is_listed_key_by_key() -> None:
    metadata: dict[str, Any] = {
        "labels": {"team": "net"}, "annotations": {"note": "x", "a/b": "y"}, "finalizers": ["x/y"], "uid": "1",
    }  # fmt: skip
    assert own(nodes(a={}), **metadata) == [
        ("topology-metadata", "metadata.annotations.a/b"),
        ("topology-metadata", "metadata.annotations.note"),
        ("topology-metadata", "metadata.finalizers"),
        ("topology-metadata", "metadata.labels.team"),
    ]


def test_another_name_or_namespace_is_a_change() -> None:
    found = lost(topology(nodes(a={}), namespace="one"), Options(name="new", namespace="two"))
    assert [(loss.code, loss.text) for loss in found[:2]] == [
        ("renamed-lab", "the lab 'lab' is called 'new', as are its objects"),
        ("other-namespace", "the objects are in namespace 'two', the Topology in 'one'"),
    ]


def test_a_group_that_only_gives_a_kind_is_used() -> None:
    blocks = {
        "defaults": {"group": "g"},
        "groups": {"g": {"kind": "linux"}},
        "kinds": {"linux": {"group": "h"}},
    }
    assert own({"topology": {**blocks, "nodes": {"a": {}}}}) == []
    stated = {"topology": {**blocks, "nodes": {"a": {"kind": "linux"}}}}
    assert own(stated) == [("unused-block", "topology.groups.g")]


def test_nodes_that_ask_for_certificates_are_named() -> None:
    found = lost(topology(nodes(a={"certificate": {"issue": True}}, b={"certificate": {"issue": False}}, C={
        "certificate": {"issue": True}})))  # fmt: skip
    assert next(loss.text for loss in found if loss.code == "certificate-owner").endswith(": a, c")


def test_without_the_owner_label_the_name_of_the_lab_is_lost() -> None:
    codes = [loss.code for loss in lost(topology(nodes(a={})), Options(owner_label=False))]
    assert codes[-1] == "planner-lab-name"


def test_a_lab_without_nodes_loses_its_policy() -> None:
    assert own(nodes(), {"imagePull": {"policy": "Always"}}) == [("unused-entry", "spec")]
