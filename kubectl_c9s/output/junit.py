"""The report of ``validate`` as JUnit XML: a suite for each file, a test case for each object.

Names are those that kubeconform gives: the suite is the file, the case ``namespace/name``, its class
``Kind@apiVersion``; the flow of an object that fails is a ``failure`` for each issue.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from xml.sax.saxutils import quoteattr

from kubectl_c9s.output.safe_text import safe_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kubectl_c9s.resources.verdicts import Issue, Report, Verdict

_SUITES: Final = "kubectl-c9s validate"


def junit_text(report: Report, name: str = _SUITES) -> Iterator[str]:
    """Give the document in chunks: ASCII, no control characters, no times, so that equal runs give equal bytes."""
    suites: dict[str, list[Verdict]] = {}
    unread: dict[str, list[Issue]] = {}
    for issue in report.unread:
        unread.setdefault(issue.position.file, []).append(issue)
        suites.setdefault(issue.position.file, [])
    for verdict in report.verdicts:
        suites.setdefault(verdict.position.file, []).append(verdict)
    counts = report.counts()
    failed = sum(map(report.fails, report.unread))
    tests = counts["objects"] + len(report.unread)
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield (
        f'<testsuites name="{name}" tests="{tests}" failures="{counts["invalid"]}" errors="{failed}" '
        f'disabled="{counts["skipped"]}" time="0">\n'
    )
    for number, (file, verdicts) in enumerate(suites.items(), 1):
        yield from _suite(report, number, file, verdicts, unread.get(file, []))
    yield "</testsuites>\n"


def _suite(
    report: Report, number: int, file: str, verdicts: list[Verdict], unread: list[Issue]
) -> Iterator[str]:
    invalid = sum(not report.is_valid(verdict) for verdict in verdicts)
    skipped = sum(not verdict.checked and report.is_valid(verdict) for verdict in verdicts)
    errors = sum(map(report.fails, unread))
    yield (
        f'  <testsuite name={_attribute(file or "-")} id="{number}" tests="{len(verdicts) + len(unread)}" '
        f'failures="{invalid}" errors="{errors}" disabled="0" skipped="{skipped}" time="0">\n'
    )
    for issue in unread:
        element = "error" if report.fails(issue) else "system-out"
        yield f'    <testcase name={_attribute(file or "-")} classname="file" time="0">\n'
        yield _problem(element, issue)
        yield "    </testcase>\n"
    for verdict in verdicts:
        yield from _case(report, verdict)
    yield "  </testsuite>\n"


def _case(report: Report, verdict: Verdict) -> Iterator[str]:
    name = f"{verdict.namespace}/{verdict.name}" if verdict.namespace else verdict.name
    kind = f"{verdict.kind}@{verdict.api_version}" if verdict.api_version else verdict.kind
    head = f'    <testcase name={_attribute(name)} classname={_attribute(kind)} time="0"'
    inside = list(_inside(report, verdict))
    if not inside:
        yield f"{head}/>\n"
        return
    yield f"{head}>\n"
    yield from inside
    yield "    </testcase>\n"


def _inside(report: Report, verdict: Verdict) -> Iterator[str]:
    failures = [issue for issue in verdict.issues if report.fails(issue)]
    others = [issue for issue in verdict.issues if not report.fails(issue)]
    if not verdict.checked and not failures:
        yield '      <skipped message="an object of another kind"/>\n'
    for issue in failures:
        yield _problem("failure", issue)
    if others:
        yield _output(others)


def _problem(element: str, issue: Issue) -> str:
    if element == "system-out":
        return _output([issue])
    message, code = _attribute(issue.message), _attribute(issue.code)
    return f"      <{element} message={message} type={code}>{_content(_line(issue))}</{element}>\n"


def _output(issues: Iterable[Issue]) -> str:
    lines = "\n".join(_line(issue) for issue in issues)
    return f"      <system-out>{_content(lines)}</system-out>\n"


def _line(issue: Issue) -> str:
    position = issue.position
    place = f"{position.file}:{position.line}:{position.column}: " if position.line else ""
    return safe_text(f"{place}{issue.level}: {issue.message} [{issue.code}]")


def _content(text: str) -> str:
    """Escape what stands between tags; what XML cannot carry was made visible before."""
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _ascii(text)


def _attribute(text: str) -> str:
    return _ascii(quoteattr(safe_text(text).replace("\t", "\\t")))


def _ascii(text: str) -> str:
    return text if text.isascii() else text.encode("ascii", "xmlcharrefreplace").decode("ascii")
