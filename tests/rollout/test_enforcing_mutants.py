"""Faults planted in what the reconciler decides: each is noticed by the tests of it."""

from __future__ import annotations

import mutating
import pytest
import test_enforcing
import test_enforcing_all
import test_enforcing_holds
import test_own_writes
import test_policy_conditions
import test_policy_status
import test_ruling
from enforcing_mutants import MUTANTS
from mutating import Mutant, collected, noticed_by, planted

from kubectl_c9s.rollout import holding

TESTS = collected(
    test_enforcing,
    test_enforcing_holds,
    test_enforcing_all,
    test_own_writes,
    test_ruling,
    test_policy_conditions,
    test_policy_status,
)


def test_without_a_fault_nothing_is_noticed() -> None:
    nothing = Mutant(holding, "class Hold(NamedTuple):", "class Hold(NamedTuple):")
    assert noticed_by(nothing, TESTS) is None
    before = {module: dict(module.__dict__) for module in mutating.MODULES}
    with planted(nothing):
        assert before[holding]["Hold"] is not holding.Hold
    assert {module: dict(module.__dict__) for module in mutating.MODULES} == before


@pytest.mark.parametrize(
    "mutant", MUTANTS, ids=lambda one: f"{one.module.__name__[20:]}: {one.old.strip()[:40]}"
)
def test_a_planted_fault_is_noticed(mutant: Mutant) -> None:
    assert noticed_by(mutant, TESTS) is not None


def test_there_are_faults_in_every_module() -> None:
    assert {one.module for one in MUTANTS} == set(mutating.MODULES)
    assert len(MUTANTS) > 90
