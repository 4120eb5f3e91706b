"""The last change of rollout limits per object, kept in the user's state directory, so that it can be undone.

A record is put down before the change is sent and confirmed after it: whatever ends the program in between, what was
written can be undone. One confirmed record an object, named by cluster address, kind, namespace and name; those put
down carry the time as well, so that commands that run at once do not take each other's.
"""

from __future__ import annotations

import contextlib
import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec

from kubectl_c9s.files.onefile import write_file
from kubectl_c9s.resources.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

_FOLDER: Final = "kubectl-c9s/rollout-undo"
_PENDING: Final = ".pending"


class Record(msgspec.Struct, frozen=True):
    """A change that was written: the block before and after it, None where there was none.

    ``had_spec`` is false when the object had no spec at all. ``uid`` tells a re-created object apart.
    """

    server: str
    kind: Literal["Config", "Topology"]
    namespace: str
    name: str
    uid: str
    before: dict[str, Any] | None
    after: dict[str, Any] | None
    had_spec: bool
    written: str


class UndoStore:
    """The records of one user."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        home = environment.get("XDG_STATE_HOME") or ""
        # The rules of XDG: a path that is not absolute is to be ignored.
        base = Path(home) if Path(home).is_absolute() else Path.home() / ".local/state"
        self.folder = base / _FOLDER

    def prepare(self, record: Record) -> None:
        """Put a record down beside the last one, before its change is sent; raises OSError."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_file(self._pending(record), msgspec.json.encode(record))

    def confirm(self, record: Record) -> None:
        """Make a prepared record the last one: its change was written. Raises OSError."""
        write_file(self._path(record), msgspec.json.encode(record))
        self.drop(record)

    def drop(self, record: Record) -> None:
        """Forget a prepared record: its change was not written."""
        self._pending(record).unlink(missing_ok=True)

    def forget(self, record: Record) -> None:
        """Forget a record that was undone."""
        self._path(record).unlink(missing_ok=True)
        self.drop(record)

    def of_server(self, server: str) -> list[tuple[Record, bool]]:
        """Give the records of a cluster, the newest first, and whether each was confirmed.

        Raises UsageError for a record that cannot be read.
        """
        paths: list[Path] = []
        with contextlib.suppress(FileNotFoundError):
            paths += (path for path in self.folder.iterdir() if ".json" in path.suffixes)
        found = [(_read(path), path.suffix != _PENDING) for path in paths]
        here = [(record, sure) for record, sure in found if record.server == server]
        return sorted(here, key=lambda one: (one[0].written, one[1]), reverse=True)

    def _path(self, record: Record) -> Path:
        text = f"{record.server}\n{record.kind}\n{record.namespace}\n{record.name}"
        return self.folder / f"{_digest(text)}.json"

    def _pending(self, record: Record) -> Path:
        path = self._path(record)
        return path.with_name(f"{path.name}.{_digest(record.written)}{_PENDING}")


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:24]


def _read(path: Path) -> Record:
    try:
        return msgspec.json.decode(path.read_bytes(), type=Record)
    except (OSError, msgspec.DecodeError) as error:
        raise UsageError(f"the undo record {path} cannot be read: {error}") from None
