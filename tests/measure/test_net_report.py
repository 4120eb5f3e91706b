from __future__ import annotations

import msgspec
import pytest

from kubectl_c9s.measurement import netchecks, netreport
from kubectl_c9s.measurement.netanswers import RESULTS, Result
from kubectl_c9s.measurement.netmembers import NetNode, NetPod, members, ring
from kubectl_c9s.measurement.netreport import Check, Checked
from kubectl_c9s.measurement.netscript import CHECKS, steps
from kubectl_c9s.output.netchecks import lines, summary


def pod(name: str, host: str = "h1", ready: str = "True", **meta: object) -> NetPod:
    body = {
        "metadata": {"name": name, "namespace": "lab", **meta},
        "spec": {"nodeName": host, "containers": [{"name": "a"}, {"name": "b"}]},
        "status": {
            "podIPs": [
                {"ip": "10.0.0.1"},
                {"ip": "FD00::0:1"},
                {"ip": "fe80::1%eth0"},
                {"ip": "?"},
            ],
            "conditions": [{"type": "Ready", "status": ready}],
        },
    }
    return msgspec.convert(body, NetPod)


def node(name: str, **management: str) -> NetNode:
    body = {
        "metadata": {"name": name, "namespace": "lab"},
        "status": {"directManagement": {"interfaceName": "eth0", **management}},
    }
    return msgspec.convert(body, NetNode)


def device(
    name: str, *results: tuple[str, Result], host: str = "h1", across: bool = True
) -> Checked:
    checks = tuple(Check(check, result, "", f"why {result}") for check, result in results)
    return Checked("lab", name, f"{name}-x", host, "next", across, checks)


def test_a_device_is_known_by_its_node_and_a_plain_pod_by_its_name() -> None:
    marks = {"c9s.run/direct-workload": "r1"}
    primary = {"kubectl.kubernetes.io/default-container": "b"}
    one, two = members(
        [pod("plain"), pod("lab-r1-77", labels=marks, annotations=primary)][::-1],
        [node("r1", ipv4="172.20.20.7/24", ipv6="wrong"), node("other", ipv4="10.1.1.1/8")],
    )[::-1]
    assert (one.name, one.pod, one.container, one.management) == (
        "r1", "lab-r1-77", "b", ("172.20.20.7/24",),
    )  # fmt: skip
    assert one.addresses == ("10.0.0.1", "fd00::1")
    assert one.all_addresses == ("10.0.0.1", "fd00::1", "172.20.20.7")
    assert (two.name, two.container, two.management) == ("plain", "a", ())


def test_pods_that_are_not_ready_or_on_their_way_out_are_told_apart() -> None:
    assert pod("a").is_ready
    assert not pod("a", ready="False").is_ready
    assert not pod("a", deletionTimestamp="2026-01-31T10:00:00Z").is_ready
    assert not NetPod(pod("a").metadata).is_ready


def test_a_device_that_could_not_be_asked_has_an_error_for_each_check() -> None:
    (pair, _) = ring(members([pod("a"), pod("b", host="h2")]))
    found = netchecks.not_asked(pair, CHECKS, steps(pair), "error", "the kubelet is gone")
    assert {one.result for one in found.checks} == {"error"}
    assert {one.name for one in found.checks} == set(CHECKS)


@pytest.mark.parametrize(
    ("words", "result"),
    [('exec: "sh": executable file not found in $PATH', "unavailable"), ("boom", "error")],
)
def test_an_image_without_a_shell_cannot_be_checked(words: str, result: str) -> None:
    (pair, _) = ring(members([pod("a"), pod("b")]))
    found = netchecks.not_entered(pair, ("address",), steps(pair, ("address",)), words)
    assert [(one.result, one.detail) for one in found.checks] == [(result, words)]


@pytest.mark.parametrize(
    ("results", "verdict"),
    [
        ([], "empty"),
        (["passed", "unavailable"], "passed"),
        (["passed", "failed", "error", "undecided"], "failed"),
        (["passed", "error", "undecided"], "error"),
        (["passed", "undecided"], "undecided"),
        (["unavailable"], "undecided"),
    ],
)
def test_the_verdict_names_the_worst_that_is_known(results: list[Result], verdict: str) -> None:
    devices = [device(f"r{n}", ("address", one)) for n, one in enumerate(results)]
    assert netreport.report(devices, CHECKS, 1.0).verdict == verdict


def test_pairs_over_two_hosts_are_counted_apart() -> None:
    near, far = "neighbour-address", "neighbour-name"
    devices = [
        device("a", (near, "passed"), (far, "unavailable")),
        device("b", (near, "passed"), (far, "failed")),
        device("c", (near, "passed"), across=False),
        device("d", (near, "unavailable"), (far, "unavailable")),
        msgspec.structs.replace(device("e"), neighbour="", cross_host=False),
    ]
    pairs = netreport.report(devices, CHECKS, 1.0).pairs
    assert (pairs.all, pairs.passed, pairs.cross_host, pairs.cross_host_passed) == (4, 2, 3, 1)


def test_counts_have_every_check_that_was_wanted_and_no_other() -> None:
    found = netreport.report(
        [device("a", ("route", "failed"), ("route", "passed"))], ("route", "prefix"), 1.0
    )
    assert list(found.counts) == ["prefix", "route"]
    assert found.counts["route"] == dict.fromkeys(RESULTS, 0) | {"passed": 1, "failed": 1}


def test_the_table_shows_the_worst_of_each_check_and_reasons_with_devices() -> None:
    devices = [
        device("r1", ("route", "passed"), ("route", "failed")),
        device("r2", ("route", "unavailable"), across=False),
        device("r3\x1b[2J", ("route", "passed"), ("route", "unavailable")),
    ]
    printed = list(lines(netreport.report(devices, ("route",), 2.5, ["lab/r9"])))
    assert printed[1].split() == ["lab/r1", "h1", "next", "(other", "host)", "FAILED"]
    assert printed[2].split() == ["lab/r2", "h1", "next", "n/a"]
    assert printed[3].split() == ["lab/r3^[[2J", "h1", "next", "(other", "host)", "ok"]
    assert "route FAILED: why failed (lab/r1)" in printed
    assert "route n/a: why unavailable (lab/r2, lab/r3^[[2J)" in printed
    assert "not ready, not asked: lab/r9" in printed
    assert printed[-1].endswith(": failed")


def test_the_sum_stands_in_one_line() -> None:
    found = netreport.report([device("a", ("neighbour-address", "passed"))], CHECKS, 1.24)
    assert summary(found) == (
        "1 devices in 1.2 s: address 0/0, prefix 0/0, route 0/0, neighbour-address 1/1, "
        "neighbour-name 0/0; pairs 1/1, over two hosts 1/1: passed"
    )
