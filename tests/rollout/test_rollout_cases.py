"""The counts that the cases of diagnosis expect come out of the gates."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from kubectl_c9s.diagnosis.dump import read_dump
from kubectl_c9s.diagnosis.settings import Settings
from kubectl_c9s.diagnosis.world import Place, World
from kubectl_c9s.rollout.counts import counts

ROOT = Path(__file__).parents[2]
CASES = ROOT / "tests" / "cases" / "diagnose"
SHARED = Path(os.environ.get("C9S_SHARED", ROOT.parent / "shared")) / "cases" / "diagnose"
ALL = sorted(path.parent.name for path in CASES.glob("*/dump.json"))


def read(case: str, file: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((CASES / case / file).read_text(encoding="utf-8"))
    return found


def test_no_case_is_missed() -> None:
    assert len(ALL) >= 18
    assert sorted(path.name for path in CASES.iterdir()) == ALL


@pytest.mark.parametrize("case", ALL)
def test_the_gates_give_the_counts_of_a_case(case: str) -> None:
    dump = read_dump([(CASES / case / "dump.json").read_bytes()])
    world = World(dump, Place("c9s"), 0.0, Settings())
    assert counts(world.snapshot) == read(case, "expected.json")["counts"]


@pytest.mark.skipif(not SHARED.is_dir(), reason="needs the shared cases")
def test_copies_are_those_of_the_shared_cases() -> None:
    files = [path for path in SHARED.rglob("*") if path.is_file() and path.name != "README.md"]
    for path in files:
        assert (CASES / path.relative_to(SHARED)).read_bytes() == path.read_bytes()
    assert len(files) == sum(path.is_file() for path in CASES.rglob("*"))
