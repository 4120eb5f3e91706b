"""What a NodeProfile takes from which field: the table of split.md §10."""

from __future__ import annotations

from typing import Any

import pytest
from split_lab import accepted

AB = "topology: {nodes: {a: {}, b: {}}}"
EXPOSE = {
    "disableAutoExpose": False,
    "useNodeMgmtIpv4Address": False,
    "useNodeMgmtIpv6Address": False,
}
BARE = {"expose": EXPOSE, "statusProbes": {"enabled": False}}


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
        (
            {"policy": "IfNotPresent", "pullSecrets": ["a"]},
            {"policy": "IfNotPresent", "pullSecrets": ["a"]},
        ),
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


@pytest.mark.parametrize(
    "given", [SELECTOR, TOLERATIONS, AFFINITY, {**SELECTOR, **TOLERATIONS, **AFFINITY}]
)
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
    empty: dict[str, Any] = {
        "probeConfiguration": {},
        "excludedNodes": [],
        "nodeProbeConfigurations": {},
    }
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
