"""Files of saved objects and records, and stdin, read whole."""

from __future__ import annotations

import os
import stat
import sys
from typing import Final

from kubectl_c9s.resources.errors import UsageError

STDIN: Final = "-"
MAX_BYTES: Final = 1 << 30
"""The largest file that is read; Pods of 10,000 devices take about 100 MB."""


def name_of(path: str) -> str:
    """Give what messages call an input."""
    return "<stdin>" if path == STDIN else path


def read_whole(path: str) -> bytes:
    """Read a regular file, or stdin for ``-``; UsageError when it cannot be read."""
    if path == STDIN:
        data = sys.stdin.buffer.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            raise UsageError(f"cannot read stdin: more than {MAX_BYTES} bytes")
        return data
    try:
        # Not blocking: opening a pipe without a writer must not hang. Looked at before anything is read.
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not a usable path"
        raise UsageError(f"cannot read {path}: {reason}") from None
    with os.fdopen(descriptor, "rb") as stream:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise UsageError(f"cannot read {path}: not a regular file")
        if found.st_size > MAX_BYTES:
            raise UsageError(f"cannot read {path}: larger than {MAX_BYTES} bytes")
        return stream.read()
