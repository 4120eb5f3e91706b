"""Devices whose limit per host means little: no startup probe, or one that asks a peer (admission.md §5.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from kubectl_c9s.resources.live import LabNode, NodeProfile, Pod
from kubectl_c9s.rollout.probes import ProbeGaps, probe_gaps

if TYPE_CHECKING:
    from collections.abc import Iterable

ON: dict[str, Any] = {"statusProbes": {"enabled": True}}
OWN_PROBE = {
    "exec": {"command": ["/var/lib/clabernetes/manager", "node-runtime", "readiness"]},
    "periodSeconds": 10,
}


def node(name: str, namespace: str = "lab", **spec: Any) -> LabNode:
    body = {"metadata": {"name": name, "namespace": namespace, "uid": name}, "spec": spec}
    return msgspec.convert(body, LabNode)


def of_profile(name: str, **spec: Any) -> LabNode:
    return node(name, profileRef={"name": "p"}, **spec)


def profile(namespace: str = "lab", **spec: Any) -> NodeProfile:
    body = {"metadata": {"name": "p", "namespace": namespace}, "spec": spec}
    return msgspec.convert(body, NodeProfile)


def pod(of: str, probe: dict[str, Any] | None, **metadata: Any) -> Pod:
    """Make the Pod of a Node; a helper beside its device has a probe that does not count."""
    meta = {
        "name": f"{of}-1",
        "namespace": "lab",
        "labels": {"c9s.run/direct-workload": of},
        "annotations": {"kubectl.kubernetes.io/default-container": "device"},
    }
    device = {"name": "device"} | ({"startupProbe": probe} if probe is not None else {})
    helper = {"name": "helper", "startupProbe": {"tcpSocket": {"host": "elsewhere"}}}
    body = {"metadata": meta | metadata, "spec": {"containers": [helper, device]}}
    return msgspec.convert(body, Pod)


def gaps(
    *nodes: LabNode, profiles: Iterable[NodeProfile] = (), pods: Iterable[Pod] = ()
) -> ProbeGaps:
    return probe_gaps(nodes, profiles, pods)


@pytest.mark.parametrize(
    ("spec", "unprobed"),
    [
        (ON, False),
        ({"statusProbes": {}}, False),
        ({"statusProbes": {"enabled": False}}, True),
        ({}, True),
        ({"statusProbes": {"enabled": True, "excludedNodes": ["r1"]}}, True),
        ({"statusProbes": {"enabled": True, "excludedNodes": ["r2", "r10"]}}, False),
        ({"statusProbes": {"enabled": False, "excludedNodes": ["r2"]}}, True),
    ],
)
def test_a_node_without_a_pod_is_judged_by_its_profile(
    spec: dict[str, Any], *, unprobed: bool
) -> None:
    found = gaps(of_profile("r1"), profiles=[profile(**spec)])
    assert found == ProbeGaps(("lab/r1",) if unprobed else (), ())


def test_a_profile_counts_in_its_own_namespace_only() -> None:
    assert gaps(of_profile("r1"), profiles=[profile("other")]).unprobed == ()


def test_nothing_is_said_of_a_node_whose_profile_is_not_known() -> None:
    assert gaps(of_profile("r1"), node("r2")) == ProbeGaps((), ())


def test_a_pod_that_is_there_counts_more_than_the_profile() -> None:
    nodes = of_profile("r1"), of_profile("r2")
    off = [profile(statusProbes={"enabled": False})]
    assert gaps(*nodes, profiles=off, pods=[pod("r1", OWN_PROBE)]).unprobed == ("lab/r2",)
    bare = [pod("r1", None)]
    assert gaps(*nodes, profiles=[profile(**ON)], pods=bare).unprobed == ("lab/r1",)


def test_a_pod_that_is_going_does_not_count() -> None:
    going = pod("r1", None, deletionTimestamp="2026-01-01T00:00:00Z")
    assert gaps(of_profile("r1"), profiles=[profile(**ON)], pods=[going]).unprobed == ()


def test_a_pod_without_a_known_primary_container_has_no_probe() -> None:
    found = gaps(of_profile("r1"), pods=[pod("r1", OWN_PROBE, annotations={})])
    assert found.unprobed == ("lab/r1",)


def test_secondaries_have_no_slot_and_are_not_named() -> None:
    off = [profile(statusProbes={"enabled": False})]
    secondary = of_profile("r2", **{"network-mode": "container:r1"})
    assert gaps(of_profile("r1"), secondary, profiles=off).unprobed == ("lab/r1",)
    alone = of_profile("r3", **{"network-mode": "none"})
    assert gaps(alone, profiles=off).unprobed == ("lab/r3",)


def asked_by(probe: dict[str, Any], *others: str) -> list[str]:
    """Give whom the probe of r1 asks, in a lab with r1, r2 and others."""
    nodes = [node(name) for name in ("r1", "r2", *others)]
    found = gaps(*nodes, pods=[pod("r1", probe)])
    assert found.unprobed == ()
    return [peer for name, peer in found.asks_peer if name == "lab/r1"]


@pytest.mark.parametrize(
    "probe",
    [
        {"exec": {"command": ["ping", "-c1", "r2"]}},
        {"exec": {"command": ["sh", "-c", "nc -z r2 22 && true"]}},
        {"exec": {"command": ["curl", "http://r2/health"]}},
        {"exec": {"command": ["curl", "http://r2.lab.svc:8080"]}},
        {"exec": {"command": ["/usr/bin/env", "bash", "-c", "echo > /dev/tcp/r2/179"]}},
        {"tcpSocket": {"host": "r2", "port": 179}},
        {"httpGet": {"host": "r2", "port": 80, "path": "/"}},
    ],
)
def test_a_probe_that_asks_another_node_is_found(probe: dict[str, Any]) -> None:
    assert asked_by(probe) == ["r2"]


@pytest.mark.parametrize("host", ["10.0.0.7", "tftp.example", "r9"])
@pytest.mark.parametrize("kind", ["tcpSocket", "httpGet"])
def test_a_host_that_is_no_node_is_a_peer_as_well(kind: str, host: str) -> None:
    assert asked_by({kind: {"host": host, "port": 1}}) == [host]


@pytest.mark.parametrize(
    "probe",
    [
        OWN_PROBE,
        {"tcpSocket": {"port": 22}},
        {"tcpSocket": {"host": "", "port": 22}},
        {"tcpSocket": {"host": "localhost", "port": 22}},
        {"tcpSocket": {"host": "127.0.0.1", "port": 22}},
        {"httpGet": {"host": "::1", "port": 80}},
        {"httpGet": {"host": "r1", "port": 80}},
        {"grpc": {"port": 9000}},
        {"exec": {"command": ["ping", "r1"]}},
        {"exec": {}},
        {},
    ],
)
def test_a_probe_that_asks_the_device_itself_asks_no_peer(probe: dict[str, Any]) -> None:
    assert asked_by(probe) == []


@pytest.mark.parametrize(
    "words",
    [
        ["ping", "r20"],
        ["ping", "r2-mgmt"],
        ["ping", "my-r2"],
        ["ping", "xr2"],
        ["/opt/r2", "check"],
        ["cat", "/etc/r2/ready"],
        ["r2", "check"],
        ["ping", "R2"],
    ],
)
def test_what_only_looks_like_the_name_of_a_peer_is_none(words: list[str]) -> None:
    assert asked_by({"exec": {"command": words}}) == []


def test_the_managers_own_probe_is_not_taken_for_a_peer_of_the_same_name() -> None:
    assert asked_by(OWN_PROBE, "manager", "lib", "clabernetes", "var") == []


def test_who_runs_in_the_same_pod_is_no_peer() -> None:
    shares = {"network-mode": "container:r1"}
    nodes = node("r1"), node("s", **shares), node("t", **{"network-mode": "container:s"})
    for inside in ("s", "t"):
        probes: list[dict[str, Any]] = [
            {"exec": {"command": ["ping", inside]}},
            {"tcpSocket": {"host": inside, "port": 1}},
        ]
        for probe in probes:
            assert gaps(*nodes, pods=[pod("r1", probe)]).asks_peer == ()
    outside = node("o")
    asked = gaps(*nodes, outside, pods=[pod("o", {"exec": {"command": ["ping", "s"]}})])
    assert asked.asks_peer == (("lab/o", "s"),)


def test_a_node_of_another_namespace_is_no_peer_by_its_name() -> None:
    nodes = node("r1"), node("r2", "other")
    assert gaps(*nodes, pods=[pod("r1", {"exec": {"command": ["ping", "r2"]}})]).asks_peer == ()


@pytest.mark.parametrize(
    ("words", "peers"),
    [
        (["CMD", "ping", "r2"], ["r2"]),
        (["CMD-SHELL", "curl -f http://r2/"], ["r2"]),
        (["CMD-SHELL", "/bin/ping -c1 r2"], ["r2"]),
        (["CMD-SHELL", "curl -f http://localhost/"], []),
        ([], []),
        (None, []),
    ],
)
def test_without_a_pod_the_healthcheck_is_looked_at(
    words: list[str] | None, peers: list[str]
) -> None:
    nodes = of_profile("r1", healthcheck={"test": words}), of_profile("r2")
    found = gaps(*nodes, profiles=[profile(**ON)])
    assert [peer for _, peer in found.asks_peer] == peers


def test_a_device_without_a_probe_is_not_said_to_ask_a_peer_too() -> None:
    asking = of_profile("r1", healthcheck={"test": ["CMD", "ping", "r2"]}), of_profile("r2")
    found = gaps(*asking, profiles=[profile(statusProbes={"enabled": False})])
    assert found == ProbeGaps(("lab/r1", "lab/r2"), ())


def test_every_primary_is_named_once_with_the_first_peer_it_asks() -> None:
    probe = {"exec": {"command": ["fping", "r3", "r2", "r3"]}}
    nodes = [node(name) for name in ("r1", "r2", "r3")]
    found = gaps(*nodes, pods=[pod("r1", probe), pod("r2", probe)])
    assert found.asks_peer == (("lab/r1", "r3"), ("lab/r2", "r3"))
