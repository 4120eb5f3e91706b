"""A recorded start for people, as tables and notes, and for programs (docs/schemas/measure-report.json)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from kubectl_c9s.output import measurecosts as costs
from kubectl_c9s.output import measurecourse as course
from kubectl_c9s.output import measureparts as parts
from kubectl_c9s.output.measuretables import number, rounded, seconds, text_lines
from kubectl_c9s.output.safe_text import safe_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kubectl_c9s.measurement.report import StartReport
    from kubectl_c9s.output.measuretables import Table

FORMAT: Final = 1


def table_lines(found: Iterable[StartReport]) -> Iterator[str]:
    """Give all starts, one after another."""
    for index, one in enumerate(found):
        if index:
            yield "\n"
        yield f"{safe_text(one.name)}: {safe_text(headline(one))}\n"
        for table in tables(one):
            yield from text_lines(table)
        yield "\n"
        yield from (f"note: {safe_text(note)}\n" for note in one.notes)


def headline(one: StartReport) -> str:
    """Give the outcome in one line."""
    ready = parts.ready_devices(one)
    outcome = f"{ready} of {one.expected} devices ready"
    if "ready" in one.last:
        outcome += (
            f", {seconds(one.last['ready'], 'stamped')} after the {one.anchor.kind}"
            if one.anchor
            else ""
        )
    elif (total := one.overall.get("ready")) and total.since_start is not None:
        outcome += f", {seconds(total.since_start)} after the first was seen"
    if one.verdict != "reached":
        outcome += f"; not a whole start ({one.verdict})"
    if one.peak is not None:
        outcome += f"; at most {number(one.peak)} boots at once on a host"
    return outcome


def tables(one: StartReport) -> Iterator[Table]:
    """Give the tables that a terminal shows."""
    yield parts.manifest_table(one)
    yield parts.totals_table(one)
    yield parts.longest_table(one)
    yield parts.stages_table("Stages", parts.main_stages(one))
    yield parts.stages_table("Since the start", parts.main_moments(one))
    yield from list(course.progress_tables(one))[:1]
    yield from course.arrivals_tables(one)
    yield from course.batch_tables(one)
    yield course.hosts_table(one)
    yield from course.slowest_tables(one)
    yield costs.addresses_table(one)
    yield from costs.churn_tables(one)
    yield costs.replay_table(one)


def report_json(found: Iterable[StartReport]) -> dict[str, Any]:
    """Give all starts ready for an encoder; seconds to the millisecond."""
    return {"format": FORMAT, "runs": [rounded(one) for one in found]}
