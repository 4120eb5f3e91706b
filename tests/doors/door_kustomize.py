"""kustomize, built once from its Go module and kept in the user's cache."""

from __future__ import annotations

import os
import platform
import subprocess
from typing import TYPE_CHECKING

import pytest
from go_program import LOCAL, kept

if TYPE_CHECKING:
    from pathlib import Path

KUSTOMIZE = "v5.8.1"


@pytest.fixture(scope="session")
def kustomize(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a kustomize that was built from its module, kept in the user's cache; skips where Go is missing."""
    system = f"{platform.system()}-{platform.machine()}".lower()
    return kept(f"{system}/kustomize-{KUSTOMIZE}/kustomize", _build, tmp_path_factory)


def _build(go: str, target: Path) -> None:
    own = LOCAL | {"GOBIN": str(target.parent), "GOFLAGS": ""}
    command = [go, "install", "-trimpath", f"sigs.k8s.io/kustomize/kustomize/v5@{KUSTOMIZE}"]
    done = subprocess.run(
        command, cwd=target.parent, env=os.environ | own, capture_output=True, check=False
    )
    if done.returncode:
        reason = done.stderr.decode(errors="replace").strip()[-300:]
        pytest.skip(f"kustomize cannot be built from its module: {reason}")
