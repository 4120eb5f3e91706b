"""Tables of starts, for a terminal and for a page alike: plain cells, made safe by whoever prints them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from kubectl_c9s.output.columns import columns
from kubectl_c9s.output.safe_text import safe_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from kubectl_c9s.measurement.stages import Clock

_MILLISECONDS = 3
NOTHING = "-"


class Table(NamedTuple):
    """A table with a title; ``told`` says what its figures mean."""

    title: str
    head: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    told: str = ""


def text_lines(table: Table) -> Iterator[str]:
    """Give a table for a terminal, after an empty line; nothing when it has no rows."""
    if table.rows:
        yield f"\n{table.title}\n"
        rows = [tuple(map(safe_text, row)) for row in table.rows]
        head = [tuple(word.upper() for word in table.head)] if any(table.head) else []
        yield from (f"{line}\n" for line in columns([*head, *rows]))


def facts(title: str, rows: Iterable[tuple[str, str | None]]) -> Table:
    """Give a table of names and values; those without a value are left out."""
    return Table(title, ("", ""), [(name, value) for name, value in rows if value])


def seconds(value: float | None, clock: Clock | None = None) -> str:
    """Write seconds: by stamps no finer than a median of whole seconds can be."""
    if value is None:
        return NOTHING
    if clock == "stamped":
        return f"{value:z.1f}".removesuffix(".0") + "s"
    return f"{value:z.2f}s"


def number(value: float | None) -> str:
    """Write a count that may be a mean."""
    return NOTHING if value is None else f"{value:z,.2f}".rstrip("0").rstrip(".")


def memory(value: float | None) -> str:
    """Write bytes as GiB."""
    return NOTHING if value is None else f"{value / 2**30:.1f}Gi"


def rounded(value: Any) -> Any:
    """Give a result ready for an encoder: builtin values, fractions to the thousandth."""
    return _rounded(msgspec.to_builtins(value, str_keys=True))


def _rounded(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _rounded(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(one) for one in value]
    return round(value, _MILLISECONDS) if isinstance(value, float) else value
