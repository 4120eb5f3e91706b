"""Address times of hosts as a table for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kubectl_c9s.output.columns import columns
from kubectl_c9s.output.safe_text import safe_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubectl_c9s.measurement.cni.report import CniReport, HostTimes
    from kubectl_c9s.measurement.statistics import Distribution

_HEAD: Final = (
    "HOST", "CALLS", "WAITS", "P50", "P95", "MAX", "SUM", "HOLDS", "P50", "P95", "MAX", "SUM", "HELD",
)  # fmt: skip
_EMPTY: Final = ("-",) * (len(_HEAD) - 1)
_NEARLY_ALL: Final = 0.9


def lines(report: CniReport) -> Iterator[str]:
    """Give the lines of the table, in seconds; HELD is the share of the span in which the lock was held."""
    if not report.reader:
        yield safe_text(report.not_available)
        return
    yield from columns([_HEAD, *map(_row, report.hosts)])
    yield ""
    yield f"seconds by {safe_text(report.reader)}, each by the clock of its host; HELD is the sum of holds / the span"
    for one in report.hosts:
        yield from _words(one)


def _row(one: HostTimes) -> list[str]:
    times = one.times
    if times is None:
        return [safe_text(one.host), *_EMPTY]
    held = f"{times.hold_sum / times.span:.0%}" if times.span else "-"
    return [
        safe_text(one.host),
        str(times.allocations),
        *_figures(times.waits, times.wait_sum),
        *_figures(times.holds, times.hold_sum),
        held,
    ]


def _figures(found: Distribution, total: float) -> list[str]:
    figures = (found.p50, found.p95, found.max, total if found.count else None)
    return [str(found.count), *("-" if one is None else f"{one:.3f}" for one in figures)]


def _words(one: HostTimes) -> Iterator[str]:
    host, times = safe_text(one.host), one.times
    if one.error:
        yield f"{host}: not read to its end: {safe_text(one.error)}"
    if times is None:
        return
    if not times.complete:
        begins = f"begins at {times.first}" if times.first else "has no lines"
        yield safe_text(f"{one.host}: the log {begins}: it does not reach back to the start")
    if times.odd:
        yield f"{host}: {times.odd} lines were cut, or their times run backwards"
    if times.holds.count > 1 and times.hold_sum > _NEARLY_ALL * times.span:
        yield f"{host}: the lock is held nearly always: that is how fast this host hands out addresses"
