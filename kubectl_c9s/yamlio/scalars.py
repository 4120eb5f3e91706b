"""What Go makes of a plain scalar, for the two readers a lab passes through.

``kubectl`` reads manifests with sigs.k8s.io/yaml over go-yaml v2 (conventions.md §8); the compile engine reads
the embedded definition with go-yaml v3. Both look at the first character, then at a table of words, then try
integers with Go's prefixes, then floats. They differ in the words for true and false and in dates.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone
from typing import Any, Final, Literal

Reader = Literal["kubectl", "engine"]

_NULLS: Final = dict.fromkeys(("", "~", "null", "Null", "NULL"))
_TRUE: Final = dict.fromkeys(("true", "True", "TRUE"), True)
_FALSE: Final = dict.fromkeys(("false", "False", "FALSE"), False)
_OLD_TRUE: Final = dict.fromkeys(("y", "Y", "yes", "Yes", "YES", "on", "On", "ON"), True)
_OLD_FALSE: Final = dict.fromkeys(("n", "N", "no", "No", "NO", "off", "Off", "OFF"), False)
_ENGINE_WORDS: Final[dict[str, Any]] = {**_NULLS, **_TRUE, **_FALSE}
_KUBECTL_WORDS: Final[dict[str, Any]] = {**_ENGINE_WORDS, **_OLD_TRUE, **_OLD_FALSE}
_NOT_FINITE: Final = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")

# strconv.ParseInt with base 0, after all underscores were taken out.
_GO_INTEGER: Final = re.compile(
    r"(?P<sign>[-+]?)(?:0[xX](?P<hex>[0-9a-fA-F]+)|0[bB](?P<bin>[01]+)|0[oO]?(?P<oct>[0-7]+)|(?P<dec>0|[1-9][0-9]*))"
)
_GO_FLOAT: Final = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
# Go's forms of a date: with T the zone has to be there, with a blank it must not.
_DATE: Final = re.compile(
    r"(?P<y>[0-9]{4})-(?P<m>[0-9]{1,2})-(?P<d>[0-9]{1,2})"
    r"(?:(?:(?P<t>[Tt])| +)(?P<H>[0-9]{1,2}):(?P<M>[0-9]{1,2}):(?P<S>[0-9]{1,2})(?:\.(?P<f>[0-9]+))?"
    r"(?(t)(?P<z>Z|[-+][0-9]{2}:[0-9]{2})))?"
)
_HINTS: Final = frozenset("0123456789+-.")
_MAX_INTEGER_TEXT: Final = 70
_EXACT_FLOAT: Final = 2**53
_NANO_DIGITS: Final = 9


class NotFinite(ValueError):
    """The scalar is a NaN or an infinity, for which JSON has no form."""


def resolve(text: str, reader: Reader) -> Any:
    """Give the value of a plain scalar as JSON data: None, bool, int, float or str.

    Raises NotFinite for ``.nan`` and ``.inf``.
    """
    words = _ENGINE_WORDS if reader == "engine" else _KUBECTL_WORDS
    if text in words:
        return words[text]
    if text[0] not in _HINTS:
        return text
    return _number_or_text(text, reader)


def _number_or_text(text: str, reader: Reader) -> Any:
    if _NOT_FINITE.fullmatch(text):
        raise NotFinite(text)
    if text[0] == ".":
        return _float(text, text)
    if reader == "engine" and (moment := _timestamp(text)) is not None:
        return moment
    digits = text.replace("_", "")
    whole = _integer(digits)
    return _float(digits, text) if whole is None else whole


def _integer(digits: str) -> int | None:
    if len(digits) > _MAX_INTEGER_TEXT or not (found := _GO_INTEGER.fullmatch(digits)):
        return None
    for group, base in (("hex", 16), ("bin", 2), ("oct", 8), ("dec", 10)):
        if (number := found[group]) is not None:
            value = int(number, base)
            value = -value if found["sign"] == "-" else value
            # Without a sign Go tries an unsigned number, too.
            return value if -(2**63) <= value < 2 ** (63 if found["sign"] else 64) else None
    return None


def _float(digits: str, text: str) -> Any:
    if not _GO_FLOAT.fullmatch(digits):
        return text
    value = float(digits)
    if value in (float("inf"), float("-inf")):
        return text
    return json_number(value)


def json_number(value: float) -> int | float:
    """Write a number as Go's JSON encoder does: whole floats below 1e21 have no fraction."""
    if value.is_integer() and abs(value) < 1e21:  # noqa: PLR2004 - Go's own limit
        # The shortest digits that give the float, and zeros behind them: not the float's own exact value.
        mantissa, _, exponent = repr(value).partition("e")
        whole, _, fraction = mantissa.partition(".")
        places = int(exponent or 0)
        return int(whole + fraction.rstrip("0").ljust(places, "0")[: max(places, 0)])
    return value


def engine_number(value: float) -> int | float:
    """Pass a number through float64, as the engine's JSON round trip does (render of the payload)."""
    if isinstance(value, int) and abs(value) > _EXACT_FLOAT:
        return json_number(float(value))
    return value


def _timestamp(text: str) -> str | None:
    found = _DATE.fullmatch(text)
    if not found:
        return None
    try:
        zone = _zone(found["z"])
        moment = datetime(
            int(found["y"]), int(found["m"]), int(found["d"]),
            int(found["H"] or 0), int(found["M"] or 0), int(found["S"] or 0), tzinfo=zone,
        )  # fmt: skip
    except ValueError:
        return None
    fraction = (found["f"] or "")[:_NANO_DIGITS].rstrip("0")
    offset = moment.strftime("%z")
    shown = "Z" if found["z"] in {None, "Z"} else f"{offset[:3]}:{offset[3:]}"
    return (
        moment.strftime("%Y-%m-%dT%H:%M:%S").rjust(19, "0")
        + (f".{fraction}" if fraction else "")
        + shown
    )


def _zone(text: str | None) -> timezone:
    if text in {None, "Z"}:
        return UTC
    assert text is not None  # noqa: S101 - for the type checker
    sign = -1 if text[0] == "-" else 1
    return timezone(sign * timedelta(hours=int(text[1:3]), minutes=int(text[4:6])))


def readers_differ(text: str) -> bool:
    """Tell whether kubectl's reader and a YAML 1.2 reader take this plain scalar differently.

    YAML 1.2's core schema knows true/false/null, decimal integers, ``0o`` and ``0x`` and floats.
    """
    if text in _OLD_TRUE or text in _OLD_FALSE:
        return True
    if not text or text[0] not in _HINTS:
        return False
    return _NUMERIC_IN_ONE.fullmatch(text) is not None and not _SAME_IN_BOTH.fullmatch(text)


# 017, 0o17 and 1_000 are numbers to kubectl; YAML 1.2 reads 17, 15 and a string. 0b11 is 3 and a string.
_NUMERIC_IN_ONE: Final = re.compile(
    r"[-+]?[0-9][0-9_]*(\.[0-9_]*)?([eE][-+]?[0-9]+)?|[-+]?0[xXbBoO][0-9a-fA-F_]+"
)
_SAME_IN_BOTH: Final = re.compile(
    r"[-+]?(0|[1-9][0-9]*)(\.[0-9]*)?([eE][-+]?[0-9]+)?|0x[0-9a-fA-F]+|0o[0-7]+"
)
