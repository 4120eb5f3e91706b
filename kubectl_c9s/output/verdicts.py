"""The report of ``validate`` for people, one line an issue, and for programs, as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from kubectl_c9s.output.safe_text import safe_text
from kubectl_c9s.output.structured import ascii_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubectl_c9s.resources.findings import Position
    from kubectl_c9s.resources.verdicts import Issue, Level, Report, Verdict

_COLOURS: Final[dict[Level, str]] = {
    "error": "\x1b[1;31m",
    "warning": "\x1b[1;33m",
    "info": "\x1b[1;36m",
}
_PLAIN_AGAIN: Final = "\x1b[0m"


def text_lines(report: Report, *, colour: bool = False) -> Iterator[str]:
    """Give ``file:line:column: error: message [code] (object: path)`` for each issue, then a summary.

    Lines end in a line feed. Everything that may come from the input passes ``safe_text``.
    """
    for verdict, issue in report.issues():
        level: str = issue.level
        if colour:
            level = f"{_COLOURS[issue.level]}{level}{_PLAIN_AGAIN}"
        message = safe_text(issue.message)
        yield f"{_place(issue.position)}{level}: {message} [{safe_text(issue.code)}]{_where(verdict, issue)}\n"
    yield summary(report) + "\n"


def summary(report: Report) -> str:
    """Give the outcome in one line."""
    counts = report.counts()
    outcome = ", ".join(f"{counts[key]} {key}" for key in ("valid", "invalid", "skipped"))
    issues = ", ".join(_counted(counts[f"{level}s"], level) for level in ("error", "warning"))
    ignored = sum(report.ignored.values())
    more = f", {ignored} ignored" if ignored else ""
    return f"{_counted(counts['objects'], 'object')}: {outcome}; {issues}{more}"


def title(verdict: Verdict) -> str:
    """Name an object: ``Node lab/r1``, as it came: not fit for a terminal."""
    name = f"{verdict.namespace}/{verdict.name}" if verdict.namespace else verdict.name
    return f"{verdict.kind} {name}".strip()


def json_text(report: Report) -> str:
    """Give the report as JSON, as ``docs/schemas/validate-report.json`` says; pure ASCII, ends in a line feed."""
    found = {
        "format": 1,
        "valid": report.valid,
        "strict": report.strict,
        "summary": report.counts(),
        "ignored": dict(report.ignored),
        "findings": [_entry(verdict, issue) for verdict, issue in report.issues()],
    }
    return ascii_json(found)


def encodable(text: str) -> str:
    """Replace halves of surrogate pairs, such as stand for bytes of file names that are not UTF-8."""
    return (
        text if text.isascii() else text.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
    )


def _entry(verdict: Verdict | None, issue: Issue) -> dict[str, Any]:
    position = issue.position
    found: dict[str, Any] = {
        "severity": issue.level,
        "code": issue.code,
        "path": encodable(issue.path),
        "message": encodable(issue.message),
        "file": encodable(position.file),
        "line": position.line,
        "column": position.column,
    }
    if verdict is not None:
        found["object"] = {
            "apiVersion": encodable(verdict.api_version),
            "kind": encodable(verdict.kind),
            "namespace": encodable(verdict.namespace),
            "name": encodable(verdict.name),
        }
    return found


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _where(verdict: Verdict | None, issue: Issue) -> str:
    parts = [safe_text(part) for part in (title(verdict) if verdict else "", issue.path) if part]
    return f" ({': '.join(parts)})" if parts else ""


def _place(position: Position) -> str:
    if not position.file and not position.line:
        return ""
    numbers = "".join(f"{number}:" for number in (position.line, position.column) if number)
    return f"{safe_text(position.file) or '-'}:{numbers} "
