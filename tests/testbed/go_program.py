"""Programs that tests build once from Go and keep in the user's cache."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

# "local": a test run does not fetch another tool chain behind the user's back.
LOCAL: Final = {"CGO_ENABLED": "0", "GOTOOLCHAIN": "local", "GOWORK": "off"}


def kept(place: str, build: Callable[[str, Path], None], temporary: pytest.TempPathFactory) -> Path:
    """Give the program at ``place`` in the cache, else what ``build`` makes with Go; skips where Go is missing.

    ``build`` is given Go and the file to write.
    """
    cached = _cache(temporary) / place
    if cached.exists():
        return cached
    go = shutil.which("go")
    if go is None:
        pytest.skip(f"Go is not on PATH: {cached.name} cannot be built")
    fresh = temporary.mktemp("go") / cached.name
    build(go, fresh)
    cached.parent.mkdir(parents=True, exist_ok=True)
    # Two runs may build at once; a rename in one directory is whole or not at all.
    staged = cached.with_name(f"{cached.name}.{os.getpid()}")
    shutil.copy2(fresh, staged)
    staged.replace(cached)
    return cached


def _cache(temporary: pytest.TempPathFactory) -> Path:
    if root := os.environ.get("XDG_CACHE_HOME"):
        return Path(root) / "kubectl-c9s"
    try:
        return Path.home() / ".cache" / "kubectl-c9s"
    except RuntimeError:  # no home directory
        return temporary.getbasetemp()
