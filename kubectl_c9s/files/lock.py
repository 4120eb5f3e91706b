"""One run at a time on a directory."""

from __future__ import annotations

import contextlib
import fcntl
import os
from typing import TYPE_CHECKING

from kubectl_c9s.resources.errors import GuardRefusal

if TYPE_CHECKING:
    from collections.abc import Iterator


def lock_name(name: str) -> str:
    """Name of the lock file of a directory, which stands beside it while a run is at work."""
    return f".{name}.c9s-lock"


@contextlib.contextmanager
def locked(parent: int, name: str) -> Iterator[None]:
    """Hold the lock of the directory ``name`` in the open directory ``parent``.

    The lock belongs to the process: a killed one leaves a file that is not locked, and the next run takes
    and removes it. GuardRefusal if another run holds it.
    """
    descriptor = _take(parent, lock_name(name))
    try:
        yield
    finally:
        # Removed while it is held: whoever opened it meanwhile sees that the name has gone, and tries again.
        with contextlib.suppress(OSError):
            os.unlink(lock_name(name), dir_fd=parent)
        os.close(descriptor)


def _take(parent: int, name: str) -> int:
    while True:
        flags = os.O_RDONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
        descriptor = os.open(name, flags, 0o644, dir_fd=parent)  # enough for others to lock it
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if _is_named(parent, name, descriptor):
                return descriptor
        except BlockingIOError:
            os.close(descriptor)
            message = "another run is writing it at this moment"
            raise GuardRefusal(message, hint="wait until that run has ended") from None
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)


def _is_named(parent: int, name: str, descriptor: int) -> bool:
    try:
        named = os.stat(name, dir_fd=parent, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return os.path.samestat(named, os.fstat(descriptor))
