"""Durations as Go reads and writes them: ``24h`` is read, ``24h0m0s`` is written (split.md §4).

Values are nanoseconds in an int, within 64 bits as in Go.
"""

from __future__ import annotations

import re
from typing import Final

_US: Final = 1_000
_MS: Final = 1_000_000
_S: Final = 1_000_000_000
_M: Final = 60 * _S
_H: Final = 60 * _M

_UNITS: Final = {
    "ns": 1,
    "us": _US,
    "\u00b5s": _US,  # micro sign
    "\u03bcs": _US,  # Greek mu
    "ms": _MS,
    "s": _S,
    "m": _M,
    "h": _H,
}
_LIMIT: Final = 1 << 63
_LONGEST: Final = 256  # a bound of ours; sums of thousands of parts are no duration anybody wrote
_TERM = re.compile(r"([0-9]*)(?:\.([0-9]*))?([^0-9.]+)")


class DurationError(ValueError):
    """A text that is no duration, or one beyond 64 bits of nanoseconds."""


class DurationTooLong(DurationError):
    """A text that has the form of a duration beyond 64 bits of nanoseconds."""


def parse(written: str) -> int:
    """Give the nanoseconds of a duration such as ``1h30m`` or ``-1.5s``; ``0`` needs no unit."""
    negative = written.startswith("-")
    rest = written[1:] if written.startswith(("-", "+")) else written
    if rest == "0":
        return 0
    if not rest or len(rest) > _LONGEST:
        raise DurationError("not a duration such as 90s or 1h30m")
    total = position = 0
    while position < len(rest):
        term = _TERM.match(rest, position)
        if term is None or not (term[1] or term[2]):
            raise DurationError("not a duration such as 90s or 1h30m")
        total += _nanoseconds(term)
        position = term.end()
    if total > _LIMIT - (not negative):
        raise DurationTooLong("the duration is too long")
    return -total if negative else total


def _nanoseconds(term: re.Match[str]) -> int:
    unit = _UNITS.get(term[3])
    if unit is None:
        raise DurationError("the unit of a duration is one of ns, us, ms, s, m, h")
    return int(term[1] or "0") * unit + (_fraction(term[2], unit) if term[2] else 0)


def _fraction(digits: str, unit: int) -> int:
    """Value of the digits behind the point, in floats as Go has it, so that nanoseconds agree."""
    value, scale = 0, 1.0
    for digit in digits:
        longer = value * 10 + int(digit)
        if longer > _LIMIT:
            break
        value, scale = longer, scale * 10
    return int(float(value) * (float(unit) / scale))


def text(nanoseconds: int) -> str:
    """Write a duration: ``24h0m0s``, ``1m30s``, ``1.5s``, ``300ms``, ``1µs``, ``0s``."""
    sign, rest = ("-", -nanoseconds) if nanoseconds < 0 else ("", nanoseconds)
    if rest < _S:
        return sign + _below_a_second(rest)
    seconds, fraction = divmod(rest, _S)
    minutes, seconds = divmod(seconds, 60)
    written = _decimal(seconds, fraction, 9) + "s"
    if minutes:
        written = f"{minutes % 60}m{written}"
    if minutes >= 60:  # noqa: PLR2004 - minutes of an hour
        written = f"{minutes // 60}h{written}"
    return sign + written


def _below_a_second(rest: int) -> str:
    if rest == 0:
        return "0s"
    if rest < _US:
        return f"{rest}ns"
    if rest < _MS:
        return _decimal(*divmod(rest, _US), 3) + "\u00b5s"
    return _decimal(*divmod(rest, _MS), 6) + "ms"


def _decimal(whole: int, fraction: int, digits: int) -> str:
    return f"{whole}.{fraction:0{digits}d}".rstrip("0").rstrip(".") if fraction else str(whole)
