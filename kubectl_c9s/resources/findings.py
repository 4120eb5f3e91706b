"""Findings: what is wrong or remarkable in an input, and where.

Shape in reports: ``{"code","path","message","file","line","column"}`` (cli.md, ``--report``). Lines and
columns count from 1; 0 means that there is no place to point at.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

Severity = Literal["error", "warning"]


class Position(NamedTuple):
    """A place in an input as an editor shows it: file name, line and column from 1 (0 = unknown)."""

    file: str = ""
    line: int = 0
    column: int = 0


class Finding(NamedTuple):
    """One finding; ``code`` is a stable kebab-case word with a page behind ``explain``."""

    severity: Severity
    code: str
    path: str
    message: str
    position: Position = Position()

    def sort_key(self) -> tuple[str, int, str, str, str, int]:
        """Order of a report: path, line, code, message (split.md §3)."""
        where = self.position
        return (self.path, where.line, self.code, self.message, where.file, where.column)


class Findings:
    """Collects findings of one run; errors and warnings are kept apart."""

    def __init__(self) -> None:
        self._errors: dict[Finding, None] = {}
        self._warnings: dict[Finding, None] = {}

    def add(self, finding: Finding) -> None:
        """Take one finding; an exact repeat is taken once."""
        (self._errors if finding.severity == "error" else self._warnings)[finding] = None

    def error(self, code: str, path: str, message: str, position: Position) -> None:
        """Take an error."""
        self._errors[Finding("error", code, path, message, position)] = None

    def warning(self, code: str, path: str, message: str, position: Position) -> None:
        """Take a warning; warnings never stop a run."""
        self._warnings[Finding("warning", code, path, message, position)] = None

    def extend(self, other: Findings) -> None:
        """Take over everything another collection holds."""
        self._errors.update(other._errors)
        self._warnings.update(other._warnings)

    @property
    def errors(self) -> list[Finding]:
        """Errors in report order."""
        return sorted(self._errors, key=Finding.sort_key)

    @property
    def warnings(self) -> list[Finding]:
        """Warnings in report order."""
        return sorted(self._warnings, key=Finding.sort_key)

    def has_errors(self) -> bool:
        """Tell whether anything stops the run."""
        return bool(self._errors)
