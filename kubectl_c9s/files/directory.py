"""Directories of ours: brought up to date in one step, or compared with what they should hold."""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING, NamedTuple, Self

from kubectl_c9s.files.compare import Rendering, changes
from kubectl_c9s.files.lock import locked
from kubectl_c9s.files.places import find, lab_directory, told
from kubectl_c9s.files.present import Present, look
from kubectl_c9s.files.settle import recover, refuse_interrupted
from kubectl_c9s.files.staging import Staging
from kubectl_c9s.files.unified import MAX_BYTES, file_diff
from kubectl_c9s.resources.errors import C9sError, UsageError
from kubectl_c9s.yamlio.inventory import INVENTORY

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from kubectl_c9s.files.compare import Change

__all__ = ["Outcome", "Rendering", "check", "lab_directory", "replace"]

_PARENT = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC


class Outcome(NamedTuple):
    """What became of a directory: paths in it, and counts.

    ``edited`` are files of ours that somebody had changed, and whose changes are gone: worth a warning
    each. ``notes`` say what could not be cleared away. ``foreign`` counts what was there and is not ours.
    """

    directory: str
    new: list[str]
    changed: list[str]
    removed: list[str]
    stale: list[str]
    edited: list[str]
    adopted: list[str]
    notes: list[str]
    unchanged: int
    foreign: int

    @property
    def is_up_to_date(self) -> bool:
        """Tell whether nothing had to be done, so that nothing was written."""
        return not (self.new or self.changed or self.removed)


def replace(jobs: Iterable[tuple[Path, Rendering]], *, prune: bool = False) -> list[Outcome]:
    """Bring directories up to date, each in one step, none before all are ready.

    A directory is whole at every moment, the old one or the new one, also when the process is killed. What
    is not ours stays the same file. A directory that is up to date is left alone.

    GuardRefusal, UsageError or C9sError (full disk), and then no directory has changed, except those
    whose swap came before a swap that the system refused.
    """
    works = [_Work(directory, rendering, prune=prune) for directory, rendering in jobs]
    if len({(work.place.parent, work.place.name) for work in works}) < len(works):
        raise UsageError("two labs would go into one directory")
    with contextlib.ExitStack() as stack:
        for work in works:
            stack.enter_context(work)
        for work in works:
            work.commit()
    return [work.outcome for work in works]


def check(
    directory: Path, rendering: Rendering, *, prune: bool = False, prefix: str = ""
) -> Iterator[str]:
    """Give what ``replace`` would change as a unified diff, line by line; nothing if it is up to date.

    Writes nothing. ``prefix`` is put before paths. Errors as ``replace`` has them, raised on the way.
    """
    place = find(directory)
    with contextlib.ExitStack() as stack, told(place.shown):
        try:
            parent = os.open(place.parent, _PARENT)
        except FileNotFoundError:
            present = Present(None, {}, None, {})
        else:
            stack.callback(os.close, parent)
            refuse_interrupted(parent, place.name)
            present = look(parent, place.name, rendering.lab)
        if present.folder is not None:
            stack.enter_context(present.folder)
        for change in changes(present, rendering, prune=prune):
            yield from _diff(present, change, prefix)
        if present.folder is not None and not os.path.samestat(
            place.parent.joinpath(place.name).lstat(), os.fstat(present.folder.descriptor)
        ):
            raise C9sError(f"{place.shown} was replaced while it was read", hint="run it again")


def _diff(present: Present, change: Change, prefix: str) -> Iterator[str]:
    if change.kind == "same":
        return
    old = None
    if change.kind != "new" and present.folder is not None:
        old = present.folder.read(change.path, MAX_BYTES + 1)
    new = None if change.kind == "removed" else change.data
    yield from file_diff(prefix + change.path, old, new)


class _Work:
    """One directory: looked at and built beside on entry, swapped by ``commit``, cleared up on exit."""

    def __init__(self, directory: Path, rendering: Rendering, *, prune: bool) -> None:
        self.place = find(directory)
        self._rendering, self._prune = rendering, prune
        self._staging: Staging | None = None
        self._stack = contextlib.ExitStack()
        self.outcome = Outcome(self.place.shown, [], [], [], [], [], [], [], 0, 0)

    def __enter__(self) -> Self:
        with contextlib.ExitStack() as stack, told(self.place.shown):
            self.place.parent.mkdir(parents=True, exist_ok=True)
            parent = os.open(self.place.parent, _PARENT)
            stack.callback(os.close, parent)
            stack.enter_context(locked(parent, self.place.name))
            self.outcome.notes.extend(recover(parent, self.place.name))
            present = look(parent, self.place.name, self._rendering.lab)
            if present.folder is not None:
                stack.enter_context(present.folder)
            stack.callback(self._close)
            self._build(parent, present)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def commit(self) -> None:
        if self._staging is not None:
            with told(self.place.shown):
                self._staging.commit()

    def _close(self) -> None:
        if self._staging is not None:
            self.outcome.notes.extend(self._staging.close())

    def _build(self, parent: int, present: Present) -> None:
        kept: list[str] = []
        written = {INVENTORY}
        for change in changes(present, self._rendering, prune=self._prune):
            self._record(change)
            written.add(change.path)
            if change.kind == "same":
                kept.append(change.path)
                continue
            self._staging = self._staging or Staging(parent, self.place.name, present)
            if change.kind != "removed":
                self._staging.write(change.path, change.data)
        stale = sorted(path for path in present.owned if path not in written)
        self.outcome.stale.extend(stale)
        adopted = frozenset(self.outcome.adopted)
        foreign = len(present.foreign(adopted))
        if self._staging is not None:
            self._staging.complete([*kept, *stale], adopted)
        self.outcome = self.outcome._replace(unchanged=len(kept), foreign=foreign)

    def _record(self, change: Change) -> None:
        lists = {
            "new": self.outcome.new,
            "changed": self.outcome.changed,
            "removed": self.outcome.removed,
        }
        if change.kind in lists:
            lists[change.kind].append(change.path)
        if change.edited:
            self.outcome.edited.append(change.path)
        if change.adopted:
            self.outcome.adopted.append(change.path)
