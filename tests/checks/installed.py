"""Build a wheel of the checkout and install it into a folder, for tests that need the tool as users have it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "kubectl_c9s"
# What setup.cfg installs from elsewhere: folder in the checkout → folder in the wheel.
MAPPED = {
    "docs/codes": "kubectl_c9s/pages",
    "docs/causes": "kubectl_c9s/causepages",
    "templates": "kubectl_c9s/templates",
}
_PIP = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "--no-input"]


def packed_files() -> dict[str, str]:
    """Give every file that a wheel has to hold: its place in the wheel, and in the checkout."""
    files = {name: name for name in _below(PACKAGE)}
    for source, target in MAPPED.items():
        files |= {name.replace(source, target, 1): name for name in _below(ROOT / source)}
    return files


def _below(folder: Path) -> set[str]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(ROOT).as_posix() for path in files if "__pycache__" not in path.parts}


def build_wheel(folder: Path) -> Path:
    """Build a wheel from a copy: nothing stays in the checkout or comes from old builds."""
    for name in (*packed_files().values(), "setup.cfg", "pyproject.toml", "README.md", "LICENSE"):
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes((ROOT / name).read_bytes())
    command = [*_PIP, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir"]
    subprocess.run([*command, str(folder / "out"), str(folder)], check=True)
    (built,) = (folder / "out").glob("*.whl")
    return built


def install(wheel: Path, folder: Path) -> Path:
    """Install a wheel without what it depends on; give the folder, whose ``bin`` has the commands."""
    command = [*_PIP, "install", "--no-deps", "--no-index", "--target", str(folder), str(wheel)]
    subprocess.run(command, check=True)
    return folder


def environment(folder: Path, **more: str) -> dict[str, str]:
    """Give an environment in which the commands of an installation are found, and little else."""
    path = os.pathsep.join([str(folder / "bin"), "/usr/bin", "/bin"])
    return {"PATH": path, "PYTHONPATH": str(folder), "HOME": str(folder), "LANG": "C.UTF-8", **more}
