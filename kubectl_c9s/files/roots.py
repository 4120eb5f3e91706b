"""The directories that files may be taken from, and the way to a file in them that no link can bend (staging.md D).

A path is resolved first and has to lie in one of the directories; then it is opened from that directory on, component
by component, following no link. So a link that is put in the way after the check leads to an error, not outside.
"""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

# A directory on the way needs to be entered, not read: O_PATH asks for no more, where the system has it.
_ON_THE_WAY: Final = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | os.O_CLOEXEC
_LISTED: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# Not blocking: should a pipe have taken the place of a file, opening it must not hang.
_READ: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class Refused(Exception):
    """Nothing is taken from a path; carries the finding's code and message."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class Roots:
    """Allowed directories; each stays the one it was at the beginning.

    Methods raise Refused for what lies outside, is not there, or cannot be read.
    """

    def __init__(self, paths: Iterable[str]) -> None:
        self._roots = {path: _identity(path) for path in map(os.path.realpath, paths)}

    def locate(self, path: str) -> tuple[str, os.stat_result]:
        """Give the real path, which lies in an allowed directory, and what stands there."""
        try:
            target = os.path.realpath(path, strict=True)
            status = os.lstat(target)
        except (OSError, ValueError) as error:
            # Whether something outside exists is nobody's business.
            self.root_of(_lenient_real_path(path))
            raise Refused(_code(error), _reason(error)) from None
        self.root_of(target)
        return target, status

    def root_of(self, target: str) -> str:
        """Give the allowed directory that a real path lies in; Refused for one that lies in none."""
        for root in self._roots:
            if target == root or target.startswith(root.rstrip("/") + "/"):
                return root
        message = f"it lies outside the directory of the lab ({target}); --allow-outside DIR allows another directory"
        raise Refused("outside-lab-directory", message)

    def names(self, directory: str) -> list[tuple[str, bool]]:
        """Give the names in a directory, sorted by their bytes, and whether they are directories themselves."""
        descriptor = self._descend(directory, _LISTED)
        try:
            with os.scandir(descriptor) as entries:
                found = [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries]
        except OSError as error:
            raise Refused(_code(error), _reason(error)) from None
        finally:
            os.close(descriptor)
        return sorted(found, key=lambda one: os.fsencode(one[0]))

    def open(self, target: str) -> int:
        """Open a regular file by its real path; gives the descriptor."""
        descriptor = self._descend(target, _READ)
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise Refused("not-a-file", "it is no regular file any more")
        return descriptor

    def read(self, target: str, most: int) -> tuple[bytes, int]:
        """Give at most so many bytes, and the mode, of one and the same regular file."""
        with os.fdopen(self.open(target), "rb") as stream:
            mode = os.fstat(stream.fileno()).st_mode
            try:
                return stream.read(most), mode
            except OSError as error:
                raise Refused(_code(error), _reason(error)) from None

    def _descend(self, target: str, flags: int) -> int:
        """Open a real path without following any link below its allowed directory."""
        root = self.root_of(target)
        *way, last = [part for part in target[len(root) :].split("/") if part] or ["."]
        try:
            descriptor = os.open(root, _ON_THE_WAY)
            if _identity(descriptor) != self._roots[root]:
                os.close(descriptor)
                raise Refused("missing-file", f"the directory {root} was replaced by another one")
            for part in way:
                descriptor = _step(descriptor, part, _ON_THE_WAY | os.O_NOFOLLOW)
            return _step(descriptor, last, flags)
        except OSError as error:
            raise Refused(_code(error), _reason(error)) from None


def _identity(directory: str | int) -> tuple[int, int] | None:
    """Tell which directory this is, whatever its name will mean later."""
    try:
        status = os.stat(directory)  # noqa: PTH116 - of a descriptor, too
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _step(directory: int, name: str, flags: int) -> int:
    try:
        return os.open(name, flags, dir_fd=directory)
    finally:
        os.close(directory)


def _lenient_real_path(path: str) -> str:
    """Resolve as far as there is something to resolve."""
    try:
        return os.path.realpath(path)
    except ValueError:  # a NUL: no path at all
        return os.path.normpath(path)


def _code(error: OSError | ValueError) -> str:
    return "unreadable-file" if isinstance(error, PermissionError) else "missing-file"


def _reason(error: OSError | ValueError) -> str:
    if isinstance(error, FileNotFoundError):
        return "it does not exist"
    if isinstance(error, OSError):
        return error.strerror or "it cannot be read"
    return "its name is no usable path"
