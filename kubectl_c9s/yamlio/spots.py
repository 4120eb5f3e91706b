"""Where everything of a document stands: nodes as they were written, with offsets, nothing resolved.

The reader gives values; it has followed aliases and merge keys, and knows where a node begins but not where it
ends. Whoever changes a text in place needs the opposite: the characters of a node, its anchor, who else uses it.
``spottree`` makes them.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import Final, TypeAlias

BREAK: Final = re.compile("\r\n|[\r\n\x85\u2028\u2029]")
"""A line break as the parser counts lines."""
BREAKS: Final = "\n\r\x85\u2028\u2029"
GAP: Final = f"(?:[ \t{BREAKS}]++|#[^{BREAKS}]*+)*+"
"""Blanks, line breaks and comments; possessive, because comments can look like more comments."""
_COLON: Final = re.compile(GAP + ":")
_FIRST_LINE: Final = re.compile(f"[|>][-+]?[ \t]*+(?:#[^{BREAKS}]*+)?(?: *[{BREAKS}])++( *)")


class Spot:
    """A node as written: ``text[start:end]`` with its anchor and tag, ``text[body:end]`` without them.

    ``kind`` is ``scalar``, ``mapping``, ``sequence`` or ``alias``. ``props`` is where anchor and tag end. A block
    ends with the last line of its content, the line break left out: no comment or blank line behind it is part of
    it, unless the blank lines are content (``|+``). ``text`` is that of a scalar after unescaping; ``plain`` as in
    ``nodes.Scalar``. ``uses`` are the aliases of this node, ``target`` is the node of an alias.
    """

    __slots__ = (
        "anchor", "body", "end", "entries", "flow", "items", "kind", "plain", "props", "start", "style", "tag",
        "target", "text", "uses",
    )  # fmt: skip

    def __init__(self, kind: str, start: int, end: int) -> None:
        self.kind = kind
        self.start = self.props = self.body = start
        self.end = end
        self.anchor = ""
        self.tag = ""
        self.flow = False
        self.text = ""
        self.plain = False
        self.style = ""
        self.entries: list[tuple[Spot, Spot]] = []
        self.items: list[Spot] = []
        self.uses: list[Spot] = []
        self.target: Spot | None = None

    @property
    def referent(self) -> Spot:
        """Give the node itself, for an alias the one it stands for."""
        return self.target or self

    def find(self, key: str) -> int | None:
        """Give the place of an entry that the mapping has of its own, None if there is none."""
        keys = (name.referent.text for name, _ in self.entries)
        return next((index for index, text in enumerate(keys) if text == key), None)

    def merge(self) -> int | None:
        """Give the place of the merge key ``<<``."""
        keys = (name.referent for name, _ in self.entries)
        return next((at for at, key in enumerate(keys) if key.plain and key.text == "<<"), None)

    def last_leaf(self) -> Spot:
        """Give the scalar, alias, flow or empty collection that this node ends with."""
        spot = self
        while not spot.flow and (spot.entries or spot.items):
            spot = spot.entries[-1][1] if spot.entries else spot.items[-1]
        return spot


class SpotText:
    """The text of one document with its tree; ``line`` is the number of lines before it in its file."""

    def __init__(self, text: str, root: Spot, line: int) -> None:
        self.text = text
        self.root = root
        self.line = line
        self._starts = [0, *(found.end() for found in BREAK.finditer(text))]

    def place(self, at: int) -> tuple[int, int]:
        """Give line and column in the file of an offset, both from 0."""
        line = bisect_right(self._starts, at) - 1
        return self.line + line, at - self._starts[line]

    def line_start(self, at: int) -> int:
        """Give the offset at which the line of ``at`` begins."""
        return self._starts[bisect_right(self._starts, at) - 1]

    def line_end(self, at: int) -> tuple[int, int]:
        """Give begin and end of the line break behind ``at``; at the end of the text they are one."""
        found = BREAK.search(self.text, at)
        return found.span() if found else (len(self.text), len(self.text))

    def before(self, at: int) -> str:
        """Give what stands before ``at`` on its line."""
        return self.text[self.line_start(at) : at]

    def newline(self, at: int) -> str:
        """Give the line break to write near ``at``: that of the line, else of the line before, else a feed."""
        found = self.text[slice(*self.line_end(at))]
        if not found and (start := self.line_start(at)):
            pair = self.text[max(start - 2, 0) : start]
            found = pair if pair == "\r\n" else pair[-1]
        return found if found in {"\n", "\r\n", "\r"} else "\n"

    def colon(self, key: Spot) -> int | None:
        """Give the offset behind the colon of a key, None where the key has none."""
        found = _COLON.match(self.text, key.end)
        return found.end() if found else None

    def chomping(self, spot: Spot) -> str:
        """Give what a block scalar does with its last line breaks: ``-``, ``+`` or ``clip``; else ``""``."""
        if spot.style not in {"|", ">"}:
            return ""
        header = self.text[spot.body : self.line_end(spot.body)[0]].partition("#")[0]
        return "+" if "+" in header else "-" if "-" in header else "clip"


def block_depth(text: str, start: int, end: int) -> int:
    """Give by how many blanks the text of a block scalar is indented, 0 where its first line does not tell."""
    found = _FIRST_LINE.match(text, start, end)
    return len(found[1]) if found else 0


Splice: TypeAlias = tuple[int, int, str]
"""A change of a text: begin and end of what is cut out, and what comes there."""
Holders: TypeAlias = Sequence[Spot]
"""Collections from the root of a document down to the mapping whose entry is changed."""
