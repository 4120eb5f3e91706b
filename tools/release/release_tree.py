"""Lays out what an archive holds, and compiles it for every Python that is there."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Final

from release_wheels import PIP, PYTHONS, ROOT, Platform, fetch, is_pure, is_stable

if TYPE_CHECKING:
    from collections.abc import Iterable

PROGRAM: Final = Path(__file__).parent / "program"
# What pip writes beside a package for itself; direct_url.json would name a folder of the building machine.
_OF_PIP: Final = ("INSTALLER", "RECORD", "REQUESTED", "direct_url.json")
# The client's classes of every API version and its copy for asyncio: nearly all of it, and never loaded. And tests.
_TRIMMED: Final = (
    "kubernetes/aio",
    "kubernetes/client/api/[!_]*",
    "kubernetes/client/models/[!_]*",
    "kubernetes/*/*_test.py",
    "kubernetes/*/test_*.py",
    "websocket/tests",
)


def lay_out(
    tree: Path, platform: Platform, pythons: Iterable[str], own: Path, wheels: Path
) -> None:
    """Write everything but bytecode: the program, its packages, licences and the README."""
    lib = tree / "lib"
    lib.mkdir(parents=True)
    for name in ("kubectl-c9s", "kubectl_complete-c9s"):  # one program: it looks how it was called
        shutil.copy(PROGRAM / "kubectl-c9s", tree / name)
        (tree / name).chmod(0o755)
    shutil.copy(PROGRAM / "boot.py", lib / "boot.py")
    for name in ("LICENSE", "THIRD-PARTY-LICENSES.txt", "README.md"):
        shutil.copy(ROOT / name, tree / name)
    common: dict[str, Path] = {own.name: own}
    stable: dict[str, Path] = {}
    for python in pythons:
        found = fetch(platform, python, wheels)
        compiled = [one for one in found if not is_pure(one) and not is_stable(one)]
        _install(compiled, lib / platform.folder(python), platform.choice(python))
        common |= {one.name: one for one in found if is_pure(one)}
        stable |= {one.name: one for one in found if is_stable(one)}
    choice = platform.choice(max(pythons, key=PYTHONS.index))
    _install(common.values(), lib / "common", choice)
    _install(stable.values(), lib / "abi3", choice)
    for pattern in _TRIMMED:
        for path in (lib / "common").glob(pattern):
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def _install(wheels: Iterable[Path], target: Path, choice: list[str]) -> None:
    command = ["install", "--no-deps", "--no-index", "--no-compile", f"--target={target}"]
    subprocess.run([*PIP, *command, *choice, *map(str, wheels)], check=True)
    shutil.rmtree(target / "bin", ignore_errors=True)
    for name in _OF_PIP:
        for path in target.glob(f"*.dist-info/{name}"):
            path.unlink()


def interpreter(python: str) -> str | None:
    """Find a Python of this version by its name on PATH, where a version manager may have put an empty shell."""
    name = shutil.which(f"python{python}")
    if name is None:
        return None
    ask = (
        "import sys; print('%d.%d' % sys.version_info[:2], sys.implementation.name, sys.executable)"
    )
    said = subprocess.run([name, "-c", ask], check=False, capture_output=True, text=True)
    version, _, program = said.stdout.strip().partition(" cpython ")
    return program if version == python else None


def compile_for(python: str, program: str, tree: Path, platform: Platform) -> None:
    """Add bytecode of one Python. It is never checked against its source: an unpacked file has any time."""
    folders = [tree / "lib" / name for name in ("common", "abi3", platform.folder(python))]
    command = ["-m", "compileall", "-q", "-f", "--invalidation-mode=unchecked-hash"]
    # Tracebacks name files below lib, wherever that was at the build.
    command += ["-s", str(tree), *(str(folder) for folder in folders if folder.is_dir())]
    environment = {"PATH": os.environ["PATH"], "PYTHONHASHSEED": "0"}
    subprocess.run([program, *command], check=True, env=environment, stdout=subprocess.DEVNULL)
