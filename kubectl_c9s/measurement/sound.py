"""Recordings come from anywhere: numbers no start has are refused before anything is worked out of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from kubectl_c9s.resources.errors import RefusedInput

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubectl_c9s.measurement.run import Run

_LARGEST: Final = 1e15
"""Seconds, bytes and counts alike; sums and differences of such numbers stay finite."""


def check_numbers(run: Run, name: str) -> None:
    """Raise RefusedInput when the run of this file has a number that is beyond all reason."""
    for number in _numbers(msgspec.to_builtins(run)):
        if not -_LARGEST <= number <= _LARGEST:
            raise RefusedInput(f"{name} has the number {number:g}, which no start can have")


def _numbers(value: Any) -> Iterator[float]:
    if isinstance(value, dict):
        for one in value.values():
            yield from _numbers(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _numbers(one)
    elif isinstance(value, int | float):
        yield value
