"""The examples have the size and the trouble that their pages name; tests/pages plays the pages."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TOOL = [sys.executable, "-m", "kubectl_c9s"]
GENERATOR = [sys.executable, str(ROOT / "examples/fabric.py")]


def run(
    command: list[str], cwd: Path, text: str | None = None, *, status: int = 0, **env: str
) -> str:
    """Run a command; give its stdout and stderr as a terminal would show them."""
    done = subprocess.run(
        command,
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT), **env},
        input=text,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == status, done.stdout
    return done.stdout


def kinds(names: str) -> Counter[str]:
    return Counter(line.partition("/")[0] for line in names.splitlines())


@pytest.mark.parametrize(
    ("example", "profiles", "links", "nodes"), [("small", 3, 4, 6), ("clos-40", 5, 88, 40)]
)
def test_an_example_splits_without_a_warning(
    example: str, profiles: int, links: int, nodes: int
) -> None:
    lab = f"examples/{example}/topology.yaml"
    names = run([*TOOL, "split", "-f", lab, "-o", "name", "--fail-on-warning"], ROOT)
    assert kinds(names) == {
        "nodeprofile.c9s.run": profiles,
        "link.c9s.run": links,
        "node.c9s.run": nodes,
    }


@pytest.mark.parametrize(("devices", "links"), [(3, 1), (40, 76), (100, 400)])
def test_a_generated_fabric_has_the_size_asked_for_and_splits_without_a_warning(
    devices: int, links: int
) -> None:
    arguments = ["--devices", str(devices), "--links", str(links)]
    lab = run([*GENERATOR, *arguments], ROOT)
    names = run([*TOOL, "split", "-f", "-", "-o", "name", "--fail-on-warning"], ROOT, lab)
    counted = kinds(names)
    assert (counted["node.c9s.run"], counted["link.c9s.run"]) == (devices, links)


def test_a_generated_fabric_is_the_same_in_every_run() -> None:
    one, other = (run(GENERATOR, ROOT, PYTHONHASHSEED=seed) for seed in ("1", "2"))
    assert one == other


def test_the_bare_definition_is_the_one_inside_the_topology() -> None:
    whole = run([*GENERATOR, "--devices", "40"], ROOT)
    bare = run([*GENERATOR, "--devices", "40", "--definition-only"], ROOT)
    inside = whole.partition("containerlab: |\n")[2]
    assert "".join(line.removeprefix("      ") for line in inside.splitlines(keepends=True)) == bare


def test_the_bundled_snapshot_is_diagnosed_as_its_page_says() -> None:
    file = "examples/stuck-start/snapshot.json"
    report = json.loads(run([*TOOL, "diagnose", "-f", file, "-o", "json"], ROOT, status=1))
    (cause,) = report["causes"]
    assert (report["verdict"], cause["code"]) == ("stalled", "sandbox-failed")
    assert cause["scope"] == ["global", "topology"]
    assert [one["name"] for one in cause["objects"]] == ["edge2"]
    assert cause["blocks"] == 8
    assert report["notCollected"] == []
