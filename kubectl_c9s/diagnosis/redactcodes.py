"""Codes for the parts of names, and for keys: they sort as these do."""

from __future__ import annotations

import bisect
import itertools
import re
import string
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_APART: Final = re.compile("([-./])")
_LETTERS: Final = "xqzjvwkgyh"
_BETWEEN: Final = string.ascii_lowercase + string.digits + "-"


class Codes:
    """Takes parts until :meth:`settle` was called, and gives the code of each from then on."""

    def __init__(self) -> None:
        self.settled = False
        self._parts: set[str] = set()
        self._codes: dict[str, str] = {}
        self._keys: dict[str, bool] = {}
        self._key_codes: dict[str, str] = {}

    def settle(self) -> None:
        """Give a code to every part and every key that was seen; order needs them all."""
        parts = sorted(self._parts)
        prefix = _prefix([*parts, *self._keys])
        self._codes = dict(zip(parts, _numbered(prefix, len(parts)), strict=True))
        self._key_codes = _between_kept(self._keys, prefix)
        self.settled = True

    def see(self, parts: Iterable[str]) -> None:
        """Take note of parts."""
        self._parts.update(parts)

    def code(self, part: str) -> str:
        """Give the code of a part; before all are known, take note of it."""
        if self.settled:
            return self._codes[part]
        self._parts.add(part)
        return part

    def key(self, key: str, *, stays: bool) -> str:
        """Give a key that may stay as it is, and of another one the code; codes and keys that stay sort as before."""
        if not self.settled:
            self._keys[key] = stays
        return key if stays or not self.settled else self._key_codes[key]

    def coded(self, name: str) -> str:
        """Give a name with a code for each of its parts."""
        pieces = pieces_of(name)
        return "".join(
            piece if at % 2 or not piece else self.code(piece) for at, piece in enumerate(pieces)
        )


def _numbered(prefix: str, count: int) -> list[str]:
    width = len(str(count))
    return [f"{prefix}{rank:0{width}}" for rank in range(count)]


def _between_kept(keys: Mapping[str, bool], prefix: str) -> dict[str, str]:
    """Give codes for the keys that do not stay; each begins with something between its neighbours that stay."""
    kept = sorted(key for key, stays in keys.items() if stays)
    others = sorted(key for key, stays in keys.items() if not stays)
    found = {}
    for key, number in zip(others, _numbered(prefix, len(others)), strict=True):
        place = bisect.bisect(kept, key)
        low, high = kept[place - 1] if place else "", kept[place] if place < len(kept) else "~"
        found[key] = _between(low, high) + number
    return found


def _between(low: str, high: str) -> str:
    """Give a short text behind one and, whatever follows it, before another one.

    One that begins as the first of them will do nearly always. Where that is the beginning of the second, only what is
    less than a letter may fit: keys end in a letter or a digit, so with a key between them a text is there.
    """
    texts = (
        start[:length] + letter
        for start in (low, high)
        for length in range(len(start) + 1)
        for letter in _BETWEEN
    )
    return next((text for text in texts if low < text and f"{text}~" < high), low)


def pieces_of(name: str) -> list[str]:
    """Take a name apart: parts, and what stands between them at odd places."""
    return _APART.split(name)


def _prefix(parts: Iterable[str]) -> str:
    """Choose letters that no part has before a digit: a code is then never an old name, nor a piece of one."""
    taken = set().union(*(re.findall(r"[a-z]+(?=[0-9])", part) for part in parts))
    for length in itertools.count(1):
        for letters in itertools.product(_LETTERS, repeat=length):
            prefix = "".join(letters)
            if not any(one.endswith(prefix) for one in taken):
                return prefix
    raise AssertionError  # there are more prefixes than parts
