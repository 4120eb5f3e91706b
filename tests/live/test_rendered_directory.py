"""A directory that split has written can be handed to ``apply`` as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from live_tools import node, written
from split_lab import command

from kubectl_c9s.cli.liveobjects import read_objects
from kubectl_c9s.resources.errors import RefusedInput

if TYPE_CHECKING:
    from pathlib import Path

LAB = """\
name: pair
topology:
  nodes:
    a: {kind: linux, image: "x:1"}
    b: {kind: linux, image: "x:1"}
"""


@pytest.mark.parametrize("layout", ["by-kind", "by-node"])
def test_a_rendered_directory_is_taken_as_it_is(tmp_path: Path, layout: str) -> None:
    lab, folder = tmp_path / "lab.clab.yml", tmp_path / "pair"
    lab.write_text(LAB, encoding="utf-8")
    done = command("split", "-f", str(lab), "--output-dir", str(folder), f"--layout={layout}")
    assert done.code == 0, done.err
    found = read_objects((str(folder),), recursive=True, namespace=None)
    assert sorted(obj["kind"] for _, obj in found) == ["Node", "Node", "NodeProfile"]


def test_what_is_no_object_is_refused_under_any_other_name(tmp_path: Path) -> None:
    written(tmp_path, [node("a")])
    (tmp_path / "my-kustomization.yaml").write_text("resources: []\n", encoding="utf-8")
    with pytest.raises(RefusedInput):
        read_objects((str(tmp_path),), recursive=True, namespace=None)
