"""Characters that do not show as themselves, or that change how their neighbours show.

One table for every door text leaves through: the YAML and JSON writers escape them, terminals get
a visible form (conventions.md §3). It is spelt out and not taken from ``str.isprintable``, which
follows the Unicode version of the interpreter: one input has to give the same bytes on all of them.
"""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

_CONTROLS: Final = r"\x00-\x08\x0b-\x1f\x7f-\x9f"  # C0, DEL, C1 (with NEL)
_SEPARATORS: Final = r"\u2028\u2029"
_IGNORABLE: Final = (  # Unicode's Default_Ignorable_Code_Point: zero width, bidi, fillers, tags
    r"\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    r"\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8"
    r"\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_ANNOTATION: Final = r"\ufff9-\ufffb"
_SURROGATES: Final = r"\ud800-\udfff"
_NONCHARACTERS: Final = r"\ufdd0-\ufdef\ufffe\uffff" + "".join(
    rf"\U{plane:04x}fffe\U{plane:04x}ffff" for plane in range(1, 17)
)

HIDDEN_CLASS: Final = (
    _CONTROLS + _SEPARATORS + _IGNORABLE + _ANNOTATION + _SURROGATES + _NONCHARACTERS
)
"""What stands between the brackets of a regular expression for these characters; tab and line feed
are left out, because each door treats them in its own way."""

_ASCII_HIDDEN: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


@functools.cache
def hidden(more: str = "") -> re.Pattern[str]:
    """Give the expression that finds one such character, or one of ``more``.

    Made on first use: compiling a class of characters from all of Unicode takes milliseconds, and
    nearly every text is ASCII, for which nobody needs it.
    """
    return re.compile(f"[{more}{HIDDEN_CLASS}]")


def has_hidden(text: str) -> bool:
    """Tell whether a text holds such a character; quick for ASCII of any length."""
    return (_ASCII_HIDDEN if text.isascii() else hidden()).search(text) is not None


def replace_hidden(text: str, replacement: Callable[[re.Match[str]], str], more: str = "") -> str:
    """Replace each such character, or one of ``more``, by what ``replacement`` gives for it."""
    if not more and text.isascii():
        return _ASCII_HIDDEN.sub(replacement, text)
    return hidden(more).sub(replacement, text)


def is_surrogate(character: str) -> bool:
    """Tell whether a character is half of a pair, which no encoding of Unicode can carry."""
    return "\ud800" <= character <= "\udfff"
