"""What the conditions of a policy say."""

from __future__ import annotations

from typing import Any

import pytest
from enforcing_tools import by, config, enforcing, how, topology, with_labs
from status_tools import BATCH, HEALTHY, STUCK, THEN, facts, kstatus, message, said, status_of

from kubectl_c9s.resources.causes import CAUSES
from kubectl_c9s.rollout import enforcing as decisions
from kubectl_c9s.rollout import holding, ownwrites, policyconditions, policyfacts
from kubectl_c9s.rollout.limits import Limits


def test_a_policy_that_is_kept_is_ready() -> None:
    status = status_of(facts())
    assert said(status) == {
        "Ready": ("True", "Enforcing"),
        "Reconciling": ("False", "Settled"),
        "Stalled": ("False", "Healthy"),
        "Enforced": ("True", "Enforced"),
    }
    assert (status["observedGeneration"], status["active"]) == (3, True)
    assert status["enforced"] == {"managed": 1, "drifted": 0, "writes": []}
    assert {one["lastTransitionTime"] for one in status["conditions"]} == {THEN}
    assert {one["observedGeneration"] for one in status["conditions"]} == {3}
    assert message(status, "Enforced") == "1 object(s) are as the policy wants them"
    assert kstatus(status) == "Current"


@pytest.mark.parametrize(
    ("spec", "reason", "ready"),
    [({"mode": "Report"}, "ReportMode", "Reporting"), ({"suspend": True}, "Suspended", "Suspended")],
)  # fmt: skip
def test_a_policy_that_is_told_not_to_write_is_ready_and_does_not_enforce(
    spec: Any, reason: str, ready: str
) -> None:
    policy = enforcing(config={BATCH: 5}, **spec)
    for block, differ, drifted in (
        ({BATCH: 9}, "1 object(s) differ: Config c9s/clabernetes", 1),
        ({BATCH: 5}, "nothing differs", 0),
    ):
        status = status_of(facts(policy, config(block)))
        assert said(status)["Enforced"] == ("False", reason)
        assert said(status)["Ready"] == ("True", ready)
        assert said(status)["Reconciling"] == ("False", "Settled")
        assert message(status, "Enforced").endswith(differ)
        assert status["enforced"]["drifted"] == drifted
        assert kstatus(status) == "Current"


def test_a_hold_is_named_with_its_object() -> None:
    status = status_of(facts(obj=config({BATCH: 9}, by("argocd-controller", BATCH))))
    assert said(status)["Enforced"] == ("False", "GitOpsOwner")
    assert said(status)["Ready"] == ("False", "GitOpsOwner")
    assert said(status)["Reconciling"] == ("False", "Settled")
    assert message(status, "Enforced").startswith(
        "Config c9s/clabernetes: Argo CD owns spec.rollout"
    )
    assert kstatus(status) == "InProgress"


def test_of_several_holds_the_first_reason_is_named_and_all_are_told() -> None:
    rules = [{"match": {}, BATCH: {"max": 5}}]
    labs = [topology(f"n{number}", {BATCH: 9}) for number in range(7)]
    labs[6]["metadata"]["managedFields"] = [by("helm-controller", BATCH)]
    policy = enforcing(topologies=rules)
    gone = with_labs(labs[6])
    found = decisions.decide_all(policy, None, labs, gone, how(), {})
    known = facts(policy)._replace(decisions=found)
    status = status_of(known)
    assert said(status)["Enforced"] == ("False", "StaleView")
    text = message(status, "Enforced")
    assert text.count("it is not among the objects that were seen") == 5
    assert text.endswith("; and 2 more")
    backwards = status_of(known._replace(decisions=found[::-1]))
    assert backwards["conditions"] == status["conditions"]


def test_a_refused_write_is_named() -> None:
    refused = holding.Hold(
        "Forbidden", "may not patch configs.c9s.run in c9s", "Config c9s/clabernetes"
    )
    status = status_of(facts(failures=(refused,)))
    assert said(status)["Enforced"] == ("False", "Forbidden")
    assert "Config c9s/clabernetes: may not patch configs.c9s.run" in message(status, "Enforced")
    assert said(status)["Ready"] == ("False", "Forbidden")


@pytest.mark.parametrize("blind", [{"complete": False}, {"fresh": False, "trouble": "pods: 403"}])
def test_without_a_view_nothing_is_claimed(blind: Any) -> None:
    for start in (HEALTHY, STUCK, None):
        status = status_of(facts(said=how(**blind), start=start))
        assert said(status) == {
            "Ready": ("False", "StaleView"),
            "Reconciling": ("True", "StaleView"),
            "Stalled": ("Unknown", "StaleView"),
            "Enforced": ("False", "StaleView"),
        }
        assert kstatus(status) == "InProgress"
    told = enforcing(config={BATCH: 5}, suspend=True)
    status = status_of(facts(told, said=how(**blind)))
    assert said(status)["Ready"] == ("False", "StaleView")
    assert said(status)["Enforced"] == ("False", "Suspended")
    if "trouble" in blind:
        assert "pods: 403" in message(status, "Ready")


@pytest.mark.parametrize("kind", ["to be sent", "awaiting"])
def test_a_write_under_way_is_in_progress(kind: str) -> None:
    history = ownwrites.History()
    if kind == "awaiting":
        history = history.sending("7", Limits(5), 0.0)
    status = status_of(facts(obj=config({BATCH: 9}), history=history))
    assert said(status)["Enforced"] == ("Unknown", "Writing")
    assert said(status)["Reconciling"] == ("True", "Writing")
    assert said(status)["Stalled"] == ("False", "Healthy")
    assert kstatus(status) == "InProgress"
    stuck = status_of(facts(obj=config({BATCH: 9}), history=history, start=STUCK))
    assert said(stuck)["Reconciling"] == ("False", "Settled")
    assert kstatus(stuck) == "Failed"


def test_a_stalled_start_is_told_with_cause_blocker_and_how_many_wait() -> None:
    status = status_of(facts(start=STUCK))
    assert said(status)["Stalled"] == ("True", "SandboxFailed")
    assert message(status, "Stalled") == "sandbox-failed: lab/r1; 7 workload(s) wait"
    assert said(status)["Ready"] == ("False", "SandboxFailed")
    assert said(status)["Enforced"] == ("True", "Enforced")
    assert kstatus(status) == "Failed"
    alone = status_of(facts(start=STUCK._replace(waiting=0)))
    assert message(alone, "Stalled") == "sandbox-failed: lab/r1"


@pytest.mark.parametrize(
    ("verdict", "reason"),
    [("slow", "Slow"), ("misconfigured", "Misconfigured"), ("healthy", "Healthy")],
)
def test_a_start_that_goes_on_is_not_stalled_and_who_waits_is_not_counted(
    verdict: Any, reason: str
) -> None:
    one, other = (
        status_of(facts(start=policyfacts.Start(verdict, "image-pull", "lab/r1", waiting)))
        for waiting in (3, 4)
    )
    assert one == other
    assert said(one)["Stalled"] == ("False", reason)
    assert ("image-pull: lab/r1" in message(one, "Stalled")) == (verdict != "healthy")
    assert said(one)["Ready"] == ("True", "Enforcing")


def test_every_cause_is_a_reason_of_its_own() -> None:
    reasons = {policyconditions.reason_of(code): code for code in CAUSES}
    assert len(reasons) == len(CAUSES)
    for reason, code in reasons.items():
        status_of(facts(start=STUCK._replace(code=code)))
        assert reason.isalnum()
        assert reason[0].isupper()


def test_a_superseded_policy_names_the_ruler_and_has_no_effect() -> None:
    status = status_of(policyfacts.Facts(3, enforcing(), ruler="first"))
    assert {reason for _, reason in said(status).values()} == {"Superseded"}
    assert [state for state, _ in said(status).values()] == ["False", "False", "True", "False"]
    assert "RolloutPolicy first" in message(status, "Ready")
    assert status["active"] is False
    assert not {"enforced", "blockers", "hosts"} & status.keys()
    assert kstatus(status) == "Failed"


def test_a_policy_that_cannot_be_obeyed_says_why() -> None:
    status = status_of(policyfacts.Facts(3, problem="spec.mode: must be one of Report, Enforce"))
    assert said(status)["Ready"] == ("False", "Invalid")
    assert said(status)["Stalled"] == ("True", "Invalid")
    assert "spec.mode: must be" in message(status, "Ready")
    assert status["active"] is False
    long = status_of(policyfacts.Facts(3, problem="x" * 5000))
    assert len(message(long, "Ready")) == policyconditions.LONGEST


def test_messages_are_bounded() -> None:
    long = policyfacts.Start("stalled", "sandbox-failed", "x" * 3000, 1)
    for kind in ("Stalled", "Ready"):
        text = message(status_of(facts(start=long)), kind)
        assert (len(text), text[-4:]) == (policyconditions.LONGEST, " ...")
