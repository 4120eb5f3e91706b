"""What stands in a directory before we write: which files are ours, which are not, and what forbids it."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING, Final, NamedTuple

from kubectl_c9s.files.tree import FOLDER, Folder, scan
from kubectl_c9s.resources.errors import GuardRefusal
from kubectl_c9s.yamlio.inventory import INVENTORY, Inventory, parse_inventory
from kubectl_c9s.yamlio.layout import KUSTOMIZATION, KUSTOMIZATIONS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kubectl_c9s.files.tree import Entries

MAX_FOREIGN: Final = 5_000
"""So many files and folders that are not ours are carried over; more is the wrong directory."""

_MAX_INVENTORY: Final = 64 << 20  # bytes; a lab of 10,000 devices has 3 MB
_REPOSITORIES: Final = (".git", ".hg", ".svn", ".jj")


class Present(NamedTuple):
    """A directory as it stands. ``folder`` is None, and the rest is empty, if there is none yet."""

    folder: Folder | None
    entries: Entries
    inventory: Inventory | None
    owned: Mapping[str, str]  # our files that still are files: path → SHA-256 of what we wrote

    def foreign(self, adopted: frozenset[str] = frozenset()) -> list[str]:
        """List what is not ours, folders apart."""
        return [
            path
            for path, info in self.entries.items()
            if not (stat.S_ISDIR(info.st_mode) or self.is_own(path) or path in adopted)
        ]

    def is_own(self, path: str) -> bool:
        """Tell whether a path is one of our files or the inventory."""
        return path in self.owned or path == INVENTORY


def look(parent: int, name: str, lab: str) -> Present:
    """Look at the directory ``name`` in the open directory ``parent``; its folder is the caller's to close.

    GuardRefusal if it is a repository, holds another lab, a broken inventory, a second kustomization or
    too much that is not ours.
    """
    try:
        folder = Folder(os.open(name, FOLDER, dir_fd=parent))
    except FileNotFoundError:
        return Present(None, {}, None, {})
    try:
        return _look(folder, lab)
    except BaseException:
        folder.__exit__(None, None, None)
        raise


def _look(folder: Folder, lab: str) -> Present:
    for name in _REPOSITORIES:
        if folder.status(name) is not None:
            hint = "name a folder inside the repository"
            raise GuardRefusal(f"is a repository: it holds {name}", hint=hint)
    inventory = read_inventory(folder)
    if inventory is not None and inventory.lab != lab:
        raise GuardRefusal(
            f"holds the lab {inventory.lab!r}", hint="give each lab its own directory"
        )
    listed = inventory.owned() if inventory else {}
    entries = scan(folder.descriptor, MAX_FOREIGN + 4 * len(listed))
    owned = {
        path: digest
        for path, digest in listed.items()
        if path in entries and stat.S_ISREG(entries[path].st_mode)
    }
    present = Present(folder, entries, inventory, owned)
    _refuse_company(present)
    return present


def read_inventory(folder: Folder) -> Inventory | None:
    """Read the inventory of an open directory, None if there is none; GuardRefusal for one that is not ours."""
    info = folder.status(INVENTORY)
    if info is None:
        return None
    hint = f"restore {INVENTORY} from Git; or remove it, then files with the right bytes are taken over"
    if not stat.S_ISREG(info.st_mode) or info.st_size > _MAX_INVENTORY:
        raise GuardRefusal(f"{INVENTORY} is not ours", hint=hint)
    try:
        return parse_inventory(folder.read(INVENTORY, _MAX_INVENTORY))
    except ValueError as error:
        raise GuardRefusal(f"{INVENTORY} cannot be used: {error}", hint=hint) from None


def _refuse_company(present: Present) -> None:
    for name in KUSTOMIZATIONS[1:]:
        if name in present.entries:
            message = f"{name} stands beside our {KUSTOMIZATION}; kustomize takes only one"
            raise GuardRefusal(message, hint="move it into a folder of its own that lists this one")
    foreign = len(present.foreign())
    if foreign > MAX_FOREIGN:
        message = f"holds {foreign} files that are not ours"
        raise GuardRefusal(message, hint="is it the right directory?")
