"""Objects inside a larger text: one item of a ResourceList, its function config, one document of a stream.

A finding has to point into the object as its author knows it, and a KRM result names the object, its file and
its place in that file (conventions.md §5). Both need the node and where it begins, and nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from kubectl_c9s.resources.findings import Position
from kubectl_c9s.yamlio.nodes import Mapping, Scalar

if TYPE_CHECKING:
    from collections.abc import Mapping as MappingType
    from collections.abc import Sequence
    from typing import TypeAlias

    from kubectl_c9s.resources.objects import KubeObject
    from kubectl_c9s.yamlio.nodes import Node
    from kubectl_c9s.yamlio.reader import Document

    Replaced: TypeAlias = MappingType[int, Sequence[KubeObject]]
    """Place of a member → the objects that stand there instead."""

_PREFIXES: Final = ("internal.config.kubernetes.io/", "config.kubernetes.io/")


class Member(NamedTuple):
    """An object of a larger text; ``line`` and ``column`` (from 0) are where it begins there.

    Findings about it are made with ``document.file``; ``own`` turns their places into places in the object.
    """

    document: Document
    line: int = 0
    column: int = 0

    def own(self, place: Position) -> Position:
        """Give a place of the larger text as line and column of this object alone."""
        if not place.line or place.file != self.document.file:
            return place
        return Position(place.file, place.line - self.line, max(place.column - self.column, 1))

    def reference(self) -> dict[str, str]:
        """Give ``apiVersion``, ``kind``, ``namespace`` and ``name``; what the object lacks is left out."""
        root = self.document.root
        found = {
            "apiVersion": text_at(root, "apiVersion"),
            "kind": text_at(root, "kind"),
            "namespace": text_at(root, "metadata", "namespace"),
            "name": text_at(root, "metadata", "name"),
        }
        return {key: text for key, text in found.items() if text}

    def file(self) -> tuple[str, int]:
        """Give the file the orchestrator took the object from, ``""`` if it did not say, and its index there."""
        path, index = self._annotation("path"), self._annotation("index")
        return path, int(index) if index.isascii() and index.isdigit() else 0

    def _annotation(self, name: str) -> str:
        root = self.document.root
        found = (
            text_at(root, "metadata", "annotations", f"{prefix}{name}") for prefix in _PREFIXES
        )
        return next(filter(None, found), "")


def named(document: Document, line: int = 0, column: int = 0) -> Member:
    """Make a member whose file is what a person calls it: the orchestrator's path, else kind and name."""
    member = Member(document, line, column)
    path, index = member.file()
    known = member.reference()
    label = f"{path}#{index}" if path and index else path
    label = label or f"{known.get('kind', 'object')}/{known.get('name', '')}"
    return member._replace(document=document._replace(file=label))


def text_at(node: Node | None, *keys: str) -> str:
    """Follow keys to a scalar; ``""`` where there is none."""
    for key in keys:
        node = node.get(key) if isinstance(node, Mapping) else None
    return node.text if isinstance(node, Scalar) else ""
