"""A release as it is made, unpacked, and run as others would run it."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bed_go import ToolChain, tool
from bed_state import cache_root

if TYPE_CHECKING:
    from collections.abc import Mapping

ROOT: Final = Path(__file__).parents[2]
LAB: Final = "examples/small/topology.yaml"
SCRIPT: Final = ROOT / "tools/release/release.py"
MACHINES: Final = {"x86_64": "amd64", "aarch64": "arm64", "arm64": "arm64"}
HERE: Final = f"{sys.platform}/{MACHINES.get(platform.machine(), platform.machine())}"
PYTHON: Final = f"{sys.version_info[0]}.{sys.version_info[1]}"
_MODULE: Final = "sigs.k8s.io/krew"
KREW: Final = ToolChain(
    "krew",
    _MODULE,
    "v0.4.3",
    {name: f"{_MODULE}/cmd/{name}" for name in ("krew", "validate-krew-manifest")},
)


def make(output: Path, *arguments: str, **variables: str) -> list[Path]:
    """Run the script of ``make release``; give the archives."""
    # Wheels are kept by what they are pinned to, so that a second run asks no index.
    wheels = cache_root().parent / "wheels"
    command = [sys.executable, str(SCRIPT), "--output-dir", str(output), f"--wheels={wheels}"]
    done = subprocess.run(
        [*command, *arguments],
        check=False,
        capture_output=True,
        text=True,
        env=os.environ | variables,
    )
    assert done.returncode == 0, done.stderr
    return sorted(output.glob("*.tar.gz"))


def unpack(archive: Path, folder: Path) -> Path:
    """Unpack as krew does: times are those of now."""
    with tarfile.open(archive) as tar:
        for member in tar:
            member.mtime = 10**9
            tar.extract(member, folder, filter="tar")
    return folder


def bare(**more: str) -> dict[str, str]:
    """Give the environment of somebody who has this Python and nothing else: no HOME, no locale."""
    return {"PATH": os.pathsep.join([str(Path(sys.executable).parent), "/usr/bin", "/bin"]), **more}


def run(
    program: Path | str,
    *arguments: str,
    status: int = 0,
    cwd: Path = ROOT,
    env: Mapping[str, str] | None = None,
) -> str:
    """Run a program; give its stdout after checking how it ended, with stderr where it failed."""
    done = subprocess.run(
        [str(program), *arguments],
        check=False,
        cwd=cwd,
        env=bare() if env is None else dict(env),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
    )
    assert done.returncode == status, (done.stdout, done.stderr)
    return done.stderr if status else done.stdout


def said(*command: str, env: dict[str, str]) -> str:
    """Run a command that succeeds; give both its streams."""
    done = subprocess.run(
        command, check=False, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def checkout(*arguments: str) -> str:
    """Run the tool of the checkout."""
    command = [sys.executable, "-m", "kubectl_c9s", *arguments]
    done = subprocess.run(command, check=True, cwd=ROOT, capture_output=True, encoding="utf-8")
    return done.stdout


def snapshot(folder: Path) -> dict[Path, int]:
    """Give when each file and folder was last written to."""
    return {path: path.stat().st_mtime_ns for path in folder.rglob("*")}


def krew_program(name: str) -> Path:
    """Give one of krew's programs, built once; BedUnavailable where there is no Go."""
    return tool(KREW, name, may_build=True)
