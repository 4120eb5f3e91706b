"""How the entries of a mapping are written: what a new entry has to look like to fit in."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple, NoReturn

from kubectl_c9s.yamlio.refusals import Misplaced
from kubectl_c9s.yamlio.spots import BREAK

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kubectl_c9s.yamlio.spots import Spot, SpotText

_EXPLICIT: Final = re.compile(r"(?:^|[-?:{,\[ \t])\?[ \t]+\Z")
_STEP: Final = "  "


def is_explicit(doc: SpotText, key: Spot) -> bool:
    """Tell whether a key is written with ``?``, so that its colon may stand on another line."""
    colon = doc.colon(key) or key.end
    found = _EXPLICIT.search(doc.before(key.start)) or BREAK.search(doc.text, key.start, colon)
    return found is not None


def column_of(doc: SpotText, mapping: Spot) -> int:
    """Give the column of the keys of a block mapping."""
    return min(_key_column(doc, key) for key, _ in mapping.entries)


def _key_column(doc: SpotText, key: Spot) -> int:
    before = doc.before(key.start)
    if _EXPLICIT.search(before):
        return before.rindex("?")
    colon = doc.colon(key)
    # Where "?" has a line of its own, the colon has one, too, as deep.
    own = colon is not None and BREAK.search(doc.text, key.start, colon)
    return len(doc.before(colon - 1)) if colon and own else len(before)


def block_step(doc: SpotText, holders: Sequence[Spot]) -> int:
    """Give by how much a block mapping is deeper than the one that holds it: near by, else two."""
    for holder in reversed(holders):
        if holder.kind != "mapping" or holder.flow:
            continue
        column = column_of(doc, holder)
        for _, value in holder.entries:
            if value.kind == "mapping" and not value.flow and value.entries:
                return max(column_of(doc, value) - column, 1)
    return len(_STEP)


def quote_of(doc: SpotText, holders: Sequence[Spot]) -> str:
    """Give the quote that all keys near by are written with, ``""`` where they are plain or mixed."""
    for holder in reversed(holders):
        keys = [key for key, _ in holder.entries if not (key.plain and key.text == "<<")]
        if keys:
            styles = {key.style if key.kind == "scalar" else "" for key in keys}
            return styles.pop() if len(styles) == 1 and styles <= {"'", '"'} else ""
    return '"' if doc.root.flow else ""


class FlowStyle(NamedTuple):
    """How a flow mapping is written.

    ``quote`` is around keys, ``colon`` and ``comma`` have the blanks behind them. ``pretty`` has every entry on a line
    of its own, each level deeper by ``step``, as JSON is printed.
    """

    quote: str
    colon: str
    comma: str
    pretty: bool
    step: str

    def entry(self, keys: Sequence[str], literal: str, joint: str) -> str:
        """Write ``keys[0]: {keys[1]: … literal}``; ``joint`` is the line break and indentation of ``keys[0]``."""
        label = f"{self.quote}{keys[0]}{self.quote}{self.colon}"
        return label + (self.mapping(keys[1:], literal, joint) if keys[1:] else literal)

    def mapping(self, keys: Sequence[str], literal: str, joint: str) -> str:
        """Write ``{keys[0]: … literal}``; ``joint`` is the line break and indentation of the line it begins on."""
        if not self.pretty:
            return f"{{{self.entry(keys, literal, joint)}}}"
        deeper = joint + self.step
        return f"{{{deeper}{self.entry(keys, literal, deeper)}{joint}}}"


def flow_style(doc: SpotText, holders: Sequence[Spot]) -> FlowStyle:
    """Find how the mapping that is the innermost holder is written, or the nearest that has entries."""
    quote = quote_of(doc, holders)
    colon, comma = ": ", ", "
    filled = next((one for one in reversed(holders) if one.flow and one.entries), None)
    if filled:
        key, value = filled.entries[-1]
        between = doc.text[key.end : value.start]
        # Without quotes a colon needs the blank; between.strip() is more than a colon where a comment is.
        compact = bool(quote) and between == ":"
        colon = ":" if compact else ": "
        gaps = [
            doc.text[one.end : other.start]
            for (_, one), (other, _) in zip(filled.entries, filled.entries[1:], strict=False)
        ]
        tight = "," in gaps if gaps else compact
        comma = "," if tight else ", "
    return FlowStyle(quote, colon, comma, doc.root.flow and _is_pretty(doc, holders), _step(doc))


def _is_pretty(doc: SpotText, holders: Sequence[Spot]) -> bool:
    filled = next((one for one in reversed(holders) if one.kind == "mapping" and one.entries), None)
    return filled is not None and begins_line(doc, filled.entries[-1][0])


def begins_line(doc: SpotText, spot: Spot) -> bool:
    """Tell whether nothing but blanks stands before a node on its line, and a line before that."""
    return doc.line_start(spot.start) > 0 and not doc.before(spot.start).strip(" \t")


def _step(doc: SpotText) -> str:
    first = doc.root.entries[0][0] if doc.root.entries else None
    return doc.before(first.start) if first and begins_line(doc, first) else _STEP


def uneditable(doc: SpotText, at: int) -> NoReturn:
    """Refuse a form that is too rare to be worth an own way of changing it."""
    message = "this way of writing cannot be changed in place: give each key a line of its own, as key: value"
    raise Misplaced("uneditable-form", message, *doc.place(at))
