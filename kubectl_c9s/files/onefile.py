"""One file written whole or not at all."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def write_file(path: Path, data: bytes | Iterable[bytes], *, private: bool = False) -> None:
    """Write a file by renaming a finished one over it; a link stays a link. Raises OSError.

    The mode of a file that was there stays, unless it is to be ``private``: only the user can read a new one.
    """
    path = Path(os.path.realpath(path))
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:100]}-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.writelines([data] if isinstance(data, bytes) else data)
            file.flush()
            if path.exists() and not private:
                os.fchmod(handle, stat.S_IMODE(path.stat().st_mode))
            os.fsync(handle)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
