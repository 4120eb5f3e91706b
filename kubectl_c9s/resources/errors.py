"""The errors a command can end with, each with its exit code.

::

    C9sError            3  could not ask: cluster, API, internal fault
    ├── UsageError      2  unknown flag, bad value, missing or unreadable file
    ├── RefusedInput    1  the input was read and found wrong; carries all findings
    ├── GuardRefusal    4  a safety guard refused the change
    └── Undecided       5  not decided within --timeout

Exit codes are those of ``docs/cli.md``; 130 (interrupted) and 141 (closed pipe) are made at the edge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kubectl_c9s.resources.findings import Finding


class C9sError(Exception):
    """Base of every error that may reach a user: a message and, if there is one, a next step."""

    exit_code: ClassVar[int] = 3

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(C9sError):
    """The command line or a file named on it cannot be used."""

    exit_code = 2


class RefusedInput(C9sError):
    """The input was read and is wrong; ``findings`` has everything that was found."""

    exit_code = 1

    def __init__(
        self, message: str, findings: Sequence[Finding] = (), *, hint: str | None = None
    ) -> None:
        super().__init__(message, hint=hint)
        self.findings = tuple(findings)


class GuardRefusal(C9sError):
    """A guard refused to make a change that could do harm."""

    exit_code = 4


class Undecided(C9sError):
    """The question was not decided within the time that was given."""

    exit_code = 5
