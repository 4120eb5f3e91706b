"""The reader kubectl uses, built once and kept in the user's cache: a second opinion."""

from __future__ import annotations

import hashlib
import json
import os
import struct
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from go_program import LOCAL, kept

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

SOURCE = Path(__file__).parent / "goreader"
SOURCE_FILES = ("go.mod", "go.sum", "main.go")


@pytest.fixture(scope="session")
def go_read(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Sequence[str]], list[Any]]:
    """Read documents with sigs.k8s.io/yaml: give for each {"ok": value} or {"error": text}."""
    program = kept(f"goreader-{_digest()}", _build, tmp_path_factory)

    def read(documents: Sequence[str]) -> list[Any]:
        encoded = [document.encode() for document in documents]
        frames = b"".join(struct.pack(">I", len(item)) + item for item in encoded)
        done = subprocess.run([program], input=frames, capture_output=True, check=True, timeout=300)
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        assert len(answers) == len(documents)
        return answers

    return read


def _build(go: str, target: Path) -> None:
    environment = os.environ | LOCAL
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
