"""YAML out: block style, one way to write each value, the same bytes on every run.

Source of the rules: conventions.md §8. No anchors, tags, flow collections (but ``{}`` and ``[]``)
or folded lines; two blanks of indentation, a sequence as deep as its key, line feeds alone. How a
scalar is written is the business of ``quoting``, the order of keys that of ``key_order``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from kubectl_c9s.yamlio.key_order import metadata_keys, object_keys, plain_keys
from kubectl_c9s.yamlio.list_json import dump_list_json
from kubectl_c9s.yamlio.quoting import MAX_DEPTH, bare_value, block_text, inline_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import TypeAlias

    Order: TypeAlias = Callable[[Iterable[Any]], list[str]]
    Plan: TypeAlias = tuple[tuple[str, str], ...]  # (key, what stands before its value), in order

__all__ = ["Writer", "dump", "dump_all", "dump_list_json"]

SEPARATOR: Final = "---\n"
_LISTS: Final = (list, tuple)
_COLLECTIONS: Final = (dict, list, tuple, Mapping)  # dict first: asking an abstract class is slow
_LONGEST_KEY: Final = 512  # readers give up looking for the colon after 1,024 characters
_LONGEST_MEMO: Final = 256
_MEMOS: Final = 1 << 16
_SHARED: Final = 1 << 12
_CHUNK: Final = 1 << 16


def dump(obj: Mapping[str, Any]) -> str:
    """Write one object as a document without ``---``; it ends in a line feed.

    Values are str, int, float, bool, None, and lists, tuples and mappings of these. TypeError for
    anything else; ValueError for nan, infinity, half a surrogate pair, or a circle.
    """
    return Writer().document(obj)


def dump_all(objs: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Write a stream in chunks of some 64 KiB, with ``---`` between documents only.

    Errors as in ``dump``, raised when the object's turn comes: whoever must write all or nothing
    collects the chunks first. An object may not change once it was handed over, because what
    several objects share is rendered once.
    """
    writer = Writer()
    parts: list[str] = []
    size = 0
    separator = ""
    for obj in objs:
        text = writer.document(obj)
        parts += separator, text
        separator = SEPARATOR
        size += len(text)
        if size > _CHUNK:
            yield "".join(parts)
            parts, size = [], 0
    if parts:
        yield "".join(parts)


class Writer:
    """Writes documents and remembers, within bounds, what it has worked out for earlier ones.

    The memory is why 29,000 objects take a fraction of a second: fabrics repeat node names, and
    thousands of nodes may hold the very same ``spec``. Objects may not change while a Writer that
    has seen them is in use.
    """

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}
        self._plans: dict[tuple[Any, ...], Plan] = {}
        self._seen: dict[int, tuple[dict[str, Any], str]] = {}

    def document(self, obj: Mapping[str, Any]) -> str:
        """Write one object; see ``dump``."""
        if not obj:
            return "{}\n"
        out: list[str] = []
        for key, label in self._plan(obj, "", object_keys):
            value = obj[key]
            if type(value) is not dict or not value:
                self._value(label, value, "", out)
            elif key == "metadata":
                out += label, "\n"
                self._mapping(value, "  ", out, metadata_keys)
            else:
                out += label, self._shared(value)
        return "".join(out)

    def _shared(self, value: dict[str, Any]) -> str:
        """Render a mapping of the top level, once only if it comes again as the same object."""
        seen = self._seen.get(id(value))  # an id holds while the reference kept beside it lives
        if seen is not None and seen[1]:
            return seen[1]
        out = ["\n"]
        self._mapping(value, "  ", out, plain_keys)
        text = "".join(out)
        if seen is None and len(self._seen) >= _SHARED:
            self._seen.clear()
        # Most mappings come once: their text is kept at the second sight only.
        self._seen[id(value)] = (value, text if seen else "")
        return text

    def _mapping(
        self, obj: Mapping[str, Any], indent: str, out: list[str], order: Order = plain_keys
    ) -> None:
        known = self._texts
        for key, label in self._plan(obj, indent, order):
            value = obj[key]
            if type(value) is str:  # the hot path: nearly everything is short text
                out += label, known.get(value) or self._text(value, indent)
            elif type(value) is dict and value:
                out += label, "\n"
                self._mapping(value, indent + "  ", out)
            else:
                self._value(label, value, indent, out)

    def _sequence(self, items: Iterable[object], indent: str, out: list[str]) -> None:
        _check_depth(indent)
        label = indent + "-"
        deeper = indent + "  "
        for item in items:
            if isinstance(item, _COLLECTIONS) and item:
                first = len(out)
                self._nested(item, deeper, out)
                out[first] = f"{label} {out[first][len(deeper) :]}"
            else:
                self._value(label, item, indent, out)

    def _value(self, label: str, value: object, indent: str, out: list[str]) -> None:
        """Write what follows ``label``, which is a key with its colon or the dash of an item."""
        if isinstance(value, str):
            out += label, self._texts.get(value) or self._text(value, indent)
        elif not isinstance(value, _COLLECTIONS):
            out += label, f" {bare_value(value)}\n"
        elif not value:
            out += label, " []\n" if isinstance(value, _LISTS) else " {}\n"
        else:
            out += label, "\n"
            self._nested(value, indent if isinstance(value, _LISTS) else indent + "  ", out)

    def _nested(
        self, value: Mapping[str, Any] | list[Any] | tuple[Any, ...], indent: str, out: list[str]
    ) -> None:
        if isinstance(value, Mapping):
            self._mapping(value, indent, out)
        else:
            self._sequence(value, indent, out)

    def _text(self, text: str, indent: str) -> str:
        block = block_text(text, indent + "  ") if "\n" in text else None
        if block is not None:  # depends on the indentation: not remembered
            return f" {block}\n"
        written = f" {inline_text(text)}\n"
        if len(text) <= _LONGEST_MEMO:
            if len(self._texts) >= _MEMOS:
                self._texts.clear()
            self._texts[text] = written
        return written

    def _plan(self, obj: Mapping[str, Any], indent: str, order: Order) -> Plan:
        """Give keys in order, each with its label; objects of one shape share a plan."""
        shape = (order, indent, *obj)
        return self._plans.get(shape) or self._new_plan(shape, obj, indent, order)

    def _new_plan(
        self, shape: tuple[Any, ...], obj: Mapping[str, Any], indent: str, order: Order
    ) -> Plan:
        _check_depth(indent)
        plan = tuple((key, _label(key, indent)) for key in order(obj))
        if len(self._plans) >= _SHARED:
            self._plans.clear()
        self._plans[shape] = plan
        return plan


def _label(key: str, indent: str) -> str:
    written = inline_text(key)
    if len(written) > _LONGEST_KEY:
        return f"{indent}? {written}\n{indent}:"
    return f"{indent}{written}:"


def _check_depth(indent: str) -> None:
    if len(indent) > 2 * MAX_DEPTH:
        raise ValueError(f"nested deeper than {MAX_DEPTH} levels")
