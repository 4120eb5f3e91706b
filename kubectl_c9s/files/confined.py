"""Looking at and reading local files a lab names, and nothing else (staging.md D).

Devices, pipes and sockets are looked at, never opened. How links are kept from leading outside: ``roots``.
"""

from __future__ import annotations

import hashlib
import os
import stat
from typing import TYPE_CHECKING, Final

from kubectl_c9s.files.roots import Refused, Roots
from kubectl_c9s.topology.stagedfiles import Found, FoundFile
from kubectl_c9s.topology.staging import MAX_FILE_BYTES
from kubectl_c9s.topology.stagingrules import PRIVATE_KEY

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["Confined", "Refused", "is_binary"]

_MAX_FILES: Final = 10_000
_PEM: Final = PRIVATE_KEY.encode()
_KINDS: Final = (
    (stat.S_ISFIFO, "a pipe"), (stat.S_ISSOCK, "a socket"), (stat.S_ISCHR, "a device"), (stat.S_ISBLK, "a device"),
)  # fmt: skip


class Confined:
    """The directories files may be taken from: that of the lab, and those the user allows."""

    def __init__(self, base: str, allowed: Sequence[str] = ()) -> None:
        self._base = os.path.realpath(base)
        self._roots = Roots((self._base, *allowed))

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
        return self._roots.read(origin, MAX_FILE_BYTES + 1)[0]

    def _open(self, target: str) -> int:
        return self._roots.open(target)

    def _look(self, shown: str) -> Found:
        if shown.startswith("~"):
            raise Refused("outside-lab-directory", "files of the home directory are never read")
        _check_encodable(shown)
        path = shown
        if not shown.startswith("/"):
            path = os.path.normpath(f"{self._base}/{shown}")  # as containerlab joins them
        target, status = self._roots.locate(path)
        if not stat.S_ISDIR(status.st_mode):
            return Found((self._file("", target, status),))
        if os.path.islink(os.path.normpath(path)):  # noqa: PTH114 - with the / and . at its end taken off
            message = "it is a link to a directory; name the directory itself"
            raise Refused("link-to-directory", message)
        return self._directory(target)

    def _directory(self, top: str) -> Found:
        files: list[FoundFile] = []
        problems: list[tuple[str, str]] = []
        for relative in self._walk(top, problems):
            if len(files) >= _MAX_FILES:
                message = f"the directory has more than {_MAX_FILES} files"
                problems.append(("too-many-files", message))
                break
            try:
                files.append(self._entry(relative, f"{top.rstrip('/')}/{relative}"))
            except Refused as refused:
                problems.append((refused.code, f"{relative}: {refused.message}"))
        return Found(tuple(files), directory=True, problems=tuple(problems))

    def _walk(self, top: str, problems: list[tuple[str, str]]) -> Iterator[str]:
        """Give the relative name of everything below a directory that is no directory, links included."""
        stack = [""]
        while stack:
            prefix = stack.pop()
            try:
                found = self._roots.names(f"{top}/{prefix}".rstrip("/") or "/")
            except Refused as refused:
                problems.append((refused.code, f"{prefix or '.'}: {refused.message}"))
                continue
            for name, is_directory in found:
                if is_directory:
                    stack.append(f"{prefix}{name}/")
                else:
                    yield f"{prefix}{name}"

    def _entry(self, relative: str, path: str) -> FoundFile:
        _check_encodable(relative)
        target, status = self._roots.locate(path)
        if stat.S_ISDIR(status.st_mode):
            message = "it is a link to a directory, which is not followed"
            raise Refused("link-to-directory", message)
        return self._file(relative, target, status)

    def _file(self, relative: str, target: str, status: os.stat_result) -> FoundFile:
        if not stat.S_ISREG(status.st_mode):
            kind = next((name for test, name in _KINDS if test(status.st_mode)), "no regular file")
            raise Refused("not-a-file", f"it is {kind}, which is never opened")
        if status.st_size > MAX_FILE_BYTES:
            message = f"it has {status.st_size} bytes, at most {MAX_FILE_BYTES} can be staged"
            raise Refused("file-too-large", message)
        data, mode = self._roots.read(target, MAX_FILE_BYTES + 1)
        if len(data) > MAX_FILE_BYTES:
            raise Refused("file-too-large", f"it has more than {MAX_FILE_BYTES} bytes")
        return FoundFile(
            relative,
            executable=bool(mode & 0o111),
            size=len(data),
            digest=hashlib.sha256(data).hexdigest(),
            binary=is_binary(data),
            private_key=_PEM in data,
            origin=target,
        )


def _check_encodable(name: str) -> None:
    """Refuse a name that is no text: it goes into an object as text."""
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
