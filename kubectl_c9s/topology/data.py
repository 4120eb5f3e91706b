"""Outer objects as JSON data, and the way back from a path to the node it was read from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kubectl_c9s.yamlio.nodes import Mapping, Scalar, Sequence
from kubectl_c9s.yamlio.scalars import NotFinite, resolve

if TYPE_CHECKING:
    from collections.abc import Sequence as SequenceType

    from kubectl_c9s.resources.findings import Findings
    from kubectl_c9s.yamlio.nodes import Node
    from kubectl_c9s.yamlio.reader import Document


def to_json(document: Document, node: Node, findings: Findings) -> Any:
    """Give the JSON data that kubectl's reader makes of a node; a NaN or infinity is reported."""
    if isinstance(node, Scalar):
        if not node.plain:
            return node.text
        try:
            return resolve(node.text, "kubectl")
        except NotFinite:
            message = f"{node.text} has no form in JSON"
            findings.error("invalid-topology-field", "", message, document.position(node))
            return None
    if isinstance(node, Sequence):
        return [to_json(document, item, findings) for item in node.items]
    return {
        _key(document, key, findings): to_json(document, value, findings)
        for key, value in node.entries.values()
    }


def _key(document: Document, key: Scalar, findings: Findings) -> str:
    """Give the key kubectl makes of a plain scalar: numbers and truth values in JSON's spelling."""
    if not key.plain:
        return key.text
    try:
        value = resolve(key.text, "kubectl")
    except NotFinite:
        value = None
    if isinstance(value, str):
        return value
    if value is None:
        message = f"{key.text or 'an empty key'} is no key kubectl can read; put it in quotes"
        findings.error("invalid-topology-field", "", message, document.position(key))
        return key.text
    return str(value).lower() if isinstance(value, bool) else str(value)


def without_nulls(value: Any) -> Any:
    """Drop nulls, as the API server prunes them before it fills in defaults."""
    if isinstance(value, dict):
        return {key: without_nulls(item) for key, item in value.items() if item is not None}
    if isinstance(value, list):
        return [without_nulls(item) for item in value]
    return value


def find(node: Node | None, path: SequenceType[str | int], *, exact: bool = False) -> Node | None:
    """Follow a path of keys and indexes: its node (for a key the key node), or its nearest parent.

    With ``exact`` the value node itself, or None when it is not there.
    """
    at: Node | None = node
    for part in path:
        if isinstance(node, Mapping) and isinstance(part, str) and part in node.entries:
            at, node = node.entries[part]
        elif isinstance(node, Sequence) and isinstance(part, int) and part < len(node.items):
            at = node = node.items[part]
        else:
            return None if exact else at
    return node if exact else at


def dotted(path: SequenceType[str | int]) -> str:
    """Write a path as ``spec.a[0].b``."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def value_at(value: Any, path: SequenceType[str | int]) -> Any:
    """Follow a path in JSON data; None when it leads nowhere."""
    for part in path:
        try:
            value = value[part]
        except (KeyError, IndexError, TypeError):
            return None
    return value


def find_text(node: Node | None, path: SequenceType[str | int]) -> str:
    """Follow a path to a scalar and give its text; empty when there is none."""
    found = find(node, path, exact=True)
    return found.text if isinstance(found, Scalar) else ""
