"""Runs the doors as their programs do: own user, read-only files, no network, little environment, a time limit."""

from __future__ import annotations

import functools
import os
import resource
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest
from door_tools import ROOT

PLUGIN_USER = 999  # conventions.md §6
REPO_SERVER_LIMIT = 60  # seconds after which Argo CD's repo-server ends a plugin
PACKAGES = f"{ROOT}{os.pathsep}{Path(click.__file__).parents[1]}"
GUARDED = Path(__file__).with_name("guarded.py")


@functools.cache
def as_plugin_user() -> tuple[str, ...]:
    """Give what comes before a command, so that it runs as the plugin's user where the tests may do that."""
    if os.geteuid() != 0:
        return ()
    user = (
        "setpriv",
        f"--reuid={PLUGIN_USER}",
        f"--regid={PLUGIN_USER}",
        "--clear-groups",
        "--no-new-privs",
    )
    # Where Python lies in a directory of root alone, the right to read it; never one to write.
    reading = ("--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search")
    for prefix in (user, (*user, *reading)):
        # From a shell: what setpriv itself starts may still be found with rights that are gone afterwards.
        call = '"$0" -c "import kubectl_c9s, click"'
        probe = [*prefix, "sh", "-c", call, sys.executable]
        if shutil.which("setpriv") and not subprocess.run(
            probe, cwd="/", env={"PYTHONPATH": PACKAGES}, capture_output=True, check=False
        ).returncode:  # fmt: skip
            return prefix
    pytest.skip(f"Python cannot be run as user {PLUGIN_USER} here")


def no_writing() -> None:
    """Let no byte reach a file; pipes are none."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


def run(
    *args: str, cwd: Path, stdin: str = "", env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Run a door as its program does: own process and user, nothing in its environment but what is given."""
    own = {
        "PYTHONPATH": PACKAGES,
        "PATH": os.environ["PATH"],
        "PYTHONDONTWRITEBYTECODE": "1",
        "LANG": "C",
    }
    return subprocess.run(
        [*as_plugin_user(), sys.executable, str(GUARDED), *args], cwd=cwd, env=own | (env or {}),
        input=stdin.encode(), capture_output=True, timeout=REPO_SERVER_LIMIT, check=False, preexec_fn=no_writing,
    )  # fmt: skip


def read_only(folder: Path) -> dict[str, tuple[int, int]]:
    """Take away the right to write below a folder; give what stands in it, to be compared."""
    for path in [*folder.rglob("*"), folder]:
        path.chmod(0o555 if path.is_dir() or os.access(path, os.X_OK) else 0o444)
    return state(folder)


def state(folder: Path) -> dict[str, tuple[int, int]]:
    found = {str(path): path.lstat() for path in [folder, *folder.rglob("*")]}
    return {path: (status.st_mode, status.st_mtime_ns) for path, status in found.items()}


def bare_lab(folder: Path) -> Path:
    """Copy a lab whose files are staged, without its links, which cannot be made read-only."""
    source = ROOT / "tests/bare/cases/b02-startup-configs-and-shared-licence/input"
    shutil.copytree(source, folder / "source")
    return folder / "source"


def start(*args: str, cwd: Path, **streams: Any) -> subprocess.Popen[bytes]:
    env = {"PYTHONPATH": PACKAGES, "PATH": os.environ["PATH"]}
    return subprocess.Popen(
        [sys.executable, "-m", "kubectl_c9s", *args], cwd=cwd, env=env, **streams
    )
