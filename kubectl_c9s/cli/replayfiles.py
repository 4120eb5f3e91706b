"""The directory of a replay: files written whole while it goes on, so that an interrupted one leaves what it had."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from kubectl_c9s.files.onefile import write_file
from kubectl_c9s.output.structured import json_line
from kubectl_c9s.resources.errors import C9sError, UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping


class Folder:
    """A directory that is absent or empty at first."""

    def __init__(self, path: str) -> None:
        self.path = Path(path)
        self._made = False
        self._names: set[str] = set()

    def check(self) -> None:
        """Refuse a directory that has something in it, or is none."""
        try:
            if self.path.exists() and (not self.path.is_dir() or any(self.path.iterdir())):
                raise UsageError(
                    f"--output-dir {str(self.path)!r} is no empty directory",
                    hint="name one that is not there yet",
                )
        except OSError as error:
            raise UsageError(f"--output-dir {str(self.path)!r}: {error.strerror}") from None

    def make(self) -> None:
        """Make the directory if it is not there; raises UsageError."""
        try:
            self._made = not self.path.exists()
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            text = f"--output-dir {str(self.path)!r} cannot be made: {error.strerror}"
            raise UsageError(text) from None

    def write(self, name: str, data: bytes) -> None:
        """Write a file, or write it anew."""
        try:
            write_file(self.path / name, data)
        except OSError as error:
            raise C9sError(f"cannot write {self.path / name}: {error.strerror}") from None
        self._names.add(name)

    def append(self, name: str, value: Mapping[str, Any]) -> None:
        """Add a line of JSON to a file."""
        try:
            with (self.path / name).open("a", encoding="utf-8") as file:
                file.write(json_line(value))
        except OSError as error:
            raise C9sError(f"cannot write {self.path / name}: {error.strerror}") from None
        self._names.add(name)

    def forget(self) -> None:
        """Take away what was written: nothing has happened."""
        for name in self._names:
            (self.path / name).unlink(missing_ok=True)
        if self._made:
            self.path.rmdir()
