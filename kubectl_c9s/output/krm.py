"""Findings as results of a KRM function (conventions.md §5).

A result is ``{"message", "severity", "resourceRef"?, "field"?, "file"?, "tags"}``. Tags are texts: the finding's
``code``, its ``line`` and ``column`` in the object or file, and its ``path`` where that leads on inside a field.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from kubectl_c9s.resources.verdicts import Issue
from kubectl_c9s.yamlio.resourcelist import STDIN

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kubectl_c9s.resources.findings import Finding
    from kubectl_c9s.resources.verdicts import Level
    from kubectl_c9s.yamlio.members import Member


class Placed(NamedTuple):
    """A finding or issue, the object it is about, and the field of that object it is about or lies inside."""

    finding: Finding | Issue
    member: Member | None = None
    field: str = ""

    @property
    def level(self) -> Level:
        """Give the severity of the result."""
        return self.finding.level if isinstance(self.finding, Issue) else self.finding.severity


def results(placed: Iterable[Placed]) -> list[dict[str, Any]]:
    """Give a result for each finding, in the order they come in."""
    return [_result(one) for one in placed]


def refusal(message: str) -> dict[str, Any]:
    """Give the result for what stopped a run and is no finding."""
    return {"message": message, "severity": "error"}


def information(text: str) -> dict[str, Any]:
    """Give the result that only tells something."""
    return {"message": text, "severity": "info"}


def _result(one: Placed) -> dict[str, Any]:
    finding, member = one.finding, one.member
    found: dict[str, Any] = {"message": finding.message, "severity": one.level}
    tags = {"code": finding.code}
    place = member.own(finding.position) if member else finding.position
    if place.line:
        tags |= {"line": str(place.line), "column": str(place.column)}
    if finding.path and finding.path != one.field:
        tags["path"] = finding.path
    if member and (reference := member.reference()):
        found["resourceRef"] = reference
        if one.field:
            found["field"] = {"path": one.field}
    path, index = member.file() if member else (place.file, 0)
    if path and path != STDIN:
        found["file"] = {"path": path, "index": index}
    return {**found, "tags": tags}
