"""A report of a manager's metrics for people, and for programs (docs/schemas/diagnostics-report.json)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

import msgspec

from kubectl_c9s.output.amounts import MISSING, amount, mebibytes, number, seconds, share
from kubectl_c9s.output.columns import columns
from kubectl_c9s.output.safe_text import safe_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kubectl_c9s.measurement.managercompare import Comparison
    from kubectl_c9s.measurement.managerfigures import (
        Client,
        Controller,
        Count,
        Process,
        Queue,
        Times,
    )
    from kubectl_c9s.measurement.managerjudge import Judgement
    from kubectl_c9s.measurement.managerreport import Report

_CONTROLLERS: Final = (
    "CONTROLLER", "DONE", "LATER", "ERRORS", "FAILED", "MEAN", "P50", "P95", "ACTIVE", "BUSY", "PANICS", "TIMEOUTS",
    "GIVEN UP",
)  # fmt: skip
_QUEUES: Final = (
    "QUEUE", "DEPTH", "ADDS", "RETRIES", "WAIT", "WAIT P95", "WORK", "WORK P95", "UNFINISHED", "LONGEST",
)  # fmt: skip
_REQUESTS_SHOWN: Final = 12
_DIGITS: Final = 6


def report_json(report: Report | Comparison) -> Any:
    """Give the report ready for an encoder, numbers with six digits; what is no number is null."""
    return _rounded(msgspec.to_builtins(report))


def _rounded(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _rounded(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(one) for one in value]
    if isinstance(value, float):
        return _significant(value) if math.isfinite(value) else None
    return value


def _significant(value: float) -> float:
    # Stamps have more digits before the point than are kept of a measured time.
    return float(f"{value:.{_DIGITS}g}") if abs(value) < 10**_DIGITS else round(value, 2)


def report_lines(report: Report) -> Iterator[str]:
    """Give what is notable, then all figures, what could not be judged, and notes. A dash is not available."""
    yield _head(report)
    if report.void:
        yield f"no rates: {safe_text(report.void)}"
    yield ""
    yield from judgement_lines(report.judgements)
    figures = report.figures
    if figures.controllers:
        yield ""
        yield from columns([_CONTROLLERS, *map(_controller, figures.controllers)])
    if figures.queues:
        yield ""
        yield from columns([_QUEUES, *map(_queue, figures.queues)])
    yield ""
    yield from _client(figures.client)
    yield from _process(figures.process)
    yield "(DONE, LATER, ERRORS, ADDS and RETRIES are a second; a dash is not available)"
    yield ""
    yield from _unjudged(report)
    yield from (f"note: {safe_text(note)}" for note in report.notes)


def _head(report: Report) -> str:
    facts = report.facts
    leads = {True: "leads", False: "does not lead", None: "does not say whether it leads"}
    length = "one scrape" if facts.elapsed is None else f"{facts.elapsed:.1f} s between two scrapes"
    image = f" ({safe_text(facts.image)})" if facts.image else ""
    pod = safe_text(facts.pod) if facts.pod else "the manager"
    return f"{safe_text(facts.source)}: {pod}{image}, {length}; {leads[report.figures.leader]}"


def judgement_lines(judgements: Iterable[Judgement]) -> Iterator[str]:
    """Give warnings and notices with words and advice, and how many others are in order."""
    judged = list(judgements)
    raised = sorted(
        (one for one in judged if one.level != "ok"), key=lambda one: one.level != "warning"
    )
    for one in raised:
        subject = f" ({safe_text(one.subject)})" if one.subject else ""
        value = f"{amount(one.value, one.unit)}, above {amount(one.threshold, one.unit)}"
        yield f"{one.level}: {one.name}{subject}: {value}"
        yield f"    {safe_text(one.words)}"
        yield f"    {safe_text(one.advice)}"
    rest = len(judged) - len(raised)
    yield f"{rest} of {len(judged)} judgements are ok" if judged else "nothing could be judged"


def _controller(one: Controller) -> tuple[str, ...]:
    rates = one.reconciles
    by = (rates or {}).get
    done, later, errors = (
        None if rates is None else sum(by(result, 0.0) for result in results)
        for results in (("success",), ("requeue", "requeue_after"), ("error",))
    )
    return (
        safe_text(one.name),
        *map(number, (done, later, errors)),
        share(one.error_share),
        *_times(one.time),
        f"{number(one.active)}/{number(one.workers)}",
        number(None if one.busy is None else round(one.busy, 2)),
        *map(_count, (one.panics, one.timeouts, one.terminal_errors)),
    )


def _times(times: Times) -> tuple[str, str, str]:
    return seconds(times.mean), seconds(times.p50), _p95(times)


def _p95(times: Times) -> str:
    return f">={seconds(times.p95)}" if times.above else seconds(times.p95)


def _count(count: Count) -> str:
    """Give what was counted between the scrapes; what was counted at all stands behind it if it is more."""
    if count.rise is None or count.rise == count.total:
        return number(count.total)
    return f"{number(count.rise)} of {number(count.total)}"


def _queue(one: Queue) -> tuple[str, ...]:
    return (
        safe_text(one.name),
        *map(number, (one.depth, one.adds, one.retries)),
        seconds(one.latency.mean),
        _p95(one.latency),
        seconds(one.work.mean),
        _p95(one.work),
        seconds(one.unfinished),
        seconds(one.longest),
    )


def _client(client: Client) -> Iterator[str]:
    shown = client.requests[:_REQUESTS_SHOWN]
    kinds = ", ".join(
        f"{safe_text(one.method)} {safe_text(one.code)} {number(one.rate)}" for one in shown
    )
    more = len(client.requests) - len(shown)
    yield (
        f"requests a second: {number(client.rate)}{f' ({kinds}' if kinds else ''}"
        f"{f', {more} more' if more else ''}{')' if kinds else ''}"
    )
    counted = (
        ("429", client.too_many), ("409", client.conflicts), ("401 and 403", client.forbidden),
        ("5xx", client.server_errors), ("no answer", client.unanswered), ("tried again", client.retries),
    )  # fmt: skip
    yield "answers: " + "; ".join(f"{name} {_count(count)}" for name, count in counted)
    for name, times in (
        ("time of a request", client.latency),
        ("client throttling", client.throttling),
    ):
        known = times.mean is not None or times.p95 is not None
        yield f"{name}: " + (
            f"mean {seconds(times.mean)}, p95 {_p95(times)}" if known else "not available"
        )


def _process(one: Process) -> Iterator[str]:
    files = f"{number(one.open_files)} of {number(one.most_files)}"
    yield (
        f"process: {number(one.cores)} cores, {mebibytes(one.memory)} resident, {mebibytes(one.heap)} heap, "
        f"{number(one.goroutines)} goroutines, {number(one.collections)} collections a second "
        f"({share(one.pauses)} of the time), open files {files if one.open_files is not None else MISSING}"
    )


def _unjudged(report: Report) -> Iterator[str]:
    reasons: dict[str, list[str]] = {}
    for one in report.unjudged:
        names = reasons.setdefault(one.reason, [])
        if one.name not in names:
            names.append(one.name)
    for reason, names in reasons.items():
        yield f"not judged: {', '.join(names)}: {safe_text(reason)}"
