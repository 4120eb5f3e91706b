"""Histories with faults, in memory: no rule of policy.md is ever broken, and all comes right once they are over."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import reconcile_history
import reconcile_mutants
from reconcile_history import DONE, play

from kubectl_c9s.reconciler.logs import log

PROGRAM = Path(reconcile_history.__file__)
PARTS, EACH = 10, 50
# Quickly noticed, of several modules: CI has no time for all of them.
QUICK = (11, 13, 16, 17)
NOTICED_WITHIN = 800


@pytest.fixture(autouse=True)
def quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log, "disabled", True)


@pytest.mark.parametrize("part", range(PARTS))
def test_no_history_breaks_a_rule(part: int) -> None:
    for seed in range(part * EACH, (part + 1) * EACH):
        play(seed)


def test_much_has_happened_in_them() -> None:
    DONE.clear()
    for seed in range(40):
        play(seed)
    for what in (
        "410",
        "401",
        "403",
        "silent",
        "crd",
        "storm",
        "right",
        "kill",
        "pause",
        "sleep",
        "end",
    ):
        assert DONE[what] > 3, what
    assert DONE["writes"] > 60
    assert DONE["events"] > 60


@pytest.mark.full
@pytest.mark.parametrize("part", range(100))
def test_none_of_ten_thousand_histories_breaks_a_rule(part: int) -> None:
    for seed in range(part * 100, (part + 1) * 100):
        play(seed)


def test_the_faults_that_are_planted_are_faults() -> None:
    assert len(reconcile_mutants.MUTANTS) >= 20
    for mutant in reconcile_mutants.MUTANTS:
        source = reconcile_mutants.path_of(mutant).read_text(encoding="utf-8")
        compile(reconcile_mutants.changed(source, mutant), "mutant", "exec")


@pytest.mark.parametrize("number", QUICK)
def test_a_planted_fault_is_noticed(number: int) -> None:
    assert_noticed(number)


@pytest.mark.full
@pytest.mark.parametrize("number", sorted(set(range(len(reconcile_mutants.MUTANTS))) - set(QUICK)))
def test_every_planted_fault_is_noticed(number: int) -> None:
    assert_noticed(number)


def assert_noticed(number: int) -> None:
    """Whoever notices says which seed it was, and how to play it again."""
    command = [
        sys.executable,
        str(PROGRAM),
        "--mutant",
        str(number),
        "--count",
        str(NOTICED_WITHIN),
    ]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 1, reconcile_mutants.MUTANTS[number]
    assert "seed " in done.stderr
    assert f"replay: {reconcile_history.COMMAND}" in done.stderr
