"""What ``validate`` says of objects: one verdict for each object of the input, one report for a run.

An issue is a finding with a third severity: ``info`` says what was not looked at and never fails a run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from kubectl_c9s.resources.findings import Finding, Findings, Position

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Level = Literal["error", "warning", "info"]


class Issue(NamedTuple):
    """One thing that was found; ``path`` leads to it inside its object, ``position`` in the input."""

    level: Level
    code: str
    path: str
    message: str
    position: Position = Position()

    def sort_key(self) -> tuple[int, int, str, str, str]:
        """Order inside an object: as the text runs."""
        where = self.position
        return (where.line, where.column, self.path, self.code, self.message)


class Verdict(NamedTuple):
    """What was found of one object, in the order of its text.

    ``checked`` is false for an object of a kind that is not ours to judge. A containerlab file has the kind
    ``containerlab`` and no ``api_version``.
    """

    api_version: str
    kind: str
    namespace: str
    name: str
    position: Position
    issues: tuple[Issue, ...] = ()
    checked: bool = True


class Report(NamedTuple):
    """The outcome of a run: verdicts in the order of the input.

    ``unread`` are issues of the input that belong to no object; ``ignored`` maps codes that were ignored on
    request to how often; ``strict`` makes warnings fail the run, too.
    """

    verdicts: tuple[Verdict, ...]
    unread: tuple[Issue, ...] = ()
    ignored: Mapping[str, int] = {}
    strict: bool = False

    def issues(self) -> Iterator[tuple[Verdict | None, Issue]]:
        """Give every issue with its object, those without one first."""
        yield from ((None, issue) for issue in self.unread)
        for verdict in self.verdicts:
            yield from ((verdict, issue) for issue in verdict.issues)

    def fails(self, issue: Issue) -> bool:
        """Tell whether an issue makes the input invalid."""
        return issue.level == "error" or (self.strict and issue.level == "warning")

    def is_valid(self, verdict: Verdict) -> bool:
        """Tell whether nothing speaks against an object."""
        return not any(map(self.fails, verdict.issues))

    @property
    def valid(self) -> bool:
        """Tell whether nothing speaks against the input."""
        return not any(self.fails(issue) for _, issue in self.issues())

    def counts(self) -> dict[str, int]:
        """Count objects by outcome and issues by level."""
        found = dict.fromkeys(
            ("objects", "valid", "invalid", "skipped", "errors", "warnings", "infos"), 0
        )
        found["objects"] = len(self.verdicts)
        for verdict in self.verdicts:
            outcome = "valid" if self.is_valid(verdict) else "invalid"
            found[outcome if verdict.checked or outcome == "invalid" else "skipped"] += 1
        for _, issue in self.issues():
            found[f"{issue.level}s"] += 1
        return found

    def findings(self) -> Findings:
        """Give errors and warnings as findings, for ``--report``."""
        found = Findings()
        for _, issue in self.issues():
            if issue.level != "info":
                found.add(
                    Finding(issue.level, issue.code, issue.path, issue.message, issue.position)
                )
        return found
