"""What the reconciler decides about one object."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from enforcing_tools import NOW, by, config, decide, enforcing, topology

from kubectl_c9s.rollout import drifting, ownwrites
from kubectl_c9s.rollout.limits import Limits

if TYPE_CHECKING:
    from kubectl_c9s.rollout.limits import Field

BATCH: Field = "batchSize"
CAP: Field = "maxConcurrentPerHost"


def test_a_difference_is_written_with_the_version_that_was_read_and_nothing_else() -> None:
    policy = enforcing(config={BATCH: 100})
    found = decide(policy, config({BATCH: 30, CAP: 7}, version="41"))
    assert found.patch == {
        "metadata": {"resourceVersion": "41"},
        "spec": {"rollout": {BATCH: 100}},
    }
    assert (found.hold, found.awaiting, found.managed) == (None, False, True)
    assert found.limits == Limits(100, None)
    assert (found.kind, found.namespace, found.name) == ("Config", "c9s", "clabernetes")
    assert (found.uid, found.version) == ("config", "41")


@pytest.mark.parametrize(
    ("wanted", "block", "written"),
    [
        ({BATCH: 0}, {BATCH: 9}, {BATCH: 0}),
        ({BATCH: 0}, None, None),
        ({BATCH: 0}, {}, None),
        ({BATCH: 0}, {BATCH: 0}, None),
        ({BATCH: 5}, {BATCH: 5}, None),
        ({BATCH: 5}, {BATCH: 0}, {BATCH: 5}),
        ({BATCH: 5}, None, {BATCH: 5}),
        ({CAP: 5}, {BATCH: 9}, {CAP: 5}),
        ({BATCH: 1, CAP: 2}, {BATCH: 2, CAP: 1}, {BATCH: 1, CAP: 2}),
        ({BATCH: 1, CAP: 2}, {BATCH: 1, CAP: 1}, {CAP: 2}),
    ],
)
def test_absent_and_zero_are_alike_and_a_zero_is_written_as_a_zero(
    wanted: Any, block: Any, written: Any
) -> None:
    found = decide(enforcing(config=wanted), config(block))
    assert found.managed
    assert (found.patch or {}).get("spec") == (written and {"rollout": written})
    assert bool(found.drift) == bool(written)


def test_what_the_policy_does_not_speak_of_is_not_managed() -> None:
    rules = [
        {"match": {"namespaces": ["free"]}},
        {"match": {"labels": {"tier": "ci"}}, BATCH: {"max": 5}},
    ]
    policy = enforcing(topologies=rules)
    for obj in (
        config({BATCH: 9}),
        topology("free", {BATCH: 9}, labels={"tier": "ci"}),
        topology("lab", {BATCH: 9}),
    ):
        found = decide(policy, obj)
        assert (found.managed, found.drift, found.patch, found.hold) == (False, (), None, None)
    assert decide(policy, topology("lab", {BATCH: 9}, labels={"tier": "ci"})).patch is not None
    assert not decide(enforcing(), config({BATCH: 9})).managed


def test_what_is_being_deleted_is_left_alone() -> None:
    obj = config({BATCH: 9}, deletionTimestamp="2026-10-01T00:00:00Z")
    found = decide(enforcing(config={BATCH: 5}), obj)
    assert (found.managed, found.patch, found.drift) == (False, None, ())


def test_a_difference_names_object_field_values_place_and_who_wrote_it() -> None:
    owners = (
        by("manager", BATCH, time="2026-10-01T00:00:00Z"),
        by("kubectl-patch", BATCH, CAP, time="2026-10-02T00:00:00Z"),
        by("helm", BATCH, time="2026-10-01T12:00:00Z"),
        by("someone", time="2026-10-03T00:00:00Z"),
        by("kubectl-edit", CAP, time="2026-10-04T00:00:00Z"),
    )
    policy = enforcing(config={BATCH: 100, CAP: 0}, topologies=[
        {"match": {"labels": {"x": "y"}}},
        {"match": {}, BATCH: {"default": 25, "max": 50, "min": 5}, CAP: {"max": 20}},
    ])  # fmt: skip
    name = "Config c9s/clabernetes"
    assert decide(policy, config({BATCH: 9, CAP: 3}, *owners)).drift == (
        drifting.Drift(name, BATCH, 9, 100, "spec.config.batchSize", "kubectl-patch"),
        drifting.Drift(name, CAP, 3, 0, "spec.config.maxConcurrentPerHost", "kubectl-edit"),
    )
    at = "spec.topologies[1]"
    cases: tuple[Any, ...] = (
        ({CAP: 1}, (BATCH, None, 25, f"{at}.batchSize.default")),
        ({CAP: 1, BATCH: 60}, (BATCH, 60, 50, f"{at}.batchSize.max")),
        ({CAP: 1, BATCH: 0}, (BATCH, 0, 50, f"{at}.batchSize.max")),
        ({CAP: 1, BATCH: 4}, (BATCH, 4, 5, f"{at}.batchSize.min")),
        ({BATCH: 9}, (CAP, None, 20, f"{at}.maxConcurrentPerHost.max")),
    )
    for block, said in cases:
        (drift,) = decide(policy, topology("lab", block)).drift
        assert drift == drifting.Drift("Topology lab/lab", *(*said, ""))
    same = enforcing(topologies=[{"match": {}, BATCH: {"default": 50, "max": 50}}])
    for number, bound in ((None, "default"), (60, "max")):
        found = topology("lab", None if number is None else {BATCH: number})
        (drift,) = decide(same, found).drift
        assert (drift.new, drift.why) == (50, f"spec.topologies[0].batchSize.{bound}")


def test_nothing_is_decided_on_an_object_older_than_an_own_write() -> None:
    policy = enforcing(config={BATCH: 5})
    sent = ownwrites.History().sending("7", Limits(5), NOW)
    for history in (sent, sent.lost(), sent.answered("8"), sent.conflicted()):
        for mode in ("Enforce", "Report"):
            found = decide(policy._replace(mode=mode), config({BATCH: 9}), history=history)
            assert (found.awaiting, found.managed, found.drift) == (True, True, ())
            assert (found.patch, found.hold) == (None, None)
    seen = sent.answered("8").shown("9", Limits(9))
    assert decide(policy, config({BATCH: 9}, version="9"), history=seen).patch is not None
    assert decide(policy, config({BATCH: 9}, version="6"), history=seen).awaiting
