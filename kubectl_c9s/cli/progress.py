"""What ``apply`` prints while it works: a line an object on stdout, on a terminal a count on stderr beside it."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Final, Self

from kubectl_c9s.cli.oneline import OneLine
from kubectl_c9s.output.safe_text import safe_text

if TYPE_CHECKING:
    from kubectl_c9s.cluster.kinds import Resource
    from kubectl_c9s.cluster.writing import Applied

_REDRAW: Final = 0.2  # seconds; live views redraw at most five times a second (conventions.md §3)


class Progress:
    """Prints results as they come; ``suffix`` ends every line, as in ``(dry run)``.

    The count is shown only where stderr is a terminal and stdout is none: else the lines themselves show the progress.
    """

    def __init__(self, total: int, suffix: str) -> None:
        self._total = total
        self._suffix = suffix
        self._count = 0
        self._shown = 0.0
        self._line = OneLine(wanted=not sys.stdout.isatty())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        if self._shown:
            self._line("")

    def done(self, applied: Applied) -> None:
        """Take the result of one object."""
        self.line(applied.resource, applied.name, applied.result)

    def line(self, resource: Resource, name: str, result: str) -> None:
        """Print one line, and the count if it is time."""
        group = f".{resource.group}" if resource.group else ""
        kind = resource.kind.lower()
        sys.stdout.write(f"{kind}{group}/{safe_text(name)} {result}{self._suffix}\n")
        self._count += 1
        if self._line.live and time.monotonic() - self._shown >= _REDRAW:
            self._shown = time.monotonic()
            self._line(f"{self._count} of {self._total} objects")
