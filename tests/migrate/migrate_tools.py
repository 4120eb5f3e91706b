"""Runs ``migrate`` on a text as a user would, and tells what it said."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import NamedTuple

from split_lab import command

OLD_GROUP = "clabernetes.containerlab.dev/v1alpha1"


class Migrated(NamedTuple):
    """Exit code, result, and the codes of warnings and errors with their paths."""

    code: int
    text: str
    warnings: list[tuple[str, str]]
    errors: list[tuple[str, str]]
    said: str


def migrate(text: str, *flags: str) -> Migrated:
    """Migrate a text given on stdin."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        arguments = ["migrate", "-f", "-", "--report", str(report), *flags]
        answer = command(*arguments, stdin=text.encode())
        found = json.loads(report.read_text(encoding="utf-8")) if report.exists() else {}
    warnings, errors = (
        sorted((one["code"], one["path"]) for one in found.get(kind, ()))
        for kind in ("warnings", "errors")
    )
    return Migrated(answer.code, answer.out, warnings, errors, answer.err)


def becomes(old: str, new: str) -> Migrated:
    """Assert that a text becomes another one, which stays as it is and is valid."""
    answer = migrate(old)
    assert (answer.code, answer.errors) == (0, []), answer.said
    assert answer.text == new
    again = migrate(new)
    assert (again.code, again.text, again.warnings, again.errors) == (0, new, [], [])
    checked = command("validate", "-f", "-", stdin=new.encode())
    assert checked.code == 0, checked.out
    return answer


def manifest(kind: str, spec: str, group: str = "c9s.run/v1alpha1") -> str:
    """Write an object; ``spec`` are the lines below ``spec:``, without indentation."""
    lines = "".join(f"  {line}\n" if line else "\n" for line in spec.splitlines())
    name = "clabernetes" if kind == "Config" else "one"
    return f"apiVersion: {group}\nkind: {kind}\nmetadata:\n  name: {name}\nspec:\n{lines}"
