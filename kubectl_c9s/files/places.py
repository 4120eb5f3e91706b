"""Where a directory of ours may be: found once, then reached from its open parent only."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from kubectl_c9s.resources.errors import C9sError, GuardRefusal, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

_LONGEST: Final = 200  # of 255 bytes: the names of our lock and of our workplace carry more
# What the user can mend by naming another place or asking for rights; the rest is the machine's fault.
_USAGE: Final = frozenset(
    {errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.ELOOP}
    | {errno.ENAMETOOLONG, errno.EEXIST, errno.ENOTEMPTY, errno.EBUSY}
)


class Place(NamedTuple):
    """A directory, which may not exist yet: as the user wrote it, its parent without links, its name."""

    shown: str
    parent: Path
    name: str


def find(directory: Path) -> Place:
    """Find the place of a directory that is to be written or compared.

    UsageError if it is a file or its name cannot be used; GuardRefusal for a link, the root, a mount
    point, and directories that hold the home directory or the current one.
    """
    shown = os.fspath(directory)
    if not _is_path(shown):
        raise UsageError(f"{shown!r} is not a usable path")
    ends_in_name = directory.name not in {"", ".."}
    real = Path(os.path.realpath(directory.parent if ends_in_name else directory))
    path = real / directory.name if ends_in_name else real
    _refuse_precious(path, shown)
    if len(os.fsencode(path.name)) > _LONGEST:
        raise UsageError(f"{shown}: the name is longer than {_LONGEST} bytes")
    with told(shown):
        _refuse_unfit(path, shown)
    return Place(shown, path.parent, path.name)


def lab_directory(base: Path, lab: str) -> Path:
    """Give the directory of one of several labs that go into ``base``.

    GuardRefusal if ``base`` is a link or holds the rendering of a single lab.
    """
    if base.is_symlink():
        raise GuardRefusal(f"{base} is a symbolic link", hint=f"name {os.path.realpath(base)}")
    from kubectl_c9s.yamlio.inventory import INVENTORY  # noqa: PLC0415 - rare

    if os.path.lexists(base / INVENTORY):
        hint = "name another directory: several labs get a folder each"
        raise GuardRefusal(f"{base} holds the files of one lab", hint=hint)
    return base / lab


@contextlib.contextmanager
def told(shown: str) -> Iterator[None]:
    """Tell what the system refuses, and put the directory's name before what a guard says."""
    try:
        yield
    except GuardRefusal as refusal:
        if refusal.message.startswith(shown):
            raise
        raise GuardRefusal(f"{shown}: {refusal.message}", hint=refusal.hint) from None
    except OSError as error:
        where = (
            f" ({os.fsdecode(error.filename)})" if isinstance(error.filename, str | bytes) else ""
        )
        message = f"{shown}: {error.strerror or error}{where}"
        raise (UsageError if error.errno in _USAGE else C9sError)(message) from None


def _is_path(text: str) -> bool:
    try:
        return b"\0" not in os.fsencode(text)
    except UnicodeEncodeError:
        return False


def _refuse_precious(path: Path, shown: str) -> None:
    if path.parent == path:
        raise GuardRefusal(f"{shown} is the root directory")
    # A folder that is swapped leaves those who stand in it, or below, in the old one, which goes.
    for what, other in (("the home directory", _home()), ("the current directory", _current())):
        if other is not None and other.is_relative_to(path):
            verb = "is" if other == path else "holds"
            raise GuardRefusal(f"{shown} {verb} {what}", hint="name a directory of its own")


def _home() -> Path | None:
    try:
        return Path(os.path.realpath(Path.home()))
    except RuntimeError:
        return None


def _current() -> Path | None:
    try:
        return Path(os.path.realpath(Path.cwd()))
    except FileNotFoundError:
        return None


def _refuse_unfit(path: Path, shown: str) -> None:
    try:
        info = path.lstat()
    except FileNotFoundError:
        return
    if stat.S_ISLNK(info.st_mode):
        raise GuardRefusal(f"{shown} is a symbolic link", hint=f"name {os.path.realpath(path)}")
    if not stat.S_ISDIR(info.st_mode):
        raise UsageError(f"{shown} is not a directory")
    if info.st_dev != path.parent.stat().st_dev:
        raise GuardRefusal(f"{shown} is a mount point", hint="name a directory below it")
