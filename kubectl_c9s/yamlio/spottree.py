"""Reading a document into spots: the parser's events as a tree.

The text was read by ``reader`` before, so that all that reader refuses is refused already: depth, circles, odd keys.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import yaml
from yaml import events as ev

from kubectl_c9s.yamlio.spots import BREAK, BREAKS, GAP, Spot, SpotText, block_depth

if TYPE_CHECKING:
    from collections.abc import Callable

_SKIP: Final = re.compile(GAP)
_LONE_COLON: Final = re.compile(GAP + r":(?=[\s,\[\]{}]|\Z)")
_PROPERTY: Final = re.compile(r"&[0-9A-Za-z_-]+|!<[^>\s]*>|![^\s,\[\]{}]*")
_LOADER: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_CORE: Final = "tag:yaml.org,2002:"


def read_spots(text: str, line: int = 0) -> SpotText:
    """Read one document; ``text`` is as the reader has cut it and holds something that is not empty.

    ValueError for what is no YAML: a text that was changed since the reader took it.
    """
    loader = _LOADER(text)
    try:
        return SpotText(text, _Tree(text, loader.get_event).document(), line)
    except yaml.YAMLError as error:
        raise ValueError("no YAML") from error
    finally:
        loader.dispose()


class _Tree:
    def __init__(self, text: str, get_event: Callable[[], Any]) -> None:
        self._text = text
        self._next = get_event
        self._anchors: dict[str, Spot] = {}

    def document(self) -> Spot:
        while self._next().__class__ is not ev.DocumentStartEvent:
            pass
        found = self._node(self._next())
        assert found  # noqa: S101 - for the type checker
        return found

    def _node(self, event: Any) -> Spot | None:
        """Give the node that begins with an event, None at the end of a collection; depth is bounded."""
        kind = event.__class__
        if kind is ev.MappingEndEvent or kind is ev.SequenceEndEvent:
            return None
        start, end = event.start_mark.index, event.end_mark.index
        if kind is ev.AliasEvent:
            spot = Spot("alias", start, end)
            spot.target = self._anchors[event.anchor]
            spot.target.uses.append(spot)
            return spot
        names = {ev.ScalarEvent: "scalar", ev.MappingStartEvent: "mapping"}
        spot = Spot(names.get(kind, "sequence"), start, end)
        if event.anchor is not None:
            spot.anchor = event.anchor
            self._anchors[event.anchor] = spot
        spot.tag = event.tag or ""
        self._properties(spot)
        if kind is ev.ScalarEvent:
            self._scalar(spot, event)
        else:
            self._collection(spot, event)
        return spot

    def _properties(self, spot: Spot) -> None:
        for _ in range(bool(spot.anchor) + bool(spot.tag)):
            found = _PROPERTY.match(self._text, spot.body)
            skipped = _SKIP.match(self._text, found.end()) if found else None
            if not found or not skipped:
                return
            spot.props, spot.body = found.end(), skipped.end()

    def _scalar(self, spot: Spot, event: Any) -> None:
        spot.text = event.value
        spot.style = event.style or ""
        spot.plain = event.implicit[0] if not spot.tag else spot.tag not in {"!", _CORE + "str"}
        if spot.style in {"|", ">"}:
            spot.end = self._block_end(spot)
        spot.body = min(spot.body, spot.end)

    def _block_end(self, spot: Spot) -> int:
        """Give the end of a block scalar's last line; only ``+`` makes blank lines behind it content."""
        starts = [found.end() for found in BREAK.finditer(self._text, spot.body, spot.end)]
        if not starts or starts[-1] != spot.end:
            return spot.end  # the end of the file, without a line break
        header = self._text[spot.body : starts[0]].partition("#")[0]
        # A line of blanks alone is content where they are deeper than the text.
        blank = re.compile(
            f" {{0,{block_depth(self._text, spot.body, spot.end)}}}(?:\r\n|[{BREAKS}])"
        )
        while (
            "+" not in header
            and len(starts) > 1
            and blank.fullmatch(self._text, starts[-2], starts[-1])
        ):
            del starts[-1]
        end = starts[-1]
        return end - (2 if self._text.endswith("\r\n", 0, end) else 1)

    def _collection(self, spot: Spot, event: Any) -> None:
        spot.flow = bool(event.flow_style)
        while (first := self._node(event := self._next())) is not None:
            if spot.kind == "mapping":
                value = self._node(self._next())
                assert value  # noqa: S101 - for the type checker
                self._put_in_place(first, value)
                spot.entries.append((first, value))
            else:
                spot.items.append(first)
        if spot.flow:
            spot.end = event.end_mark.index
        elif spot.entries or spot.items:
            spot.end = (spot.entries[-1][1] if spot.entries else spot.items[-1]).end

    def _put_in_place(self, key: Spot, value: Spot) -> None:
        """Put a value of no characters behind its colon; the parser has it before what comes next."""
        if value.start == value.end and value.kind == "scalar":
            found = _LONE_COLON.match(self._text, key.end)
            at = found.end() if found else key.end
            value.start = value.props = value.body = value.end = at
