"""The file of a recorded start, replaced whole while the recording goes on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from kubectl_c9s.files.onefile import write_file
from kubectl_c9s.measurement.runfile import write_run
from kubectl_c9s.resources.errors import C9sError, UsageError

if TYPE_CHECKING:
    from kubectl_c9s.measurement.run import Run


class RunTarget:
    """Where a run goes; nowhere without a path. ``note`` says what went wrong last, empty when it is well."""

    def __init__(self, path: str | None) -> None:
        self._path = Path(path) if path else None
        self.note = ""

    def begin(self, run: Run) -> None:
        """Make the folders that are missing and the file, before anything is waited for; raises UsageError."""
        if self._path is None:
            return
        if self._path.exists() and not self._path.is_file():
            raise UsageError(f"--output-file {str(self._path)!r} is no regular file")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            write_file(self._path, write_run(run))
        except OSError as error:
            raise UsageError(f"cannot write {self._path}: {error.strerror}") from None

    def keep(self, run: Run) -> None:
        """Write what there is by now; a full disk may be less full the next time."""
        if self._path is None:
            return
        try:
            write_file(self._path, write_run(run))
        except OSError as error:
            self.note = f"a part of the recording could not be written: {error.strerror}"
        else:
            self.note = ""

    def end(self, run: Run) -> None:
        """Write the end; raises C9sError."""
        self.keep(run)
        if self.note:
            raise C9sError(f"cannot write {self._path}: {self.note}")

    @property
    def kept(self) -> str:
        """Say where the recording is, empty without a file."""
        return f"; {self._path} has what was seen" if self._path else ""
