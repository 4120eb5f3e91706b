"""A RolloutPolicy with the status that the reconciler writes: its health is what ``diagnose`` says of the start."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from argocd_objects import GENERATION, thing
from argocd_table import DEGRADED, HEALTHY, PROGRESSING

from kubectl_c9s.rollout.holding import Circumstances
from kubectl_c9s.rollout.policyfacts import Facts, Start
from kubectl_c9s.rollout.policyfile import RolloutPolicy
from kubectl_c9s.rollout.policystatus import policy_status

if TYPE_CHECKING:
    from argocd_harness import ArgoCd

NOW = 1_790_000_000.0
POLICY = RolloutPolicy("rollout", "c9s")
STUCK = Start("stalled", "sandbox-failed", "lab/r1", 7)


def facts(verdict: Any = None, **more: Any) -> Facts:
    return Facts(GENERATION, POLICY, start=verdict, **{"how": Circumstances(0.0)} | more)


ROWS = {
    "healthy": (facts(Start("healthy")), HEALTHY, "Reporting"),
    "slow": (facts(Start("slow", "image-pull", "lab/r1", 2)), HEALTHY, ""),
    "stalled": (
        facts(STUCK),
        DEGRADED,
        "SandboxFailed: sandbox-failed: lab/r1; 7 workload(s) wait",
    ),
    "suspended": (
        facts(Start("healthy"))._replace(policy=POLICY._replace(suspend=True)),
        HEALTHY,
        "Suspended",
    ),
    "not diagnosed": (facts(), HEALTHY, ""),
    "blind": (
        facts(STUCK, how=Circumstances(0.0, complete=False, trouble="pods: no answer")),
        PROGRESSING,
        "StaleView",
    ),
    "another one rules": (
        Facts(GENERATION, ruler="first"),
        DEGRADED,
        "RolloutPolicy first is older",
    ),
    "cannot be obeyed": (
        Facts(GENERATION, problem="spec.mode: must be Report"),
        DEGRADED,
        "spec.mode: must be Report",
    ),
    "seen before a change": (
        facts(STUCK)._replace(generation=GENERATION - 1),
        PROGRESSING,
        "not seen the change",
    ),
}


@pytest.mark.parametrize("name", ROWS)
def test_a_policy_is_as_healthy_as_the_start(
    argocd: ArgoCd, rules: dict[str, str], name: str
) -> None:
    known, status, said = ROWS[name]
    (found,) = argocd.health([thing("RolloutPolicy", policy_status(None, known, NOW))], rules)
    assert found.status == status, found.message
    assert said in found.message
