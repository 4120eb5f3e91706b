"""Where the characters of a scalar's text stand in the text of the file, in every style a scalar can have.

Only findings need this, so it is loaded with the first of them.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from kubectl_c9s.yamlio.nodes import Scalar


class EmbeddedPlaces:
    """Places of the text of ``scalar`` in the file's text ``outer``."""

    def __init__(self, outer: str, scalar: Scalar) -> None:
        self._outer = outer
        self._scalar = scalar

    def locate(self, line: int, column: int) -> tuple[int, int]:
        """Give line and column, from 1, of a line and column of the scalar's text, from 0; below 0 its beginning."""
        if line < 0:
            return self._place(self._start)
        if self._scalar.style == "|":
            return self._first_line + line + 1, self._indent + column + 1
        starts = self._inner_starts
        return self._place(self._map.outer(starts[min(line, len(starts) - 1)] + column))

    def _place(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self._outer_starts, offset) - 1
        return line + 1, offset - self._outer_starts[line] + 1

    @cached_property
    def _outer_starts(self) -> list[int]:
        return _line_starts(self._outer)

    @cached_property
    def _inner_starts(self) -> list[int]:
        return _line_starts(self._scalar.text)

    @cached_property
    def _start(self) -> int:
        """Where the scalar itself begins: the parser counts anchor and tag as its part."""
        at = self._outer_starts[self._scalar.line] + self._scalar.column
        found = _PROPERTIES.match(self._outer, at)
        return found.end() if found else at

    @cached_property
    def _first_line(self) -> int:
        """Line, from 0, after the one with the ``|``."""
        return bisect_right(self._outer_starts, self._start)

    @cached_property
    def _first(self) -> int:
        """Where that line begins."""
        return self._outer_starts[min(self._first_line, len(self._outer_starts) - 1)]

    @cached_property
    def _indent(self) -> int:
        """Indentation of a block scalar: what its first line with text has more than the value."""
        return max(0, _blanks_ahead(self._outer, self._first) - _blanks_ahead(self._scalar.text, 0))

    @cached_property
    def _map(self) -> _OffsetMap:
        if self._scalar.style == ">":
            return _map_folded(self._outer, self._first, self._indent, self._scalar.text)
        return _map_flowing(self._outer, self._start, self._scalar.style or "", self._scalar.text)


# What the parser takes for a line break; it counts lines by these.
_BREAK: Final = r"(?:\r\n|[\r\n\x85\u2028\u2029])"
_ANY_BREAK: Final = re.compile(_BREAK)
_KEPT: Final = "\u2028\u2029"  # breaks that folding keeps
_PROPERTIES: Final = re.compile(rf"(?:[&!]\S*\s+(?:#.*{_BREAK}\s*)*)*")
_FIRST_TEXT: Final = re.compile(rf"(?: *{_BREAK})*( *)")
_BLANK_LINES: Final = re.compile(rf"{_BREAK}(?:[ \t]*{_BREAK})*[ \t]*")
# Where the text of a quoted or plain scalar is not that of the file: escapes and folded lines.
_ODD: Final = {
    '"': re.compile(
        rf"\\(?:x..|u....|U........|{_BREAK}[ \t]*(?:{_BREAK}[ \t]*)*|[^\r\n])|{_BLANK_LINES.pattern}"
    ),
    "'": re.compile(rf"''|{_BLANK_LINES.pattern}"),
    "": _BLANK_LINES,
}


class _OffsetMap(NamedTuple):
    """Where runs of characters begin that stand side by side in both texts."""

    inners: list[int]
    outers: list[int]

    def add(self, inner: int, outer: int) -> None:
        """Begin the next run."""
        self.inners.append(inner)
        self.outers.append(outer)

    def outer(self, inner: int) -> int:
        """Give the offset in the file of an offset in the embedded text."""
        run = max(bisect_right(self.inners, inner) - 1, 0)
        found = self.outers[run] + inner - self.inners[run]
        # What folding made of white space stands nowhere: never point behind the run that follows.
        return min(found, self.outers[run + 1]) if run + 1 < len(self.outers) else found


def _line_starts(text: str) -> list[int]:
    return [0, *(found.end() for found in _ANY_BREAK.finditer(text))]


def _blanks_ahead(text: str, at: int) -> int:
    """Count the blanks before the first character that is none, on its line."""
    found = _FIRST_TEXT.match(text, at)
    return len(found[1]) if found else 0


def _map_flowing(outer: str, start: int, style: str, text: str) -> _OffsetMap:
    """Map a quoted or plain scalar: an escape gives one character, a break a blank, more breaks one less."""
    at = start + len(style)
    inner = 0
    found = _OffsetMap([0], [at])
    for odd in _ODD[style].finditer(outer, at):
        written = odd.group()
        breaks = len(_ANY_BREAK.findall(written))
        if written[0] in "\\'":
            inner += odd.start() - at + (breaks - 1 if breaks else 1)
        else:
            inner += len(outer[at : odd.start()].rstrip(" \t"))
            inner += breaks if written[0] in _KEPT else max(breaks - 1, 1)
        at = odd.end()
        if inner > len(text):
            break
        found.add(inner, at)
    return found


def _map_folded(outer: str, first: int, indent: int, text: str) -> _OffsetMap:
    """Map a ``>`` block: a break between lines becomes a blank, unless one of them is indented further."""
    found = _OffsetMap([], [])
    at, inner, empty_lines = first, 0, 0
    further: bool | None = None
    kept = False
    while inner < len(text):
        ending = _ANY_BREAK.search(outer, at)
        end = ending.start() if ending else len(outer)
        begin = at + min(_blanks_ahead(outer[at:end], 0), indent)
        if begin == end:
            empty_lines += 1
        else:
            was_further, further = further, outer[begin] in " \t"
            folds = was_further is False and not further and not kept
            inner += empty_lines + (0 if was_further is None or (folds and empty_lines) else 1)
            found.add(inner, begin)
            inner += end - begin
            empty_lines = 0
            kept = ending is not None and ending.group() in _KEPT
        if ending is None:
            break
        at = ending.end()
    return found if found.inners else _OffsetMap([0], [first])
