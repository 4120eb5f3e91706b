"""What a rendering changes in a directory: one answer for writing and for checking."""

from __future__ import annotations

import hashlib
import stat
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias

from kubectl_c9s.resources.errors import GuardRefusal
from kubectl_c9s.resources.listing import some
from kubectl_c9s.yamlio.inventory import INVENTORY, Inventory, dump_inventory, is_own_path
from kubectl_c9s.yamlio.layout import kustomizations

if TYPE_CHECKING:
    from kubectl_c9s.files.present import Present

Text: TypeAlias = str | Callable[[], str]
"""What goes into a file, or a function that gives it; it is asked once, when its turn comes."""

_SHOWN: Final = 5


class Rendering(NamedTuple):
    """What a directory shall hold: files of one lab in the order of application, path → text.

    Paths are those of ``yamlio.layout``; each ``kustomization.yaml`` and the inventory come by themselves.
    """

    lab: str
    namespace: str
    layout: str
    files: Sequence[tuple[str, Text]]


class Change(NamedTuple):
    """One file: what happens to it, and the bytes it gets (none if it goes).

    ``edited``: the bytes on the disk are not those we wrote, so somebody's work is overwritten.
    ``adopted``: a file that was not ours has the right bytes and becomes ours.
    """

    path: str
    kind: Literal["same", "new", "changed", "removed"]
    data: bytes = b""
    edited: bool = False
    adopted: bool = False


def changes(present: Present, rendering: Rendering, *, prune: bool) -> Iterator[Change]:
    """Give what happens to every file, in order, the inventory last; one text at a time is held.

    Without ``prune``, files of earlier renderings stay and are listed as stale. GuardRefusal, at the end and
    for all of them together, if something that is not ours stands where a file must go.
    """
    paths = [path for path, _ in rendering.files]
    pages = kustomizations(paths, rendering.layout)
    _check_paths([*paths, *(path for path, _ in pages)])
    digests: dict[str, str] = {}
    blocked: list[str] = []
    for path, text in (*rendering.files, *pages):
        data = (text if isinstance(text, str) else text()).encode()
        digests[path] = hashlib.sha256(data).hexdigest()
        if obstacle := _obstacle(present, path, data):
            blocked.append(obstacle)
        else:
            yield _change(present, path, data)
    if blocked:
        raise _refusal(blocked)
    stale = {path: digest for path, digest in sorted(present.owned.items()) if path not in digests}
    if prune:
        for path, digest in stale.items():
            yield Change(path, "removed", edited=_digest(present, path) != digest)
        stale = {}
    inventory = Inventory(rendering.lab, rendering.namespace, rendering.layout, digests, stale)
    yield _change(present, INVENTORY, dump_inventory(inventory).encode())


def _check_paths(paths: list[str]) -> None:
    folders = {path[:end] for path in paths for end, letter in enumerate(path) if letter == "/"}
    wrong = [path for path in paths if not is_own_path(path) or path in folders]
    if wrong or len(set(paths)) < len(paths):
        raise ValueError(f"paths that no layout gives: {wrong or 'one is there twice'}")


def _change(present: Present, path: str, data: bytes) -> Change:
    info = present.entries.get(path)
    if present.folder is None or info is None:
        return Change(path, "new", data)
    if _is_same(present, path, data):
        return Change(path, "same", data, adopted=not present.is_own(path))
    edited = path in present.owned and _digest(present, path) != present.owned[path]
    return Change(path, "changed", data, edited=edited)


def _obstacle(present: Present, path: str, data: bytes) -> str | None:
    """Say what keeps us from writing a path: a file or a link that is not ours, on it or on the way."""
    for end, letter in enumerate(path):
        if letter == "/":
            info = present.entries.get(path[:end])
            if info is not None and not stat.S_ISDIR(info.st_mode):
                return f"{path[:end]} ({_name_of_type(info.st_mode)})"
    info = present.entries.get(path)
    if info is None or present.is_own(path):
        return None
    if stat.S_ISREG(info.st_mode) and _is_same(present, path, data):
        return None
    return f"{path} ({_name_of_type(info.st_mode)})"


def _is_same(present: Present, path: str, data: bytes) -> bool:
    if present.folder is None or present.entries[path].st_size != len(data):
        return False
    return present.folder.read(path, len(data) + 1) == data


def _digest(present: Present, path: str) -> str:
    return present.folder.digest(path) if present.folder is not None else ""


def _name_of_type(mode: int) -> str:
    if stat.S_ISLNK(mode):
        return "a link"
    if stat.S_ISDIR(mode):
        return "a folder"
    return "a file" if stat.S_ISREG(mode) else "a special file"


def _refusal(blocked: list[str]) -> GuardRefusal:
    found = list(dict.fromkeys(blocked))
    message = f"what is not ours stands where we must write: {some(found, _SHOWN)}"
    return GuardRefusal(message, hint="move it away, or name another directory")
