"""The table of health notices mistakes in the settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from argocd_cases import CASES
from argocd_mutants import MUTANTS

if TYPE_CHECKING:
    from argocd_harness import ArgoCd


@pytest.mark.parametrize("number", range(len(MUTANTS)))
def test_a_mistake_is_noticed(argocd: ArgoCd, rules: dict[str, str], number: int) -> None:
    key, right, wrong = MUTANTS[number]
    assert right in rules[key], "the mistake does not fit the settings any more"
    changed = rules | {key: rules[key].replace(right, wrong)}
    kind = key.rpartition("_")[2]
    rows = [case for case in CASES if case.object["kind"] == kind]
    try:
        found = argocd.health([case.object for case in rows], changed)
    except AssertionError:
        return  # the script fails: that would be seen, too
    wrong_rows = [
        case.name
        for case, (status, message) in zip(rows, found, strict=True)
        if status != case.status or case.said not in message
    ]
    assert wrong_rows
