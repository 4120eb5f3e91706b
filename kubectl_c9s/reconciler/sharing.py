"""Equal values kept once: of ten thousand objects most say the same in the same second."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeVar

import msgspec

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping

    from kubectl_c9s.resources.live import Condition

T = TypeVar("T")
C = TypeVar("C", bound="Condition")
_SIZE: Final = 20_000
_DETAILS: Final = ("reason", "message", "exitCode", "startedAt", "finishedAt")


class Shared:
    """A table of at most ``size`` values. It is emptied when it is full: what is in use stays, and is shared anew.

    What is put in must not be changed any more. May be used by several threads.
    """

    def __init__(self, size: int = _SIZE) -> None:
        self._size = size
        self._known: dict[Hashable, Any] = {}

    def keep(self, key: Hashable, value: T) -> T:
        """Give the value that was first kept under a key; equal keys must mean equal values."""
        if len(self._known) >= self._size:
            self._known.clear()
        kept: T = self._known.setdefault(key, value)
        return kept

    def text(self, text: T) -> T:
        """Share a text, or None."""
        return self.keep(text, text) if text else text

    def conditions(self, found: Iterable[C] | None, quoted: tuple[str, ...]) -> Any:
        """Give conditions; messages only of those types that are ``quoted``: the others' are read by nobody."""
        if found is None:
            return None
        return tuple(self._condition(one, quoted) for one in found)

    def _condition(self, one: C, quoted: tuple[str, ...]) -> C:
        if one.type not in quoted:
            one.message = None
        return self.keep((type(one), *msgspec.structs.astuple(one)), one)

    def states(self, states: Mapping[str, Any] | None) -> Any:
        """Give the states of a container, of each what is ever read of it."""
        if not states:
            return None if states is None else _EMPTY
        small = {
            name: {key: detail[key] for key in _DETAILS if key in detail} if detail else detail
            for name, detail in states.items()
        }
        return self.keep(msgspec.json.encode(small), small)


_EMPTY: Final[dict[str, Any]] = {}
SHARED: Final = Shared()
"""The table of this process."""
