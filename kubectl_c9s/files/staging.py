"""Building the next state of a directory beside it, and swapping it in."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING, Final

from kubectl_c9s.files import workplace
from kubectl_c9s.files.carry import CREATE, carry, copy_metadata, write_all
from kubectl_c9s.files.exchange import exchange, sync_file_system
from kubectl_c9s.files.settle import settle
from kubectl_c9s.files.tree import FOLDER, Folder
from kubectl_c9s.files.workplace import NEW, OLD, Manifest
from kubectl_c9s.resources.errors import GuardRefusal
from kubectl_c9s.yamlio.inventory import INVENTORY

if TYPE_CHECKING:
    from kubectl_c9s.files.present import Present

# So many files are made durable one by one (2 ms each, measured); for more, the file system as a whole.
_FEW: Final = 64


class Staging:
    """The next state of a directory, in a workplace beside it. Needs the lock; ``close`` it always."""

    def __init__(self, parent: int, name: str, present: Present) -> None:
        self._parent, self._name, self._present = parent, name, present
        self._folders: dict[str, None] = {}  # what was made, the outer ones first
        self._to_sync = 0
        self._workplace, self._inner = workplace.make(parent, name)
        try:
            os.mkdir(NEW, dir_fd=self._inner)
            self._new = Folder(os.open(NEW, FOLDER, dir_fd=self._inner))
        except BaseException:
            os.close(self._inner)
            settle(parent, self._workplace, name)
            raise

    def write(self, path: str, data: bytes) -> None:
        """Write a file anew; it gets the mode and owner of the one it replaces."""
        self._make_folder(path.rpartition("/")[0])
        folder, name = self._new.at(path)
        made = os.open(name, CREATE, 0o666, dir_fd=folder)
        try:
            write_all(made, data)
            self._dress_file(path, made)
            self._to_sync += 1
            if self._to_sync <= _FEW:
                os.fsync(made)
        finally:
            os.close(made)

    def complete(self, kept: list[str], adopted: frozenset[str]) -> None:
        """Add what stays: files of ours as they are, and everything that is not ours.

        ``adopted`` are those of the kept that were not ours before.
        """
        foreign = self._present.foreign(adopted)
        for path in (*kept, *foreign):
            self._carry(path)
        untouched = self._foreign_folders(adopted)
        for path in untouched:
            self._make_folder(path)
        self._dress(frozenset(untouched))
        entries = self._present.entries
        stats = {path: entries[path] for path in foreign}
        ours = {*self._present.owned, *adopted, INVENTORY}
        known = {
            path: (info.st_ino, info.st_size, info.st_mtime_ns) for path, info in stats.items()
        }
        new = os.fstat(self._new.descriptor).st_ino
        workplace.write_manifest(self._inner, Manifest(new, frozenset(ours), known))
        self._sync()

    def commit(self) -> None:
        """Swap the next state in, in one step; before it the directory is the old one, afterwards the new."""
        self._check_unmoved()
        if self._present.folder is None:
            os.rename(NEW, self._name, src_dir_fd=self._inner, dst_dir_fd=self._parent)
        elif not exchange(self._inner, NEW, self._parent, self._name):
            self._rename_twice()
        os.fsync(self._parent)

    def close(self) -> list[str]:
        """Take the workplace apart, whatever came of it; give notes on what had to stay."""
        self._new.__exit__(None, None, None)
        os.close(self._inner)
        return settle(self._parent, self._workplace, self._name)

    def _rename_twice(self) -> None:
        os.rename(self._name, OLD, src_dir_fd=self._parent, dst_dir_fd=self._inner)
        try:
            os.rename(NEW, self._name, src_dir_fd=self._inner, dst_dir_fd=self._parent)
        except OSError:
            os.rename(OLD, self._name, src_dir_fd=self._inner, dst_dir_fd=self._parent)
            raise

    def _check_unmoved(self) -> None:
        folder = self._present.folder
        try:
            now = os.stat(self._name, dir_fd=self._parent, follow_symlinks=False)
        except FileNotFoundError:
            same = folder is None
        else:
            same = folder is not None and os.path.samestat(now, os.fstat(folder.descriptor))
        if not same:
            raise GuardRefusal("was replaced by someone else meanwhile", hint="run it again")

    def _carry(self, path: str) -> None:
        assert self._present.folder is not None  # noqa: S101 - what is carried stands in it
        self._make_folder(path.rpartition("/")[0])
        source, name = self._present.folder.at(path)
        target, _ = self._new.at(path)
        carry(name, self._present.entries[path], source, target)

    def _make_folder(self, path: str) -> None:
        if path and path not in self._folders:
            self._make_folder(path.rpartition("/")[0])
            above, name = self._new.at(path)
            os.mkdir(name, dir_fd=above)
            self._folders[path] = None

    def _dress_file(self, path: str, made: int) -> None:
        if self._present.folder is not None and path in self._present.entries:
            old = self._present.folder.open(path)
            try:
                copy_metadata(old, made, times=False)
            finally:
                os.close(old)

    def _foreign_folders(self, adopted: frozenset[str]) -> list[str]:
        """List the folders that hold nothing of ours: they stay even when they are empty."""
        owned = (*self._present.owned, *adopted)
        ours = {path[:end] for path in owned for end, letter in enumerate(path) if letter == "/"}
        entries = self._present.entries.items()
        return [path for path, info in entries if stat.S_ISDIR(info.st_mode) and path not in ours]

    def _dress(self, untouched: frozenset[str]) -> None:
        """Give each folder the mode and owner of the one it replaces, the innermost first."""
        old = self._present.folder
        if old is None:
            return
        for path in reversed(self._folders):
            if path in self._present.entries:
                above, name = old.at(path)
                source = os.open(name, FOLDER, dir_fd=above)
                above, name = self._new.at(path)
                target = os.open(name, FOLDER, dir_fd=above)
                copy_metadata(source, target, times=path in untouched)
                os.close(source)
                os.close(target)
        copy_metadata(old.descriptor, self._new.descriptor, times=False)

    def _sync(self) -> None:
        if self._to_sync + len(self._folders) > _FEW:
            sync_file_system(self._inner)
            return
        for path in self._folders:
            above, name = self._new.at(path)
            descriptor = os.open(name, FOLDER, dir_fd=above)
            os.fsync(descriptor)
            os.close(descriptor)
        os.fsync(self._new.descriptor)
        os.fsync(self._inner)
