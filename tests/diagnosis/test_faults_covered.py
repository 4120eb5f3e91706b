"""No cause, no remedy and no fault of the test bed is forgotten by the live tests, or it says why."""

from __future__ import annotations

import ast
import dataclasses
from pathlib import Path
from typing import Any

from standin_faults import FAILURES, Faults

from kubectl_c9s.resources.causes import CAUSES
from kubectl_c9s.resources.remedies import REMEDIES

HERE = Path(__file__)
LEFT = {
    "startup-probe-missing": "the stand-in plans a startup probe for every primary",
}
"""Causes that the test bed cannot show, and why; tests of the rules have them."""


def _words() -> set[Any]:
    """Give all texts and names of arguments in the modules of live faults but this one."""
    found: set[Any] = set()
    for path in [*HERE.parent.glob("faults_*.py"), *HERE.parent.glob("test_faults_*.py")]:
        if path == HERE:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant):
                found.add(node.value)
            elif isinstance(node, ast.keyword):
                found.add(node.arg)
    return found


def test_every_cause_is_played_or_said_to_be_left_out() -> None:
    assert set(CAUSES) - _words() == set(LEFT)


def test_every_remedy_is_carried_out() -> None:
    assert set(REMEDIES) - _words() == set()


def test_every_fault_of_the_test_bed_is_played() -> None:
    assert set(FAILURES) - _words() == set()
    assert {field.name for field in dataclasses.fields(Faults)} - _words() == set()
