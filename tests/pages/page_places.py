"""Where pages are, and the place in which one is played: a folder, programs, an environment."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from installed import environment

if TYPE_CHECKING:
    from collections.abc import Iterable

ROOT: Final = Path(__file__).parents[2]
# Pages of findings are played by tests/explain, which mends their examples and tries them again; the few that want a
# cluster by test_code_pages_live.py. Commands on pages of causes are run by test_cause_commands.py. How to install is
# played by tests/release, which has an archive to install.
PLAYED_ELSEWHERE: Final = ("docs/codes/", "docs/causes/", "docs/install.md")
# Programs that a page may call and that are not where every system has them.
FOUND_ON_PATH: Final = ("go", "git", "make", "curl", "tar", "jq")
# Folders of the checkout that a page may name: it gets copies, so that no page writes into the checkout.
COPIED: Final = ("examples", "manifests")


def pages() -> list[str]:
    """Name all pages that are played, from the top of the checkout."""
    found = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *ROOT.glob("docs/**/*.md")]
    found += [*ROOT.glob("examples/**/*.md"), *ROOT.glob("tests/*/README.md")]
    names = sorted(path.relative_to(ROOT).as_posix() for path in found)
    return [name for name in names if not name.startswith(PLAYED_ELSEWHERE)]


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def make_folder(place: Path, page: str) -> Path:
    """Make the folder of a page, with copies of what it names of the checkout."""
    folder = place / "page"
    folder.mkdir()
    for name in COPIED:
        if f"{name}/" in page:
            shutil.copytree(
                ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__")
            )
    return folder


def go_cache() -> dict[str, str]:
    """Give the variable by which `go tool` finds what it has built before: it would take half a minute each time."""
    cache = os.environ.get("XDG_CACHE_HOME") or (
        f"{os.environ['HOME']}/.cache" if "HOME" in os.environ else ""
    )
    own = os.environ.get("GOCACHE") or (f"{cache}/go-build" if cache else "")
    return {"GOCACHE": own} if own else {}


def make_environment(place: Path, installation: Path, programs: Iterable[Path]) -> dict[str, str]:
    """Give an environment with the tool as installed, kubectl and others on PATH, and a home of its own."""
    own, home, aside = (place / name for name in ("bin", "home", "aside"))
    for folder in (own, home, aside):
        folder.mkdir()
    found = {name: shutil.which(name) for name in FOUND_ON_PATH}
    for program in [*programs, *(Path(path) for path in found.values() if path)]:
        (own / program.name).symlink_to(program)
    python = own / "python3"
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n', encoding="utf-8")
    python.chmod(0o755)
    given = environment(installation)
    path = os.pathsep.join([str(installation / "bin"), str(own), "/usr/bin", "/bin"])
    who = {"NAME": "A User", "EMAIL": "user@example.com"}
    git = {
        f"GIT_{role}_{key}": what for role in ("AUTHOR", "COMMITTER") for key, what in who.items()
    }
    own_variables = {
        "PATH": path,
        "HOME": str(home),
        "CHECKOUT": str(ROOT),
        # Nobody's cluster is asked by a page that does not say so.
        "KUBECONFIG": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "TMPDIR": str(aside),
        **go_cache(),
    }
    return given | git | own_variables
