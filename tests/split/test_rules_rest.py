"""Where the rest of a Topology goes, metadata, and the order of the output: split.md §§11-13."""

from __future__ import annotations

import pytest
from split_lab import HEAD, accepted, lab, manifest, split

from kubectl_c9s.resources.labels import forbidden_metadata

AB = "topology: {nodes: {a: {}, b: {}}}"
FILES = {
    "filesFromConfigMap": {
        "filePath": "/m",
        "configMapName": "m",
        "configMapPath": "k",
        "mode": "read",
    },
    "filesFromSecret": {"filePath": "/s", "secretName": "s", "secretPath": "k", "mode": "execute"},
    "filesFromURL": {
        "filePath": "/u",
        "url": "https://example.com/u",
        "digest": "sha256:" + "0f" * 32,
    },
}


@pytest.mark.parametrize("field", list(FILES))
def test_files_of_a_node_go_to_its_spec(field: str) -> None:
    second = {**FILES[field], "filePath": "/other"}
    answer = accepted(AB, deployment={field: {"a": [FILES[field], second]}})
    assert answer.node("a") == {field: [FILES[field], second]}
    assert answer.node("b") == {}
    assert list(answer.of("NodeProfile")) == ["lab"]


@pytest.mark.parametrize("field", list(FILES))
def test_an_empty_list_of_files_is_left_out(field: str) -> None:
    assert accepted(AB, deployment={field: {"a": []}}).node("a") == {}


@pytest.mark.parametrize("field", list(FILES))
def test_files_for_an_unknown_node_are_ignored_with_a_warning(field: str) -> None:
    answer = accepted(AB, deployment={field: {"zz": [FILES[field]], "default": []}})
    assert answer.warned() == [
        ("unused-entry", f"spec.deployment.{field}.default"),
        ("unused-entry", f"spec.deployment.{field}.zz"),
    ]
    assert all(not answer.node(name) for name in "ab")


def test_probes_for_unknown_nodes_are_warned_about() -> None:
    probes = {"excludedNodes": ["x"], "nodeProbeConfigurations": {"z": {"startupSeconds": 1}}}
    answer = accepted(AB, statusProbes=probes)
    assert answer.warned() == [
        ("unused-entry", "spec.statusProbes.excludedNodes.x"),
        ("unused-entry", "spec.statusProbes.nodeProbeConfigurations.z"),
    ]


@pytest.mark.parametrize("rollout", [{"batchSize": 5}, {"maxConcurrentPerHost": 0}])
def test_rollout_goes_nowhere_with_a_warning_that_says_where_to_put_it(
    rollout: dict[str, int],
) -> None:
    answer = accepted(AB, rollout=rollout)
    assert answer.warned() == [("lost-rollout", "spec.rollout")]
    assert "Config.spec.rollout" in answer.warnings[0]["message"]
    assert answer.objects == accepted(AB).objects


def test_labels_and_annotations_of_the_topology_go_nowhere() -> None:
    text = manifest(AB).replace(
        "{name: lab}", "{name: lab, labels: {team: net}, annotations: {a: b}, finalizers: [x]}"
    )
    assert split(text).objects == accepted(AB).objects


def test_a_live_object_is_taken_without_its_server_side() -> None:
    live = "{name: lab, uid: u, resourceVersion: '5', generation: 2, creationTimestamp: 2026-01-31T12:00:00Z}"
    text = manifest(AB).replace("{name: lab}", live) + "status: {topologyReady: true}\n"
    assert split(text).objects == accepted(AB).objects


def test_the_namespace_of_the_topology_is_that_of_every_object() -> None:
    text = manifest("topology: {nodes: {a: {}}, links: [{endpoints: [a:x, a:y]}]}")
    spaced = split(text.replace("{name: lab}", "{name: lab, namespace: ns}"))
    assert {one["metadata"]["namespace"] for one in spaced.objects} == {"ns"}
    plain = split(text)
    assert len(plain.objects) == 3
    assert all("namespace" not in one["metadata"] for one in plain.objects)
    empty = split(text.replace("{name: lab}", "{name: lab, namespace: ''}"))
    assert empty.objects == plain.objects


def test_every_node_refers_to_its_profile() -> None:
    answer = accepted(AB, deployment={"resources": {"a": {}}})
    assert answer.specs("Node") == {
        "a": {"profileRef": {"name": "lab-a"}},
        "b": {"profileRef": {"name": "lab"}},
    }


def test_every_object_carries_the_owner_label_and_nothing_forbidden() -> None:
    answer = accepted(
        "topology: {nodes: {a: {group: g, labels: {role: x}}, b: {}}, links: [{endpoints: [a:x, b:y]}]}",
        deployment={"resources": {"a": {}}},
    )
    for one in answer.objects:
        assert one["metadata"]["labels"]["c9s.run/topologyOwner"] == "lab"
        assert "c9s.run/app" not in one["metadata"]["labels"]
        assert forbidden_metadata(one) == []
        assert set(one) == {"apiVersion", "kind", "metadata", "spec"}
        assert set(one["metadata"]) == {"name", "labels"}
    assert answer.of("Node")["a"]["metadata"]["labels"] == {
        "c9s.run/topologyOwner": "lab",
        "c9s.run/topologyGroup": "g",
        "role": "x",
    }


def test_a_group_that_cannot_be_a_label_is_refused() -> None:
    assert lab("topology: {nodes: {a: {group: two words}}}").codes() == [
        ("unusable-node-label", "topology.nodes.a.group")
    ]


def test_profiles_come_first_then_links_then_nodes_each_by_name() -> None:
    answer = accepted(
        "topology: {nodes: {z: {}, B: {}, a: {}}, links: [{endpoints: [z:x, a:x]}, {endpoints: [B:y, a:y]}]}",
        deployment={"resources": {"a": {}, "z": {}}},
    )
    assert [(one["kind"], one["metadata"]["name"]) for one in answer.objects] == [
        ("NodeProfile", "lab"),
        ("NodeProfile", "lab-a"),
        ("NodeProfile", "lab-z"),
        ("Link", "b-y-a-y"),
        ("Link", "z-x-a-x"),
        ("Node", "a"),
        ("Node", "b"),
        ("Node", "z"),
    ]


def test_nodes_are_sorted_by_their_new_names() -> None:
    answer = accepted("topology: {nodes: {a: {}, B: {}, 1: {}, _0: {}}}")
    assert list(answer.of("Node")) == ["a", "b", "clab-0", "clab-1"]


def test_the_worked_example_gives_what_the_page_says() -> None:
    text = f"""{HEAD}metadata: {{name: demo, namespace: demo}}
spec:
  deployment:
    resources:
      PE_1: {{requests: {{memory: 4Gi}}}}
  definition:
    containerlab: |
      name: whatever
      topology:
        kinds:
          linux: {{image: "img:kind"}}
        groups:
          edge: {{image: "img:group", labels: {{role: edge}}}}
        nodes:
          PE_1: {{kind: linux, group: edge, ports: ["8022:22"]}}
          cpe: {{kind: linux, network-mode: "container:PE_1"}}
        links:
          - endpoints: [PE_1:eth1, cpe:Eth2]
"""
    answer = split(text)
    expose = {
        "disableAutoExpose": False,
        "useNodeMgmtIpv4Address": False,
        "useNodeMgmtIpv6Address": False,
    }
    shared = {"expose": expose, "statusProbes": {"enabled": False}}
    assert answer.specs("NodeProfile") == {
        "demo": shared,
        "demo-pe-1": {**shared, "resources": {"requests": {"memory": "4Gi"}}},
    }
    assert answer.specs("Link") == {
        "pe-1-eth1-cpe-eth2-6e995a20": {
            "endpointA": {"nodeName": "pe-1", "interfaceName": "eth1"},
            "endpointB": {"nodeName": "cpe", "interfaceName": "Eth2"},
        }
    }
    assert answer.node("cpe") == {
        "kind": "linux",
        "image": "img:kind",
        "network-mode": "container:pe-1",
    }
    pe = {"kind": "linux", "group": "edge", "image": "img:group", "ports": ["22"]}
    assert answer.node("pe-1") == pe
    assert answer.of("Node")["pe-1"]["metadata"]["labels"] == {
        "role": "edge",
        "c9s.run/topologyGroup": "edge",
        "c9s.run/topologyOwner": "demo",
    }
