"""Network checks as a table for people: a row a device, then what did not pass, then the sum."""

from __future__ import annotations

import collections
from typing import TYPE_CHECKING, Final

from kubectl_c9s.output.columns import columns
from kubectl_c9s.output.safe_text import safe_text
from kubectl_c9s.resources.listing import some

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubectl_c9s.measurement.netreport import Check, Checked, Report

_WORDS: Final = {
    "passed": "ok",
    "failed": "FAILED",
    "unavailable": "n/a",
    "undecided": "?",
    "error": "ERROR",
}
# What says most of several results of a check: two addresses, one of which does not answer, are a failure.
_WORST: Final = ("failed", "error", "undecided", "passed", "unavailable")


def lines(report: Report) -> Iterator[str]:
    """Give the lines of the table and what is to be said below it."""
    names = list(report.counts)
    head = ["DEVICE", "HOST", "NEIGHBOUR", *(name.upper() for name in names)]
    yield from columns([head, *(_row(one, names) for one in report.devices)])
    yield ""
    yield from _reasons(report)
    if report.not_ready:
        yield safe_text(f"not ready, not asked: {some(report.not_ready)}")
    yield summary(report)


def _row(device: Checked, names: list[str]) -> list[str]:
    neighbour = (
        device.neighbour and f"{device.neighbour}{' (other host)' if device.cross_host else ''}"
    )
    cells = [f"{device.namespace}/{device.name}", device.host or "-", neighbour or "-"]
    return [*map(safe_text, cells), *(_cell(device.checks, name) for name in names)]


def _cell(checks: tuple[Check, ...], name: str) -> str:
    results = {one.result for one in checks if one.name == name}
    return next((_WORDS[one] for one in _WORST if one in results), "-")


def _reasons(report: Report) -> Iterator[str]:
    """Give a line for each reason why a check did not pass, with the devices it is true of."""
    found: dict[tuple[str, str, str], list[str]] = collections.defaultdict(list)
    for device in report.devices:
        for check in device.checks:
            if check.result != "passed":
                found[check.name, check.result, check.detail].append(
                    f"{device.namespace}/{device.name}"
                )
    for (name, result, detail), devices in found.items():
        yield safe_text(f"{name} {_WORDS[result]}: {detail} ({some(devices, 3)})")


def summary(report: Report) -> str:
    """Give the sum in one line."""
    parts = []
    for name, counts in report.counts.items():
        total = sum(counts.values())
        parts.append(f"{name} {counts['passed']}/{total}")
    pairs = report.pairs
    words = f"{len(report.devices)} devices in {report.elapsed:.1f} s: {', '.join(parts)}"
    if pairs.all:
        words += (
            f"; pairs {pairs.passed}/{pairs.all}, over two hosts "
            f"{pairs.cross_host_passed}/{pairs.cross_host}"
        )
    return f"{words}: {report.verdict}"
