"""Measured amounts in few characters, for tables."""

from __future__ import annotations

from typing import Final

MISSING: Final = "-"
_MILLI: Final = 0.9995
_MICRO: Final = 0.0009995
_MINUTES: Final = 600
_MIB: Final = 2**20
_SAID: Final = {"/s": "/s", "MiB": " MiB", "cores": " cores"}


def seconds(value: float | None) -> str:
    """Give ``250us``, ``12ms``, ``1.25s`` or ``12.5min``; a dash for what is not available."""
    if value is None:
        return MISSING
    size = abs(value)
    if size >= _MINUTES:
        return f"{value / 60:.1f}min"
    if size >= _MILLI:
        return f"{value:.3g}s"
    return f"{value * 1e3:.3g}ms" if size >= _MICRO or not value else f"{value * 1e6:.3g}us"


def number(value: float | None) -> str:
    """Give a number with about three digits, whole when it is large; a dash for what is not available."""
    if value is None:
        return MISSING
    return f"{value:,.0f}" if abs(value) >= 100 or value == int(value) else f"{value:.3g}"  # noqa: PLR2004 - three digits


def share(value: float | None) -> str:
    """Give a percentage; a dash for what is not available."""
    return MISSING if value is None else f"{value * 100:.3g}%"


def mebibytes(value: float | None) -> str:
    """Give bytes as ``43 MiB``; a dash for what is not available."""
    return MISSING if value is None else f"{value / _MIB:,.0f} MiB"


def amount(value: float | None, unit: str) -> str:
    """Give a value in its unit: ``s``, ``share``, ``/s``, ``MiB`` or ``cores``; the figure's name says others."""
    if unit == "s":
        return seconds(value)
    if unit == "share":
        return share(value)
    plain = number(value)
    if value is None or unit not in _SAID:
        return plain
    return f"{plain}{_SAID[unit]}"
