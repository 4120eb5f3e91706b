"""A comparison of starts as one page of HTML."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kubectl_c9s.measurement.stages import CLOCKS
from kubectl_c9s.output.measurecompare import headline, tables
from kubectl_c9s.output.measurehtml import Chapter, Section, page
from kubectl_c9s.output.measureranges import sides_plot
from kubectl_c9s.output.measuretables import facts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kubectl_c9s.measurement.compare import Comparison

_KINDS = {"Stages": "stage", "Since the start": "since-start"}


def comparison_page(found: Comparison) -> Iterable[str]:
    """Give the page of a comparison."""
    notes = [*(f"not alike: {one}" for one in found.unequal), *found.notes]
    good = not found.with_verdict("slower", "more")
    chapter = Chapter("c1", "Comparison", headline(found), good, notes, list(_sections(found)))
    return page("Two sides of recorded starts", [chapter])


def _sections(found: Comparison) -> Iterator[Section]:
    sides = [("A", ", ".join(found.a)), ("B", ", ".join(found.b))]
    yield Section("Sides", (), [facts("Files", sides)])
    for table in tables(found):
        if table.rows:
            plots = list(_plots(found, table.title))
            told = "A line from the fastest run to the slowest, a dot at the median run; A is the upper one."
            yield Section(table.title, plots, [table], told if plots else "")


def _plots(found: Comparison, title: str) -> Iterator[str]:
    for clock in CLOCKS:
        figures = [
            one
            for one in found.figures
            if one.kind == _KINDS.get(title) and one.clock == clock and one.which == "p50"
        ]
        plot = sides_plot(f"c1-{_KINDS.get(title)}-{clock}", f"{title}: medians, {clock}", figures)
        if plot:
            yield plot
