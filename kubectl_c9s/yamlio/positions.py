"""From a place inside an embedded text back to the place in the file that holds it.

A Topology holds its definition as one YAML string. A finding inside the definition has to point at the outer file
as the user sees it, however that string was written: as a ``|`` block (line for line), quoted, folded or plain.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from typing import TYPE_CHECKING, Final, Protocol

from kubectl_c9s.resources.findings import Position

if TYPE_CHECKING:
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
        """Give the place in the file of a line and column of the embedded text."""
        if self._scalar.style == "|":
            return Position(self._file, self._scalar.line + line + 2, self._indent + column + 1)
        starts = self._inner_starts
        inner = min(starts[min(line, len(starts) - 1)] + column, len(self._map) - 1)
        offset = self._map[inner] if self._map else self._start
        outer_line = bisect_right(self._outer_starts, offset) - 1
        return Position(self._file, outer_line + 1, offset - self._outer_starts[outer_line] + 1)

    def of(self, node: Node | None) -> Position:
        """Give the place of a node of the embedded text, or of the string that holds it."""
        if node:
            return self.locate(node.line, node.column)
        return Position(self._file, self._scalar.line + 1, self._scalar.column + 1)

    @cached_property
    def _outer_starts(self) -> list[int]:
        return _line_starts(self._outer)

    @cached_property
    def _inner_starts(self) -> list[int]:
        return _line_starts(self._scalar.text)

    @cached_property
    def _start(self) -> int:
        return self._outer_starts[self._scalar.line] + self._scalar.column

    @cached_property
    def _indent(self) -> int:
        """Indentation of a literal block: what its first line with text has more than the value."""
        lines = self._outer.split("\n")
        for index, inner in enumerate(self._scalar.text.split("\n")):
            if inner.strip():
                outer = lines[self._scalar.line + 1 + index].rstrip("\r")
                return len(outer) - len(inner)
        return 0

    @cached_property
    def _map(self) -> list[int]:
        return _align(self._outer, self._start, self._scalar)


_NAMED_ESCAPES: Final = frozenset('0abt\tnvfre "/\\N_LP')
_HEX_ESCAPES: Final = {"x": 2, "u": 4, "U": 8}


def _line_starts(text: str) -> list[int]:
    starts = [0]
    at = text.find("\n")
    while at >= 0:
        starts.append(at + 1)
        at = text.find("\n", at + 1)
    return starts


def _align(outer: str, start: int, scalar: Scalar) -> list[int]:
    """Give for each character of a quoted, folded or plain scalar its offset in the outer text.

    Walks both texts together: equal characters advance both; white space of the outer text that folding took away
    is skipped; escapes advance as a whole.
    """
    at = start + (1 if scalar.style in {"'", '"'} else 0)
    if scalar.style == ">":
        at = outer.find("\n", start) + 1
    found: list[int] = []
    for char in scalar.text:
        if scalar.style == '"':
            at = _skip_continuation(outer, at)
        at = _match(outer, at, char, scalar.style)
        found.append(at)
        at += _width(outer, at, char, scalar.style)
    return found or [start]


def _skip_continuation(outer: str, at: int) -> int:
    r"""Skip an escaped line break (``\`` at the end of a line) and the indentation after it."""
    while outer.startswith(("\\\n", "\\\r\n"), at):
        at = outer.index("\n", at) + 1
        while at < len(outer) and outer[at] in " \t":
            at += 1
    return at


def _match(outer: str, at: int, char: str, style: str | None) -> int:
    """Move over folded white space until the outer text stands at what gave ``char``."""
    if style == '"' and outer[at : at + 1] == "\\":
        return at
    if char.isspace():
        return at
    while at < len(outer) and outer[at] != char and outer[at] in " \t\r\n":
        at += 1
    return min(at, len(outer) - 1)


def _width(outer: str, at: int, char: str, style: str | None) -> int:
    """Tell how many characters of the outer text gave this one."""
    if style == '"' and outer[at] == "\\" and outer[at + 1 : at + 2]:
        escape = outer[at + 1]
        return (
            2 + _HEX_ESCAPES.get(escape, 0)
            if escape in _HEX_ESCAPES or escape in _NAMED_ESCAPES
            else 1
        )
    if style == "'" and char == "'":
        return 2
    if char in " \n" and outer[at] in " \t\r\n" and outer[at] != " ":
        return 1
    return 1 if outer[at] == char else 0
