"""Carrying a file into another folder: by hard link, so that it stays the same file, or as a faithful copy."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from typing import TYPE_CHECKING, Final

from kubectl_c9s.files.tree import CHUNK, READ

if TYPE_CHECKING:
    from collections.abc import Iterator

CREATE: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
# A file system without links, a file with too many, one whose owner the system protects from links.
_NO_LINK: Final = frozenset(
    {errno.EPERM, errno.EXDEV, errno.EMLINK, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS}
)
_PERMISSIONS: Final = 0o777


def carry(name: str, info: os.stat_result, source: int, target: int) -> bool:
    """Carry a name from one open folder to another; True if the file had to be copied.

    A symbolic link is made again with the same text. OSError for a special file that cannot be linked.
    """
    if stat.S_ISLNK(info.st_mode):
        _carry_link(name, info, source, target)
        return False
    try:
        os.link(name, name, src_dir_fd=source, dst_dir_fd=target, follow_symlinks=False)
    except OSError as error:
        if error.errno not in _NO_LINK or not stat.S_ISREG(info.st_mode):
            raise
        _copy(name, source, target)
        return True
    return False


def write_all(descriptor: int, data: bytes) -> None:
    """Write all bytes, however few the system takes at a time."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def copy_metadata(source: int, target: int, *, times: bool) -> None:
    """Give an open file or folder the owner, attributes and mode of another, and its times if asked.

    What the user may not set stays as it is; set-uid and set-gid bits then are not copied.
    """
    info, made = os.fstat(source), os.fstat(target)
    if (info.st_uid, info.st_gid) != (made.st_uid, made.st_gid):
        for owner in (info.st_uid, -1):
            with contextlib.suppress(PermissionError):
                os.fchown(target, owner, info.st_gid)
                break
        made = os.fstat(target)
    for name, value in _attributes(source):
        with contextlib.suppress(OSError):
            os.setxattr(target, name, value)
    same_owner = (info.st_uid, info.st_gid) == (made.st_uid, made.st_gid)
    mode = stat.S_IMODE(info.st_mode)
    os.fchmod(target, mode if same_owner else mode & _PERMISSIONS)
    if times:
        os.utime(target, ns=(info.st_atime_ns, info.st_mtime_ns))


def _attributes(source: int) -> Iterator[tuple[str, bytes]]:
    if hasattr(os, "listxattr"):
        with contextlib.suppress(OSError):
            for name in os.listxattr(source):
                yield name, os.getxattr(source, name)


def _carry_link(name: str, info: os.stat_result, source: int, target: int) -> None:
    os.symlink(os.readlink(name, dir_fd=source), name, dir_fd=target)
    times = (info.st_atime_ns, info.st_mtime_ns)
    os.utime(name, ns=times, dir_fd=target, follow_symlinks=False)
    made = os.stat(name, dir_fd=target, follow_symlinks=False)
    if (made.st_uid, made.st_gid) != (info.st_uid, info.st_gid):
        with contextlib.suppress(PermissionError):
            os.chown(name, info.st_uid, info.st_gid, dir_fd=target, follow_symlinks=False)


def _copy(name: str, source: int, target: int) -> None:
    with os.fdopen(os.open(name, READ, dir_fd=source), "rb") as old:
        made = os.open(name, CREATE, 0o600, dir_fd=target)
        try:
            while chunk := old.read(CHUNK):
                write_all(made, chunk)
            copy_metadata(old.fileno(), made, times=True)
            os.fsync(made)
        finally:
            os.close(made)
