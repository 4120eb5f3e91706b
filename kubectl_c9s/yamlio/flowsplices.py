"""Changes of one entry of a flow mapping, ``{a: 1, b: 2}``; all of a JSON document is in flow style."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from kubectl_c9s.yamlio.entrystyle import begins_line, flow_style, is_explicit, uneditable
from kubectl_c9s.yamlio.spots import BREAK, BREAKS, GAP

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kubectl_c9s.yamlio.spots import Holders, Splice, Spot, SpotText

_COMMA: Final = re.compile(GAP + ",")
_TAIL: Final = re.compile(rf"[ \t]*(?P<comma>,)?[ \t]*(?:(?<=[ \t])#[^{BREAKS}]*)?(?=[{BREAKS}])")
_BLANKS_AND_COMMENT: Final = re.compile(rf"(?:[ \t]+#[^{BREAKS}]*|[ \t]*)(?=[{BREAKS}])")


def add_entry(doc: SpotText, holders: Holders, keys: Sequence[str], literal: str) -> list[Splice]:
    """Write ``keys[0]: {keys[1]: … literal}`` behind the last entry of the innermost holder."""
    mapping = holders[-1]
    style = flow_style(doc, holders)
    if not mapping.entries:
        return [_into_empty(doc, holders, keys, literal)]
    key, value = mapping.entries[-1]
    end = value.end
    # Right behind a colon a comma would be taken for a part of the key.
    blank = " " if doc.text[end - 1] == ":" and value.start == end else ""
    if not begins_line(doc, key):
        return [(end, end, blank + style.comma + style.entry(keys, literal, ""))]
    joint = doc.newline(mapping.body) + doc.before(key.start)
    entry = joint + style.entry(keys, literal, joint)
    tail = _TAIL.match(doc.text, end)
    if not tail:
        return [(end, end, f"{blank},{entry}")]
    if tail["comma"]:
        return [(tail.end(), tail.end(), f"{entry},")]
    if tail.end() == end:
        return [(end, end, f"{blank},{entry}")]
    return [(end, end, f"{blank},"), (tail.end(), tail.end(), entry)]


def _into_empty(doc: SpotText, holders: Holders, keys: Sequence[str], literal: str) -> Splice:
    mapping = holders[-1]
    style = flow_style(doc, holders)
    inside = doc.text[mapping.body + 1 : mapping.end - 1]
    if inside.strip(" \t"):  # comments, line breaks
        entry = style._replace(pretty=False).entry(keys, literal, "")
        return mapping.body + 1, mapping.body + 1, entry
    return mapping.body, mapping.end, style.mapping(keys, literal, _line_joint(doc, mapping.body))


def _line_joint(doc: SpotText, at: int) -> str:
    before = doc.before(at)
    return doc.newline(at) + before[: len(before) - len(before.lstrip(" \t"))]


def fill_entry(
    doc: SpotText, holders: Holders, index: int, keys: Sequence[str], literal: str
) -> list[Splice]:
    """Write ``{keys[0]: … literal}`` as the value of an entry that is null."""
    key, value = holders[-1].entries[index]
    text = flow_style(doc, holders).mapping(keys, literal, _line_joint(doc, key.start))
    anchor = f"&{value.anchor} " if value.anchor else ""
    if value.start < value.end:
        return [(value.start, value.end, anchor + text)]
    if is_explicit(doc, key):
        uneditable(doc, key.start)
    return [(value.end, value.end, (": " if doc.colon(key) is None else " ") + text)]


def remove_entry(doc: SpotText, holders: Holders, index: int) -> list[Splice]:
    """Take out an entry; the last one leaves ``{}``, a comment inside the braces stays."""
    mapping = holders[-1]
    (key, value), count = mapping.entries[index], len(mapping.entries)
    start, end = key.start, value.end
    if is_explicit(doc, key):
        uneditable(doc, key.start)
    if count == 1:
        return [_all(doc, mapping)]
    if index + 1 < count:
        return [_up_to_next(doc, mapping, index)]
    if "#" not in doc.text[mapping.entries[index - 1][1].end : start]:
        comment = _BLANKS_AND_COMMENT.match(doc.text, end) if begins_line(doc, key) else None
        return [_from_last(mapping, index, comment.end() if comment else end)]
    return [_whole_lines(doc, key, value)]


def _from_last(mapping: Spot, index: int, end: int) -> Splice:
    """Cut from the end of the entry before; what ends in a colon or a tag needs the blank behind it."""
    last = mapping.entries[index - 1][1]
    return last.end, end, " " if last.kind == "scalar" and last.body == last.end else ""


def _all(doc: SpotText, mapping: Spot) -> Splice:
    key, value = mapping.entries[0]
    cut = key.start, _behind_comma(doc, value)
    tail = _TAIL.match(doc.text, value.end)
    if begins_line(doc, key) and tail and cut[1] <= tail.end():
        cut = _whole_lines(doc, key, value)[:2]
    first, last = mapping.body + 1, mapping.end - 1
    left = doc.text[first : cut[0]] + doc.text[cut[1] : last]
    return (*cut, "") if left.strip(f" \t{BREAKS}") else (first, last, "")


def _up_to_next(doc: SpotText, mapping: Spot, index: int) -> Splice:
    (key, value), following = mapping.entries[index], mapping.entries[index + 1][0]
    tail = _TAIL.match(doc.text, value.end)
    if begins_line(doc, key) and tail and tail["comma"]:
        return _whole_lines(doc, key, value)
    gap = doc.text[value.end : following.start]
    if not BREAK.search(gap):
        return key.start, following.start, ""
    if index:
        last = mapping.entries[index - 1][1]
        if "#" not in doc.text[last.end : key.start]:
            return _from_last(mapping, index, value.end)
    if "#" in gap:
        uneditable(doc, key.start)
    return key.start, following.start, ""


def _behind_comma(doc: SpotText, value: Spot) -> int:
    """Give where a value ends, the comma behind it included."""
    comma = _COMMA.match(doc.text, value.end)
    if comma and "#" in comma[0]:
        uneditable(doc, value.start)
    return comma.end() if comma else value.end


def _whole_lines(doc: SpotText, key: Spot, value: Spot) -> Splice:
    tail = _TAIL.match(doc.text, value.end)
    if not tail or not begins_line(doc, key) or _behind_comma(doc, value) > tail.end():
        uneditable(doc, key.start)
    return doc.line_start(key.start), doc.line_end(tail.end())[1], ""
