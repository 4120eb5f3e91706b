"""The streams of a door: UTF-8 whatever the locale is, the result in one piece, everything else on stderr."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from kubectl_c9s.cli.reporting import print_findings, print_notes
from kubectl_c9s.resources.errors import UsageError
from kubectl_c9s.yamlio.members import Member, named
from kubectl_c9s.yamlio.reader import MAX_BYTES, decode, read_documents

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from kubectl_c9s.resources.findings import Finding

STDIN_NAME = "<stdin>"


def read_stdin() -> str:
    """Read all of stdin. UsageError when a person would have to type it, RefusedInput when it is no text."""
    if sys.stdin is None or sys.stdin.isatty():
        raise UsageError(
            "a function reads from stdin", hint="kustomize calls it; to try a lab use 'split'"
        )
    return decode(sys.stdin.buffer.read(MAX_BYTES + 1), STDIN_NAME)


def read_config(path: str) -> Member:
    """Read the one document of a function's configuration; errors as for ``read_stdin``."""
    try:
        with Path(path).open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not a usable path"
        raise UsageError(f"cannot read {path}: {reason}") from None
    documents = [one for one in read_documents(data, path) if one.root is not None]
    if len(documents) != 1:
        raise UsageError(f"{path} has to hold one object, the configuration")
    root = documents[0].root
    return named(documents[0], root.line if root else 0)


def tell(findings: Sequence[Finding], notes: Iterable[str], *, colour: bool = False) -> None:
    """Print findings and notes on stderr."""
    errors = [one for one in findings if one.severity == "error"]
    print_findings(errors, [one for one in findings if one.severity == "warning"], colour=colour)
    print_notes(notes)


def write_result(chunks: Iterable[str]) -> None:
    """Write the whole result; nothing before all of it is there."""
    data = "".join(chunks).encode()
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
