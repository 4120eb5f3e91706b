"""Two reports of a manager's metrics, compared for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kubectl_c9s.output.amounts import amount, number
from kubectl_c9s.output.columns import columns
from kubectl_c9s.output.managerreport import judgement_lines
from kubectl_c9s.output.safe_text import safe_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubectl_c9s.measurement.managercompare import Change, Comparison

_HEAD: Final = ("", "FIGURE", "OF", "BEFORE", "AFTER", "CHANGE")


def comparison_lines(found: Comparison) -> Iterator[str]:
    """Give how captures differ, judgements that changed, all figures (``*`` is notable), and what the later shows."""
    yield f"before: {safe_text(found.before.facts.source)}; after: {safe_text(found.after.facts.source)}"
    for difference in found.differences:
        yield f"unequal: {safe_text(difference)}"
    yield ""
    for one in found.levels:
        subject = f" ({safe_text(one.subject)})" if one.subject else ""
        yield f"{one.name}{subject}: {one.before or 'not judged'}, then {one.after or 'not judged'}"
    if not found.levels:
        yield "no judgement changed"
    yield ""
    yield from columns([_HEAD, *map(_row, found.changes)])
    yield "(* is notable: a quarter more or less, and more than chance; a dash is not available)"
    yield ""
    yield "after:"
    yield from judgement_lines(found.after.judgements)
    for which, report in (("before", found.before), ("after", found.after)):
        yield from (f"note: {which}: {safe_text(note)}" for note in report.notes)


def _row(one: Change) -> tuple[str, ...]:
    plus = "+" if one.change is not None and one.change > 0 else ""
    return (
        "*" if one.notable else "",
        one.metric,
        safe_text(one.subject) or "manager",
        amount(one.before, one.unit),
        amount(one.after, one.unit),
        f"{plus}{amount(one.change, one.unit)}{_factor(one)}",
    )


def _factor(one: Change) -> str:
    if not one.notable or not one.before or one.after is None:
        return ""
    return f" (x{number(one.after / one.before)})"
