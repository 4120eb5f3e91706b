"""``split --from-cluster``: a living Topology becomes the same objects as its manifest, and the way over is shown."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from bed_client import path_of
from live_tools import Asked, c9s, contents
from split_lab import command

if TYPE_CHECKING:
    from bed_base import Bed
    from bed_own import OwnBed

ROOT = Path(__file__).parents[2]
SMALL = ROOT / "examples/small/topology.yaml"


def manifest(namespace: str) -> str:
    return SMALL.read_text(encoding="utf-8").replace("namespace: small", f"namespace: {namespace}")


def objects(text: str) -> list[object]:
    found: list[object] = json.loads(text)["items"]
    return found


@pytest.mark.parametrize("create", [("create",), ("apply",), ("apply", "--server-side")])
def test_the_objects_are_those_of_the_manifest(
    own_bed: OwnBed, tmp_path: Path, create: tuple[str, ...]
) -> None:
    file = tmp_path / "topology.yaml"
    with own_bed.namespace("live") as namespace:
        file.write_text(manifest(namespace), encoding="utf-8")
        made = own_bed.kubectl(*create, "-f", str(file))
        assert made.returncode == 0, made.stderr
        asked = Asked(own_bed, namespace)
        living = c9s(own_bed, "split", "--from-cluster", "small", "-n", namespace, "-o", "json")
        assert [one["verb"] for one in asked.entries()] == ["get"]
    written = command("split", "-f", str(file), "-o", "json")
    assert living.code == 0, living.err
    assert objects(living.out) == objects(written.out)


def test_the_way_over_works(bed: Bed, tmp_path: Path) -> None:
    with bed.namespace("live") as namespace, bed.client() as client:
        bed.kubectl("create", "-f", "-", text=manifest(namespace))
        living = c9s(bed, "split", "--from-cluster", "small", "-n", namespace)
        lab = tmp_path / "lab.yaml"
        lab.write_text(living.out, encoding="utf-8")
        steps = [line for line in living.err.splitlines() if line.startswith("note: ")]
        delete = f"kubectl -n {namespace} delete topologies.c9s.run small --cascade=foreground"
        assert len(steps) == 3
        assert delete in steps[1]
        assert "kubectl c9s apply" in steps[2]
        too_soon = c9s(bed, "apply", "-f", str(lab))
        assert too_soon.code == 4
        client.delete(path_of("c9s.run/v1alpha1", "topologies", namespace, "small")).ok()
        assert c9s(bed, "apply", "-f", str(lab)).code == 0
        assert ("Node", "r1") in contents(client, namespace)


def test_a_topology_that_is_not_there(bed: Bed) -> None:
    with bed.namespace("live") as namespace:
        answer = c9s(bed, "split", "--from-cluster", "none", "-n", namespace)
    assert answer.code == 3
    assert answer.out == ""
    assert '"none" not found' in answer.err


@pytest.mark.parametrize("args", [(), ("-f", "x", "--from-cluster", "y")])
def test_either_files_or_a_topology(args: tuple[str, ...]) -> None:
    answer = command("split", *args)
    assert answer.code == 2
    assert "--from-cluster" in answer.err
