"""How one scalar is written so that every reader takes it for what it is (conventions.md §8).

The readers in mind: ``sigs.k8s.io/yaml`` over go-yaml v2 (kubectl, Flux, Argo CD), PyYAML (YAML
1.1) and readers of YAML 1.2. They differ about plain scalars, so text is plain only where all of
them agree beyond doubt; everything else is double-quoted with the escapes JSON and YAML share.
"""

from __future__ import annotations

import math
import re
from json.encoder import encode_basestring
from typing import Final

from kubectl_c9s.resources.characters import has_hidden, is_surrogate, replace_hidden

# Begins with a letter, "_" or "/": no indicator, number, date, "~", "=" or "<<" does. Then runs of
# harmless characters with one blank or some colons between them, which leaves out ": ", " #" and a
# blank or a colon at an end. Quotes, brackets, "#", backslash and all beyond ASCII are harmless to
# most readers, but not to every tool on the way to them: quoted.
_SAFE: Final = r"[A-Za-z0-9_./@%+=,;~^$()!*&|<>?-]"
_PLAIN: Final = re.compile(
    r"(?!(?i:y|n|yes|no|on|off|true|false|null)\Z)" rf"[A-Za-z_/]{_SAFE}*(?:(?: |:+){_SAFE}+)*"
).fullmatch

# A block would take blanks at the start of its first line for its own indentation, and some readers
# refuse a tab at the start of a line.
_BAD_START: Final = re.compile(r"\n*(?:[ \t]|\Z)").match

MAX_DEPTH: Final = 100
"""Levels of nesting a writer follows; more is a ValueError. Input is held to 64."""

_SIXTEEN_BITS: Final = 0xFFFF
_EXACT_INTEGERS: Final = 2.0**53
"""Below this every whole float is one integer and no other."""


def inline_text(text: str) -> str:
    """Write text on one line: plain where that is safe, else double-quoted.

    Raise ValueError for half of a surrogate pair, which no YAML or JSON can carry.
    """
    # An enumeration's member would show its own name in a format: take the text it is.
    return str.__str__(text) if _PLAIN(text) else quoted_text(text)


def quoted_text(text: str) -> str:
    """Write text between double quotes; whatever does not show is escaped."""
    return replace_hidden(encode_basestring(text), _yaml_escape)


def block_text(text: str, indent: str) -> str | None:
    """Write text of several lines as a literal block, each line after ``indent``.

    The last line feed is left to the caller. None if the text has no line feed at all, or if some
    reader would not bring it back unchanged from a block.
    """
    if "\n" not in text or _BAD_START(text) or "\n\t" in text or has_hidden(text):
        return None
    chomping = "-" if text[-1] != "\n" else "+" if text.endswith("\n\n") else ""
    body = text[:-1] if text[-1] == "\n" else text
    # Empty lines stay empty: indentation alone would be trailing blanks in a review.
    return f"|{chomping}\n" + _indented(body, indent)


def _indented(body: str, indent: str) -> str:
    lines = indent + body.replace("\n", "\n" + indent)
    blank = f"\n{indent}\n"
    while blank in lines:  # matches do not overlap, so neighbours take a second round
        lines = lines.replace(blank, "\n\n")
    if body.startswith("\n"):
        lines = lines.removeprefix(indent)
    return lines.removesuffix(indent) if body.endswith("\n") else lines


def bare_value(value: object) -> str:
    """Write null, true, false or a number; anything else is a TypeError."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return number(value)
    raise TypeError(f"cannot write {type(value).__name__}: {value!r}")


def number(value: float) -> str:
    """Write a number so that Go and YAML 1.1 and 1.2 read it back as the same number.

    Whole floats are written as integers: what the API calls an integer may have been a float64 on
    its way, and a strict reader refuses ``2.0`` there. Raise ValueError for nan and infinity.
    """
    if isinstance(value, int):
        return int.__repr__(value)
    if not math.isfinite(value):
        raise ValueError(f"{value!r} cannot be written: neither JSON nor the API knows it")
    if value.is_integer() and abs(value) < _EXACT_INTEGERS:
        return repr(int(value))
    return _with_point(float.__repr__(value))


def _with_point(text: str) -> str:
    # YAML 1.1 takes "1e+16" for text: it wants a point and a signed exponent.
    mantissa, e, exponent = text.partition("e")
    return text if not e or "." in mantissa else f"{mantissa}.0e{exponent}"


def _yaml_escape(match: re.Match[str]) -> str:
    character = match[0]
    if is_surrogate(character):
        raise ValueError(f"half of a surrogate pair in text: {character!r}")
    code = ord(character)
    return f"\\u{code:04x}" if code <= _SIXTEEN_BITS else f"\\U{code:08x}"
