"""The report of ``validate`` as SARIF 2.1.0, for code scanning: a result for each issue, a rule for each code."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from kubectl_c9s.output.structured import ascii_json
from kubectl_c9s.output.verdicts import encodable, title
from kubectl_c9s.resources.causes import CAUSES
from kubectl_c9s.resources.codes import CODES

if TYPE_CHECKING:
    from kubectl_c9s.resources.findings import Position
    from kubectl_c9s.resources.verdicts import Issue, Report, Verdict

SCHEMA: Final = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_LEVELS: Final = {"error": "error", "warning": "warning", "info": "note"}
_STDIN: Final = "stdin"
_LONE: Final = re.compile(r"[\ud800-\udc7f\udd00-\udfff]")


def sarif_text(report: Report, version: str) -> str:
    """Give the log as JSON in pure ASCII; it ends in a line feed.

    Columns count characters. Files are URIs relative to where the command ran, unless they were named
    absolutely. An issue without a place names the input as a whole.
    """
    found = list(report.issues())
    codes = sorted({issue.code for _, issue in found})
    places = {code: index for index, code in enumerate(codes)}
    driver = {
        "name": "kubectl-c9s",
        "version": version,
        "rules": [_rule(code) for code in codes],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": True}],
        "results": [_result(verdict, issue, places) for verdict, issue in found],
    }
    return ascii_json({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})


def _rule(code: str) -> dict[str, Any]:
    known = CODES.get(code) or CAUSES.get(code)
    summary = known.summary if known else code
    return {
        "id": code,
        "shortDescription": {"text": summary},
        "help": {"text": f"kubectl c9s explain {code}"},
    }


def _result(verdict: Verdict | None, issue: Issue, places: dict[str, int]) -> dict[str, Any]:
    location: dict[str, Any] = {"physicalLocation": _physical(issue.position)}
    logical = ": ".join(part for part in (title(verdict) if verdict else "", issue.path) if part)
    if logical:
        location["logicalLocations"] = [{"fullyQualifiedName": encodable(logical)}]
    return {
        "ruleId": issue.code,
        "ruleIndex": places[issue.code],
        "level": _LEVELS[issue.level],
        "message": {"text": encodable(issue.message)},
        "locations": [location],
    }


def _physical(position: Position) -> dict[str, Any]:
    found: dict[str, Any] = {"artifactLocation": {"uri": _uri(position.file)}}
    if position.line:
        found["region"] = {"startLine": position.line, "startColumn": max(position.column, 1)}
    return found


def _uri(file: str) -> str:
    if file in {"", "<stdin>"}:
        return _STDIN
    # Halves of surrogate pairs stand for bytes of the name; other halves no system gives.
    path = quote(
        encodable(file) if _LONE.search(file) else file.encode("utf-8", "surrogateescape"), safe="/"
    )
    return f"file://{path}" if path.startswith("/") else path
