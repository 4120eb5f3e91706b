"""From a place inside an embedded text back to the place in the file that holds it.

A Topology holds its definition as one YAML string. A finding inside the definition has to point at the outer file
as the user sees it, however that string was written: as a ``|`` block (line for line), quoted, folded or plain.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from kubectl_c9s.resources.findings import Position

if TYPE_CHECKING:
    from kubectl_c9s.yamlio.embedded import EmbeddedPlaces
    from kubectl_c9s.yamlio.nodes import Node, Scalar


class Source(Protocol):
    """Something that knows where a line and column (both from 0) of a text stand in a file."""

    def locate(self, line: int, column: int) -> Position:
        """Give the place in the file."""
        ...

    def of(self, node: Node | None) -> Position:
        """Give the place of a node, or of the text as a whole."""
        ...


class FileSource:
    """A text that is the file itself."""

    def __init__(self, file: str) -> None:
        self._file = file

    def locate(self, line: int, column: int) -> Position:
        """Give the place in the file."""
        return Position(self._file, line + 1, column + 1)

    def of(self, node: Node | None) -> Position:
        """Give the place of a node; without one only the file is known."""
        return self.locate(node.line, node.column) if node else Position(self._file)


class EmbeddedSource:
    """A text that stands as ``scalar`` in the file whose whole text is ``outer``."""

    def __init__(self, file: str, outer: str, scalar: Scalar) -> None:
        self._file = file
        self._outer = outer
        self._scalar = scalar

    def locate(self, line: int, column: int) -> Position:
        """Give the place in the file of a line and column of the embedded text; below 0 its beginning."""
        return Position(self._file, *self._places.locate(line, column))

    def of(self, node: Node | None) -> Position:
        """Give the place of a node of the embedded text, or of the string that holds it."""
        return self.locate(node.line, node.column) if node else self.locate(-1, -1)

    @cached_property
    def _places(self) -> EmbeddedPlaces:
        from kubectl_c9s.yamlio.embedded import EmbeddedPlaces  # noqa: PLC0415 - most runs have nothing to place

        return EmbeddedPlaces(self._outer, self._scalar)
