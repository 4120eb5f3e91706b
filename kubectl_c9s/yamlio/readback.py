"""Reading a changed text back: an edit in place must have changed what it says, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kubectl_c9s.resources.errors import C9sError, RefusedInput
from kubectl_c9s.yamlio.nodes import Mapping, Scalar
from kubectl_c9s.yamlio.reader import OBJECTS, decode, read_text
from kubectl_c9s.yamlio.scalars import NotFinite, resolve

if TYPE_CHECKING:
    from kubectl_c9s.yamlio.nodes import Node


def content(node: Node | None) -> Any:
    """Give a node as data that tells apart what readers could: a scalar as (text, whether it is no string)."""
    if isinstance(node, Mapping):
        return {key: content(value) for key, (_, value) in node.entries.items()}
    if isinstance(node, Scalar):
        return node.text, node.plain and not _is_string(node.text)
    return [content(item) for item in node.items] if node else None


def _is_string(text: str) -> bool:
    try:
        return isinstance(resolve(text, "kubectl"), str)
    except NotFinite:
        return False


def says(data: bytes, file: str, expected: list[Any]) -> bool:
    """Tell whether the documents of a text have these contents."""
    try:
        documents = read_text(decode(data, file), file, OBJECTS)
    except RefusedInput:
        return False
    return [content(one.root) for one in documents] == expected


def fault(file: str) -> C9sError:
    """Make the error for a change that did not read back as meant."""
    return C9sError(
        f"the change of {file} would have changed more than it should: nothing was changed",
        hint="this is a fault of the tool: please report it with the file",
    )
