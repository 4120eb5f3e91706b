"""A directory held open: what lies below it is reached name by name, never through a link."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import stat
from typing import TYPE_CHECKING, Final

from kubectl_c9s.resources.errors import GuardRefusal

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType
    from typing import Self, TypeAlias

    Entries: TypeAlias = dict[
        str, os.stat_result
    ]  # path below the root, with "/" → what stands there

FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
READ: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
CHUNK: Final = 1 << 20
_DEEPEST: Final = 64
_NOTHING_THERE: Final = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ELOOP})


class Folder:
    """An open directory; owns the descriptor it is given."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self._last: tuple[str, int] | None = None  # files come folder by folder: one is kept open

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.forget()
        os.close(self.descriptor)

    def forget(self) -> None:
        """Close the folder that ``at`` has kept open."""
        if self._last is not None:
            os.close(self._last[1])
            self._last = None

    def at(self, path: str) -> tuple[int, str]:
        """Give the folder that holds a path, open until the next call, and the path's last name.

        OSError if a part on the way is missing, no directory, or a link.
        """
        head, _, name = path.rpartition("/")
        if not head:
            return self.descriptor, name
        if self._last is None or self._last[0] != head:
            opened = self._open(head)
            self.forget()
            self._last = (head, opened)
        return self._last[1], name

    def _open(self, head: str) -> int:
        folder = os.dup(self.descriptor)
        for part in head.split("/"):
            try:
                inner = os.open(part, FOLDER, dir_fd=folder)
            finally:
                os.close(folder)
            folder = inner
        return folder

    def status(self, path: str) -> os.stat_result | None:
        """Tell what stands at a path, itself and not what it may point to; None if nothing does."""
        try:
            folder, name = self.at(path)
            return os.stat(name, dir_fd=folder, follow_symlinks=False)
        except OSError as error:
            if error.errno in _NOTHING_THERE:
                return None
            raise

    def open(self, path: str) -> int:
        """Open a file for reading; neither a link nor a pipe without a writer is waited for or followed."""
        folder, name = self.at(path)
        return os.open(name, READ, dir_fd=folder)

    def read(self, path: str, limit: int) -> bytes:
        """Give a file's bytes, at most ``limit``."""
        with os.fdopen(self.open(path), "rb") as stream:
            size = os.fstat(stream.fileno()).st_size  # a buffer of the whole limit would be made
            return stream.read(min(size + 1, limit))

    def digest(self, path: str) -> str:
        """Give the SHA-256 of a file's bytes in hex, without holding them all."""
        with os.fdopen(self.open(path), "rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()


def scan(root: int, limit: int) -> Entries:
    """List everything below an open directory, folders before what they hold, in order of names.

    GuardRefusal for more than ``limit`` entries, for folders nested too deep and for other file systems
    below; OSError for a folder that cannot be read.
    """
    found: Entries = {}
    device = os.fstat(root).st_dev
    for path, info in _walk(root, "", 0):
        found[path] = info
        if len(found) > limit:
            raise GuardRefusal(f"holds more than {limit} files", hint="is it the right directory?")
        if stat.S_ISDIR(info.st_mode) and info.st_dev != device:
            raise GuardRefusal(f"another file system is mounted at {path}")
    return found


def _walk(folder: int, prefix: str, depth: int) -> Iterator[tuple[str, os.stat_result]]:
    if depth > _DEEPEST:
        raise GuardRefusal(f"holds folders nested deeper than {_DEEPEST}")
    for name in names(folder):
        info = os.stat(name, dir_fd=folder, follow_symlinks=False)
        yield prefix + name, info
        if stat.S_ISDIR(info.st_mode):
            with opened(name, folder) as inner:
                yield from _walk(inner, f"{prefix}{name}/", depth + 1)


def names(folder: int) -> list[str]:
    """List the names in an open directory, sorted."""
    return sorted(os.listdir(folder))


@contextlib.contextmanager
def opened(name: str, folder: int) -> Iterator[int]:
    """Open a directory, which is no link, in an open directory."""
    descriptor = os.open(name, FOLDER, dir_fd=folder)
    try:
        yield descriptor
    finally:
        os.close(descriptor)
