"""What the reconciler decides about all objects at once."""

from __future__ import annotations

from typing import Any

import pytest
from enforcing_tools import NOW, around, config, decide_all, enforcing, how, topology, with_labs
from rollout_world import World

from kubectl_c9s.rollout import ownwrites
from kubectl_c9s.rollout.limits import Limits

BATCH, CAP = "batchSize", "maxConcurrentPerHost"


def test_all_objects_are_decided_about_the_config_first_then_by_name() -> None:
    policy = enforcing(config={BATCH: 5}, topologies=[{"match": {}, BATCH: {"max": 5}}])
    labs = [topology("b", {BATCH: 9}), topology("a", {BATCH: 5}), topology("c")]
    found = decide_all(policy, config({BATCH: 9}), labs, with_labs(*labs))
    assert [(one.kind, one.namespace) for one in found] == [
        ("Config", "c9s"), ("Topology", "a"), ("Topology", "b"), ("Topology", "c"),
    ]  # fmt: skip
    assert [one.patch is not None for one in found] == [True, False, True, True]


@pytest.mark.parametrize(
    ("spec", "said", "reason"),
    [
        ({}, {}, "ConfigMissing"),
        ({"mode": "Report"}, {}, "ReportMode"),
        ({"suspend": True}, {}, "Suspended"),
        ({}, {"complete": False}, "StaleView"),
        ({}, {"leading": False}, "Standby"),
    ],
)
def test_a_config_that_is_not_there_is_missed_where_it_should_limit(
    spec: Any, said: Any, reason: str
) -> None:
    policy = enforcing(config={BATCH: 5, CAP: 0}, **spec)
    (found,) = decide_all(policy, None, [], around(), how(**said))
    assert (found.managed, found.patch, found.hold.reason) == (True, None, reason)
    assert found.hold.object == "Config c9s/clabernetes"
    assert [(one.field, one.old, one.new) for one in found.drift] == [(BATCH, None, 5)]
    assert decide_all(enforcing(config={BATCH: 0}, **spec), None, [], around(), how(**said)) == ()


def test_the_config_is_judged_with_own_writes_that_were_not_seen_yet() -> None:
    """A lab's own limit held back what the Config's did; it was raised a moment ago."""
    world = World(per_host=1)
    world.lab("a", "r1 r2 r3", per_host=1)
    for name in ("r1", "r2", "r3"):
        world.pod(f"a/{name}", sandbox=True, gated=True)
    policy = enforcing(config={CAP: 0}, topologies=[{"match": {}, CAP: {"min": 9}}])
    lab, cfg = topology("a", {CAP: 1}), config({CAP: 1})
    world.change(world.pod("a/r1", sandbox=True), started=False)
    raised = ownwrites.History().sending("7", Limits(None, 9), NOW).answered("8")
    (before, _) = decide_all(policy, cfg, [lab], around(world))
    assert before.patch is not None
    (after, _) = decide_all(policy, cfg, [lab], around(world), a=raised)
    assert (after.patch, after.hold.reason) == (None, "Guard")


def test_no_limit_is_taken_away_while_an_outcome_is_not_known() -> None:
    rules = [{"match": {}, BATCH: {"min": 5}}]
    off, lower = enforcing(config={BATCH: 0}, topologies=rules), enforcing(config={BATCH: 3})
    lab = topology("a", {BATCH: 1})
    sent = ownwrites.History().sending("7", Limits(5), NOW)
    for history, waits in (
        (sent, True),
        (sent.lost(), True),
        (sent.conflicted(), True),
        (sent.dropped(), False),
        (sent.answered("8"), False),
        (ownwrites.History(), False),
    ):
        cfg, _ = decide_all(off, config({BATCH: 9}), [lab], with_labs(lab), a=history)
        assert (cfg.awaiting, cfg.patch is None, cfg.drift == ()) == (waits, waits, waits)
        cfg, _ = decide_all(lower, config({BATCH: 9}), [lab], with_labs(lab), a=history)
        assert cfg.patch is not None
    # What its own write waits for is another matter, and a lab that is gone waits for nothing.
    (cfg,) = decide_all(off, config({BATCH: 9}), [], around(), a=sent)
    assert cfg.patch is not None
