"""The texts of a dump: a file, an archive, or a directory of such."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

from kubectl_c9s.files.archive import MAGIC, unpacked
from kubectl_c9s.files.objectlists import STDIN, name_of, read_whole
from kubectl_c9s.resources.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

ARCHIVES: Final = (".tar.gz", ".tgz")
_SUFFIXES: Final = (".json", *ARCHIVES)


def texts_in(data: bytes, name: str) -> Iterator[tuple[str, bytes]]:
    """Give a text with its name, or those of an archive, whatever the name says."""
    if data.startswith(MAGIC):
        yield from unpacked(data, name)
    else:
        yield name, data


def texts_at(path: str) -> Iterator[tuple[str, bytes]]:
    """Give name and text of a file, of stdin (``-``), or of the files of a directory in order of name.

    Of a directory ``.json`` and ``.tar.gz`` files are taken; UsageError when it has none, or a file cannot be read.
    RefusedInput for an archive that is none.
    """
    for file in _files(path):
        yield from texts_in(read_whole(file), name_of(file))


def _files(path: str) -> list[str]:
    if path == STDIN or not os.path.isdir(path):  # noqa: PTH112 - bytes and odd names pass unchanged
        return [path]
    found = sorted(str(file) for file in Path(path).iterdir() if file.name.endswith(_SUFFIXES))
    if not found:
        raise UsageError(f"directory {path} has no .json or .tar.gz file")
    return found
