"""What is bundled: the wheels of the lock, for each platform and each Python, fetched by pip with their hashes."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parents[2]
LOCK: Final = ROOT / "requirements/run.lock"
PYTHONS: Final = ("3.11", "3.12", "3.13", "3.14")
PIP: Final = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "--no-input"]
# What nothing that we load imports (tests/release runs the commands without them): the client's second half for
# asyncio, and what rich would colour source code and write Markdown with.
LEFT_OUT: Final = frozenset(
    {
        *("aiohappyeyeballs", "aiohttp", "aiohttp-retry", "aiosignal", "attrs", "frozenlist"),
        *("multidict", "propcache", "yarl", "markdown-it-py", "mdurl", "pygments"),
    }
)
_SOURCES: Final = ("setup.cfg", "pyproject.toml", "README.md", "LICENSE")
_FOLDERS: Final = ("kubectl_c9s", "docs/codes", "docs/causes", "templates")


class Platform(NamedTuple):
    """A system as Go and krew name it, the tags of wheels that run on it, and the tail of its modules' names."""

    os: str
    arch: str
    tags: tuple[str, ...]
    tail: str

    @property
    def name(self) -> str:
        """``linux/amd64``."""
        return f"{self.os}/{self.arch}"

    def folder(self, python: str) -> str:
        """Give the folder for what is compiled for one Python: what ``lib/boot.py`` looks for."""
        return f"cpython-{python.replace('.', '')}-{self.tail}"

    def choice(self, python: str) -> list[str]:
        """Give pip's flags that choose wheels for this platform and Python."""
        tags = [f"--platform={tag}" for tag in self.tags]
        return ["--only-binary=:all:", "--implementation=cp", f"--python-version={python}", *tags]


def _linux(arch: str, machine: str) -> Platform:
    tags = tuple(f"manylinux{one}_{machine}" for one in ("_2_28", "_2_17", "2014"))
    return Platform("linux", arch, tags, f"{machine}-linux-gnu")


PLATFORMS: Final = (
    _linux("amd64", "x86_64"),
    _linux("arm64", "aarch64"),
    Platform("darwin", "amd64", ("macosx_11_0_x86_64",), "darwin"),
    Platform("darwin", "arm64", ("macosx_11_0_arm64",), "darwin"),
)


def bundled(lock: str) -> str:
    """Give the lock without what is left out."""
    entries = re.split(r"^(?=[A-Za-z0-9])", lock, flags=re.MULTILINE)
    return "".join(one for one in entries if one.partition("==")[0] not in LEFT_OUT)


def fetch(platform: Platform, python: str, folder: Path) -> list[Path]:
    """Fetch the wheels of the lock, unless they are there from the last time; pip checks their hashes."""
    wanted = bundled(LOCK.read_text(encoding="utf-8"))
    content = hashlib.sha256(wanted.encode()).hexdigest()[:12]
    target = folder / content / platform.name.replace("/", "-") / python
    if not target.is_dir():
        part = target.with_name(f"{python}.{os.getpid()}")
        part.mkdir(parents=True)
        lock = part / "bundled.lock"
        lock.write_text(wanted, encoding="utf-8")
        command = ["download", "--no-deps", "--require-hashes", f"--requirement={lock}"]
        subprocess.run([*PIP, *command, f"--dest={part}", *platform.choice(python)], check=True)
        with contextlib.suppress(OSError):  # another run may have been faster
            part.rename(target)
    return sorted(target.glob("*.whl"))


def own_wheel(folder: Path) -> Path:
    """Build a wheel of the checkout from a copy: nothing of an old build gets into it."""
    source = folder / "source"
    for name in _FOLDERS:
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / name, source / name, ignore=ignored)
    for name in _SOURCES:
        shutil.copy2(ROOT / name, source / name)
    command = ["wheel", "--no-deps", "--no-build-isolation", f"--wheel-dir={folder}", str(source)]
    subprocess.run([*PIP, *command], check=True)
    (wheel,) = folder.glob("kubectl_c9s-*.whl")
    return wheel


def is_pure(wheel: Path) -> bool:
    """Tell whether a wheel runs anywhere."""
    return wheel.stem.endswith("-none-any")


def is_stable(wheel: Path) -> bool:
    """Tell whether a wheel runs with every later Python."""
    return wheel.stem.split("-")[-2] == "abi3"
