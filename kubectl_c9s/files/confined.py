"""Looking at and reading local files a lab names, and nothing else (staging.md D).

A path is resolved first and has to lie in an allowed directory; then it is opened from that directory on, component
by component, following no link. So a link that is put in the way after the check leads to an error, not outside.
Devices, pipes and sockets are looked at, never opened.
"""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Final

from kubectl_c9s.topology.staged import Found, FoundFile
from kubectl_c9s.topology.staging import MAX_FILE_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_MAX_FILES: Final = 10_000
_PEM: Final = (b"PRIVATE KEY-----",)
_KINDS: Final = (
    (stat.S_ISFIFO, "a pipe"), (stat.S_ISSOCK, "a socket"), (stat.S_ISCHR, "a device"), (stat.S_ISBLK, "a device"),
)  # fmt: skip


class Refused(Exception):
    """Nothing is taken from a path; carries the finding's code and message."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class Confined:
    """The directories files may be taken from: that of the lab, and those the user allows."""

    def __init__(self, base: str, allowed: Sequence[str] = ()) -> None:
        self._base = os.path.realpath(base)
        self._roots = [self._base, *(os.path.realpath(path) for path in allowed)]

    def look(self, shown: str) -> Found:
        """Look at what stands at a path relative to the lab's directory: one file, or all below a directory."""
        try:
            return self._look(shown)
        except Refused as refused:
            return Found(problems=((refused.code, refused.message),))

    def read(self, origin: str) -> bytes:
        """Read a file that ``look`` has found; at most one byte more than may be staged.

        Raises Refused when it cannot be read any more.
        """
        with os.fdopen(self._open(origin), "rb") as stream:
            return stream.read(MAX_FILE_BYTES + 1)

    def _look(self, shown: str) -> Found:
        if shown.startswith("~"):
            raise Refused("outside-lab-directory", "files of the home directory are never read")
        _check_encodable(shown)
        path = os.path.join(self._base, shown)  # noqa: PTH118 - pathlib would drop the ./ and .. of what is shown
        try:
            target = os.path.realpath(path, strict=True)
            status = os.stat(target, follow_symlinks=False)
        except (OSError, ValueError) as error:
            self._root_of(os.path.realpath(path))
            raise Refused("missing-file", _reason(error)) from None
        self._root_of(target)
        if not stat.S_ISDIR(status.st_mode):
            return Found((self._file("", target, status),))
        if Path(path.rstrip("/")).is_symlink():
            raise Refused("link-to-directory", "it is a link to a directory; name the directory itself")
        return self._directory(target)

    def _root_of(self, target: str) -> str:
        for root in self._roots:
            if target == root or target.startswith(root.rstrip("/") + "/"):
                return root
        message = f"it lies outside the directory of the lab ({target}); --allow-outside DIR allows another directory"
        raise Refused("outside-lab-directory", message)

    def _directory(self, top: str) -> Found:
        files: list[FoundFile] = []
        problems: list[tuple[str, str]] = []
        for relative, path in _walk(top):
            if len(files) >= _MAX_FILES:
                problems.append(("too-many-files", f"the directory has more than {_MAX_FILES} files"))
                break
            try:
                files.append(self._entry(relative, path))
            except Refused as refused:
                problems.append((refused.code, f"{relative}: {refused.message}"))
        return Found(tuple(files), directory=True, problems=tuple(problems))

    def _entry(self, relative: str, path: str) -> FoundFile:
        _check_encodable(relative)
        try:
            target = os.path.realpath(path, strict=True)
            status = os.stat(target, follow_symlinks=False)
        except OSError as error:
            raise Refused("missing-file", _reason(error)) from None
        self._root_of(target)
        if stat.S_ISDIR(status.st_mode):
            raise Refused("link-to-directory", "it is a link to a directory, which is not followed")
        return self._file(relative, target, status)

    def _file(self, relative: str, target: str, status: os.stat_result) -> FoundFile:
        if not stat.S_ISREG(status.st_mode):
            kind = next((name for test, name in _KINDS if test(status.st_mode)), "no regular file")
            raise Refused("not-a-file", f"it is {kind}, which is never opened")
        if status.st_size > MAX_FILE_BYTES:
            raise Refused("file-too-large", f"it has {status.st_size} bytes, at most {MAX_FILE_BYTES} can be staged")
        data = self.read(target)
        if len(data) > MAX_FILE_BYTES:
            raise Refused("file-too-large", f"it has more than {MAX_FILE_BYTES} bytes")
        return FoundFile(
            relative,
            bool(status.st_mode & 0o111),
            len(data),
            hashlib.sha256(data).hexdigest(),
            is_binary(data),
            any(mark in data for mark in _PEM),
            target,
        )

    def _open(self, target: str) -> int:
        """Open a resolved path without following any link below its allowed directory."""
        root = self._root_of(target)
        parts = [part for part in target[len(root) :].split("/") if part]
        try:
            at = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            for index, part in enumerate(parts):
                last = index == len(parts) - 1
                flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | (os.O_NONBLOCK if last else os.O_DIRECTORY)
                at = _step(at, part, flags)
        except OSError as error:
            raise Refused("unreadable-file", _reason(error)) from None
        if not stat.S_ISREG(os.fstat(at).st_mode):
            os.close(at)
            raise Refused("not-a-file", "it is no regular file any more")
        return at


def _step(directory: int, name: str, flags: int) -> int:
    try:
        return os.open(name, flags, dir_fd=directory)
    finally:
        os.close(directory)


def _walk(top: str) -> Iterator[tuple[str, str]]:
    """Give (relative name, path) of everything below a directory that is no directory, links included."""
    stack = [("", top)]
    while stack:
        prefix, directory = stack.pop()
        with os.scandir(directory) as entries:
            for entry in sorted(entries, key=lambda one: os.fsencode(one.name)):
                relative = f"{prefix}{entry.name}"
                if entry.is_dir(follow_symlinks=False):
                    stack.append((f"{relative}/", entry.path))
                else:
                    yield relative, entry.path


def _check_encodable(name: str) -> None:
    """A name goes into an object as text, so it must be text."""
    if any("\ud800" <= char <= "\udfff" for char in name):
        raise Refused("odd-file-name", "its name is not valid UTF-8")


def is_binary(data: bytes) -> bool:
    """Tell whether bytes cannot stand in ``data`` of a ConfigMap: no UTF-8, or a NUL in it."""
    if b"\x00" in data:
        return True
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return True
    return False


def _reason(error: OSError | ValueError) -> str:
    if isinstance(error, FileNotFoundError):
        return "it does not exist"
    return error.strerror or "it cannot be read" if isinstance(error, OSError) else "its name is no usable path"
