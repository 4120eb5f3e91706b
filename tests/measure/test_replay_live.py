"""``measure replay`` on a real API server: what it makes, what it records, and what it leaves alone."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import jsonschema_rs
from bed_client import path_of
from bed_objects import until
from live_tools import c9s
from replay_tools import (
    FILES,
    RUN_SCHEMA,
    Program,
    drop,
    is_going,
    labels_of_namespace,
    schedule_of,
)

from kubectl_c9s.measurement import run as runs
from kubectl_c9s.measurement.plainpods import own_labels
from kubectl_c9s.measurement.runfile import read_run
from kubectl_c9s.measurement.schedule import Schedule, read_schedule

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from bed_own import OwnBed
    from standin_lab_tools import Labs


def test_a_split_lab_without_a_topology_is_recorded_and_replayed(
    device_bed: OwnBed, labs: Labs, tmp_path: Path
) -> None:
    names = [f"r{number:02}" for number in range(20)]
    labs.standin.start()
    for name in names:
        labs.node(name)
    labs.wait("all are ready", lambda: labs.ready() == set(names))
    live, saved = tmp_path / "live.json", tmp_path / "saved.json"
    pods = device_bed.kubectl("get", "pods", "-n", labs.namespace, "-o", "json").stdout
    for target, args in ((live, []), (saved, ["-f", "-"])):
        answer = c9s(
            device_bed,
            *("measure", "schedule", "-n", labs.namespace, "--output-file", str(target), *args),
            stdin=pods.encode(),
        )
        assert answer.code == 0, answer.err
    of_node, of_pod = (read_schedule(path.read_bytes(), "x") for path in (live, saved))
    assert (of_node.origin.kind, of_pod.origin.kind) == ("Node", "Pod")
    assert {one.name: one.host for one in of_node.entries} == {
        name: labs.pods()[name].host for name in names
    }
    assert [one.name for one in of_pod.entries] == [one.name for one in of_node.entries]

    program = Program(device_bed.kubeconfig, tmp_path, of_node)
    try:
        code, said = program.run("--cleanup")
        assert code == 0, said
        assert is_going(device_bed, program.namespace)
    finally:
        drop(device_bed, program.namespace)
    assert program.files() == FILES
    run = read_run((program.folder / "run.json").read_bytes(), "run.json")
    assert (run.verdict, run.expected, len(run.devices)) == ("reached", 20, 20)
    assert run.replay is not None
    assert run.replay.invalid == ()
    assert {one.name: one.host for one in run.devices} == {
        one.name: one.host for one in of_node.entries
    }


def test_a_replay_records_what_its_pods_have_been_through(
    replays: Callable[[Schedule], Program], own_bed: OwnBed
) -> None:
    schedule = schedule_of(8, 0.2)
    program = replays(schedule)
    code, said = program.run()
    assert code == 0, said
    assert f"kubectl delete namespace {program.namespace}" in said
    data = (program.folder / "run.json").read_bytes()
    schema = json.loads(RUN_SCHEMA.read_text("utf-8"))
    jsonschema_rs.validator_for(schema).validate(json.loads(data))
    run = read_run(data, "run.json")
    assert (run.manifest.workload, run.manifest.namespace) == ("plain-pods", program.namespace)
    assert (run.manifest.definition, run.manifest.hosts) == (schedule.digest, 3)
    assert run.manifest.families == ("IPv4",)
    assert run.anchor is not None
    assert run.anchor.name == f"{program.namespace}/benchmark-clock"
    wanted = {runs.POD, runs.SCHEDULED, runs.SANDBOX, runs.STARTED, runs.READY}
    for one in run.devices:
        assert set(one.stamps) == set(one.observed) == wanted
        ways = [one.observed[name] for name in (runs.POD, runs.SANDBOX, runs.STARTED, runs.READY)]
        assert ways == sorted(ways)
        assert -1.0 <= one.stamps[runs.POD] - run.anchor.at <= run.elapsed + 1
    assert set(run.overall) == {"pods", "started", "ready"}
    assert run.churn is not None
    assert run.churn.kinds["pods"].created == 8
    assert run.samples
    submissions = program.read("submissions.json")
    assert [one["name"] for one in submissions] == [one.name for one in schedule.entries]
    assert read_schedule((program.folder / "schedule.json").read_bytes(), "x") == schedule
    lines = (program.folder / "progress.jsonl").read_text("utf-8").splitlines()
    assert json.loads(lines[-1])["ready"] == 8
    with own_bed.client() as client:
        assert_plain(client.get(path_of("v1", "pods", program.namespace)).ok()["items"], schedule)
        labels = labels_of_namespace(client, program.namespace)
    assert labels["app.kubernetes.io/managed-by"] == "kubectl-c9s"
    assert {one["metadata"]["name"] for one in program.read("pods.json")["items"]} == {
        one.name for one in schedule.entries
    }


def assert_plain(pods: list[dict[str, Any]], schedule: Schedule) -> None:
    """Compare Pods with what measurement.md §4 says of them."""
    hosts = {one.name: one.host for one in schedule.entries}
    assert {one["metadata"]["name"] for one in pods} == set(hosts)
    for pod in pods:
        name, spec = pod["metadata"]["name"], pod["spec"]
        assert pod["metadata"]["labels"]["app.kubernetes.io/name"] == "c9s-plain-pod"
        assert spec["nodeSelector"] == {"kubernetes.io/hostname": hosts[name]}
        assert spec["automountServiceAccountToken"] is False
        assert (spec["terminationGracePeriodSeconds"], spec["restartPolicy"]) == (1, "Never")
        assert "initContainers" not in spec
        assert "volumes" not in spec
        (container,) = spec["containers"]
        assert container["image"] == "busybox:1.37"
        assert container["imagePullPolicy"] == "IfNotPresent"
        assert container["command"] == ["sleep", "2147483647"]
        assert container["resources"]["requests"] == {"cpu": "10m", "memory": "64Mi"}


def test_an_image_can_be_put_in_place_of_all(
    replays: Callable[[Schedule], Program],
) -> None:
    program = replays(schedule_of(2))
    code, said = program.run("--force-image", "sleeper:7", "--cleanup")
    assert code == 0, said
    images = {one["spec"]["containers"][0]["image"] for one in program.read("pods.json")["items"]}
    assert images == {"sleeper:7"}


def test_a_host_is_found_by_its_label_and_not_by_its_name(
    device_bed: OwnBed, tmp_path: Path
) -> None:
    node, path = "testbed-odd", path_of("v1", "nodes", name="testbed-odd")
    labels = {"kubernetes.io/hostname": "odd.example"}
    body = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": node, "labels": labels}}
    with device_bed.client() as client:
        client.create(path_of("v1", "nodes"), body).ok()
        try:
            until("it takes Pods", lambda: _takes_pods(client.get(path).ok()))
            program = Program(device_bed.kubeconfig, tmp_path, schedule_of(2, hosts=[node]))
            code, said = program.run("--cleanup")
            assert code == 0, said
            selectors = [one["spec"]["nodeSelector"] for one in program.read("pods.json")["items"]]
            assert selectors == [labels] * 2
        finally:
            client.delete(path)


def _takes_pods(node: dict[str, Any]) -> bool:
    conditions = {one["type"]: one["status"] for one in node["status"].get("conditions") or []}
    return conditions.get("Ready") == "True" and not node["spec"].get("taints")


def test_hosts_that_are_not_there_are_named_before_anything_is_made(
    replays: Callable[[Schedule], Program], own_bed: OwnBed
) -> None:
    program = replays(schedule_of(4, hosts=["here-not", "there-not"]))
    code, said = program.run()
    assert code == 1
    assert "there is no host 'here-not'" in said
    assert "there is no host 'there-not'" in said
    assert is_going(own_bed, program.namespace)
    assert not program.folder.exists()


def test_a_namespace_of_somebody_else_is_refused_and_survives(
    replays: Callable[[Schedule], Program], own_bed: OwnBed
) -> None:
    program = replays(schedule_of(2))
    labels = own_labels("another")
    metadata = {"name": program.namespace, "labels": labels}
    with own_bed.client() as client:
        body = {"apiVersion": "v1", "kind": "Namespace", "metadata": metadata}
        uid = client.create(path_of("v1", "namespaces"), body).ok()["metadata"]["uid"]
        code, said = program.run("--cleanup")
        assert code == 4
        assert "exists already" in said
        found = client.get(path_of("v1", "namespaces", name=program.namespace)).ok()
        assert client.get(path_of("v1", "pods", program.namespace)).ok()["items"] == []
    assert found["metadata"]["uid"] == uid
    assert "deletionTimestamp" not in found["metadata"]
    assert not program.folder.exists()


def test_wrong_addresses_make_a_replay_invalid(
    replays: Callable[[Schedule], Program],
) -> None:
    program = replays(schedule_of(2))
    code, said = program.run("--cleanup", "--ip-family", "dual")
    assert code == 1
    assert "invalid: 2 Pods have not exactly the addresses IPv4 and IPv6" in said
    assert program.read("run.json")["replay"]["invalid"]
