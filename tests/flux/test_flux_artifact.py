"""A rendered directory becomes an artifact with Flux's own command line: the same tree, the same digest."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from typing import TYPE_CHECKING

import flux_go
import pytest
from door_tools import call
from flux_cli import Cli
from flux_run import free_port
from standin_run import wait_for

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from bed_go import ToolChain

LAB = 'name: metro\ntopology:\n  nodes:\n    r1: {kind: linux, image: "busybox:1.37"}\n'


@pytest.fixture
def registry(tool: Callable[[ToolChain, str], Path]) -> Iterator[str]:
    """Give the address of a registry on loopback."""
    program, port = tool(flux_go.REGISTRY, "registry"), free_port()
    process = subprocess.Popen(
        [program, f"--port={port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        wait_for("the registry listens", lambda: listens(port))
        yield f"localhost:{port}"
    finally:
        process.terminate()
        process.wait(30)


def listens(port: int) -> bool:
    try:
        socket.create_connection(("localhost", port), timeout=5).close()
    except OSError:
        return False
    return True


def rendered(folder: Path) -> Path:
    folder.mkdir()
    (folder / "lab.clab.yml").write_text(LAB, encoding="utf-8")
    done = call("split", "-f", "lab.clab.yml", "--no-env", "--output-dir", "out", cwd=folder)
    assert done.code == 0, done.err
    return folder / "out"


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_the_same_tree_is_the_same_artifact_and_comes_back_as_it_was(
    tool: Callable[[ToolChain, str], Path], registry: str, tmp_path: Path
) -> None:
    flux = Cli(tool(flux_go.CLI, "flux"), registry)
    first = rendered(tmp_path / "first")
    digest = flux.push(first, "labs/metro")
    # Another clone, at another time: nothing of that may count.
    second = rendered(tmp_path / "second")
    for path in second.rglob("*"):
        os.utime(path, (1, 1))
    assert flux.push(second, "labs/metro", "two") == digest

    flux.pull("labs/metro", digest, tmp_path / "back")
    assert files(tmp_path / "back") == files(first)

    third = tmp_path / "third"
    shutil.copytree(first, third)
    (third / "nodes/r1.yaml").write_text("other: text\n", encoding="utf-8")
    assert flux.push(third, "labs/metro", "three") != digest
