"""Every way to hold back, in its order."""

from __future__ import annotations

from typing import Any

import pytest
from enforcing_tools import (
    ARGO,
    NOW,
    around,
    by,
    config,
    decide,
    enforcing,
    fought,
    how,
    topology,
    waiting,
    with_labs,
)
from rollout_world import World

from kubectl_c9s.rollout import holding, ownwrites

BATCH, CAP = "batchSize", "maxConcurrentPerHost"


def ladder() -> tuple[Any, Any, Any, Any, Any]:
    """Give a case in which every reason holds but those that only who writes knows."""
    block, owner = {BATCH: 1}, by("argocd-controller", BATCH)
    said: dict[str, Any] = {
        "leading": False,
        "complete": False,
        "managed": False,
        "unsupported": frozenset({"Config"}),
    }
    policy = enforcing(mode="Report", suspend=True, config={BATCH: 0})
    return policy, config(block, owner), around(waiting(batch=1)), how(**said), fought()


def test_reasons_are_asked_in_their_order() -> None:
    policy, obj, seen, said, history = ladder()
    steps: dict[str, Any] = {
        "Standby": lambda: (policy, obj, said._replace(leading=True), history),
        "Suspended": lambda: (policy._replace(suspend=False), obj, said, history),
        "ReportMode": lambda: (policy._replace(mode="Enforce"), obj, said, history),
        "StaleView": lambda: (policy, obj, said._replace(complete=True), history),
        "Unsupported": lambda: (policy, obj, said._replace(unsupported=frozenset({"Topology"})), history),
        "GitOpsOwner": lambda: (policy, config({BATCH: 1}), said, history),
        "Guard": lambda: (policy._replace(guards=policy.guards._replace(allow_release=True)), obj, said, history),
        "NoLeader": lambda: (policy, obj, said._replace(managed=True), history),
        "Fighting": lambda: (policy, obj, said, ownwrites.History()),
    }  # fmt: skip
    met = []
    for reason, mend in steps.items():
        found = decide(policy, obj, seen, said, history)
        assert found.patch is None
        assert found.drift != ()
        assert found.hold is not None
        assert (found.hold.reason, found.hold.object) == (reason, "Config c9s/clabernetes")
        met.append(found.hold.reason)
        policy, obj, said, history = mend()
    assert decide(policy, obj, seen, said, history).patch is not None
    untold = {"ConfigMissing", "Forbidden", "WriteFailed"}
    assert met == [reason for reason in holding.REASONS if reason not in untold]


@pytest.mark.parametrize(
    ("said", "reason", "words"),
    [
        ({"complete": False}, "StaleView", "not everything has been seen yet"),
        ({"fresh": False}, "StaleView", "older than it may be"),
        ({"complete": False, "trouble": "may not watch pods"}, "StaleView", "may not watch pods"),
        ({"fresh": False, "trouble": "no answer from pods"}, "StaleView", "no answer from pods"),
        ({"leading": False}, "Standby", "another process leads"),
        ({"unsupported": frozenset({"Config"})}, "Unsupported", "Config has no spec.rollout"),
    ],
)
def test_circumstances_hold_every_write_back(said: dict[str, Any], reason: str, words: str) -> None:
    found = decide(enforcing(config={BATCH: 5}), config({BATCH: 9}), said=how(**said))
    assert (found.patch, found.hold.reason) == (None, reason)
    assert words in found.hold.message


def test_trouble_without_consequences_holds_nothing_back() -> None:
    said = how(trouble="one watch was slow", managed=False, unsupported=frozenset({"Topology"}))
    assert decide(enforcing(config={BATCH: 5}), config({BATCH: 9}), said=said).patch is not None


@pytest.mark.parametrize(
    ("spec", "reason"), [({"mode": "Report"}, "ReportMode"), ({"suspend": True}, "Suspended")]
)
def test_a_policy_that_only_reports_or_is_suspended_names_differences(spec: Any, reason: str) -> None:  # fmt: skip
    found = decide(enforcing(config={BATCH: 5}, **spec), config({BATCH: 9}))
    assert (found.patch, found.hold.reason) == (None, reason)
    assert [one.new for one in found.drift] == [5]


@pytest.mark.parametrize(
    ("before", "after", "limits", "released"),
    [
        ({BATCH: 1}, {BATCH: 0}, {"batch": 1}, True),
        ({CAP: 1}, {CAP: 0}, {"per_host": 1}, True),
        ({BATCH: 1}, {BATCH: 2}, {"batch": 1}, False),
        ({BATCH: 2}, {BATCH: 1}, {"batch": 2}, False),
        (None, {BATCH: 2}, {}, False),
        ({CAP: 1}, {CAP: 3}, {"per_host": 1}, False),
    ],
)
def test_a_limit_is_not_taken_away_while_something_waits_behind_it(
    before: Any, after: Any, limits: Any, *, released: bool
) -> None:
    world = waiting(**limits)
    obj, seen = config(before), around(world)
    found = decide(enforcing(config=after), obj, seen)
    assert (found.hold and found.hold.reason) == ("Guard" if released else None)
    allowing = enforcing(config=after, guards={"allowRelease": True})
    assert decide(allowing, obj, seen).patch is not None
    alone = decide(allowing, obj, seen, how(managed=False))
    assert (alone.hold and alone.hold.reason) == ("NoLeader" if released else None)
    assert decide(enforcing(config=after), obj, around(World(**limits))).patch is not None


def test_messages_have_no_counts() -> None:
    policy, obj = enforcing(config={BATCH: 0}), config({BATCH: 1})
    small, large = waiting(batch=1), waiting(batch=1)
    for number in range(9):
        large.node(f"b/r{number}")
    messages = {decide(policy, obj, around(world)).hold.message for world in (small, large)}
    (message,) = messages
    assert message.startswith("batchSize off would start what waits behind it")


@pytest.mark.parametrize(
    ("made", "yield_to", "held"),
    [
        ({"owner": "argocd-controller"}, None, True),
        ({"owner": "kustomize-controller"}, None, True),
        ({"owner": "helm"}, None, False),
        ({"owner": "helm"}, ["helm"], True),
        ({"owner": "argocd-controller"}, [], False),
        ({"owner": "kubectl-patch"}, None, False),
        ({"labels": ARGO}, None, True),
        ({"annotations": {"helm.toolkit.fluxcd.io/name": "x"}}, None, True),
        ({"labels": ARGO}, ["kustomize-controller"], False),
    ],
)
def test_a_gitops_owner_is_yielded_to_by_its_fields_and_by_its_tracking(
    made: dict[str, Any], yield_to: Any, *, held: bool
) -> None:
    marks = {key: mark for key, mark in made.items() if key != "owner"}
    owner = made.get("owner")
    owners = (by(owner, BATCH, operation="Apply"),) if owner else ()
    guards = {} if yield_to is None else {"yieldTo": yield_to}
    found = decide(
        enforcing(config={BATCH: 5}, guards=guards), config({BATCH: 9}, *owners, **marks)
    )
    assert (found.hold is not None) == held
    if held:
        assert found.hold.reason == "GitOpsOwner"
        assert "would put it back" in found.hold.message


def test_an_owner_of_the_other_field_alone_is_not_in_the_way() -> None:
    obj = config({BATCH: 9, CAP: 4}, by("argocd-controller", CAP))
    assert decide(enforcing(config={BATCH: 5}), obj).patch is not None
    assert decide(enforcing(config={BATCH: 5, CAP: 4}), obj).patch is not None
    assert decide(enforcing(config={BATCH: 5, CAP: 3}), obj).hold.reason == "GitOpsOwner"


def test_a_topology_that_was_not_seen_is_not_judged() -> None:
    policy = enforcing(topologies=[{"match": {}, BATCH: {"max": 5}}])
    obj = topology("lab", {BATCH: 9})
    found = decide(policy, obj, with_labs(topology("other")))
    assert (found.patch, found.hold.reason) == (None, "StaleView")
    assert decide(policy, obj, with_labs(obj)).patch is not None


def test_a_fight_holds_back_and_fewer_lost_writes_do_not() -> None:
    policy, obj = enforcing(config={BATCH: 5}), config({BATCH: 9})
    history = fought()
    assert decide(policy, obj, history=history).hold.reason == "Fighting"
    short = history._replace(writes=history.writes[1:])
    assert decide(policy, obj, history=short).patch is not None
    assert decide(policy, obj, history=history, said=how(NOW + 600)).patch is not None
