"""Builds the components of a control plane from their Go modules, into a cache by version.

Each tool chain is built in a module of its own: their dependencies do not mix. Go checks every module against the
public checksum database. A binary is renamed into its place when it is whole; one build runs at a time.
"""

from __future__ import annotations

import dataclasses
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bed_state import BedUnavailable, cache_root, locked, write_whole

if TYPE_CHECKING:
    from collections.abc import Iterator

KUBERNETES: Final = "1.37.2"
GO: Final = "1.26.0"  # what these versions ask for; an older go fetches it by itself


@dataclasses.dataclass(frozen=True)
class ToolChain:
    """A module, its version, and the packages that become tools, by the tool's name.

    ``replaces``: what the module has replaced by others is replaced here, too. ``sources`` are files of packages of
    our own beside it, path → text; ``added`` are files that the module lacks: then a copy of it that has them is built.
    """

    name: str
    module: str
    version: str
    packages: dict[str, str]
    ldflags: str = "-s -w"
    replaces: bool = False
    sources: dict[str, str] = dataclasses.field(default_factory=dict)
    added: dict[str, str] = dataclasses.field(default_factory=dict)

    @property
    def place(self) -> Path:
        """Give the folder of its tools in the cache."""
        system = f"{platform.system()}-{platform.machine()}".lower()
        return cache_root() / system / f"{self.name}-{self.version}"


_VERSION = "k8s.io/component-base/version"
_COPY: Final = "copy"
_MAJOR, _MINOR, _ = KUBERNETES.split(".")
CHAINS: Final = (
    ToolChain(
        "etcd",
        "go.etcd.io/etcd/server/v3",
        "v3.7.3",
        {"etcd": "go.etcd.io/etcd/server/v3"},
    ),
    ToolChain(
        "kubernetes",
        "k8s.io/kubernetes",
        f"v{KUBERNETES}",
        {
            tool: f"k8s.io/kubernetes/cmd/{tool}"
            for tool in ("kube-scheduler", "kube-apiserver", "kube-controller-manager")
        },
        # What `go build` in a release tree would know and a bare module does not.
        f"-s -w -X {_VERSION}.gitVersion=v{KUBERNETES} -X {_VERSION}.gitMajor={_MAJOR}"
        f" -X {_VERSION}.gitMinor={_MINOR} -X {_VERSION}.gitTreeState=clean",
    ),
    ToolChain("kwok", "sigs.k8s.io/kwok", "v0.8.0", {"kwok": "sigs.k8s.io/kwok/cmd/kwok"}),
)


def cached(tool: str) -> Path:
    """Give the place of a tool in the cache, whether it is there or not."""
    return next(one for one in CHAINS if tool in one.packages).place / tool


def tool(chain: ToolChain, name: str, *, may_build: bool) -> Path:
    """Give one tool of a chain; :class:`BedUnavailable` where there is none and none can be built."""
    place = chain.place / name
    if not place.is_file():
        if not may_build:
            raise BedUnavailable(
                f"{name} is not built yet; C9S_TESTBED_BUILD=1 lets a test run do it"
            )
        build([name], (chain,))
    return place


def build(tools: list[str], chains: tuple[ToolChain, ...] = CHAINS) -> None:
    """Build what is missing of these tools; :class:`BedUnavailable` where that cannot be done."""
    if not shutil.which("go"):
        raise BedUnavailable(f"no Go tool chain is on PATH to build {', '.join(tools)}")
    with locked(cache_root() / "build.lock"):
        for chain in chains:
            # Another run may have built it while this one waited.
            wanted = [one for one in chain.packages if one in tools]
            missing = [one for one in wanted if not (chain.place / one).exists()]
            if missing:
                _build(chain, missing)


def _build(chain: ToolChain, tools: list[str]) -> None:
    folder = cache_root() / "modules" / f"{chain.name}-{chain.version}"
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / "go.mod", _go_mod(chain, folder))
    _write_sources(chain, folder)
    for tool in tools:
        started = time.monotonic()
        _say(f"building {tool} {chain.version} …")
        place = chain.place / tool
        place.parent.mkdir(parents=True, exist_ok=True)
        part = place.with_name(f".{tool}.part")
        command = ["build", "-mod=mod", "-trimpath", "-ldflags", chain.ldflags]
        _go([*command, "-o", str(part), chain.packages[tool]], folder)
        part.replace(place)
        _say(f"built {tool} in {time.monotonic() - started:.0f} s")


def _write_sources(chain: ToolChain, folder: Path) -> None:
    copy = folder / _COPY
    if chain.added and not copy.exists():
        shutil.copytree(download(chain, folder)["Dir"], copy, copy_function=shutil.copyfile)
        for parent, _, _ in os.walk(copy):
            Path(parent).chmod(0o755)  # in the cache of modules they are read-only
    added = {f"{_COPY}/{path}": text for path, text in chain.added.items()}
    for path, text in (chain.sources | added).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        write_whole(folder / path, text)


def _go_mod(chain: ToolChain, folder: Path) -> str:
    """Write the module: a requirement, and where the module has replaced others, the same again.

    Go ignores the replacements of a module that is not the main one. Those of k8s.io/kubernetes point into
    its own tree; each such module is published under the same number with a leading zero.
    """
    head = f"module testbed\n\ngo {GO}\n"
    write_whole(folder / "go.mod", head)
    theirs = Path(download(chain, folder)["GoMod"]).read_text(encoding="utf-8")
    staged = re.findall(r"^\s*(\S+) => \./staging/", theirs, re.MULTILINE)
    version = re.sub(r"^v\d+", "v0", chain.version)
    lines = [f"require {chain.module} {chain.version}"]
    lines += [f"replace {one} => {one} {version}" for one in staged]
    lines += _replacements(chain, theirs) if chain.replaces else []
    lines += [f"replace {chain.module} => ./{_COPY}"] if chain.added else []
    return head + "".join(f"\n{line}\n" for line in lines)


def _replacements(chain: ToolChain, theirs: str) -> Iterator[str]:
    """Give what a module has replaced, as lines; a module in its own tree is published under its own number."""
    line = re.compile(r"^(?:replace)?\s*(\S+(?: v\S+)?) => (\S+(?: v\S+)?)$", re.MULTILINE)
    for old, new in line.findall(theirs):
        yield f"replace {old} => {f'{old} {chain.version}' if new.startswith('./') else new}"


def download(chain: ToolChain, folder: Path) -> dict[str, str]:
    """Fetch a chain's module; give what Go says of it: ``GoMod``, ``Dir``."""
    folder.mkdir(parents=True, exist_ok=True)
    command = ["mod", "download", "-json", f"{chain.module}@{chain.version}"]
    found: dict[str, str] = json.loads(_go(command, folder))
    return found


def _go(arguments: list[str], folder: Path) -> str:
    # GOWORK: a workspace of the user's must not change what is built.
    environment = {**os.environ, "CGO_ENABLED": "0", "GOWORK": "off"}
    command = ["go", *arguments]
    done = subprocess.run(
        command, check=False, cwd=folder, env=environment, capture_output=True, text=True
    )
    if done.returncode:
        end = "\n".join(done.stderr.splitlines()[-15:])
        raise BedUnavailable(f"go {arguments[0]} failed in {folder}:\n{end}")
    return done.stdout


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
