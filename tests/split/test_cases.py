"""The worked cases, compared as split.md §18 says, through the command as a user calls it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import yaml
from split_lab import command

from kubectl_c9s.resources.labels import forbidden_metadata

ROOT = Path(__file__).parents[2]
CASES = Path(__file__).parent / "cases"
ACCEPTED = sorted(path.parent.name for path in CASES.glob("*/expected.json"))
REFUSED = sorted(path.parent.name for path in CASES.glob("*/expected-error.txt"))
KINDS = {"nodeProfiles": "NodeProfile", "links": "Link", "nodes": "Node"}
INFORMATIVE = {"c9s.run/name", "c9s.run/topologyOwner", "c9s.run/topologyNode"}
UNITS = {"": 1, "k": 10**3, "M": 10**6, "G": 10**9, "Ki": 2**10, "Mi": 2**20, "Gi": 2**30}


def test_no_case_is_missed() -> None:
    assert len(ACCEPTED) >= 17
    assert len(REFUSED) >= 8
    assert sorted(path.name for path in CASES.iterdir()) == sorted(ACCEPTED + REFUSED)


@pytest.mark.parametrize("output", ["json", "yaml"])
@pytest.mark.parametrize("case", ACCEPTED)
def test_a_case_gives_the_expected_objects_in_order(case: str, output: str) -> None:
    answer = command("split", "-f", str(CASES / case / "input.yaml"), "-o", output)
    assert answer.code == 0, answer.err
    objects = read(answer.out, output)
    expected = json.loads((CASES / case / "expected.json").read_text(encoding="utf-8"))
    wanted = [(KINDS[part], one) for part in KINDS for one in expected[part]]
    assert [compared(one) for one in objects] == [compared(one) for _, one in wanted]
    assert [one["kind"] for one in objects] == [kind for kind, _ in wanted]
    assert [forbidden_metadata(one) for one in objects] == [[]] * len(objects)


@pytest.mark.parametrize("case", ACCEPTED)
def test_a_case_gives_the_expected_warnings(case: str, tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    path = str(CASES / case / "input.yaml")
    assert command("split", "-f", path, "--report", str(report)).code == 0
    found = json.loads(report.read_text(encoding="utf-8"))
    assert found["errors"] == []
    file = CASES / case / "expected-warnings.json"
    wanted = json.loads(file.read_text(encoding="utf-8")) if file.exists() else []
    given = {(one["code"], one["path"]) for one in found["warnings"]}
    assert {(one["code"], one["path"]) for one in wanted} <= given
    assert all(one["file"] == path and one["line"] > 0 < one["column"] for one in found["warnings"])


@pytest.mark.parametrize("case", REFUSED)
def test_a_refused_case_writes_nothing(case: str) -> None:
    answer = command("split", "-f", str(CASES / case / "input.yaml"))
    assert answer.code == 1
    assert answer.out == ""
    assert f"{case}/input.yaml:" in answer.err


WORDS = {
    "e1-unsupported-link-type": [
        ("unsupported-field", "endpoint"),
        ("unsupported-field", "remote"),
        ("unsupported-link-type", "topology.links[0].type"),
        ("unsupported-field", "vni"),
    ],
    "e2-link-to-unknown-node": [("unknown-link-endpoint", "topology.links[1].endpoints[1]")],
    "e3-colliding-names": [("colliding-node-names", "topology.nodes")],
    "e4-rejected-fields-everywhere": [
        ("unsupported-field", "cpu-set"),
        ("unsupported-field", "runtime"),
        ("unsupported-field", "stages"),
    ],
    "e5-network-mode": [
        ("unsupported-network-mode", "topology.nodes.a.network-mode"),
        ("unknown-network-mode-primary", "topology.nodes.b.network-mode"),
        ("network-mode-cycle", "topology.nodes.c.network-mode"),
        ("network-mode-cycle", "topology.nodes.d.network-mode"),
    ],
    "e6-special-endpoints": [
        ("unsupported-special-endpoint", "topology.links[0].endpoints[1]"),
        ("unsupported-special-endpoint", "topology.links[1].endpoints[1]"),
        ("invalid-host-link", "topology.links[2].endpoints"),
    ],
    "e7-no-definition": [("no-topology-section", "topology")],
    "e8-kne-definition": [("kne-definition", "spec.definition.kne")],
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_refused_case_names_every_reason(case: str, tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    command("split", "-f", str(CASES / case / "input.yaml"), "--report", str(report))
    errors = json.loads(report.read_text(encoding="utf-8"))["errors"]
    assert [(one["code"], one["path"]) for one in errors] == WORDS[case]


@pytest.mark.parametrize("case", [ACCEPTED[0], ACCEPTED[7], REFUSED[3]])
def test_the_installed_entry_gives_the_same_as_a_call(case: str) -> None:
    path = f"tests/split/cases/{case}/input.yaml"
    done = subprocess.run(
        [sys.executable, "-m", "kubectl_c9s", "split", "-f", path],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=False,
        timeout=60,
    )
    answer = command("split", "-f", str(CASES / case / "input.yaml"))
    assert (done.returncode, done.stdout.decode()) == (answer.code, answer.out)
    assert done.stderr.decode() == answer.err.replace(f"{ROOT}/", "")


def read(text: str, output: str) -> list[dict[str, Any]]:
    if output == "json":
        items: list[dict[str, Any]] = json.loads(text)["items"]
        return items
    return list(yaml.load_all(text, yaml.CSafeLoader))


def compared(one: dict[str, Any]) -> dict[str, Any]:
    """Give the parts of an object that §18 compares."""
    metadata = one["metadata"]
    labels = {k: v for k, v in metadata.get("labels", {}).items() if k not in INFORMATIVE}
    return {
        "id": [one["apiVersion"], one["kind"], metadata["name"], metadata.get("namespace")],
        "labels": labels,
        "spec": by_value(one["spec"]),
    }


def by_value(spec: dict[str, Any]) -> dict[str, Any]:
    """Write the quantities of ``resources`` as numbers."""
    if "resources" not in spec:
        return spec
    amounts = {
        part: {name: quantity(str(text)) for name, text in values.items()}
        for part, values in spec["resources"].items()
    }
    return {**spec, "resources": amounts}


def quantity(text: str) -> Decimal:
    if text.endswith("m"):
        return Decimal(text[:-1]) / 1000
    number = text.rstrip("kMGi")
    return Decimal(number) * UNITS[text[len(number) :]]
