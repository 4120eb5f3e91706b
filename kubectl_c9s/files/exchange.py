"""Swapping two names in one step, where the system can: both exist at every moment."""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import sys
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

_SWAP: Final = 2  # RENAME_EXCHANGE of Linux and RENAME_SWAP of macOS are the same number
# A C library without renameat2 (musl before 1.2.6) still has syscall(2).
_SYSCALL_NUMBERS: Final = {"x86_64": 316, "aarch64": 276}
_UNSUPPORTED: Final = frozenset({errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP})


def exchange(folder_a: int, name_a: str, folder_b: int, name_b: str) -> bool:
    """Swap two names, each in an open directory; False, with nothing done, where that cannot be had.

    OSError for every other failure; nothing is done then either.
    """
    swap = _swap_function()
    if swap is None:
        return False
    ctypes.set_errno(0)
    if swap(folder_a, os.fsencode(name_a), folder_b, os.fsencode(name_b), _SWAP) == 0:
        return True
    number = ctypes.get_errno()
    if number in _UNSUPPORTED:
        return False
    raise OSError(number, os.strerror(number), name_b)


def sync_file_system(folder: int) -> None:
    """Write everything of the file system that holds an open directory to the disk."""
    syncfs = getattr(ctypes.CDLL(None, use_errno=True), "syncfs", None)
    if syncfs is None:
        os.sync()
    elif syncfs(folder) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def _swap_function() -> Callable[[int, bytes, int, bytes, int], int] | None:
    library = ctypes.CDLL(None, use_errno=True)
    found = getattr(library, "renameatx_np" if sys.platform == "darwin" else "renameat2", None)
    if found is None and sys.platform == "linux":
        number = _SYSCALL_NUMBERS.get(platform.machine())
        if number is None:
            return None
        return lambda *given: int(library.syscall(number, *given))
    if found is not None:
        found.argtypes = (
            ctypes.c_int,
            ctypes.c_char_p,
            ctypes.c_int,
            ctypes.c_char_p,
            ctypes.c_uint,
        )
    return found
