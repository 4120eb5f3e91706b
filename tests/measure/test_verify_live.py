"""``measure verify`` on the test bed: Pods and exec are real, the tools in the devices are those of a folder."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import msgspec
import pytest
import yaml
from bed_client import path_of
from live_tools import c9s
from netcheck_tools import Tools
from rights_tools import Person
from verify_lab import WORKLOAD, Lab, Started, started, validator

from kubectl_c9s.cluster.connection import Connection
from kubectl_c9s.cluster.kubeconfig import load_settings
from kubectl_c9s.cluster.netprobe import neighbour_probe
from kubectl_c9s.measurement import netscript
from kubectl_c9s.measurement.netmembers import NetPod

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bed_own import OwnBed


@pytest.fixture(scope="module")
def pods(own_bed: OwnBed) -> Iterator[Started]:
    with started(own_bed) as found:
        yield found


@pytest.fixture
def lab(
    own_bed: OwnBed,
    pods: Started,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Lab:
    client, namespace, addresses = pods
    (tmp_path / "tools").mkdir()
    tools = Tools(tmp_path / "tools")
    tools.inside(*(f"{one}/32" for one in addresses.values()), "172.20.20.7/24")
    for number in (1, 2, 3):
        words = f"echo 'PING r{number} ({addresses[f'one-r{number}']}): 56 data bytes'; exit 0"
        tools.answer(f"r{number}", words)
    monkeypatch.setattr(netscript, "PRELUDE", tools.prelude)
    return Lab(own_bed, client, namespace, addresses, tools)


def test_a_lab_that_is_well_passes(lab: Lab) -> None:
    found = lab.report(0)
    assert found["verdict"] == "passed"
    assert [one["name"] for one in found["devices"]] == ["r1", "r2", "r3"]
    assert [one["neighbour"] for one in found["devices"]] == ["one-r2", "one-r3", "one-r1"]
    assert found["pairs"] == {"all": 3, "passed": 3, "crossHost": 2, "crossHostPassed": 2}
    assert {name: count["passed"] for name, count in found["counts"].items()} == {
        "address": 3, "prefix": 3, "route": 3, "neighbour-address": 3, "neighbour-name": 3,
    }  # fmt: skip
    prefixes = {
        one["name"]: check["detail"]
        for one in found["devices"]
        for check in one["checks"]
        if check["name"] == "prefix"
    }
    assert prefixes["r1"].endswith("172.20.20.7/24")
    assert found["notReady"] == [f"{lab.namespace}/one-r4"]


def test_both_formats_say_the_same_and_the_table_is_for_people(lab: Lab) -> None:
    found = yaml.safe_load(lab.call("-o", "yaml").out)
    assert found | {"elapsed": 0} == lab.report(0) | {"elapsed": 0}
    answer = lab.call()
    rows = [line.split() for line in answer.out.splitlines()[1:4]]
    assert [row[0] for row in rows] == [f"{lab.namespace}/r{number}" for number in (1, 2, 3)]
    assert all(row[-5:] == ["ok"] * 5 for row in rows)
    assert f"not ready, not asked: {lab.namespace}/one-r4" in answer.out
    assert "pairs 3/3, over two hosts 2/2: passed" in answer.out


def test_what_fails_is_named_with_its_device(lab: Lab) -> None:
    lab.tools.answer(
        lab.addresses["one-r3"], "echo '1 packets transmitted, 0 packets received'; exit 1"
    )
    lab.tools.answer("r1", "echo 'PING r1 (10.96.0.9): 56 data bytes'; exit 0")
    found = lab.report(1)
    bad = {
        (one["name"], check["name"]): check["detail"]
        for one in found["devices"]
        for check in one["checks"]
        if check["result"] != "passed"
    }
    assert set(bad) == {("r2", "neighbour-address"), ("r3", "neighbour-name")}
    assert bad["r3", "neighbour-name"].startswith("r1 leads to 10.96.0.9")
    assert found["pairs"]["passed"] == 1
    answer = lab.call()
    assert (answer.code, "neighbour-address FAILED" in answer.out) == (1, True)


def test_an_allocated_address_that_is_missing_or_has_another_prefix_fails(lab: Lab) -> None:
    lab.tools.inside(*(f"{one}/32" for one in lab.addresses.values()), "172.20.20.7/16")
    found = lab.report(1, "--checks", "prefix,address")
    assert list(found["counts"]) == ["address", "prefix"]
    assert found["counts"]["prefix"]["failed"] == 1
    assert found["counts"]["address"]["failed"] == 0
    lab.tools.inside(*(f"{one}/32" for one in lab.addresses.values()))
    assert lab.report(1, "--checks=address")["counts"]["address"]["failed"] == 1


def test_images_without_tools_leave_all_undecided(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(netscript, "PRELUDE", "PATH=/nonexistent")
    found = lab.report(5)
    assert found["verdict"] == "undecided"
    assert {check["result"] for one in found["devices"] for check in one["checks"]} == {
        "unavailable"
    }


def test_an_image_without_a_shell_is_not_available(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(netscript, "command", lambda _: ["c9s-no-such-shell"])
    found = lab.report(5, "--checks", "route")
    assert found["counts"]["route"] | {"unavailable": 0} == dict.fromkeys(
        found["counts"]["route"], 0
    )
    assert "executable file not found" in found["devices"][0]["checks"][0]["detail"]


def test_partial_results_are_printed_when_time_is_over(lab: Lab) -> None:
    lab.tools.answer("r2", "exec sleep 20")
    found = lab.report(5, "--timeout", "1500ms")
    results = {
        (one["name"], check["name"]): check["result"]
        for one in found["devices"]
        for check in one["checks"]
    }
    assert results.pop(("r1", "neighbour-name")) == "undecided"
    assert set(results.values()) == {"passed"}


def test_a_lab_is_chosen_by_name_and_plain_pods_by_labels(lab: Lab) -> None:
    one = lab.report(0, "one", "--checks=address")
    assert [device["name"] for device in one["devices"]] == ["r1", "r2"]
    assert one["notReady"] == [f"{lab.namespace}/one-r4"]
    assert [device["name"] for device in lab.report(0, "two", "--checks=address")["devices"]] == [
        "r3"
    ]
    found = lab.report(0, "-l", "app=plain", "--checks=address,route,neighbour-address")
    assert [one["name"] for one in found["devices"]] == ["plain"]
    assert found["counts"]["neighbour-address"]["unavailable"] == 1
    everywhere = c9s(lab.bed, "measure", "verify", "one", "-A", "--checks=address", "-o", "json")
    assert lab.namespace in {one["namespace"] for one in json.loads(everywhere.out)["devices"]}


def test_no_pods_is_no_success(lab: Lab) -> None:
    answer = lab.call("other")
    assert (answer.code, answer.out) == (1, "")
    assert f"there are no Pods of lab 'other' in namespace {lab.namespace}" in answer.err
    plain = lab.call("-l", "app=nobody")
    assert (plain.code, plain.out) == (1, "")
    assert "there are no Pods of labels app=nobody" in plain.err
    held = lab.call("-l", f"{WORKLOAD}=r4", "-o", "json")
    assert (held.code, json.loads(held.out)["verdict"]) == (1, "empty")
    assert "none of the Pods is ready" in held.err


def test_a_file_takes_the_result_and_the_sum_is_printed(lab: Lab, tmp_path: Path) -> None:
    target = tmp_path / "out.json"
    answer = lab.call("-o", "json", "--output-file", str(target))
    assert answer.code == 0, answer.err
    validator().validate(json.loads(target.read_bytes()))
    assert answer.out.startswith("3 devices in ")
    assert lab.call("--output-file", "/nonexistent/x").code == 2


def test_without_the_right_to_enter_pods_nothing_is_said_of_the_network(
    lab: Lab, tmp_path: Path
) -> None:
    person = Person(lab.bed, lab.namespace, tmp_path)
    rule = {"apiGroups": [""], "resources": ["pods"], "verbs": ["list"]}
    role = {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "Role",
        "metadata": {"name": "see"},
        "rules": [rule],
    }
    person.may([role])
    answer = lab.call("-o", "json", kubeconfig=person.kubeconfig)
    assert (answer.code, answer.out) == (3, "")
    assert "create pods/exec in" in answer.err
    assert "kubectl c9s rights" in answer.err
    named = lab.call("one", kubeconfig=person.kubeconfig)
    assert (named.code, named.out) == (3, "")
    assert 'cannot list resource "nodes" in API group "c9s.run"' in named.err


@pytest.mark.parametrize(
    "words",
    [
        ("a=b,c",),
        ("--checks", "speed"),
        ("--checks", ""),
        ("--timeout", "soon"),
        ("--workers", "0"),
    ],
)
def test_a_flag_that_cannot_be_meant_is_a_usage_error(
    own_bed: OwnBed, words: tuple[str, ...]
) -> None:
    assert c9s(own_bed, "measure", "verify", *words).code == 2


def test_a_replay_probes_its_pods(lab: Lab) -> None:
    listed = lab.client.get(path_of("v1", "pods", lab.namespace)).ok()["items"]
    pods = [
        msgspec.convert(one, NetPod) for one in listed if one["metadata"]["name"].startswith("one-")
    ]
    lab.tools.answer(lab.addresses["one-r2"], "exit 1")
    connection = Connection(load_settings({"kubeconfig": str(lab.bed.kubeconfig)}, {}))
    space = lab.namespace
    assert neighbour_probe(connection, pods, limit=60) == [
        {"pod": f"{space}/one-r1", "ok": False, "crossWorker": True},
        {"pod": f"{space}/one-r2", "ok": True, "crossWorker": True},
        {"pod": f"{space}/one-r3", "ok": True, "crossWorker": False},
        {"pod": f"{space}/one-r4", "ok": False, "error": "not Ready"},
    ]
    assert neighbour_probe(connection, []) == []
    connection.close()
