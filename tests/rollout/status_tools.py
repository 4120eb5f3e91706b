"""Statuses of a policy as tests make and read them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from enforcing_tools import around, config, enforcing, how
from policy_objects import API

from kubectl_c9s.resources import schema
from kubectl_c9s.rollout import enforcing as decisions
from kubectl_c9s.rollout import ownwrites, policyfacts, policystatus
from kubectl_c9s.rollout.drifting import Drift

if TYPE_CHECKING:
    from kubectl_c9s.rollout.limits import Field

BATCH: Field = "batchSize"
NOW = 1_790_000_000.4
THEN = "2026-09-21T14:13:20Z"
HEALTHY = policyfacts.Start("healthy")
STUCK = policyfacts.Start("stalled", "sandbox-failed", "lab/r1", 7)


def facts(policy: Any = None, obj: Any = None, said: Any = None, **known: Any) -> Any:
    """Give the facts of a policy that is obeyed, about one object, by default one that is as wanted."""
    policy = policy or enforcing(config={BATCH: 5})
    said = said or how()
    history = known.pop("history", ownwrites.History())
    decided = decisions.decide(policy, obj or config({BATCH: 5}), around(), said, history)
    return policyfacts.Facts(
        3, policy, how=said, decisions=(decided,), **{"start": HEALTHY} | known
    )


def status_of(known: Any, old: Any = None, now: float = NOW) -> dict[str, Any]:
    found: dict[str, Any] = policystatus.policy_status(old, known, now)
    obj = {"apiVersion": API, "kind": "RolloutPolicy", "metadata": {"name": "p"}, "status": found}
    assert schema.violations("RolloutPolicy", obj) == []
    assert json.loads(json.dumps(found)) == found
    return found


def said(status: dict[str, Any]) -> dict[str, tuple[str, str]]:
    """Give status and reason of each condition."""
    return {one["type"]: (one["status"], one["reason"]) for one in status["conditions"]}


def message(status: dict[str, Any], kind: str) -> str:
    (found,) = (one["message"] for one in status["conditions"] if one["type"] == kind)
    return str(found)


def kstatus(status: dict[str, Any], generation: int = 3) -> str:
    """Judge as tools do that wait: the first that holds of what they publish."""
    if status.get("observedGeneration") not in {None, generation}:
        return "InProgress"
    conditions = {one["type"]: one["status"] for one in status["conditions"]}
    if conditions.get("Reconciling") == "True":
        return "InProgress"
    if conditions.get("Stalled") == "True":
        return "Failed"
    return "InProgress" if conditions.get("Ready", "True") != "True" else "Current"


def write(number: int, **more: Any) -> Any:
    drift = Drift(
        "Config c9s/clabernetes", BATCH, number, 5, "spec.config.batchSize", "kubectl-edit"
    )
    return policyfacts.Written(drift._replace(**more), THEN)
