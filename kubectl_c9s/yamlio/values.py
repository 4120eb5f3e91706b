"""Positioned nodes as JSON data, for readers who only pass values on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kubectl_c9s.yamlio.nodes import Mapping, Scalar
from kubectl_c9s.yamlio.scalars import NotFinite, resolve

if TYPE_CHECKING:
    from kubectl_c9s.yamlio.nodes import Node


def json_value(node: Node) -> Any:
    """Give the JSON data that kubectl's reader makes of a node; a NaN or infinity stays the text it is."""
    if isinstance(node, Mapping):
        return {key: json_value(value) for key, (_, value) in node.entries.items()}
    if not isinstance(node, Scalar):
        return [json_value(item) for item in node.items]
    if not node.plain:
        return node.text
    try:
        return resolve(node.text, "kubectl")
    except NotFinite:
        return node.text
