"""Kubernetes quantities (``500m``, ``4Gi``, ``1e3``): exact values, and equality by value.

The grammar is what the CRDs and the manager's parser both take. Values are counted in billionths,
as ints: that parser keeps no smaller parts, it rounds them away from zero. What has a binary suffix
ends at 2**63 - 1, as there.
"""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from kubectl_c9s.resources.objects import KubeObject

Quantity: TypeAlias = str | int
"""A quantity as JSON has it."""

_FORM = re.compile(
    r"(?P<sign>[+-]?)(?P<whole>[0-9]*)(?:\.(?P<part>[0-9]*))?"
    r"(?:(?P<binary>[KMGTPE]i)|(?P<decimal>[numkMGTPE])|[eE](?P<exponent>[+-]?[0-9]+))?"
)
_BINARY: Final = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
_DECIMAL: Final = {"n": -9, "u": -6, "m": -3, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_NANO_DIGITS: Final = 9
_BINARY_CEILING: Final = (2**63 - 1) * 10**_NANO_DIGITS

# Bounds of ours, far beyond any real amount: they keep the cost of exact arithmetic small.
_MAX_TEXT: Final = 256
_MAX_EXPONENT: Final = 1024


class QuantityError(ValueError):
    """A text or value that is no quantity."""


def parse(quantity: object) -> int:
    """Give the value in billionths; :class:`QuantityError` for all but integers and legal texts."""
    if isinstance(quantity, int) and not isinstance(quantity, bool):
        return quantity * 10**_NANO_DIGITS
    if not isinstance(quantity, str):
        raise QuantityError("a quantity is an integer or a text such as 500m or 4Gi")
    return _parse_text(quantity)


def equal(a: object, b: object) -> bool:
    """Tell whether two quantities have the same value: ``1000m`` is ``1``."""
    return parse(a) == parse(b)


def resources_equal(a: KubeObject | None, b: KubeObject | None) -> bool:
    """Tell whether two ``resources`` (requests, limits, claims) mean the same (split.md §10).

    Absent, null and empty are one, amounts count by value, claims keep their order. Raises
    :class:`QuantityError` for an amount that is none.
    """
    a, b = a or {}, b or {}
    return (
        _amounts_equal(a.get("requests"), b.get("requests"))
        and _amounts_equal(a.get("limits"), b.get("limits"))
        and _claims(a.get("claims")) == _claims(b.get("claims"))
    )


def _amounts_equal(a: KubeObject | None, b: KubeObject | None) -> bool:
    a, b = a or {}, b or {}
    return a.keys() == b.keys() and all(equal(a[name], b[name]) for name in a)


def _claims(claims: list[KubeObject] | None) -> list[tuple[str, str]]:
    return [(claim.get("name") or "", claim.get("request") or "") for claim in claims or ()]


@functools.lru_cache(maxsize=1024)
def _parse_text(text: str) -> int:
    form = _FORM.fullmatch(text) if len(text) <= _MAX_TEXT else None
    if form is None or not (form["whole"] or form["part"]):
        raise QuantityError("not a quantity such as 2, 500m or 4Gi")
    part = form["part"] or ""
    digits = int((form["whole"] + part) or "0") << _BINARY.get(form["binary"], 0)
    nanos = _scaled(digits, _exponent(form) - len(part) + _NANO_DIGITS)
    if form["binary"]:
        nanos = min(nanos, _BINARY_CEILING)
    return -nanos if form["sign"] == "-" else nanos


def _exponent(form: re.Match[str]) -> int:
    exponent = _DECIMAL.get(form["decimal"], 0) or int(form["exponent"] or 0)
    if abs(exponent) > _MAX_EXPONENT:
        raise QuantityError(f"the exponent of a quantity must lie within ±{_MAX_EXPONENT}")
    return exponent


def _scaled(digits: int, exponent: int) -> int:
    """Give ``digits`` times ten to the power of ``exponent``, rounded up."""
    power: int = 10 ** abs(exponent)
    return digits * power if exponent >= 0 else -(-digits // power)
