"""The packages of the lock, downloaded once, and what stage one of the image makes of them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import containerfile
import image_steps
import locked
import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="session")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder with the packages of both locks for this machine, hashes checked."""
    folder = tmp_path_factory.mktemp("wheels")
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
    flags = ["--require-hashes", "--no-deps", "--only-binary=:all:", "--dest", str(folder)]
    for lock in (locked.RUN, locked.BUILD):
        done = subprocess.run(
            [*pip, *flags, "-r", str(locked.ROOT / lock)],
            check=False,
            capture_output=True,
            text=True,
        )
        if done.returncode and "connection" in done.stderr.lower() and not os.environ.get("CI"):
            pytest.skip("the package index does not answer")
        assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="session")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give what the image is built from, as it is now: a file that is edited meanwhile makes no difference."""
    folder = tmp_path_factory.mktemp("checkout")
    for name in containerfile.copied():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        image_steps.plain(containerfile.ROOT / name, folder / name)
    return folder


@pytest.fixture(scope="session")
def image(wheels: Path, checkout: Path) -> Iterator[Path]:
    """Give the root below which the image was built."""
    # Other users have to get there, too.
    root = Path(tempfile.mkdtemp(prefix="c9s-image-"))
    root.chmod(0o755)
    image_steps.build(root / "root", checkout, wheels, image_steps.plain)
    yield root / "root"
    shutil.rmtree(root)
