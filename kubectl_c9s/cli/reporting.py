"""Findings on stderr and in report files."""

from __future__ import annotations

import contextlib
import os
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from kubectl_c9s.output.findings import finding_lines, report
from kubectl_c9s.output.safe_text import safe_text
from kubectl_c9s.output.structured import ascii_json
from kubectl_c9s.resources.errors import RefusedInput, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from kubectl_c9s.resources.findings import Finding, Findings

# So many warnings of one code are printed; reports have them all.
_SHOWN: Final = 50


def use_colour(choice: str | None) -> bool:
    """Decide on colour for stderr (conventions.md §3)."""
    if choice in {"always", "never"}:
        return choice == "always"
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return (
        bool(os.environ.get("CLICOLOR_FORCE") or os.environ.get("FORCE_COLOR"))
        or sys.stderr.isatty()
    )


def print_findings(
    errors: Sequence[Finding], warnings: Sequence[Finding], *, colour: bool = False
) -> None:
    """Print findings on stderr: every error, and of each warning code the first ones."""
    counts: Counter[str] = Counter()
    shown = []
    for warning in warnings:
        counts[warning.code] += 1
        if counts[warning.code] <= _SHOWN:
            shown.append(warning)
    for line in finding_lines([*errors, *shown], colour=colour):
        print(line, file=sys.stderr)
    for code, count in counts.items():
        if count > _SHOWN:
            print(
                f"warning: {count - _SHOWN} more of {code}; --report has them all", file=sys.stderr
            )


def print_notes(notes: Iterable[str]) -> None:
    """Print on stderr what is to be known and stands in nobody's way."""
    for note in notes:
        print(f"note: {safe_text(note)}", file=sys.stderr)


def write_report(target: str, findings: Findings) -> None:
    """Write findings as JSON to a file, or to stderr for ``-``."""
    text = ascii_json(report(findings.errors, findings.warnings))
    if target == "-":
        sys.stderr.write(text)
        return
    try:
        Path(target).write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"cannot write the report {target}: {error.strerror}") from None


def answer_for(findings: Findings, given: Mapping[str, Any], flags: Mapping[str, Any]) -> None:
    """Report and print findings as ``--report`` and ``--color`` say; raises RefusedInput where they forbid to write."""
    if given["report"]:
        write_report(given["report"], findings)
    print_findings(findings.errors, findings.warnings, colour=use_colour(flags.get("color")))
    if findings.has_errors():
        raise RefusedInput(f"nothing written, {len(findings.errors)} error(s) found")
    if given["fail_on_warning"] and findings.warnings:
        raise RefusedInput(f"nothing written, {len(findings.warnings)} warning(s) found")


class NotCompared(RefusedInput):
    """A wrong input of a command whose exit code 1 means "differences" (conventions.md §4)."""

    exit_code = 2


@contextlib.contextmanager
def no_difference() -> Iterator[None]:
    """Let a wrong input end with 2."""
    try:
        yield
    except RefusedInput as error:
        raise NotCompared(error.message, error.findings, hint=error.hint) from None
