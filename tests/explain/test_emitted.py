"""The search for codes in the source finds each form in which a code is reported, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from emitted import Emission, Unclear, emissions

if TYPE_CHECKING:
    from pathlib import Path

TAKERS = """
class Findings:
    def error(self, code: str, message: str) -> None: ...
    def warning(self, code: str, message: str) -> None: ...
class Refused(Exception):
    def __init__(self, code: str, message: str) -> None: ...
class Issue(NamedTuple):
    severity: str
    code: str
def fail(request: object, code: str) -> None: ...
"""


def codes(package: Path, source: str) -> set[tuple[str, str]]:
    """Give (code, severity) of what a module reports that stands beside the takers."""
    package.mkdir()
    (package / "takers.py").write_text(TAKERS, encoding="utf-8")
    (package / "one.py").write_text(source, encoding="utf-8")
    return {(one.code, one.severity) for one in emissions(package) if isinstance(one, Emission)}


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("findings.error('a-code', 'text')", {("a-code", "error")}),
        ("self.findings.warning('a-code', 'text')", {("a-code", "warning")}),
        ("findings.error(message='text', code='a-code')", {("a-code", "error")}),
        (
            "findings.error('a-code' if x else 'b-code', '')",
            {("a-code", "error"), ("b-code", "error")},
        ),
        ("from pack.takers import Refused\nraise Refused('word', 'text')", {("word", "error")}),
        ("issues.append(Issue('warning', 'a-code'))", {("a-code", "warning")}),
        ("fail(request, 'a-code')", {("a-code", "error")}),
        ("def problems():\n    yield 'a-code', 'text'", {("a-code", "error")}),
        ("problems.append(('a-code', 'text'))", {("a-code", "error")}),
        ("def fail(text: str) -> None: ...\nfail('a-word')", set()),
        ("from elsewhere import fail\nfail('a-word', 'b-word')", set()),
        ("print('a-word')", set()),
        ("findings.error(found.code, 'text')", set()),
        (
            "def which(x):\n    return 'a-code' if x else 'b-code'\nraise Refused(which(1), '')",
            {("a-code", "error"), ("b-code", "error")},
        ),
    ],
)
def test_each_form_of_a_report_is_found(
    tmp_path: Path, source: str, expected: set[tuple[str, str]]
) -> None:
    assert codes(tmp_path / "pack", source) == expected


def test_a_code_that_is_put_together_must_be_declared(tmp_path: Path) -> None:
    package = tmp_path / "pack"
    codes(package, "findings.error(f'un{word}', 'text')")
    assert [one for one in emissions(package) if isinstance(one, Unclear)] == [
        Unclear("f'un{word}'", "pack/one.py:1")
    ]
