"""Changes of one entry of a mapping as splices: what is cut out of a text, and what stands there instead.

Everything outside the splices keeps its bytes. New text takes on the looks of its surroundings: block or flow,
width of indentation, line break, quotes of keys. Forms that cannot be changed without touching a neighbour are
refused; whoever calls reads the result back and compares (``rolloutedit``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kubectl_c9s.yamlio import blocksplices, flowsplices
from kubectl_c9s.yamlio.entrystyle import is_explicit, uneditable
from kubectl_c9s.yamlio.scalars import resolve
from kubectl_c9s.yamlio.spots import BREAK

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from kubectl_c9s.yamlio.spots import Holders, Splice, Spot, SpotText

_INTEGER_TAG: Final = "tag:yaml.org,2002:int"


def spliced(text: str, splices: Iterable[Splice]) -> str:
    """Apply splices; they may touch each other but not overlap.

    A comment directly behind quotes or brackets gets a blank, so that it is not taken into what stands there now.
    """
    pieces: list[str] = []  # from the end of the text to its beginning
    at, first = len(text), ""
    for start, end, new in sorted(splices, reverse=True):
        kept = text[end:at]
        first = kept[:1] or first
        glued = first == "#" and not (new[-1:] or text[max(start - 1, 0) : start]).isspace()
        pieces += [kept, " " if glued else "", new]
        at, first = start, new[:1] or (" " if glued else first)
    return "".join([text[:at], *reversed(pieces)])


def is_null(spot: Spot) -> bool:
    """Tell whether a value says nothing: ``null``, ``~``, or no characters at all."""
    return spot.kind == "scalar" and spot.plain and resolve(spot.text, "kubectl") is None


def is_bare(doc: SpotText, key: Spot, value: Spot) -> bool:
    """Tell whether a value is ``{}`` behind its key, with nothing in it: the only way to write that in a block."""
    if not value.flow or value.kind != "mapping" or value.entries:
        return False
    inside = doc.text[value.body + 1 : value.end - 1]
    return not inside.strip(" \t") and not BREAK.search(doc.text, key.end, value.end)


def replace_value(doc: SpotText, key: Spot, value: Spot, literal: str) -> list[Splice]:
    """Write a number in place of a scalar or an alias; its anchor stays, and a tag that says integer."""
    if value.kind == "alias" or value.start < value.props:
        return [_retagged(value, literal)]
    if value.start < value.end:
        return [(value.start, value.end, literal)]
    return [(value.end, value.end, _colon_before(doc, key) + literal)]


def _retagged(value: Spot, literal: str) -> Splice:
    if value.kind == "alias":
        return value.start, value.end, literal
    if value.tag in {"", _INTEGER_TAG}:
        return value.body, value.end, literal if value.props < value.body else f" {literal}"
    return value.start, value.end, f"&{value.anchor} {literal}" if value.anchor else literal


def add_entry(doc: SpotText, holders: Holders, keys: Sequence[str], literal: str) -> list[Splice]:
    """Write ``keys[0]: {keys[1]: … literal}`` behind the last entry of the innermost holder."""
    if holders[-1].flow:
        return flowsplices.add_entry(doc, holders, keys, literal)
    return blocksplices.add_entry(doc, holders, keys, literal)


def fill_entry(
    doc: SpotText, holders: Holders, index: int, keys: Sequence[str], literal: str
) -> list[Splice]:
    """Write ``{keys[0]: … literal}`` as the value of an entry that is null or, in a block, ``{}``."""
    if holders[-1].flow:
        return flowsplices.fill_entry(doc, holders, index, keys, literal)
    return blocksplices.fill_entry(doc, holders, index, keys, literal)


def remove_entry(doc: SpotText, holders: Holders, index: int) -> list[Splice]:
    """Take out an entry with the comment behind it; a mapping that has no other one becomes ``{}``.

    Comment lines above the entry stay.
    """
    if holders[-1].flow:
        return flowsplices.remove_entry(doc, holders, index)
    return blocksplices.remove_entry(doc, holders, index)


def _colon_before(doc: SpotText, key: Spot) -> str:
    if is_explicit(doc, key):
        uneditable(doc, key.start)
    return ": " if doc.colon(key) is None else " "
