"""The worked cases, compared as their README says, through the command as a user calls it."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from kubectl_c9s.resources.labels import forbidden_metadata

ROOT = Path(__file__).parents[2]
CASES = Path(__file__).parent / "cases"
SHARED = Path(os.environ.get("C9S_SHARED", ROOT.parent / "shared")) / "cases" / "split-bare"
ACCEPTED = sorted(path.parent.name for path in CASES.glob("*/expected.json"))
REFUSED = sorted(path.parent.name for path in CASES.glob("*/expected-error.txt"))
KINDS = {"configMaps": "ConfigMap", "nodeProfiles": "NodeProfile", "links": "Link", "nodes": "Node"}
INFORMATIVE = {
    "c9s.run/name", "c9s.run/topologyNode", "c9s.run/topologyOwner", "containerlab.dev/runtime", "clab-owner",
}  # fmt: skip


def test_no_case_is_missed() -> None:
    assert len(ACCEPTED) >= 7
    assert len(REFUSED) >= 4
    assert sorted(path.name for path in CASES.iterdir()) == sorted(ACCEPTED + REFUSED)


def test_modes_of_the_inputs_are_those_of_the_cases() -> None:
    """A checkout that loses execute bits would make other objects."""
    executable = [
        path.relative_to(CASES).as_posix()
        for path in CASES.rglob("*")
        if path.is_file() and path.stat().st_mode & 0o111
    ]
    assert sorted(executable) == [
        "b03-directories-modes-and-bind-precedence/input/files/bin/probe",
        "b03-directories-modes-and-bind-precedence/input/shared/run.sh",
    ]


@pytest.mark.skipif(not SHARED.is_dir(), reason="needs the shared cases")
def test_copies_are_those_of_the_shared_cases() -> None:
    files = [path for path in SHARED.rglob("*") if path.is_file() and path.name != "README.md"]
    for path in files:
        copy = CASES / path.relative_to(SHARED)
        assert copy.read_bytes() == path.read_bytes()
        assert copy.is_symlink() == path.is_symlink()
    assert len(files) == sum(path.is_file() for path in CASES.rglob("*"))


def run(case: str, tmp_path: Path, *flags: str) -> subprocess.CompletedProcess[bytes]:
    """Split a case without flags of its own, from another directory, with the environment of the case alone."""
    folder = CASES / case
    lab = folder / "input"
    if (generate := folder / "generate.json").exists():
        lab = Path(shutil.copytree(lab, tmp_path / "input", symlinks=True))
        for path, size in json.loads(generate.read_text("utf-8")).items():
            (lab / path).write_bytes(b"0" * size)
    file = folder / "env.json"
    own = json.loads(file.read_text("utf-8")) if file.exists() else {}
    return subprocess.run(
        [sys.executable, "-m", "kubectl_c9s", "split", "-f", str(lab / "lab.clab.yml"), *flags],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT), **own},
        capture_output=True,
        check=False,
        timeout=60,
    )


@pytest.mark.parametrize("case", ACCEPTED)
def test_a_case_gives_the_expected_objects_in_order(case: str, tmp_path: Path) -> None:
    done = run(case, tmp_path)
    assert done.returncode == 0, done.stderr.decode()
    objects = list(yaml.load_all(done.stdout, yaml.CSafeLoader))
    expected = json.loads((CASES / case / "expected.json").read_text("utf-8"))
    wanted = [(KINDS[part], one) for part in KINDS for one in expected[part]]
    assert [compared(one) for one in objects] == [compared(one) for _, one in wanted]
    assert [one["kind"] for one in objects] == [kind for kind, _ in wanted]
    assert [forbidden_metadata(one) for one in objects] == [[]] * len(objects)


@pytest.mark.parametrize("case", ACCEPTED[1:3])
def test_json_holds_the_same_objects(case: str, tmp_path: Path) -> None:
    stream = list(yaml.load_all(run(case, tmp_path).stdout, yaml.CSafeLoader))
    shutil.rmtree(tmp_path / "input", ignore_errors=True)
    assert json.loads(run(case, tmp_path, "-o", "json").stdout)["items"] == stream


# What each refusal must name: the node, and the field or path.
NAMED: dict[str, list[tuple[str, ...]]] = {
    "be1-missing-file": [("n1", "startup-config", "configs/n1.cfg")],
    "be2-outside-the-lab-directory": [
        ("n1", "binds", "../secrets/id_rsa"),
        ("n1", "binds", "/lib/modules"),
    ],
    "be3-remote-startup-config": [("n1", "startup-config", "commit the file", "--url-digest")],
    "be4-pseudo-node": [("br0", "kind", "bridge")],
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_refused_case_names_the_node_and_writes_nothing(case: str, tmp_path: Path) -> None:
    done = run(case, tmp_path)
    assert done.returncode == 1
    assert done.stdout == b""
    lines = [line for line in done.stderr.decode().splitlines() if ": error: " in line]
    assert len(lines) == len(NAMED[case])
    for line, words in zip(lines, NAMED[case], strict=True):
        assert line.startswith(f"{CASES / case / 'input' / 'lab.clab.yml'}:")
        assert [word for word in words if word not in line] == []


def compared(one: dict[str, Any]) -> dict[str, Any]:
    """Give the parts of an object that the README compares."""
    metadata = one["metadata"]
    labels = {k: v for k, v in metadata.get("labels", {}).items() if k not in INFORMATIVE}
    parts = {
        "id": [one["apiVersion"], one["kind"], metadata["name"], metadata.get("namespace")],
        "labels": labels,
    }
    if one["kind"] != "ConfigMap":
        return {**parts, "spec": one["spec"]}
    binary = {k: base64.b64decode(v, validate=True) for k, v in one.get("binaryData", {}).items()}
    text = {k: v.encode() for k, v in one.get("data", {}).items()}
    return {
        **parts,
        "data": text,
        "binaryData": binary,
        "fields": sorted(one.keys() & {"data", "binaryData"}),
    }
