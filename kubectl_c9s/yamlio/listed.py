"""The objects of a document: itself, or the items of a List."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from kubectl_c9s.resources.objects import API_VERSION, OLD_API_VERSION
from kubectl_c9s.yamlio.members import text_at
from kubectl_c9s.yamlio.nodes import Mapping, Sequence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubectl_c9s.yamlio.nodes import Node

Step: TypeAlias = str | int
"""A step of a path: a key, or an index from 0."""

_LISTS: Final = frozenset({"v1", API_VERSION, OLD_API_VERSION})


def objects_of(root: Node | None) -> Iterator[tuple[tuple[Step, ...], Mapping]]:
    """Give every object of a document with its path; an alias of another item is no object of its own."""
    if not isinstance(root, Mapping):
        return
    items = root.get("items") if is_list(root) else None
    if not isinstance(items, Sequence):
        yield (), root
        return
    for index, item in enumerate(items.items):
        if isinstance(item, Mapping) and index not in items.aliased:
            yield ("items", index), item


def is_list(root: Mapping) -> bool:
    """Tell whether an object is a List."""
    return text_at(root, "kind").endswith("List") and text_at(root, "apiVersion") in _LISTS
