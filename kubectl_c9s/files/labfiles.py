"""Reading lab files that a document in Git names: nothing outside the current directory, links included.

Source: conventions.md §6, "no path may leave the source directory". The directory a lab's own files are taken
from is checked, too: a link to elsewhere may hold a link back to a lab.
"""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING, Final

from kubectl_c9s.files.roots import Refused, Roots
from kubectl_c9s.yamlio.reader import MAX_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterator

_SUFFIXES: Final = (".yaml", ".yml", ".json")
_MAX_FILES: Final = 10_000


class LabFiles:
    """The files of the current directory; all methods raise Refused for what is outside, missing or unreadable."""

    def __init__(self) -> None:
        self._base = os.path.realpath(".")
        self._roots = Roots([self._base])

    def expand(self, path: str, *, recursive: bool) -> list[str]:
        """Give the files a path names: itself, or the YAML and JSON files of a directory, sorted by path.

        Hidden files and folders are left out, links to folders are not followed.
        """
        target, status = self._inside(path)
        if not stat.S_ISDIR(status.st_mode):
            return [path]
        found: list[str] = []
        for name in self._listed(target, "", recursive=recursive):
            found.append(os.path.normpath(f"{path}/{name}"))
            if len(found) > _MAX_FILES:
                raise Refused(
                    "too-many-files", f"the directory {path} has more than {_MAX_FILES} files"
                )
        return sorted(found)

    def read_lab(self, path: str) -> bytes:
        """Read a file, at most one byte more than a lab may have."""
        target, _ = self._inside(path)
        self._inside(os.path.dirname(path) or ".")  # noqa: PTH120 - as written
        try:
            return self._roots.read(target, MAX_BYTES + 1)[0]
        except Refused as refused:
            raise Refused(refused.code, f"{path}: {refused.message}") from None

    def check_directory(self, path: str) -> None:
        """Refuse a path that is no directory in the current one."""
        if not stat.S_ISDIR(self._inside(path)[1].st_mode):
            raise Refused("missing-file", f"{path} is no directory")

    def _inside(self, path: str) -> tuple[str, os.stat_result]:
        """Give the real path of what is there, and what it is."""
        try:
            if not path.startswith(("/", "~")):
                return self._roots.locate(os.path.join(self._base, path))  # noqa: PTH118 - keeps .. behind links
        except Refused as refused:
            if refused.code != "outside-lab-directory":
                raise Refused(refused.code, f"{path}: {refused.message}") from None
        message = f"{path} leads out of the current directory; name files and directories in it, by relative paths"
        raise Refused("outside-lab-directory", message)

    def _listed(self, directory: str, prefix: str, *, recursive: bool) -> Iterator[str]:
        for name, is_directory in self._roots.names(directory):
            if name.startswith("."):
                continue
            if is_directory:
                if recursive:
                    yield from self._listed(
                        f"{directory}/{name}", f"{prefix}{name}/", recursive=True
                    )
            elif name.endswith(_SUFFIXES):
                _check_encodable(f"{prefix}{name}")
                yield f"{prefix}{name}"


def _check_encodable(path: str) -> None:
    shown = path.encode("utf-8", "replace").decode()
    if shown != path:
        raise Refused("odd-file-name", f"{shown}: the name is not valid UTF-8")
