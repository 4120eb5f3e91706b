"""What every step of a compilation shares: where findings go and how a node's place is found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kubectl_c9s.yamlio.nodes import Mapping, Scalar, Sequence

if TYPE_CHECKING:
    from kubectl_c9s.resources.findings import Findings
    from kubectl_c9s.yamlio.nodes import Node
    from kubectl_c9s.yamlio.positions import Source


class Context:
    """Findings of one definition, placed in the file the user wrote."""

    def __init__(self, findings: Findings, source: Source) -> None:
        self.findings = findings
        self.source = source

    def error(self, code: str, path: str, message: str, node: Node | None) -> None:
        """Report what stops the run."""
        self.findings.error(code, path, message, self.source.of(node))

    def warning(self, code: str, path: str, message: str, node: Node | None) -> None:
        """Report what does not stop the run."""
        self.findings.warning(code, path, message, self.source.of(node))

    def wrong_type(self, path: str, wanted: str, node: Node) -> None:
        """Report a known key with a value of the wrong type."""
        self.error("invalid-type", path, f"must be {wanted}, not {describe(node)}", node)


def describe(node: Node) -> str:
    """Name what a node is, for messages."""
    if isinstance(node, Mapping):
        return "a mapping"
    if isinstance(node, Sequence):
        return "a list"
    return f"{node.text[:40]!r}" if node.text or not node.plain else "nothing"


def is_null(node: Node) -> bool:
    """Tell whether a node is an empty or null scalar."""
    return node.__class__ is Scalar and node.plain and node.text in _NULLS


_NULLS = frozenset({"", "~", "null", "Null", "NULL"})
