"""Archives that are the same bytes whenever and wherever they are packed, and their sums."""

from __future__ import annotations

import gzip
import hashlib
import tarfile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


def pack(tree: Path, archive: Path, time: int) -> None:
    """Pack what lies below a folder: sorted, of nobody, with one time and plain rights."""
    with (
        archive.open("wb") as file,
        gzip.GzipFile("", "wb", compresslevel=9, fileobj=file, mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as tar,
    ):
        for path in sorted(tree.rglob("*")):
            entry = tarfile.TarInfo(path.relative_to(tree).as_posix())
            entry.mtime = time
            entry.mode = 0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644
            if path.is_dir():
                entry.type = tarfile.DIRTYPE
                tar.addfile(entry)
            else:
                entry.size = path.stat().st_size
                with path.open("rb") as content:
                    tar.addfile(entry, content)


def sha256(file: Path) -> str:
    """Give the sum of a file in hex."""
    return hashlib.sha256(file.read_bytes()).hexdigest()


def sums(archives: Iterable[Path]) -> str:
    """Give what ``sha256sum --check`` reads."""
    return "".join(f"{sha256(one)}  {one.name}\n" for one in archives)
