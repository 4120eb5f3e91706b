"""What composing refuses, with its place: duplicate keys, odd keys, tags beyond YAML's core schema."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NoReturn

from kubectl_c9s.yamlio.nodes import Mapping
from kubectl_c9s.yamlio.scalars import NotFinite, resolve

if TYPE_CHECKING:
    from kubectl_c9s.yamlio.nodes import Node, Scalar

_TAG: Final = "tag:yaml.org,2002:"
_SCALAR_TYPES: Final[dict[str, tuple[type, ...]]] = {
    _TAG + "int": (int,),
    _TAG + "float": (int, float),
    _TAG + "bool": (bool,),
    _TAG + "null": (type(None),),
}
_SHOWN: Final = 60


class Misplaced(Exception):
    """Something is wrong at a place; line and column count from 0."""

    def __init__(self, code: str, message: str, line: int, column: int) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.line = line
        self.column = column


def shortened(text: str) -> str:
    """Quote a text of the input for a message, cut where it is long."""
    return repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…")


def refuse_key(node: Node) -> NoReturn:
    """Refuse a key that is no scalar."""
    raise Misplaced("invalid-yaml", "a key must be a scalar", node.line, node.column)


def refuse_duplicate(key: Scalar, first: Scalar) -> NoReturn:
    """Refuse a key that its mapping has already."""
    message = f"key {shortened(key.text)} is given twice; first in line {first.line + 1}"
    raise Misplaced("duplicate-key", message, key.line, key.column)


def check_collection_tag(tag: str, node: Node) -> None:
    """Take ``!``, ``!!map`` and ``!!seq`` where they belong, and no other tag."""
    if tag not in {"!", _TAG + ("map" if isinstance(node, Mapping) else "seq")}:
        _foreign(tag, node.line, node.column)


def check_scalar_tag(node: Scalar, tag: str) -> None:
    """Take the core schema's tags; ``!`` and ``!!str`` make the text a string, others refuse."""
    if tag in {"!", _TAG + "str"}:
        node.plain = False
        return
    wanted = _SCALAR_TYPES.get(tag)
    if wanted is None:
        _foreign(tag, node.line, node.column)
    try:
        value = resolve(node.text, "engine")
    except NotFinite:
        value = 0.0
    if type(value) not in wanted:
        short = tag.removeprefix(_TAG)
        raise Misplaced(
            "invalid-yaml", f"{shortened(node.text)} is no !!{short}", node.line, node.column
        )
    node.plain = True


def _foreign(tag: str, line: int, column: int) -> NoReturn:
    shown = tag.replace(_TAG, "!!")
    raise Misplaced(
        "foreign-tag", f"tag {shortened(shown)} is not part of YAML's core schema", line, column
    )
