"""Does what an engine does with the first stage of the Containerfile, in a folder instead of a root of its own."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from containerfile import stages, variables

if TYPE_CHECKING:
    from collections.abc import Callable

# Absolute paths of the Containerfile that lie below the folder here.
INSIDE = re.compile(r"(?<![\w./-])/(?=(?:opt/c9s|build|wheels|source)\b)")
TOOL = "opt/c9s"


def build(root: Path, checkout: Path, wheels: Path, copy: Callable[[Path, Path], Any]) -> Path:
    """Run the stage below ``root``; packages come from ``wheels``. Give the folder that the image gets."""
    stage = stages()[0]
    shims = root / "shims"
    shims.mkdir(parents=True)
    # The base image has no environment around its Python.
    base = getattr(sys, "_base_executable", sys.executable)
    (shims / "python").write_text(f'#!/bin/sh\nexec "{base}" "$@"\n', encoding="utf-8")
    (shims / "python").chmod(0o755)
    environment = {
        **variables(stage),
        "PATH": f"{shims}:/usr/bin:/bin",
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": str(wheels),
    }
    place = root
    for word, rest in stage:
        if word == "WORKDIR":
            place = root / rest.lstrip("/")
            place.mkdir(parents=True)
        elif word == "COPY":
            *sources, target = rest.split()
            for source in sources:
                goal = place / target / (Path(source).name if target.endswith("/") else "")
                goal.parent.mkdir(parents=True, exist_ok=True)
                copy(checkout / source, goal)
        elif word == "RUN":
            script = INSIDE.sub(f"{root}/", rest)
            done = subprocess.run(
                ["/bin/sh", "-c", script], cwd=place, env=environment, check=False,
                capture_output=True, text=True,
            )  # fmt: skip
            assert done.returncode == 0, done.stdout + done.stderr
    return root / TOOL


def plain(source: Path, target: Path) -> None:
    """Copy a file or a folder as it is."""
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        shutil.copy2(source, target)


def otherwise(source: Path, target: Path) -> None:
    """Copy as a checkout of another day, under another umask, made in another order, would be."""
    if source.is_dir():
        target.mkdir(mode=0o700, parents=True)
        for path in sorted(source.iterdir(), reverse=True):
            if path.name != "__pycache__":
                otherwise(path, target / path.name)
    else:
        target.write_bytes(source.read_bytes())
        target.chmod(0o600)
        os.utime(target, (10**9, 10**9))


def runtime(root: Path) -> dict[str, str]:
    """Give the environment of the image, and nothing else."""
    found = variables([one for one in stages()[-1] if one.word == "ENV"])
    path = INSIDE.sub(f"{root}/", found["PATH"]).replace("$PATH", "/usr/bin:/bin")
    return {**found, "PATH": path}


def state(folder: Path) -> dict[str, tuple[int, int, bytes | str]]:
    """Give rights, time and content of all below a folder, by path."""
    return {
        path.relative_to(folder).as_posix(): (
            path.lstat().st_mode, path.lstat().st_mtime_ns, content(path),
        )
        for path in sorted(folder.rglob("*"))
    }  # fmt: skip


def content(path: Path) -> bytes | str:
    """Give the bytes of a file, where a link leads, nothing for a folder."""
    if path.is_symlink():
        return str(path.readlink())
    return path.read_bytes() if path.is_file() else ""
