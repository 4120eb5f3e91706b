"""Findings for people, one line each, and for programs (cli.md, ``--report``)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kubectl_c9s.output.safe_text import safe_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kubectl_c9s.resources.findings import Finding, Position, Severity

_COLOURS: Final[dict[Severity, str]] = {"error": "\x1b[1;31m", "warning": "\x1b[1;33m"}
_PLAIN_AGAIN: Final = "\x1b[0m"


def finding_line(finding: Finding, *, colour: bool = False) -> str:
    """Give ``file:line:column: error: message [code] (path)``, without a line feed.

    What is not known is left out. ``colour`` marks the word error or warning, which stays readable
    without it. Everything that may come from the input passes ``safe_text``.
    """
    severity: str = finding.severity
    if colour:
        severity = f"{_COLOURS[finding.severity]}{severity}{_PLAIN_AGAIN}"
    path = f" ({safe_text(finding.path)})" if finding.path else ""
    message = safe_text(finding.message)
    return f"{_place(finding.position)}{severity}: {message} [{safe_text(finding.code)}]{path}"


def finding_lines(findings: Iterable[Finding], *, colour: bool = False) -> Iterator[str]:
    """Give a line for each finding, in the order they come in."""
    return (finding_line(finding, colour=colour) for finding in findings)


def report(
    errors: Iterable[Finding], warnings: Iterable[Finding]
) -> dict[str, list[dict[str, str | int]]]:
    """Give the report of a run, ready for a JSON encoder: ``{"errors": [F…], "warnings": [F…]}``.

    F is ``{"code", "path", "message", "file", "line", "column"}``; line and column count from 1, 0
    stands for an unknown place. The text is as it was found: escaping is the encoder's work.
    """
    return {
        "errors": [_entry(finding) for finding in errors],
        "warnings": [_entry(finding) for finding in warnings],
    }


def _entry(finding: Finding) -> dict[str, str | int]:
    return {
        "code": finding.code,
        "path": finding.path,
        "message": finding.message,
        **finding.position._asdict(),
    }


def _place(position: Position) -> str:
    if position.line:
        numbers = f"{position.line}:{position.column}" if position.column else f"{position.line}"
        place = f"{safe_text(position.file) or '-'}:{numbers}"
    else:
        place = safe_text(position.file)
    return f"{place}: " if place else ""
