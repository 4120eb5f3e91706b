"""A directory that ``split`` has rendered, as somebody meets it who wants to have it applied."""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING, Final, NamedTuple

from kubectl_c9s.files.places import told
from kubectl_c9s.files.present import read_inventory
from kubectl_c9s.files.tree import FOLDER, Folder
from kubectl_c9s.resources.errors import RefusedInput, UsageError
from kubectl_c9s.yamlio.layout import KUSTOMIZATION, NAMESPACE_FILE

if TYPE_CHECKING:
    from pathlib import Path

    from kubectl_c9s.yamlio.inventory import Inventory

_LARGEST_NAMESPACE: Final = 1 << 20


class Rendered(NamedTuple):
    """The lab of a directory and its namespace, its folders that can be applied alone, the text of its Namespace.

    ``namespace`` and ``namespace_text`` are ``""`` where there is none.
    """

    lab: str
    namespace: str
    folders: tuple[str, ...]
    namespace_text: str


def read_rendered(directory: Path) -> Rendered | None:
    """Look at a directory; None if ``split`` has not rendered it.

    UsageError if it is no directory, GuardRefusal if its inventory is not ours, RefusedInput if an earlier version
    rendered it, whose folders do not stand alone, or if its Namespace is no longer what was rendered.
    """
    with told(str(directory)):
        try:
            opened = os.open(directory, FOLDER & ~os.O_NOFOLLOW)
        except FileNotFoundError:
            raise UsageError(f"{directory} is not there") from None
        with Folder(opened) as folder:
            inventory = read_inventory(folder)
            if inventory is None:
                return None
            folders = _folders(directory, inventory)
            return Rendered(
                inventory.lab,
                inventory.namespace,
                folders,
                _namespace(directory, folder, inventory),
            )


def _folders(directory: Path, inventory: Inventory) -> tuple[str, ...]:
    if inventory.layout != "by-kind":
        return ()
    wanted = {path.partition("/")[0] for path in inventory.files if "/" in path}
    missing = [one for one in wanted if f"{one}/{KUSTOMIZATION}" not in inventory.files]
    if missing:
        message = (
            f"{directory} was rendered by an earlier version: its folders have no {KUSTOMIZATION}"
        )
        raise RefusedInput(message, hint="render it again with split --output-dir")
    return tuple(sorted(wanted))


def _namespace(directory: Path, folder: Folder, inventory: Inventory) -> str:
    """Give the text of the Namespace: only what was rendered is handed on."""
    if NAMESPACE_FILE not in inventory.files:
        return ""
    data = folder.read(NAMESPACE_FILE, _LARGEST_NAMESPACE)
    if hashlib.sha256(data).hexdigest() != inventory.files[NAMESPACE_FILE]:
        message = f"{directory}/{NAMESPACE_FILE} has been changed by hand"
        raise RefusedInput(message, hint="render it again with split --output-dir")
    return data.decode()
