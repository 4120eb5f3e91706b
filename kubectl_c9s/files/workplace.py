"""The workplace: a folder beside the directory, in which the next state is built and the old one taken apart.

It is called ``.<name>.c9s-<16 hex digits>`` and holds

- an empty file that marks it as ours; a folder of that name without it is somebody else's;
- ``new``, the next state, until it is swapped in; afterwards, where the system can swap, the old one;
- ``old``, the old state, where the system cannot swap and two renames do it;
- the manifest, written when ``new`` is complete.

Whatever a killed run leaves behind, ``settle`` knows from these what it was.
"""

from __future__ import annotations

import json
import os
import re
import secrets
from typing import TYPE_CHECKING, Final, NamedTuple

from kubectl_c9s.files.carry import CREATE, write_all
from kubectl_c9s.files.tree import FOLDER, READ

if TYPE_CHECKING:
    from collections.abc import Mapping

MARKER: Final = "c9s-workplace"
NEW: Final = "new"
OLD: Final = "old"
MANIFEST: Final = "manifest"
PART: Final = "manifest.part"
_RANDOM: Final = "[0-9a-f]{16}"


class Manifest(NamedTuple):
    """What the builder of ``new`` knew: enough to tell, later, what of the old state may go.

    ``new`` is its inode number; ``ours`` the paths in the old state that are ours; ``foreign`` the others, all
    of them carried over: path → inode number, size, time of change in ns.
    """

    new: int
    ours: frozenset[str]
    foreign: Mapping[str, tuple[int, int, int]]


def make(parent: int, name: str) -> tuple[str, int]:
    """Make a marked workplace for the directory ``name``; give its name and it, open."""
    workplace = f".{name}.c9s-{secrets.token_hex(8)}"
    os.mkdir(workplace, 0o700, dir_fd=parent)
    descriptor = os.open(workplace, FOLDER, dir_fd=parent)
    try:
        os.close(os.open(MARKER, CREATE, 0o600, dir_fd=descriptor))
        os.fsync(descriptor)
    except BaseException:
        os.close(descriptor)
        raise
    return workplace, descriptor


def left_over(parent: int, name: str) -> list[str]:
    """List the workplaces for the directory ``name`` that stand in its open parent."""
    pattern = re.compile(rf"\.{re.escape(name)}\.c9s-{_RANDOM}")
    return sorted(entry for entry in os.listdir(parent) if pattern.fullmatch(entry))


def write_manifest(workplace: int, manifest: Manifest) -> None:
    """Write the manifest; it is there as a whole or not at all."""
    text = json.dumps(manifest._replace(ours=sorted(manifest.ours))._asdict())  # type: ignore[arg-type]
    descriptor = os.open(PART, CREATE, 0o600, dir_fd=workplace)
    try:
        write_all(descriptor, text.encode())
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    os.rename(PART, MANIFEST, src_dir_fd=workplace, dst_dir_fd=workplace)


def read_manifest(workplace: int) -> Manifest | None:
    """Read the manifest, None if there is none. ValueError, KeyError, TypeError if it is broken."""
    try:
        descriptor = os.open(MANIFEST, READ, dir_fd=workplace)
    except FileNotFoundError:
        return None
    with os.fdopen(descriptor, "rb") as stream:
        value = json.load(stream)
    foreign = {path: (known[0], known[1], known[2]) for path, known in value["foreign"].items()}
    return Manifest(int(value["new"]), frozenset(value["ours"]), foreign)
