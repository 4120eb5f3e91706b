"""``apply`` on a real API server: what it writes, what it leaves alone, and how it goes on after a break."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from bed_client import path_of
from live_tools import (
    Asked,
    c9s,
    config_map,
    contents,
    link,
    made,
    node,
    path_to,
    small_lab,
    versions,
    written,
)
from split_lab import command

if TYPE_CHECKING:
    from bed_base import Bed
    from bed_own import OwnBed

ROOT = Path(__file__).parents[2]
CASES = ROOT / "tests/split/cases"
ACCEPTED = sorted(path.parent.name for path in CASES.glob("*/expected.json"))


@pytest.mark.parametrize("case", ACCEPTED)
def test_the_objects_of_a_case_are_accepted_and_a_second_run_only_reads(
    own_bed: OwnBed, tmp_path: Path, case: str
) -> None:
    with own_bed.namespace("case") as namespace:
        split = command("split", "-f", str(CASES / case / "input.yaml"), "-n", namespace)
        lab = tmp_path / "lab.yaml"
        lab.write_text(split.out, encoding="utf-8")
        first = c9s(own_bed, "apply", "-f", str(lab))
        assert first.code == 0, first.err
        assert {line.split()[1] for line in first.out.splitlines()} == {"created"}
        asked = Asked(own_bed, namespace)
        second = c9s(own_bed, "apply", "-f", str(lab))
        assert second.code == 0, second.err
        assert {line.split()[1] for line in second.out.splitlines()} == {"unchanged"}
        assert asked.entries()
        assert asked.writes() == []


def test_objects_are_written_in_the_order_the_manager_needs(
    own_bed: OwnBed, tmp_path: Path
) -> None:
    with own_bed.namespace() as namespace:
        asked = Asked(own_bed, namespace)
        lab = written(tmp_path, reversed(small_lab()))
        assert c9s(own_bed, "apply", "-f", lab, "-n", namespace).code == 0
        order = [one["objectRef"]["resource"] for one in asked.writes()]
    assert order == ["configmaps", "nodeprofiles", "links", "nodes", "nodes"]


def test_only_what_was_changed_is_written(own_bed: OwnBed, tmp_path: Path) -> None:
    with own_bed.namespace() as namespace, own_bed.client() as client:
        assert (
            c9s(own_bed, "apply", "-f", written(tmp_path, small_lab()), "-n", namespace).code == 0
        )
        before = versions(client, namespace)
        objects = small_lab()
        objects[-1]["spec"]["image"] = "alpine:4"
        answer = c9s(own_bed, "apply", "-f", written(tmp_path, objects), "-n", namespace)
        after = versions(client, namespace)
    assert "node.c9s.run/r2 configured" in answer.out.splitlines()
    assert {key for key in after if after[key] != before[key]} == {("Node", "r2")}


def test_a_field_that_is_left_out_goes(bed: Bed, tmp_path: Path) -> None:
    with bed.namespace() as namespace, bed.client() as client:
        whole = [node("r1", env={"A": "1", "B": "2"}, binds=["/a:/a"])]
        assert c9s(bed, "apply", "-f", written(tmp_path, whole), "-n", namespace).code == 0
        less = written(tmp_path, [node("r1", env={"A": "1"})])
        assert "configured" in c9s(bed, "apply", "-f", less, "-n", namespace).out
        assert (
            contents(client, namespace)["Node", "r1"]["spec"] == node("r1", env={"A": "1"})["spec"]
        )


def test_lists_whose_members_are_owned_one_by_one_are_kept_exactly(
    own_bed: OwnBed, tmp_path: Path
) -> None:
    ports = [{"port": f"{port}/tcp", "appProtocol": "http"} for port in (80, 81)]
    profile = made("NodeProfile", "p", "lab", {"imagePull": {"pullSecrets": ["b", "a"]}})
    full = written(tmp_path, [node("r1", appProtocols=ports), profile])
    with own_bed.namespace() as namespace, own_bed.client() as client:
        assert c9s(own_bed, "apply", "-f", full, "-n", namespace).code == 0
        asked = Asked(own_bed, namespace)
        assert c9s(own_bed, "apply", "-f", full, "-n", namespace).code == 0
        assert asked.writes() == []
        profile["spec"]["imagePull"]["pullSecrets"] = ["a"]
        less = written(tmp_path, [node("r1", appProtocols=ports[:1]), profile])
        assert c9s(own_bed, "apply", "-f", less, "-n", namespace).code == 0
        found = contents(client, namespace)
    assert found["Node", "r1"]["spec"]["appProtocols"] == ports[:1]
    assert found["NodeProfile", "p"]["spec"] == {"imagePull": {"pullSecrets": ["a"]}}


@pytest.mark.parametrize(
    ("mode", "suffix"), [("client", "(dry run)"), ("server", "(server dry run)")]
)
def test_a_dry_run_changes_nothing(own_bed: OwnBed, tmp_path: Path, mode: str, suffix: str) -> None:
    with own_bed.namespace() as namespace, own_bed.client() as client:
        asked = Asked(own_bed, namespace)
        lab = written(tmp_path, small_lab())
        answer = c9s(own_bed, "apply", "-f", lab, "-n", namespace, f"--dry-run={mode}")
        sent = asked.writes()
        assert versions(client, namespace) == {}
    assert answer.code == 0, answer.err
    assert all(line.endswith(f"created {suffix}") for line in answer.out.splitlines())
    assert len(answer.out.splitlines()) == 5
    assert all("dryRun=All" in one["requestURI"] for one in sent)
    assert len(sent) == (5 if mode == "server" else 0)


def test_a_field_of_another_manager_is_refused_with_its_name(bed: Bed, tmp_path: Path) -> None:
    with bed.namespace() as namespace, bed.client() as client:
        lab = written(tmp_path, small_lab())
        assert c9s(bed, "apply", "-f", lab, "-n", namespace).code == 0
        theirs = node("r2", image="helm:1")
        client.apply(path_to(theirs, namespace), theirs, manager="helm").ok()
        refused = c9s(bed, "apply", "-f", lab, "-n", namespace)
        assert refused.code == 4
        assert ".spec.image (helm)" in refused.err
        assert "hint:" in refused.err
        assert "--force-conflicts" in refused.err
        taken = c9s(bed, "apply", "-f", lab, "-n", namespace, "--force-conflicts")
        assert taken.code == 0, taken.err
        assert contents(client, namespace)["Node", "r2"]["spec"]["image"] == "alpine:3"
        assert "unchanged" in c9s(bed, "apply", "-f", lab, "-n", namespace).out.split()


TOPOLOGY = """\
apiVersion: c9s.run/v1alpha1
kind: Topology
metadata: {name: old, namespace: %s}
spec:
  definition:
    containerlab: |
      name: old
      topology:
        nodes:
          r1: {kind: linux, image: "alpine:3"}
"""


def test_names_that_a_living_topology_wants_are_refused_before_anything_is_written(
    own_bed: OwnBed, tmp_path: Path
) -> None:
    with own_bed.namespace() as namespace:
        made = own_bed.kubectl("create", "-f", "-", text=TOPOLOGY % namespace)
        assert made.returncode == 0, made.stderr
        asked = Asked(own_bed, namespace)
        answer = c9s(own_bed, "apply", "-f", written(tmp_path, small_lab()), "-n", namespace)
        assert asked.writes() == []
    assert answer.code == 4
    assert "Node 'r1'" in answer.err
    assert "the Topology 'old' wants the name" in answer.err
    assert answer.out == ""


def test_objects_of_others_are_all_named_and_nothing_is_written(
    own_bed: OwnBed, tmp_path: Path
) -> None:
    with own_bed.namespace() as namespace, own_bed.client() as client:
        controlled = node("r1")
        owner = {"apiVersion": "v1", "kind": "Pod", "name": "p", "uid": "1", "controller": True}
        controlled["metadata"]["ownerReferences"] = [owner]
        # The Pod does not exist: without a finalizer the garbage collector would take the Node away.
        controlled["metadata"]["finalizers"] = ["c9s.run/test"]
        other_lab = node("r2", lab="other")
        hidden = config_map("files", lab="other", text="theirs")
        nobodys = link("r1-r2", "r1", "r2")
        del nobodys["metadata"]["labels"]
        for one in (other_lab, hidden, nobodys):
            client.apply(path_to(one, namespace), one).ok()
        client.apply(path_to(controlled, namespace), controlled).ok()
        before = contents(client, namespace)
        asked = Asked(own_bed, namespace)
        answer = c9s(own_bed, "apply", "-f", written(tmp_path, small_lab()), "-n", namespace)
        assert asked.writes() == []
        assert contents(client, namespace) == before
        free = {"metadata": {"finalizers": None}}
        client.patch(path_to(controlled, namespace), free).ok()
    assert answer.code == 4
    assert "Node 'r1'" in answer.err
    for text in (
        "Node 'r2' in namespace",
        "ConfigMap 'files' in namespace",
        "it belongs to the lab 'other'",
        "Link 'r1-r2' in namespace",
        "it is not of the lab 'lab'",
        "4 object(s) may not be written",
    ):
        assert text in answer.err
    assert answer.out == ""


def test_what_stands_there_without_a_lab_can_be_taken_over(bed: Bed, tmp_path: Path) -> None:
    with bed.namespace() as namespace, bed.client() as client:
        nobodys = node("r1")
        del nobodys["metadata"]["labels"]
        client.apply(path_to(nobodys, namespace), nobodys).ok()
        lab = written(tmp_path, small_lab())
        assert c9s(bed, "apply", "-f", lab, "-n", namespace).code == 4
        assert c9s(bed, "apply", "-f", lab, "-n", namespace, "--force-conflicts").code == 0
        assert len(contents(client, namespace)) == 5


def test_prune_lists_first_and_deletes_only_what_we_applied_for_the_lab(
    own_bed: OwnBed, tmp_path: Path
) -> None:
    with own_bed.namespace() as namespace, own_bed.client() as client:
        extra = [node("r3"), config_map("more"), link("r2-r3", "r2", "r3")]
        whole = written(tmp_path, small_lab() + extra)
        assert c9s(own_bed, "apply", "-f", whole, "-n", namespace).code == 0
        other = written(tmp_path, [node("o1", lab="other")], "other.json")
        assert c9s(own_bed, "apply", "-f", other, "-n", namespace).code == 0
        foreign = node("r4")  # of this lab by its label, but applied by somebody else
        client.apply(path_to(foreign, namespace), foreign, manager="kubectl").ok()
        # Nothing of the kinds ConfigMap and Link is left in the input: they are looked for all the same.
        rest = written(tmp_path, [one for one in small_lab() if one["kind"] == "Node"])
        dry = c9s(own_bed, "apply", "-f", rest, "-n", namespace, "--prune", "--dry-run=client")
        assert ("Node", "r3") in contents(client, namespace)
        asked = Asked(own_bed, namespace)
        pruned = c9s(own_bed, "apply", "-f", rest, "-n", namespace, "--prune")
        left = set(contents(client, namespace))
        deletes = [one["objectRef"]["name"] for one in asked.writes()]
    gone = [
        "node r3",
        "link r1-r2",
        "link r2-r3",
        "nodeprofile lab",
        "configmap files",
        "configmap more",
    ]
    assert pruned.code == 0, pruned.err
    assert pruned.err.splitlines() == [f"to be pruned: {one}" for one in gone]
    assert dry.err == pruned.err
    assert left == {("Node", name) for name in ("r1", "r2", "r4", "o1")}
    assert deletes == [one.split()[1] for one in gone]
    assert [line for line in pruned.out.splitlines() if line.endswith("pruned")] == [
        f"{kind}.c9s.run/{name} pruned" if kind != "configmap" else f"configmap/{name} pruned"
        for kind, name in (one.split() for one in gone)
    ]


def test_without_prune_nothing_is_deleted(bed: Bed, tmp_path: Path) -> None:
    with bed.namespace() as namespace, bed.client() as client:
        assert c9s(bed, "apply", "-f", written(tmp_path, small_lab()), "-n", namespace).code == 0
        fewer = written(tmp_path, small_lab()[:-1])
        assert c9s(bed, "apply", "-f", fewer, "-n", namespace).code == 0
        assert ("Node", "r2") in contents(client, namespace)


def mark(bed: Bed, namespace: str, name: str, status: dict[str, object]) -> None:
    with bed.client() as client:
        path = path_of("c9s.run/v1alpha1", "nodes", namespace, name, "status")
        client.patch(path, {"status": status}).ok()


def start_waiting(bed: Bed, lab: str, namespace: str, *flags: str) -> subprocess.Popen[str]:
    words = [sys.executable, "-m", "kubectl_c9s", "apply", "-f", lab, "-n", namespace, *flags]
    words += ["--kubeconfig", str(bed.kubeconfig)]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(
        words, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )


def test_wait_ends_when_every_node_is_ready(bed: Bed, tmp_path: Path) -> None:
    with bed.namespace() as namespace:
        lab = written(tmp_path, small_lab())
        assert c9s(bed, "apply", "-f", lab, "-n", namespace).code == 0
        mark(bed, namespace, "r1", {"readiness": "ready"})
        with start_waiting(bed, lab, namespace, "--wait", "--timeout=120s") as waiting:
            assert waiting.stderr is not None
            assert waiting.stderr.readline() == "1 of 2 Nodes ready\n"
            assert waiting.poll() is None
            mark(bed, namespace, "r2", {"readiness": "ready"})
            assert waiting.wait() == 0


def test_a_plan_of_an_older_generation_does_not_count(bed: Bed, tmp_path: Path) -> None:
    with bed.namespace() as namespace:
        lab = written(tmp_path, [node("r1")])
        assert c9s(bed, "apply", "-f", lab, "-n", namespace).code == 0
        condition = {
            "type": "PlanApplied",
            "status": "True",
            "reason": "Done",
            "message": "",
            "lastTransitionTime": "2030-01-01T00:00:00Z",
        }
        wait = ("apply", "-f", lab, "-n", namespace, "--wait=planned", "--timeout=1s")
        mark(bed, namespace, "r1", {"conditions": [condition | {"observedGeneration": 0}]})
        late = c9s(bed, *wait)
        assert late.code == 5
        assert f"not planned in time: {namespace}/r1" in late.err
        mark(bed, namespace, "r1", {"conditions": [condition | {"observedGeneration": 1}]})
        assert c9s(bed, *wait).code == 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_an_interrupted_apply_is_continued_to_the_same_end(
    own_bed: OwnBed, tmp_path: Path, number: signal.Signals
) -> None:
    objects = [node(f"n{index}") for index in range(300)]
    with own_bed.namespace("cut") as cut, own_bed.client() as client:
        lab = written(tmp_path, objects)
        nodes = path_of("c9s.run/v1alpha1", "nodes", cut)
        with start_waiting(own_bed, lab, cut) as process:
            while len(client.get(nodes).ok()["items"]) < 20:
                assert process.poll() is None, "it was too fast to be interrupted"
                time.sleep(0.01)
            process.send_signal(number)
            code = process.wait()
        assert code == (130 if number is signal.SIGINT else -number)
        half = versions(client, cut)
        assert 20 <= len(half) < 300
        again = c9s(own_bed, "apply", "-f", lab, "-n", cut)
        assert again.code == 0, again.err
        whole = versions(client, cut)
        assert len(whole) == 300
        assert {key: whole[key] for key in half} == half
        assert contents(client, cut)["Node", "n299"]["spec"] == objects[299]["spec"]
        asked = Asked(own_bed, cut)
        assert c9s(own_bed, "apply", "-f", lab, "-n", cut).code == 0
        assert asked.writes() == []


def test_a_lab_brings_its_namespace(bed: Bed, tmp_path: Path) -> None:
    name = f"brought-{time.monotonic_ns()}"
    space = {
        "apiVersion": "v1",
        "kind": "Namespace",
        "metadata": {"name": name, "labels": {"a": "b"}},
    }
    objects = small_lab()
    for one in objects:
        one["metadata"]["namespace"] = name
    lab = written(tmp_path, [*objects, space])
    with bed.client() as client:
        try:
            first = c9s(bed, "apply", "-f", lab)
            assert first.code == 0, first.err
            assert first.out.splitlines()[0] == f"namespace/{name} created"
            second = c9s(bed, "apply", "-f", lab)
            assert {line.split()[1] for line in second.out.splitlines()} == {"unchanged"}
        finally:
            client.delete(path_of("v1", "namespaces", name=name))


def test_a_whole_topology_is_refused_with_the_way_to_go(bed: Bed, tmp_path: Path) -> None:
    path = tmp_path / "t.yaml"
    path.write_text(TOPOLOGY % "ns", encoding="utf-8")
    answer = c9s(bed, "apply", "-f", str(path))
    assert answer.code == 1
    assert "[not-split]" in answer.err
    assert "kubectl c9s split" in answer.err


def test_every_result_is_reported_also_when_another_write_fails(
    own_bed: OwnBed, tmp_path: Path
) -> None:
    with own_bed.namespace() as namespace, own_bed.client() as client:
        theirs = node("r050", image="helm:1")
        client.apply(path_to(theirs, namespace), theirs, manager="helm").ok()
        objects = [node(f"r{index:03}") for index in range(100)]
        answer = c9s(own_bed, "apply", "-f", written(tmp_path, objects), "-n", namespace)
        there = {name for _, name in versions(client, namespace)} - {"r050"}
    assert answer.code == 4
    said = {line.split()[0].partition("/")[2] for line in answer.out.splitlines()}
    assert said == there
    assert json.dumps(sorted(said)) != "[]"


@pytest.mark.parametrize("terminal", [True, False])
def test_a_count_runs_on_a_terminal_and_nowhere_else(
    bed: Bed, tmp_path: Path, *, terminal: bool
) -> None:
    with bed.namespace() as namespace:
        lab = written(tmp_path, [node(f"n{index}") for index in range(30)])
        words = [sys.executable, "-m", "kubectl_c9s", "apply", "-f", lab, "-n", namespace]
        words += ["--kubeconfig", str(bed.kubeconfig)]
        reader, writer = pty.openpty() if terminal else os.pipe()
        with (tmp_path / "out").open("wb") as out:
            env = {**os.environ, "PYTHONPATH": str(ROOT)}
            code = subprocess.run(words, check=False, stdout=out, stderr=writer, env=env).returncode
        os.set_blocking(reader, False)
        try:
            said = os.read(reader, 65536)
        except BlockingIOError:
            said = b""
        finally:
            os.close(reader)
            os.close(writer)
    assert code == 0
    assert len((tmp_path / "out").read_text(encoding="utf-8").splitlines()) == 30
    if terminal:
        assert b"of 30 objects" in said
        assert said.endswith(b"\r\x1b[K")
    else:
        assert said == b""
