"""One line on stderr that says how far a command is, drawn over and over on a terminal (conventions.md §3)."""

from __future__ import annotations

import sys
from typing import Final, Self

_CLEAR: Final = "\r\x1b[K"


class OneLine:
    """What is under way; nothing where stderr is no terminal, or not ``wanted``. The line is gone afterwards."""

    def __init__(self, *, wanted: bool = True) -> None:
        self.live = wanted and sys.stderr.isatty()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self._write("")

    def __call__(self, text: str) -> None:
        """Show a text in place of the one before; it is of our own words."""
        self._write(text)

    def _write(self, text: str) -> None:
        if self.live:
            sys.stderr.write(f"{_CLEAR}{text}")
            sys.stderr.flush()
