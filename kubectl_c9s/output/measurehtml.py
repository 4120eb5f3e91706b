"""Starts and comparisons as one page of HTML that needs nothing else: plots, a table beside each, notes.

The page loads nothing: its policy forbids it, so that no text of a recording could make it. Texts are escaped by the
template engine, and characters that hide or turn text around are made visible first.
"""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import jinja2

import kubectl_c9s
from kubectl_c9s.measurement.compare import DIFFERENT
from kubectl_c9s.measurement.stages import CLOCKS
from kubectl_c9s.output import measurecosts as costs
from kubectl_c9s.output import measurecourse as course
from kubectl_c9s.output import measureparts as parts
from kubectl_c9s.output.measureheat import seen_heat, stamped_heat
from kubectl_c9s.output.measureplots import arrivals_plot, crowd_plot, progress_plot
from kubectl_c9s.output.measureranges import stages_plot
from kubectl_c9s.output.measurereport import headline
from kubectl_c9s.output.safe_text import safe_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from kubectl_c9s.measurement.report import StartReport
    from kubectl_c9s.output.measuretables import Table

_PACKAGE: Final = Path(kubectl_c9s.__file__).parent
# setup.cfg installs the top-level folder templates/ as kubectl_c9s/templates.
_PLACES: Final = (_PACKAGE / "templates", _PACKAGE.parent / "templates")
_PAGE: Final = "measure-report.html.j2"
_SCRIPT: Final = "measure-report.js.j2"


class Section(NamedTuple):
    """A part of a page: plots and tables that belong together."""

    title: str
    plots: Sequence[str] = ()
    tables: Sequence[Table] = ()
    told: str = ""


class Chapter(NamedTuple):
    """What a page tells of one start, or of one comparison; ``name`` is its id."""

    name: str
    title: str
    outcome: str
    good: bool
    notes: Sequence[str]
    sections: Sequence[Section]


def report_page(found: Iterable[StartReport]) -> Iterable[str]:
    """Give the page of starts, one after another."""
    chapters = [_chapter(one, f"r{number}") for number, one in enumerate(found, 1)]
    title = chapters[0].title if len(chapters) == 1 else f"{len(chapters)} recorded starts"
    return page(f"Recorded start: {title}" if len(chapters) == 1 else title, chapters)


def page(title: str, chapters: Sequence[Chapter]) -> Iterable[str]:
    """Give a page of chapters."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_PLACES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_visible,
    )
    script = environment.get_template(_SCRIPT).render()
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return environment.get_template(_PAGE).generate(
        title=title,
        chapters=chapters,
        kind=_kind,
        script=script,
        digest=digest,
    )


def _visible(value: object) -> object:
    """Make text visible that hides or turns text around; what the template calls safe was written by this package."""
    return value if hasattr(value, "__html__") else safe_text(str(value))


def _kind(cell: str) -> str:
    """Give the class of a cell: numbers go to the right, verdicts have a colour besides their word."""
    if cell in DIFFERENT:
        return f" class={cell}"
    number = cell[:1].isdigit() or (cell[:1] in "+-" and (len(cell) == 1 or cell[1].isdigit()))
    return " class=n" if number else ""


def _chapter(one: StartReport, name: str) -> Chapter:
    sections = (
        Section(section.title, [plot for plot in section.plots if plot],
                [table for table in section.tables if table.rows], section.told)
        for section in _sections(one, name)
    )  # fmt: skip
    shown = [section for section in sections if section.plots or section.tables]
    return Chapter(name, one.name, headline(one), one.verdict == "reached", one.notes, shown)


def _sections(one: StartReport, name: str) -> Iterator[Section]:
    overview = (parts.totals_table, parts.longest_table, costs.replay_table, parts.manifest_table)
    yield Section("Overview", (), [table(one) for table in overview])
    plots = [
        progress_plot(f"{name}-progress-{clock}", went, clock, one.batches[clock])
        for clock in CLOCKS
        if (went := one.progress[clock])
    ]
    batches = (
        " Bands mark the batches that were found by the same kind of time."
        if any(found and found.batches for found in one.batches.values())
        else ""
    )
    yield Section("Progress", plots, list(course.progress_tables(one)),
                  f"How many devices had reached each milestone by when.{batches}")  # fmt: skip
    plots = [
        arrivals_plot(f"{name}-arrivals-{clock}", came, clock, one.batches[clock])
        for clock in CLOCKS
        if (came := one.arrivals[clock])
    ]
    yield Section(
        "Arrivals and batches", plots, [*course.batch_tables(one), *course.arrivals_tables(one)]
    )
    yield from _stage_sections(one, name)
    hosts = one.timelines
    plots = [
        seen_heat(f"{name}-boots", hosts),
        stamped_heat(f"{name}-unready", hosts),
        crowd_plot(f"{name}-crowd", hosts),
    ]
    yield Section("Hosts", plots, (course.hosts_table(one),))
    yield Section("Slowest", (), list(course.slowest_tables(one)))
    yield Section("Addresses", (), (costs.addresses_table(one),))
    yield Section("Cost", (), list(costs.churn_tables(one)))


def _stage_sections(one: StartReport, name: str) -> Iterator[Section]:
    shown = parts.main_stages(one)
    plots = [
        stages_plot(
            f"{name}-stages-{clock}",
            "How long each stage took",
            [stage for stage in shown if clock in stage.counts_as_step or stage.group == "whole"],
            clock,
        )
        for clock in CLOCKS
    ]
    told = "The line goes from the shortest to the longest, the bar from the median to p95 (the value of rank 0.95·n)."
    yield Section("Stages", plots, (parts.stages_table("All stages", one.stages),), told)
    plots = [
        stages_plot(f"{name}-since-{clock}", "When devices got there", one.since_start, clock)
        for clock in CLOCKS
    ]
    yield Section(
        "Since the start", plots, (parts.stages_table("Since the start", one.since_start),)
    )
