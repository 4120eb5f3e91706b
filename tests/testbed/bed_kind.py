"""A bed in Docker: a cluster of kind, where a Docker engine answers and kind is installed.

Its node is a real kubelet in a container, so there are no fake hosts, and nothing of it is killed by tests.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

from bed_base import Bed
from bed_objects import load_crds
from bed_state import BedBroken, locked, operation_lock, state_root

if TYPE_CHECKING:
    from pathlib import Path


def available() -> bool:
    """Tell whether kind is installed and a Docker engine answers."""
    kind, docker = shutil.which("kind"), shutil.which("docker")
    if not docker or not _succeeds([docker, "info", "--format", "{{.ServerVersion}}"]):
        return False
    if not kind:
        print("a Docker engine answers, but kind is not on PATH", file=sys.stderr)
    return kind is not None


def _succeeds(command: list[str]) -> bool:
    try:
        done = subprocess.run(command, check=False, capture_output=True, timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def _folder(name: str) -> Path:
    return state_root() / "_kind" / name


def up(name: str, *, keep: bool) -> Bed:
    """Start the cluster of a name or find it running, and load our kinds."""
    kubeconfig = _folder(name) / "kubeconfig"
    with locked(operation_lock(name)):
        kubeconfig.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if cluster_name(name) not in _kind("get", "clusters").split():
            (_folder(name) / "keep").unlink(missing_ok=True)
            _kind("create", "cluster", "--wait=180s", *_at(name, kubeconfig))
        if keep:
            (_folder(name) / "keep").touch()
        bed = Bed(name, "kind", kubeconfig)
        with bed.client() as client:
            load_crds(client)
    return bed


def down(name: str, *, unless_kept: bool = False) -> bool:
    """Remove the cluster that :func:`up` has made; tell whether there was one."""
    folder = _folder(name)
    with locked(operation_lock(name)):
        if not folder.is_dir() or (unless_kept and (folder / "keep").exists()):
            return False
        _kind("delete", "cluster", *_at(name, folder / "kubeconfig"))
        shutil.rmtree(folder)
    return True


def cluster_name(name: str) -> str:
    """Give the name under which kind knows a bed."""
    return f"c9s-testbed-{name}"


def _at(name: str, kubeconfig: Path) -> list[str]:
    return ["--name", cluster_name(name), "--kubeconfig", str(kubeconfig)]


def _kind(*arguments: str) -> str:
    command = [shutil.which("kind") or "kind", *arguments]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        raise BedBroken(f"kind {arguments[0]} failed:\n{done.stderr[-2000:]}")
    return done.stdout
