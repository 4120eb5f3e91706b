"""Rules for objects together: references, shared Pods, interfaces, ConfigMaps, limits per host."""

from __future__ import annotations

from typing import Any

import pytest
from checking import check, config, config_map, link, node, place, profile, stream, topology


def test_a_node_that_names_a_missing_profile_is_an_error_at_the_name() -> None:
    text = stream(profile("q"), node("a", profile="p"))
    answer = check(text)
    found = answer.only()
    assert answer.code == 1
    assert (found["code"], found["path"]) == ("missing-profile", "spec.profileRef.name")
    assert found["line"] == place(text, "name: p")[0]
    assert found["object"] == {
        "apiVersion": "c9s.run/v1alpha1",
        "kind": "Node",
        "namespace": "",
        "name": "a",
    }


def test_a_profile_of_another_namespace_does_not_count() -> None:
    there = profile("p")
    there["metadata"]["namespace"] = "there"
    assert check(stream(there, node("a", profile="p"))).codes() == ["missing-profile"]
    assert check(stream(there, node("a", profile="p")), "-n", "there").codes() == []


def test_a_profile_that_a_topology_makes_counts() -> None:
    assert check(stream(topology("lab"), node("a", profile="lab"))).codes() == []


def test_a_link_to_a_missing_node_is_an_error_where_the_lab_has_nodes() -> None:
    text = stream(node("a", lab="x"), link("l", "a:eth1", "b:eth1", lab="x"))
    found = check(text).only()
    assert (found["severity"], found["code"]) == ("error", "unknown-link-endpoint")
    assert (found["path"], found["line"]) == (
        "spec.endpointB.nodeName",
        place(text, "nodeName: b")[0],
    )


@pytest.mark.parametrize(
    "objects",
    [
        [link("l", "a:eth1", "b:eth1", lab="x")],
        [link("l", "a:eth1", "b:eth1", lab="x"), node("c", lab="y")],
        [link("l", "a:eth1", "host:eth1", lab="x"), node("a", lab="x")],
        [link("l", "a:eth1", "b:eth1", namespace="other"), node("a")],
    ],
)
def test_a_link_is_not_judged_without_the_nodes_of_its_lab(objects: list[Any]) -> None:
    assert check(stream(*objects)).findings == []


def test_a_link_without_a_lab_is_judged_by_any_nodes_of_its_namespace() -> None:
    assert check(stream(node("a", lab="x"), link("l", "a:eth1", "b:eth1"))).codes() == [
        "unknown-link-endpoint"
    ]


def test_an_interface_used_by_two_links_is_a_warning_at_the_one_that_loses() -> None:
    text = stream(
        node("a"),
        node("b"),
        node("c"),
        link("l2", "c:eth1", "a:eth1"),
        link("l1", "a:eth1", "b:eth1"),
    )
    answer = check(text)
    found = answer.only()
    assert answer.code == 0
    assert (found["severity"], found["code"], found["object"]["name"]) == (
        "warning",
        "endpoint-used-twice",
        "l2",
    )
    assert (found["path"], found["line"]) == ("spec.endpointB", place(text, "endpointB")[0])
    assert check(text, "--strict").code == 1


def test_equal_interfaces_of_the_host_or_of_other_namespaces_are_no_conflict() -> None:
    host = [node("a"), node("b"), link("l1", "a:eth1", "host:up"), link("l2", "b:eth1", "host:up")]
    assert check(stream(*host)).findings == []
    apart = [
        link("l1", "a:eth1", "b:eth1", namespace="x"),
        link("l2", "a:eth1", "b:eth2", namespace="y"),
    ]
    assert check(stream(*apart)).findings == []


def test_a_link_beside_a_topology_that_uses_its_interface_is_reported() -> None:
    definition = {
        "topology": {"nodes": {"a": {}, "b": {}}, "links": [{"endpoints": ["a:eth1", "b:eth1"]}]}
    }
    answer = check(stream(topology("lab", definition), link("z", "a:eth1", "b:eth9")))
    assert answer.codes() == ["endpoint-used-twice"]


def test_a_missing_primary_is_an_error_at_the_mode() -> None:
    text = stream(node("a", network_mode="container:gone"))
    found = check(text).only()
    assert (found["code"], found["path"]) == ("unknown-network-mode-primary", "spec.network-mode")
    assert (found["line"], found["column"]) == place(text, "network-mode")


@pytest.mark.parametrize("ring", [["a"], ["a", "b"], ["a", "b", "c"]])
def test_a_circle_of_modes_is_an_error_at_each_node_that_leads_into_it(ring: list[str]) -> None:
    nodes = [
        node(one, network_mode=f"container:{ring[(i + 1) % len(ring)]}")
        for i, one in enumerate(ring)
    ]
    nodes.append(node("outside", network_mode="container:a"))
    answer = check(stream(*nodes, node("free")))
    assert answer.codes() == ["network-mode-cycle"] * (len(ring) + 1)


def test_a_long_chain_of_modes_is_followed_to_its_end() -> None:
    count = 3_000
    chain = [node(f"n{i}", profile="p", network_mode=f"container:n{i + 1}") for i in range(count)]
    answer = check(stream(profile("p"), profile("q"), *chain, node(f"n{count}", profile="q")))
    assert answer.codes() == ["profile-conflict"] * count


def test_members_of_one_pod_under_two_policies_are_a_warning() -> None:
    text = stream(
        profile("p"),
        profile("q"),
        node("a", profile="p"),
        node("b", profile="q", network_mode="container:a"),
    )
    found = check(text).only()
    assert (found["severity"], found["code"]) == ("warning", "profile-conflict")
    assert (found["object"]["name"], found["line"]) == ("b", place(text, "name: q", 2)[0])
    assert "two policies" in found["message"]


def test_members_that_agree_or_name_no_profile_are_no_conflict() -> None:
    agree = [
        profile("p"),
        node("a", profile="p"),
        node("b", profile="p", network_mode="container:a"),
    ]
    assert check(stream(*agree, node("c", network_mode="container:a"))).findings == []


def test_members_of_one_pod_under_two_policies_are_found_in_a_topology_too() -> None:
    definition = {"topology": {"nodes": {"a": {}, "b": {"network-mode": "container:a"}}}}
    lab = topology("lab", definition, deployment={"resources": {"b": {"limits": {"cpu": 1}}}})
    found = check(stream(lab)).only()
    assert (found["code"], found["object"]["kind"]) == ("profile-conflict", "Topology")
    assert "Node 'b'" in found["message"]


@pytest.mark.parametrize("alias", ["b", "other"])
def test_an_alias_that_is_taken_is_an_error(alias: str) -> None:
    text = stream(node("b", aliases=["other"]), node("a", aliases=["free", alias]))
    found = check(text).only()
    assert (found["code"], found["path"]) == ("duplicate-alias", "spec.aliases[1]")
    assert (found["line"], found["column"]) == place(text, alias, 2)


FILE = {"filePath": "/x", "configMapName": "m", "configMapPath": "file"}


def with_file(lab: str | None = "x", **file: Any) -> dict[str, Any]:
    return node("a", lab=lab, filesFromConfigMap=[FILE | file])


def test_a_config_map_that_is_missing_is_a_warning_where_the_input_has_others_of_the_lab() -> None:
    text = stream(config_map("other", lab="x", file=""), with_file())
    found = check(text).only()
    assert (found["severity"], found["code"]) == ("warning", "missing-config-map")
    assert (found["path"], found["line"]) == (
        "spec.filesFromConfigMap[0].configMapName",
        place(text, "configMapName")[0],
    )


@pytest.mark.parametrize("other", [None, "y"])
def test_a_config_map_may_come_from_elsewhere(other: str | None) -> None:
    assert check(stream(config_map("other", lab=other, file=""), with_file())).findings == []
    assert check(stream(with_file())).findings == []


def test_a_key_that_a_config_map_of_the_input_lacks_is_a_warning() -> None:
    found = check(stream(config_map("m", lab="x", data=""), with_file())).only()
    assert (found["code"], found["path"]) == (
        "missing-config-map",
        "spec.filesFromConfigMap[0].configMapPath",
    )
    assert check(stream(config_map("m", lab="x", file=""), with_file())).findings == []


def test_files_of_a_topology_are_looked_for_too() -> None:
    lab = topology("x", deployment={"filesFromConfigMap": {"n": [FILE]}})
    assert check(stream(lab, config_map("other", lab="x", file=""))).codes() == [
        "missing-config-map"
    ]
    assert check(stream(lab, config_map("m", lab="x", file=""))).codes() == []


OFF: dict[str, Any] = {"statusProbes": {"enabled": False}}


@pytest.mark.parametrize("spec", [OFF, {"expose": {"disableAutoExpose": False}}])
def test_a_cap_per_host_without_probes_is_a_warning_at_the_profile(spec: dict[str, Any]) -> None:
    answer = check(stream(config(maxConcurrentPerHost=4), profile("p", **spec)))
    found = answer.only()
    assert (answer.code, found["severity"], found["code"]) == (0, "warning", "cap-without-probes")
    assert (found["object"]["name"], found["path"]) == ("p", "spec.statusProbes.enabled")
    assert "maxConcurrentPerHost: 4" in found["message"]


def test_nodes_excluded_from_probes_under_a_cap_are_named() -> None:
    names = [f"n{index}" for index in range(7)]
    one = profile("p", statusProbes={"enabled": True, "excludedNodes": names})
    found = check(stream(config(maxConcurrentPerHost=4), one)).only()
    assert found["path"] == "spec.statusProbes.excludedNodes"
    assert found["message"].endswith("n0, n1, n2, n3, n4 and 2 more")


@pytest.mark.parametrize("rollout", [{}, {"batchSize": 5}, {"maxConcurrentPerHost": 0}])
def test_without_a_cap_probes_may_be_off(rollout: dict[str, Any]) -> None:
    assert check(stream(config(**rollout), profile("p", **OFF))).findings == []


def test_with_probes_a_cap_is_as_good_as_it_gets() -> None:
    on = profile("p", statusProbes={"probeConfiguration": {"startupSeconds": 60}})
    assert check(stream(config(maxConcurrentPerHost=4), on)).findings == []


def test_a_topology_is_advised_by_its_own_cap_and_by_the_config() -> None:
    own = topology("lab", rollout={"maxConcurrentPerHost": 2}, statusProbes={"enabled": False})
    found = check(stream(own)).findings
    assert [(one["code"], one["severity"], one["path"]) for one in found] == [
        ("lost-rollout", "info", "spec.rollout"),
        ("cap-without-probes", "warning", "spec.statusProbes.enabled"),
    ]
    assert check(stream(topology("lab"), config(maxConcurrentPerHost=2))).codes() == [
        "cap-without-probes"
    ]
    assert (
        check(stream(topology("lab", statusProbes={}), config(maxConcurrentPerHost=2))).codes()
        == []
    )
