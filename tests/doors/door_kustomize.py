"""kustomize, built once from its Go module and kept in the user's cache."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
from pathlib import Path

import pytest

KUSTOMIZE = "v5.8.1"


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
