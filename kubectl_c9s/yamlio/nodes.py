"""Positioned YAML nodes: what the reader gives and the compiler reads.

A node keeps the text of a scalar as it was written, because Go decodes into the type of the field and
not into the type a scalar looks like (split.md §2). ``line`` and ``column`` count from 0, as in the text
the node was read from; turning them into a place in a file is the job of ``positions``.
"""

from __future__ import annotations

from typing import TypeAlias


class Scalar:
    """A scalar: its text after unescaping and folding, and whether it was written plain.

    ``plain`` is true where a reader would look at the text to find the type (no quotes, no ``!!str``).
    ``style`` is the character of libyaml: ``'``, ``"``, ``|`` or ``>``, for a plain scalar ``""`` or None.
    """

    __slots__ = ("column", "line", "plain", "style", "text")

    def __init__(
        self,
        text: str,
        plain: bool,  # noqa: FBT001 - made a hundred thousand times a run, by position
        line: int,
        column: int,
        style: str | None = "",
    ) -> None:
        self.text = text
        self.plain = plain
        self.line = line
        self.column = column
        self.style = style


class Mapping:
    """A mapping with scalar keys: ``entries`` maps the key's text to (key node, value node).

    Merge keys are resolved already; no key stands twice.
    """

    __slots__ = ("column", "entries", "line")

    def __init__(self, line: int, column: int) -> None:
        self.entries: dict[str, tuple[Scalar, Node]] = {}
        self.line = line
        self.column = column

    def get(self, key: str) -> Node | None:
        """Give the value under ``key``, or None."""
        found = self.entries.get(key)
        return found[1] if found else None


class Sequence:
    """A sequence of nodes; ``aliased`` holds the places in it that were written as an alias."""

    __slots__ = ("aliased", "column", "items", "line")

    def __init__(self, line: int, column: int) -> None:
        self.items: list[Node] = []
        self.aliased: set[int] = set()
        self.line = line
        self.column = column


Node: TypeAlias = Scalar | Mapping | Sequence
