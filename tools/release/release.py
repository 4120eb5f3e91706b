"""Make the archives of a release, their sums, and the krew manifest.

    python tools/release/release.py [--output-dir dist] [--platform linux/amd64]… [--python 3.12]… [--repository URL]

An archive runs with any of the Pythons it is made for, without a compiler, pip or network. Bytecode goes in for those
Pythons that are on PATH here. The same checkout, lock and Pythons give the same bytes; SOURCE_DATE_EPOCH is the time of
all files.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

from release_archive import pack, sums
from release_manifest import REPOSITORY, render
from release_tree import compile_for, interpreter, lay_out
from release_wheels import PLATFORMS, PYTHONS, Platform, own_wheel

if TYPE_CHECKING:
    from collections.abc import Sequence

_SOME_TIME: Final = 315532800  # 1980-01-01, when no other is given


def main(arguments: Sequence[str]) -> int:
    """Make what the arguments ask for, and name it."""
    given = _parser().parse_args(arguments)
    output = Path(given.output_dir)
    output.mkdir(parents=True, exist_ok=True)
    platforms = [one for one in PLATFORMS if one.name in (given.platform or [one.name])]
    pythons = [one for one in PYTHONS if one in (given.python or PYTHONS)]
    with tempfile.TemporaryDirectory() as scratch:
        wheels = Path(given.wheels or Path(scratch) / "wheels")
        own = own_wheel(Path(scratch))
        tag = "v" + own.name.split("-")[1]
        archives, without = [], set()
        for platform in platforms:
            tree = Path(scratch) / platform.name
            lay_out(tree, platform, pythons, own, wheels)
            without = {one for one in pythons if not _compile(one, tree, platform)}
            archives.append(output / f"kubectl-c9s_{tag}_{platform.os}_{platform.arch}.tar.gz")
            pack(tree, archives[-1], int(os.environ.get("SOURCE_DATE_EPOCH") or _SOME_TIME))
    if without:
        print(
            f"note: no bytecode for Python {', '.join(sorted(without))}, which is not on PATH: the program "
            "works with it, and starts more slowly",
            file=sys.stderr,
        )
    (output / "SHA256SUMS").write_text(sums(archives), encoding="utf-8")
    (output / "c9s.yaml").write_text(render(tag, archives, given.repository), encoding="utf-8")
    for file in (*archives, output / "SHA256SUMS", output / "c9s.yaml"):
        print(file)
    return 0


def _compile(python: str, tree: Path, platform: Platform) -> bool:
    """Add bytecode if this Python is here."""
    program = interpreter(python)
    if program:
        compile_for(python, program, tree, platform)
    return bool(program)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Make the archives of a release.")
    parser.add_argument("--output-dir", default="dist", help="where they go; default dist")
    parser.add_argument(
        "--platform",
        action="append",
        choices=[one.name for one in PLATFORMS],
        help="only this platform; repeatable",
    )
    parser.add_argument(
        "--python", action="append", choices=PYTHONS, help="only for this Python; repeatable"
    )
    parser.add_argument(
        "--repository", default=REPOSITORY, help="where the releases are, for the krew manifest"
    )
    parser.add_argument("--wheels", help="keep the wheels here for the next time")
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
