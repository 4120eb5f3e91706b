"""An object as kubectl's reader takes it, and what is remarkable about its scalars on the way.

One pass over all nodes: a large input is mostly this pass, so each question about a scalar is asked here once.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from kubectl_c9s.resources.fluxmarks import VARIABLE
from kubectl_c9s.yamlio.nodes import Mapping, Scalar, Sequence
from kubectl_c9s.yamlio.scalars import NotFinite, readers_differ, resolve

if TYPE_CHECKING:
    from kubectl_c9s.yamlio.nodes import Node

_REMEMBERED: Final = 64  # longest plain text worth remembering


class Reading(NamedTuple):
    """The JSON value of a node; the scalars in it that are remarkable, in the order of the text.

    ``ambiguous`` are taken differently by readers; ``unfit`` cannot become JSON, with the reason;
    ``variables`` hold the text ``${``. Keys count as scalars.
    """

    value: Any
    ambiguous: list[Scalar]
    unfit: list[tuple[Scalar, str]]
    variables: list[Scalar]


def read(node: Node) -> Reading:
    """Read a node as kubectl does (conventions.md §8)."""
    reading = Reading(None, [], [], [])
    return reading._replace(value=_Reader(reading).value(node))


class _Reader:
    def __init__(self, notes: Reading) -> None:
        self._notes = notes

    def value(self, node: Node) -> Any:
        if node.__class__ is Scalar:
            return self._scalar(node)
        if node.__class__ is Sequence:
            return [self.value(item) for item in node.items]
        assert isinstance(node, Mapping)  # noqa: S101 - the third and last kind of node
        found: dict[str, Any] = {}
        for key, value in node.entries.values():
            name = self._key(key)
            if name in found:
                self._notes.unfit.append((key, f"key {name!r} is given twice, as kubectl reads it"))
            found[name] = self.value(value)
        return found

    def _scalar(self, node: Scalar) -> Any:
        text = node.text
        if VARIABLE in text:
            self._notes.variables.append(node)
        if not node.plain:
            return text
        value, ambiguous, finite = _plain(text) if len(text) <= _REMEMBERED else _look_at(text)
        if ambiguous:
            self._notes.ambiguous.append(node)
        if not finite:
            self._notes.unfit.append((node, f"{text} has no form in JSON"))
        return value

    def _key(self, key: Scalar) -> str:
        """Give the key that kubectl makes of a plain scalar: JSON's spelling of what it is read as."""
        before = len(self._notes.unfit)
        value = self._scalar(key)
        if isinstance(value, str):
            return value
        if value is None:
            if len(self._notes.unfit) == before:
                name = key.text or "an empty key"
                reason = f"{name} is no key kubectl can read; put it in quotes"
                self._notes.unfit.append((key, reason))
            return key.text
        return str(value).lower() if isinstance(value, bool) else str(value)


def _look_at(text: str) -> tuple[Any, bool, bool]:
    """Give the value of a plain scalar, whether readers differ about it, and whether it is finite."""
    try:
        return resolve(text, "kubectl"), readers_differ(text), True
    except NotFinite:
        return None, False, False


_plain = functools.lru_cache(maxsize=8192)(_look_at)
