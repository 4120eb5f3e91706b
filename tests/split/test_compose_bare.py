"""The proof for bare containerlab files: what staging and link forms make of them comes back."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from kubectl_c9s.files import barelab
from kubectl_c9s.resources.findings import Findings
from kubectl_c9s.topology.bare import BareOptions, read_bare
from kubectl_c9s.topology.compile import finish
from kubectl_c9s.topology.meaning import Source
from kubectl_c9s.topology.verifying import Proof, prove

SHARED = Path(os.environ.get("C9S_SHARED") or Path(__file__).parents[3] / "shared")
CASES = sorted(path.parent for path in (SHARED / "cases/split-bare").glob("*/expected.json"))


def proof(file: Path, variables: dict[str, str] | None = None, **options: Any) -> Proof:
    """Split a bare file and prove it, with what the compiler was given as the input."""
    findings = Findings()
    lab = read_bare(
        file.read_text("utf-8"), file.name, 0, BareOptions(variables or {}, **options), findings
    )
    with mock.patch.object(barelab, "finish", wraps=finish) as spy:
        result = barelab.split_bare(lab, barelab.FileOptions(str(file.parent)), findings)
    assert result is not None, findings.errors
    _, prepared, given, _ = spy.call_args.args
    return prove(result.rendered, Source(prepared.definition, prepared.flats, given))


LAB = """
name: Demo_1
topology:
  defaults: {kind: linux, image: "alpine:3"}
  nodes:
    R1:
      startup-config: configs/__clabNodeName__.cfg
      binds: ["tools/__clabNodeName__:/opt/tools:ro"]
    r2:
      startup-config: |
        hostname r2
  links:
    - endpoints: ["host:up0", "R1:eth1"]
    - type: host
      endpoint: {node: r2, interface: eth1, mac: "02:00:00:00:00:01"}
      host-interface: up1
    - type: veth
      endpoints: [{node: r2, interface: eth2, ipv4: 192.0.2.1/31}, {node: R1, interface: eth2}]
"""


@pytest.fixture
def lab(tmp_path: Path) -> Path:
    for name in ("configs/R1.cfg", "tools/R1/ping.sh"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x\n", encoding="utf-8")
    (tmp_path / "lab.clab.yml").write_text(LAB, encoding="utf-8")
    return tmp_path / "lab.clab.yml"


def test_a_staged_lab_is_proved(lab: Path) -> None:
    found = proof(lab)
    assert found.differences == []
    assert set(found.composed["spec"]["deployment"]["filesFromConfigMap"]) == {"r1", "r2"}


@pytest.mark.parametrize(
    "options", [{"persistence": False}, {"expose_type": "None"}, {"pull_secrets": ("one",)}]
)
def test_policy_from_flags_is_proved(lab: Path, options: dict[str, Any]) -> None:
    assert proof(lab, **options).differences == []


def test_losses_of_a_bare_lab_stand_where_they_were_written(lab: Path) -> None:
    found = [
        (loss.code, loss.path)
        for loss in proof(lab).losses
        if loss.path not in {"", "status", "spec.rollout"}
    ]
    assert found == [
        ("renamed-lab", "name"),
        ("ignored-endpoint-field", "topology.links[1].endpoint.mac"),
        ("ignored-endpoint-field", "topology.links[2].endpoints[0].ipv4"),
        ("renamed-nodes", "topology.nodes.R1"),
    ]


@pytest.mark.skipif(not CASES, reason="the folder of shared cases is not here")
@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
def test_the_proof_holds_for_the_worked_cases(case: Path) -> None:
    env = case / "env.json"
    variables = json.loads(env.read_text("utf-8")) if env.exists() else {}
    assert proof(case / "input/lab.clab.yml", variables).differences == []
