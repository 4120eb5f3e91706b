r"""Text from a file or a cluster, made harmless for a terminal (conventions.md §3).

ESC is shown as ``^[`` and CR as ``\r``, as kubectl does; every other character that hides, moves
the cursor or changes the direction of its neighbours is shown by its code. A tab is kept, as by
kubectl: it moves the cursor forwards only, so it can hide nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kubectl_c9s.resources.characters import replace_hidden

if TYPE_CHECKING:
    import re

_KNOWN: Final = {"\x1b": "^[", "\r": r"\r", "\n": r"\n"}
_EIGHT_BITS: Final = 0xFF
_SIXTEEN_BITS: Final = 0xFFFF


def safe_text(text: str, *, multiline: bool = False) -> str:
    r"""Give the text with everything that could deceive a terminal shown as a visible escape.

    ``\x07``, ``\u202e`` and ``\U000e0001`` are the forms by size; lone surrogates are shown too, so
    the result can always be encoded. A line feed is kept only if ``multiline`` is true, else shown
    as ``\n``: one value then stays on one line. The result is for eyes and cannot be turned back.
    """
    if text.isascii() and text.isprintable():  # nearly everything; both tests run in C
        return text
    return replace_hidden(text, _visible, "" if multiline else r"\n")


def _visible(match: re.Match[str]) -> str:
    character = match[0]
    if known := _KNOWN.get(character):
        return known
    code = ord(character)
    if code <= _EIGHT_BITS:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= _SIXTEEN_BITS else f"\\U{code:08x}"
