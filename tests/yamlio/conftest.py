"""The reader kubectl uses, built once and kept in the user's cache: a second opinion."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import struct
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

SOURCE = Path(__file__).parent / "goreader"
SOURCE_FILES = ("go.mod", "go.sum", "main.go")


@pytest.fixture(scope="session")
def go_read(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Sequence[str]], list[Any]]:
    """Read documents with sigs.k8s.io/yaml: give for each {"ok": value} or {"error": text}."""
    program = _program(tmp_path_factory)

    def read(documents: Sequence[str]) -> list[Any]:
        encoded = [document.encode() for document in documents]
        frames = b"".join(struct.pack(">I", len(item)) + item for item in encoded)
        done = subprocess.run([program], input=frames, capture_output=True, check=True, timeout=300)
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        assert len(answers) == len(documents)
        return answers

    return read


def _program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    go = shutil.which("go")
    if go is None:
        pytest.skip("Go is not on PATH: kubectl's own YAML reader cannot be built")
    cached = _cache(tmp_path_factory) / f"goreader-{_digest()}"
    if not cached.exists():
        cached.parent.mkdir(parents=True, exist_ok=True)
        fresh = tmp_path_factory.mktemp("goreader") / "goreader"
        _build(go, fresh)
        # Two runs may build at once; a rename in one directory is whole or not at all.
        staged = cached.with_name(f"{cached.name}.{os.getpid()}")
        shutil.copy2(fresh, staged)
        staged.replace(cached)
    return cached


def _build(go: str, target: Path) -> None:
    # "local": a test run does not fetch another toolchain behind the user's back.
    environment = os.environ | {"CGO_ENABLED": "0", "GOTOOLCHAIN": "local", "GOWORK": "off"}
    fetched = subprocess.run(
        [go, "mod", "download"], cwd=SOURCE, env=environment, capture_output=True, check=False
    )
    if fetched.returncode:
        reason = fetched.stderr.decode(errors="replace").strip()[-200:]
        pytest.skip(f"Go modules cannot be fetched, so kubectl's YAML reader is missing: {reason}")
    command = [go, "build", "-trimpath", "-mod=readonly", "-o", str(target), "."]
    subprocess.run(command, cwd=SOURCE, env=environment, check=True)


def _digest() -> str:
    return hashlib.sha256(
        b"\0".join((SOURCE / name).read_bytes() for name in SOURCE_FILES)
    ).hexdigest()[:16]


def _cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if root := os.environ.get("XDG_CACHE_HOME"):
        return Path(root) / "kubectl-c9s"
    try:
        return Path.home() / ".cache" / "kubectl-c9s"
    except RuntimeError:  # no home directory
        return tmp_path_factory.getbasetemp()
