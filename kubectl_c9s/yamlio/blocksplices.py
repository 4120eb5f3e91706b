"""Changes of one entry of a block mapping: whole lines come and go."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kubectl_c9s.yamlio.entrystyle import block_step, column_of, is_explicit, quote_of, uneditable
from kubectl_c9s.yamlio.spots import BREAK, block_depth

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kubectl_c9s.yamlio.spots import Holders, Splice, Spot, SpotText


def add_entry(doc: SpotText, holders: Holders, keys: Sequence[str], literal: str) -> list[Splice]:
    """Write ``keys[0]: {keys[1]: … literal}`` behind the last entry of the innermost holder."""
    mapping = holders[-1]
    lines = _lines(doc, holders, keys, literal, column_of(doc, mapping))
    key, last = mapping.entries[-1]
    if doc.colon(key) is None:
        uneditable(doc, key.start)
    if _needs_its_end(doc, last.last_leaf()):
        return [_before_last(doc, holders, lines)]
    return [_behind(doc, last.end, lines)]


def fill_entry(
    doc: SpotText, holders: Holders, index: int, keys: Sequence[str], literal: str
) -> list[Splice]:
    """Write ``{keys[0]: … literal}`` as the value of an entry that is null or ``{}``."""
    mapping = holders[-1]
    key, value = mapping.entries[index]
    colon = doc.colon(key)
    if colon is None or is_explicit(doc, key):
        uneditable(doc, key.start)
    column = column_of(doc, mapping) + block_step(doc, holders)
    if BREAK.search(doc.text, colon, value.end):
        return [_in_its_place(doc, value, _lines(doc, holders, keys, literal, 0))]
    anchor = doc.text[colon : value.start] + f"&{value.anchor}" if value.anchor else ""
    lines = _lines(doc, holders, keys, literal, column)
    return [(colon, value.end, anchor), _behind(doc, value.end, lines)]


def remove_entry(doc: SpotText, holders: Holders, index: int) -> list[Splice]:
    """Take out an entry with the comment behind it; a mapping that has no other one becomes ``{}``.

    Comment lines above the entry stay.
    """
    mapping = holders[-1]
    key, value = mapping.entries[index]
    start, (_, end) = doc.line_start(key.start), doc.line_end(value.end)
    if doc.text[start : key.start].strip(" ") or is_explicit(doc, key):
        uneditable(doc, key.start)
    _refuse_tabs(doc, end)
    cut = (start, end, "")
    if len(mapping.entries) == 1:
        head = _head(doc, holders)
        return [(head, head, " {}"), cut]
    if index and _would_grow(doc, mapping.entries[index - 1][1], end):
        uneditable(doc, key.start)
    return [cut]


def _lines(
    doc: SpotText, holders: Holders, keys: Sequence[str], literal: str, column: int
) -> list[str]:
    quote, step = quote_of(doc, holders), block_step(doc, holders)
    lines = [
        f"{' ' * (column + depth * step)}{quote}{key}{quote}:" for depth, key in enumerate(keys)
    ]
    lines[-1] += f" {literal}"
    return lines


def _behind(doc: SpotText, at: int, lines: Sequence[str]) -> Splice:
    """Put lines behind the line of ``at``; a file whose last line has no break ends without one again."""
    newline = doc.newline(at)
    start, end = doc.line_end(at)
    _refuse_tabs(doc, end)
    if start == end:
        return end, end, "".join(newline + line for line in lines)
    return end, end, "".join(line + newline for line in lines)


def _refuse_tabs(doc: SpotText, at: int) -> None:
    """Refuse a change before a blank or comment line that begins with a tab.

    The parser takes such a line behind plain text only, and only if that is not much deeper.
    """
    while at < len(doc.text):
        start, end = doc.line_end(at)
        line = doc.text[at:start].lstrip(" ")
        if line.startswith("\t"):
            uneditable(doc, at)
        if line and not line.startswith("#"):
            return
        at = end


def _needs_its_end(doc: SpotText, leaf: Spot) -> bool:
    """Tell whether a scalar ends the file without a line break, and would hold the break a line behind it needs."""
    return leaf.end == len(doc.text) and doc.chomping(leaf) in {"clip", "+"}


def _before_last(doc: SpotText, holders: Holders, lines: Sequence[str]) -> Splice:
    """Put lines before the last entry, and before the comments above it."""
    entries = holders[-1].entries
    if len(entries) > 1:
        return _behind(doc, entries[-2][1].end, lines)
    key = entries[0][0]
    if len(holders) > 1 and holders[-2].kind == "mapping":
        head = _head(doc, holders)
        if BREAK.search(doc.text, head, key.start):
            return _behind(doc, head, lines)
    if is_explicit(doc, key):
        uneditable(doc, key.start)
    before = " " * column_of(doc, holders[-1])
    text = "".join(line + doc.newline(key.start) for line in lines) + before
    return key.start, key.start, text.removeprefix(before)


def _in_its_place(doc: SpotText, value: Spot, lines: Sequence[str]) -> Splice:
    """Put lines where a value stands that begins a line of its own."""
    before = doc.before(value.start)
    if before.strip(" ") or value.props > value.start or value.kind != "scalar":
        uneditable(doc, value.start)
    _refuse_tabs(doc, doc.line_end(value.end)[1])
    newline = doc.newline(value.end)
    return value.start, value.end, f"{newline}{before}".join(lines)


def _head(doc: SpotText, holders: Holders) -> int:
    """Give the offset behind the key of the innermost holder, its anchor and tag included."""
    mapping = holders[-1]
    if mapping.start < mapping.props:
        return mapping.props
    colons = (doc.colon(key) for key, value in holders[-2].entries if value is mapping)
    found = next(colons, None)
    return uneditable(doc, mapping.start) if found is None else found


def _would_grow(doc: SpotText, before: Spot, at: int) -> bool:
    """Tell whether a block scalar would reach over the gap and take lines from ``at`` on for its own."""
    leaf = before.last_leaf()
    chomping = doc.chomping(leaf)
    own = block_depth(doc.text, leaf.body, leaf.end) or 1
    while chomping and at < len(doc.text):
        start, end = doc.line_end(at)
        line = doc.text[at:start]
        depth = len(line) - len(line.lstrip(" "))
        if depth >= own or (chomping == "+" and not line.strip()):
            return True
        if line.strip():
            return False
        at = end
    return False
