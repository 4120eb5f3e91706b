"""A comparison of starts for people, as tables and notes, and for programs (docs/schemas/measure-compare.json)."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from kubectl_c9s.measurement.figures import SECONDS
from kubectl_c9s.output.measuretables import (
    NOTHING,
    Table,
    number,
    rounded,
    seconds,
    text_lines,
)
from kubectl_c9s.output.safe_text import safe_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kubectl_c9s.measurement.compare import Compared, Comparison, Range

FORMAT: Final = 1


def table_lines(found: Comparison) -> Iterator[str]:
    """Give what differs in a line, then the tables and the notes."""
    for letter, names in (("A", found.a), ("B", found.b)):
        yield f"{letter}: {safe_text(', '.join(names))}\n"
    yield f"{safe_text(headline(found))}\n"
    for table in tables(found):
        yield from text_lines(table)
    yield "\n"
    yield from (f"not alike: {safe_text(one)}\n" for one in found.unequal)
    yield from (f"note: {safe_text(one)}\n" for one in found.notes)


def headline(found: Comparison) -> str:
    """Say how many figures differ."""
    counts = {word: len(found.with_verdict(word)) for word in ("slower", "faster", "more", "fewer")}
    said = [f"{count} {word}" for word, count in counts.items() if count]
    total = len(found.figures)
    if not said:
        return f"none of {total} figures differs by more than resolution and spread explain"
    return f"B against A: {', '.join(said)} of {total} figures"


def tables(found: Comparison) -> Iterator[Table]:
    """Give the tables: whole starts, stages, times since the start, counts."""
    of_kind = {
        kind: [one for one in found.figures if one.kind == kind]
        for kind in ("total", "stage", "since-start", "count")
    }
    yield _singles("The whole start", of_kind["total"])
    yield _pairs("Stages", of_kind["stage"])
    yield _pairs("Since the start", of_kind["since-start"])
    yield _singles("Counts", of_kind["count"])


def _singles(title: str, figures: Iterable[Compared]) -> Table:
    rows = [
        (one.name, one.clock or one.unit, _said(one, one.a), _said(one, one.b), _difference(one),
         _spread(one), one.verdict)
        for one in figures
    ]  # fmt: skip
    return Table(title, ("what", "times or unit", "a", "b", "b - a", "ranges", "verdict"), rows)


def _pairs(title: str, figures: Iterable[Compared]) -> Table:
    """Give a row for each stage and kind of time: its median and its p95 with a verdict each."""
    rows = []
    for (name, clock), both in groupby(figures, key=lambda one: (one.name, one.clock)):
        cells = [
            cell
            for one in both
            for cell in (_said(one, one.a), _said(one, one.b), _difference(one), one.verdict)
        ]
        rows.append((name, str(clock), *cells))
    head = (
        "stage",
        "times",
        "a median",
        "b median",
        "b - a",
        "verdict",
        "a p95",
        "b p95",
        "b - a",
        "verdict",
    )
    return Table(title, head, rows)


def _said(one: Compared, side: Range) -> str:
    return seconds(side.value, one.clock) if one.unit == SECONDS else number(side.value)


def _difference(one: Compared) -> str:
    said = seconds(one.difference, one.clock) if one.unit == SECONDS else number(one.difference)
    return (
        f"+{said}" if one.difference > 0 and any(digit in said for digit in "123456789") else said
    )


def _spread(one: Compared) -> str:
    if not one.spread_known:
        return NOTHING
    sides = (f"{number(side.low)} to {number(side.high)}" for side in (one.a, one.b))
    return ", ".join(sides)


def comparison_json(found: Comparison) -> dict[str, Any]:
    """Give a comparison ready for an encoder."""
    return {"format": FORMAT, **rounded(found)}
