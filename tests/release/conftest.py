"""A release of the checkout for this machine and this Python, made once a run."""

from __future__ import annotations

import os
import shutil
import sys
from typing import TYPE_CHECKING

import pytest
from bed_base import kubectl
from bed_plugin import without
from bed_state import BedUnavailable
from release_tools import HERE, PYTHON, krew_program, make, said, unpack

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="session")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the archive for this machine, beside SHA256SUMS and c9s.yaml; skips where no index can be reached."""
    try:
        (found,) = make(tmp_path_factory.mktemp("dist"), f"--platform={HERE}", f"--python={PYTHON}")
    except AssertionError as error:
        if os.environ.get("CI") or "'download'" not in str(error):
            raise
        pytest.skip("the wheels of the lock cannot be fetched: no archive can be made")
    return found


@pytest.fixture(scope="session")
def program(archive: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the program of the unpacked archive, in a folder with a blank in its name that others may enter."""
    folder = tmp_path_factory.mktemp("unpacked") / "a folder"
    return unpack(archive, folder) / "kubectl-c9s"


@pytest.fixture(scope="session")
def krew(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder for PATH with Python, kubectl, krew under the name kubectl looks for, and krew's validator."""
    folder = tmp_path_factory.mktemp("krew")
    try:
        (folder / "python3").symlink_to(sys.executable)
        (folder / "kubectl").symlink_to(kubectl())
        (folder / "kubectl-krew").symlink_to(krew_program("krew"))
        (folder / "validate").symlink_to(krew_program("validate-krew-manifest"))
    except BedUnavailable as error:
        without(error)
    return folder


@pytest.fixture
def environment(krew: Path, tmp_path: Path) -> dict[str, str]:
    """Give an environment in which krew has a root of its own, an empty index, and its links on PATH."""
    if shutil.which("git") is None:
        pytest.skip("krew needs git")
    root, index = tmp_path / "krew root", tmp_path / "index"
    (index / "plugins").mkdir(parents=True)
    (index / "plugins/README").touch()
    author = {
        f"GIT_{who}_{what}": "a@b.c"
        for who in ("AUTHOR", "COMMITTER")
        for what in ("NAME", "EMAIL")
    }
    # No other folder: another kubectl-c9s on PATH is a warning.
    variables = {
        "KREW_ROOT": str(root),
        "KREW_DEFAULT_INDEX_URI": f"file://{index}",
        "KREW_NO_UPGRADE_CHECK": "1",
        "PATH": f"{root}/bin:{krew}:/usr/bin:/bin",
        "GIT_CONFIG_GLOBAL": os.devnull,
    }
    for arguments in (["init", "-q"], ["add", "."], ["commit", "-qm", "empty"]):
        said("git", "-C", str(index), *arguments, env=variables | author)
    said("kubectl", "krew", "update", env=variables)
    return variables
