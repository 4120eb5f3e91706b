"""Tables for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def columns(rows: Sequence[Sequence[str]], gap: int = 3) -> Iterator[str]:
    """Align rows as kubectl does: columns as wide as their widest cell, ``gap`` blanks apart."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield (" " * gap).join(cells).rstrip()
