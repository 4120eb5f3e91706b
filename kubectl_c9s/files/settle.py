"""Settling a workplace: after a run, after a failure, and after a run that was killed.

One way for all three. The old state goes file by file: what is ours, and what provably lives on in the
directory. What came into it at the last moment is moved over; nothing that is not ours is lost.
"""

from __future__ import annotations

import contextlib
import os
import stat
from typing import TYPE_CHECKING

from kubectl_c9s.files.tree import FOLDER, Folder, names, opened
from kubectl_c9s.files.workplace import MANIFEST, MARKER, NEW, OLD, PART, left_over, read_manifest
from kubectl_c9s.resources.errors import GuardRefusal

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from kubectl_c9s.files.workplace import Manifest

    # (open folder, name in it, path below the root, what it is) → whether it has gone
    Spend: TypeAlias = Callable[[int, str, str, os.stat_result], bool]


def recover(parent: int, name: str) -> list[str]:
    """Settle what killed runs on the directory ``name`` left in its open parent; needs the lock.

    Gives a note on everything that had to stay.
    """
    return [
        note for workplace in left_over(parent, name) for note in settle(parent, workplace, name)
    ]


def refuse_interrupted(parent: int, name: str) -> None:
    """Raise GuardRefusal if a killed run left the directory ``name`` away, so that a check would mislead."""
    for workplace in left_over(parent, name):
        with contextlib.suppress(OSError), opened(workplace, parent) as inner:
            if _status(parent, name) is None and _status(inner, OLD) is not None:
                hint = "run the command without --check: it brings the directory back"
                raise GuardRefusal("a run was killed while it replaced the directory", hint=hint)


def settle(parent: int, workplace: str, name: str) -> list[str]:
    """Take a workplace apart, so that the directory ``name`` is whole, old or new.

    Gives a note on what could not be removed. A folder that is not marked, or not the user's, stays.
    """
    try:
        info = os.stat(workplace, dir_fd=parent, follow_symlinks=False)
        if not stat.S_ISDIR(info.st_mode) or info.st_uid != os.geteuid():
            return []
        with opened(workplace, parent) as inner:
            marked = MARKER in names(inner)
            kept = _settle(parent, inner, name) if marked else []
        if marked and not kept:
            os.rmdir(workplace, dir_fd=parent)
        elif not marked:  # killed before it could mark it, or not ours: only an empty one goes
            with contextlib.suppress(OSError):
                os.rmdir(workplace, dir_fd=parent)
    except FileNotFoundError:
        return []
    except (OSError, ValueError, KeyError, TypeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "its manifest is broken"
        return [f"{workplace} could not be removed: {reason}"]
    return [f"{workplace}/{path} was kept: it is not in {name} as it stands" for path in kept]


def _settle(parent: int, inner: int, name: str) -> list[str]:
    manifest = read_manifest(inner)
    rest = _old_tree(inner, manifest)
    if rest is not None and _status(parent, name) is None:
        os.rename(rest, name, src_dir_fd=inner, dst_dir_fd=parent)
        rest = None
    kept: list[str] = []
    if rest is not None and manifest is not None:
        with Folder(os.open(name, FOLDER, dir_fd=parent)) as target:
            sweep = _Sweep(target, manifest)
            _clear_named(inner, rest, sweep.spend)
        kept = [f"{rest}/{path}" for path in sweep.kept]
    for tree in (NEW, OLD):
        if tree != rest:
            _clear_named(inner, tree, _remove)
    if not kept:
        for file in (MANIFEST, PART, MARKER):
            with contextlib.suppress(FileNotFoundError):
                os.unlink(file, dir_fd=inner)
    return kept


def _old_tree(inner: int, manifest: Manifest | None) -> str | None:
    """Tell where the old state is; None if it never came here."""
    if manifest is None:
        return None
    if _status(inner, OLD) is not None:
        return OLD
    new = _status(inner, NEW)
    return NEW if new is not None and new.st_ino != manifest.new else None


class _Sweep:
    """Decides for each file of an old state whether it may go, and moves over what may not."""

    def __init__(self, target: Folder, manifest: Manifest) -> None:
        self.kept: list[str] = []
        self._target = target
        self._manifest = manifest
        # Only in the very tree that was built then is everything it knew.
        self._trusted = os.fstat(target.descriptor).st_ino == manifest.new

    def spend(self, folder: int, name: str, path: str, info: os.stat_result) -> bool:
        there = self._target.status(path)
        known = self._manifest.foreign.get(path) if self._trusted else None
        if (
            path in self._manifest.ours
            or (there is not None and os.path.samestat(there, info))
            or known == (info.st_ino, info.st_size, info.st_mtime_ns)
        ):
            return _remove(folder, name, path, info)
        replaced = there is not None and known is not None and there.st_ino == known[0]
        if (there is None or replaced) and self._move(folder, name, path):
            return True
        self.kept.append(path)
        return False

    def _move(self, folder: int, name: str, path: str) -> bool:
        try:
            for end, letter in enumerate(path):
                if letter == "/" and self._target.status(path[:end]) is None:
                    above, missing = self._target.at(path[:end])
                    os.mkdir(missing, dir_fd=above)
            target, _ = self._target.at(path)
            os.rename(name, name, src_dir_fd=folder, dst_dir_fd=target)
        except OSError:
            return False
        return True


def _clear_named(folder: int, name: str, spend: Spend) -> None:
    info = _status(folder, name)
    if info is not None:
        _clear_folder(folder, name, info, "", spend)


def _clear_folder(folder: int, name: str, info: os.stat_result, prefix: str, spend: Spend) -> bool:
    """Empty a folder as far as ``spend`` lets it, and remove it if it is empty; tell whether it has gone."""
    if info.st_mode & stat.S_IRWXU != stat.S_IRWXU:
        os.chmod(name, stat.S_IRWXU, dir_fd=folder)
    with opened(name, folder) as inner:
        empty = _clear(inner, prefix, spend)
    if empty:
        os.rmdir(name, dir_fd=folder)
    return empty


def _clear(folder: int, prefix: str, spend: Spend) -> bool:
    empty = True
    for name in names(folder):
        path = prefix + name
        info = os.stat(name, dir_fd=folder, follow_symlinks=False)
        if stat.S_ISDIR(info.st_mode):
            empty &= _clear_folder(folder, name, info, path + "/", spend)
        else:
            empty &= spend(folder, name, path, info)
    return empty


def _remove(folder: int, name: str, _path: str, _info: os.stat_result) -> bool:
    os.unlink(name, dir_fd=folder)
    return True


def _status(folder: int, name: str) -> os.stat_result | None:
    try:
        return os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return None
