"""``apply`` on a real API server: what it writes, what it leaves alone, and how it goes on after a break."""

from __future__ import annotations

import os
import pty
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
    contents,
    made,
    node,
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
