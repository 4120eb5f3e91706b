"""NodeProfiles: split.md §10."""

from __future__ import annotations

from typing import Any

import pytest
from split_lab import accepted, lab

AB = "topology: {nodes: {a: {}, b: {}}}"
EXPOSE = {"disableAutoExpose": False, "useNodeMgmtIpv4Address": False, "useNodeMgmtIpv6Address": False}
BARE = {"expose": EXPOSE, "statusProbes": {"enabled": False}}


def profiles(resources: dict[str, Any], text: str = AB) -> dict[str, Any]:
    """Give ``resources`` of the profile each node refers to, and the names of all profiles under ``""``."""
    answer = accepted(text, deployment={"resources": resources})
    specs = answer.specs("NodeProfile")
    used = {
        name: specs[one["profileRef"]["name"]].get("resources")
        for name, one in answer.specs("Node").items()
    }
    return {**used, "": list(specs)}


def amount(cpu: Any) -> dict[str, Any]:
    return {"limits": {"cpu": cpu}}


def test_without_an_entry_of_its_own_a_node_uses_the_shared_profile() -> None:
    assert profiles({}) == {"a": None, "b": None, "": ["lab"]}
    shared = amount("1")
    assert profiles({"default": shared}) == {"a": shared, "b": shared, "": ["lab"]}


def test_an_entry_unlike_the_default_makes_a_profile() -> None:
    found = profiles({"default": amount("1"), "a": amount("2")})
    assert found == {"a": amount("2"), "b": amount("1"), "": ["lab", "lab-a"]}


@pytest.mark.parametrize("same", ["1", "1000m", "1.0", "1e0", 1])
def test_quantities_are_compared_by_value(same: object) -> None:
    assert profiles({"default": amount("1"), "a": amount(same)})[""] == ["lab"]


@pytest.mark.parametrize(
    ("one", "two"), [("4Gi", "4096Mi"), ("1G", "1000M"), ("1Ki", "1024"), ("0.5", "500m")]
)
def test_suffixes_are_compared_by_value(one: str, two: str) -> None:
    entry = {"requests": {"memory": one}}
    assert profiles({"default": entry, "a": {"requests": {"memory": two}}})[""] == ["lab"]


@pytest.mark.parametrize(
    "other",
    [{}, {"requests": {"cpu": "1"}}, {"limits": {"cpu": "1", "memory": "1Gi"}}, amount("999m")],
)
def test_entries_that_say_something_else_are_not_equal(other: dict[str, Any]) -> None:
    assert profiles({"default": amount("1"), "a": other})[""] == ["lab", "lab-a"]


def test_without_a_default_any_entry_counts_even_an_empty_one() -> None:
    assert profiles({"a": {}}) == {"a": {}, "b": None, "": ["lab", "lab-a"]}


def test_an_empty_default_gives_an_empty_field_and_equals_an_empty_entry() -> None:
    assert profiles({"default": {}, "a": {}}) == {"a": {}, "b": {}, "": ["lab"]}


def test_the_shared_profile_is_written_only_if_it_is_used() -> None:
    same = amount("2")
    assert profiles({"a": same, "b": same}) == {"a": same, "b": same, "": ["lab-a", "lab-b"]}


def test_a_node_called_default_uses_the_default_entry() -> None:
    text = "topology: {nodes: {default: {}, a: {}}}"
    entry = amount("1")
    assert profiles({"default": entry}, text) == {"default": entry, "a": entry, "": ["lab"]}


def test_dedicated_profiles_follow_the_shared_one_by_name() -> None:
    text = "topology: {nodes: {z: {}, Y: {}, c: {}, a: {}}}"
    assert profiles({"z": {}, "Y": {}, "a": {}}, text)[""] == ["lab", "lab-a", "lab-y", "lab-z"]


def test_entries_for_unknown_nodes_are_ignored_with_a_warning() -> None:
    answer = accepted(AB, deployment={"resources": {"zz": amount("1"), "default": amount("1")}})
    assert list(answer.of("NodeProfile")) == ["lab"]
    assert answer.warned() == [("unused-entry", "spec.deployment.resources.zz")]


def test_a_dedicated_profile_is_the_full_shared_one_with_other_resources() -> None:
    answer = accepted(
        AB,
        expose={"exposeType": "ClusterIP"},
        imagePull={"policy": "Never"},
        deployment={"resources": {"default": amount("1"), "a": amount("2")}},
    )
    shared = {
        "expose": {**EXPOSE, "exposeType": "ClusterIP"},
        "imagePull": {"policy": "Never"},
        "statusProbes": {"enabled": False},
    }
    assert answer.profile() == {**shared, "resources": amount("1")}
    assert answer.profile("lab-a") == {**shared, "resources": amount("2")}


def test_a_bare_topology_gives_the_smallest_profile() -> None:
    assert accepted(AB).profile() == BARE


@pytest.mark.parametrize("flag", list(EXPOSE))
def test_flags_of_expose_are_always_written(flag: str) -> None:
    answer = accepted(AB, expose={flag: True, "exposeType": "Headless"})
    assert answer.profile()["expose"] == {**EXPOSE, flag: True, "exposeType": "Headless"}


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ({}, None),
        ({"pullSecrets": []}, None),
        ({"policy": "Always"}, {"policy": "Always"}),
        ({"pullSecrets": ["b", "a"]}, {"pullSecrets": ["b", "a"]}),
        ({"policy": "IfNotPresent", "pullSecrets": ["a"]}, {"policy": "IfNotPresent", "pullSecrets": ["a"]}),
    ],
)
def test_image_pull_is_written_when_it_says_something(given: Any, wanted: Any) -> None:
    assert accepted(AB, imagePull=given).profile().get("imagePull") == wanted


SELECTOR = {"nodeSelector": {"pool": "labs"}}
TOLERATIONS = {"tolerations": [{"key": "k", "operator": "Exists", "effect": "NoSchedule"}]}
AFFINITY = {
    "affinity": {
        "nodeAffinity": {
            "requiredDuringSchedulingIgnoredDuringExecution": {
                "nodeSelectorTerms": [
                    {"matchExpressions": [{"key": "k", "operator": "In", "values": ["v"]}]}
                ]
            }
        }
    }
}


@pytest.mark.parametrize("given", [SELECTOR, TOLERATIONS, AFFINITY, {**SELECTOR, **TOLERATIONS, **AFFINITY}])
def test_scheduling_is_copied(given: dict[str, Any]) -> None:
    assert accepted(AB, deployment={"scheduling": given}).profile()["scheduling"] == given


def test_scheduling_without_any_of_its_fields_is_left_out() -> None:
    assert accepted(AB, deployment={"scheduling": {}}).profile() == BARE


def test_persistence_is_written_whole_when_enabled() -> None:
    given = {"enabled": True, "claimSize": "2Gi", "storageClassName": "fast", "reclaim": "Retain"}
    answer = accepted(AB, deployment={"persistence": given})
    assert answer.profile()["deployment"] == {"persistence": given}
    off = accepted(AB, deployment={"persistence": {**given, "enabled": False}})
    assert off.profile() == BARE


def test_status_probes_are_written_where_they_say_something() -> None:
    given = {
        "enabled": True,
        "probeConfiguration": {"startupSeconds": 600, "tcpProbeConfiguration": {"port": 22}},
        "excludedNodes": ["b"],
        "nodeProbeConfigurations": {
            "a": {"sshProbeConfiguration": {"username": "u", "password": "p"}}
        },
    }
    assert accepted(AB, statusProbes=given).profile()["statusProbes"] == given
    empty = {"probeConfiguration": {}, "excludedNodes": [], "nodeProbeConfigurations": {}}
    assert accepted(AB, statusProbes=empty).profile()["statusProbes"] == {"enabled": True}
    zero = {"enabled": False, "probeConfiguration": {"startupSeconds": 0}}
    assert accepted(AB, statusProbes=zero).profile()["statusProbes"] == {"enabled": False}


def test_a_probe_of_a_renamed_node_beats_one_that_names_no_node() -> None:
    text = "topology: {nodes: {R1: {}}}"
    for order in (["R1", "r1"], ["r1", "R1"]):
        given = {name: {"startupSeconds": 1 if name == "R1" else 2} for name in order}
        answer = accepted(text, statusProbes={"nodeProbeConfigurations": given})
        probes = answer.profile()["statusProbes"]["nodeProbeConfigurations"]
        assert probes == {"r1": {"startupSeconds": 1}}


MGMT = {
    "ipv4-subnet": "192.0.2.0/24",
    "ipv4-gw": "192.0.2.1",
    "ipv4-range": "192.0.2.128/25",
    "ipv6-subnet": "2001:db8::/64",
    "ipv6-gw": "2001:db8::1",
    "ipv6-range": "2001:db8::/80",
}


@pytest.mark.parametrize("field", list(MGMT))
def test_fields_of_mgmt_are_carried_one_by_one(field: str) -> None:
    answer = accepted(f"mgmt: {{{field}: '{MGMT[field]}'}}\n{AB}")
    assert answer.profile()["mgmt"] == {field: MGMT[field]}
    assert answer.warned() == []


IGNORED = {
    "network": "n",
    "bridge": "b",
    "mtu": "1500",
    "external-access": "false",
    "skip-when-unused": "true",
    "driver-opts": "{a: b}",
    "driver": "macvlan",
    "ipam": "{driver: x}",
    "macvlan-parent": "p",
    "macvlan-mode": "m",
    "macvlan-aux": "a",
    "tailscale": "{authkey: x}",
}


@pytest.mark.parametrize("field", list(IGNORED))
def test_other_fields_of_mgmt_are_ignored_with_a_warning(field: str) -> None:
    answer = accepted(f"mgmt:\n  {field}: {IGNORED[field]}\n{AB}")
    assert answer.profile()["mgmt"] == {}
    assert answer.warned() == [("ignored-management-field", f"mgmt.{field}")]


def test_disabled_management_replaces_mgmt() -> None:
    answer = accepted(f"mgmt: {{ipv4-gw: 192.0.2.1}}\n{AB}", disableManagement=True)
    assert answer.profile()["mgmt"] == {"disabled": True}
    assert accepted(AB, disableManagement=True).profile()["mgmt"] == {"disabled": True}
    assert "mgmt" not in accepted(AB, disableManagement=False).profile()


def test_management_addresses_without_management_are_warned_about() -> None:
    text = "topology: {nodes: {a: {mgmt-ipv4: 192.0.2.9, mgmt-ipv6: '2001:db8::9'}, b: {}}}"
    answer = accepted(text, disableManagement=True)
    assert answer.node("a") == {"mgmt-ipv4": "192.0.2.9", "mgmt-ipv6": "2001:db8::9"}
    assert answer.warned() == [
        ("disabled-management-address", "topology.nodes.a.mgmt-ipv4"),
        ("disabled-management-address", "topology.nodes.a.mgmt-ipv6"),
    ]
    assert accepted(text).warned() == []


@pytest.mark.parametrize("bad", ["", "1x", "1 Gi", "0x10", True, [1]])
def test_what_is_no_quantity_is_refused(bad: object) -> None:
    answer = lab(AB, deployment={"resources": {"a": amount(bad)}})
    assert answer.codes() == [("invalid-topology-field", "spec.deployment.resources.a.limits.cpu")]


def test_quantities_given_as_numbers_are_written_as_the_server_stores_them() -> None:
    assert profiles({"a": amount(2)})["a"] == amount("2")
