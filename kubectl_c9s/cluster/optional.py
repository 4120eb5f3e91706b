"""Reads that a command can do without: what may not or cannot be read becomes a note."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import msgspec

from kubectl_c9s.cluster.errors import Unreachable
from kubectl_c9s.resources.errors import C9sError

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")


class Reads:
    """Several such reads; ``notes`` are those of all.

    A server that gives no answer to one is not asked for the others: each would wait as long for it again.
    """

    def __init__(self) -> None:
        self.notes: list[str] = []
        self._gone = False

    def read(self, what: str, read: Callable[[], T], *, silent: bool = False) -> T | None:
        """Read; None when that fails, with a note that begins with ``what`` is missing then, unless ``silent``."""
        if self._gone:
            return None
        try:
            return read()
        except C9sError as error:
            self._gone = isinstance(error, Unreachable)
            note = f"{what}{', nor what is read after it' if self._gone else ''}: {error.message}"
        except msgspec.DecodeError as error:
            note = f"{what}: the answer cannot be read: {error}"
        if not silent:
            self.notes.append(note)
        return None


def optional(what: str, read: Callable[[], T], notes: list[str]) -> T | None:
    """Do one such read alone and add its note to others."""
    reads = Reads()
    found = reads.read(what, read)
    notes += reads.notes
    return found
