"""``rollout diff`` and ``rollout apply``: a RolloutPolicy against a real API server."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from live_tools import C9S
from rollout_live_tools import CONFIG, DEFINITION, block_of, rest_of, written_policy

if TYPE_CHECKING:
    from pathlib import Path

    from bed_client import Json
    from rollout_live_tools import Place
    from rollout_wire import Wire

A, B, D = "topology/a", "topology/b", "topology/d"


def labelled(tier: str) -> dict[str, Json]:
    return {"metadata": {"labels": {"tier": tier}}}


RULES = [
    {"match": {"labels": {"tier": "free"}}},
    {"match": {"labels": {"tier": "ci"}}, "batchSize": {"default": 25, "max": 50}},
    {
        "match": {"namespaces": ["lab-*"]},
        "maxConcurrentPerHost": {"max": 20},
        "batchSize": {"min": 5},
    },
]


def test_config_and_topologies_become_what_the_first_rule_says_and_no_more_is_written(
    place: Place, tmp_path: Path
) -> None:
    place.make(CONFIG, {"batchSize": 10, "maxConcurrentPerHost": 30})
    place.make(A, **labelled("ci"))
    place.make(B, {"batchSize": 3}, **labelled("prod"))
    place.make("topology/c", **labelled("free"))
    place.make(D, {"batchSize": 7, "maxConcurrentPerHost": 6}, **labelled("prod"))
    targets = (CONFIG, A, B, "topology/c", D)
    before = {target: place.read(target) for target in targets}
    policy = written_policy(tmp_path, config={"batchSize": 100}, topologies=RULES)
    asked = place.asked()
    told = place.run("diff", "-f", policy)
    assert told.code == 1, told.err
    assert [line for line in told.out.splitlines() if line.startswith("+++")] == [
        f"+++ MERGED/config.c9s.run/clabernetes in {place.own}",
        f"+++ MERGED/topology.c9s.run/a in {place.lab}",
        f"+++ MERGED/topology.c9s.run/b in {place.lab}",
    ]
    assert asked.patches() == []
    answer = place.run("apply", "-f", policy)
    assert answer.code == 0, answer.err
    after = {target: place.read(target) for target in targets}
    assert {target: block_of(obj) for target, obj in after.items()} == {
        CONFIG: {"batchSize": 100, "maxConcurrentPerHost": 30},
        A: {"batchSize": 25},
        B: {"batchSize": 5, "maxConcurrentPerHost": 20},
        "topology/c": None,
        D: {"batchSize": 7, "maxConcurrentPerHost": 6},
    }
    for target in targets:
        assert rest_of(after[target]) == rest_of(before[target])
    assert (after["topology/c"], after[D]) == (before["topology/c"], before[D])
    assert [line.split()[-1] for line in answer.out.splitlines() if " configured" in line] == [
        "configured"
    ] * 3


def test_a_second_apply_writes_nothing_and_diff_finds_nothing(place: Place, tmp_path: Path) -> None:
    place.make(CONFIG)
    place.make(A, **labelled("ci"))
    policy = written_policy(
        tmp_path, config={"batchSize": 0, "maxConcurrentPerHost": 4}, topologies=RULES
    )
    assert place.run("diff", "-f", policy).code == 1
    assert place.run("apply", "-f", policy).code == 0
    asked, kept = place.asked(), place.records()
    again = place.run("apply", "-f", policy)
    assert (again.code, again.out) == (0, "everything is as the policy wants it\n")
    assert place.run("diff", "-f", policy).out == ""
    assert place.run("diff", "-f", policy).code == 0
    told = place.run("apply", "-f", policy, "--output=json")
    assert (told.code, json.loads(told.out)) == (0, {"changes": []})
    assert asked.patches() == []
    assert place.records() == kept


@pytest.mark.parametrize(
    ("managed", "before", "after"),
    [
        ({"batchSize": 0}, {"batchSize": 9}, {"batchSize": 0}),
        ({"batchSize": 0}, None, None),
        ({"batchSize": 0}, {}, {}),
        ({"batchSize": 0}, {"batchSize": 0}, {"batchSize": 0}),
        ({"batchSize": 0}, {"maxConcurrentPerHost": 1}, {"maxConcurrentPerHost": 1}),
        ({"batchSize": 3}, {"batchSize": 0}, {"batchSize": 3}),
        ({"maxConcurrentPerHost": 3}, {"batchSize": 9}, {"batchSize": 9, "maxConcurrentPerHost": 3}),
        ({}, {"batchSize": 9}, {"batchSize": 9}),
        (None, {"batchSize": 9}, {"batchSize": 9}),
    ],
)  # fmt: skip
def test_absent_is_not_managed_and_zero_is(
    place: Place, tmp_path: Path, managed: Any, before: Any, after: Any
) -> None:
    place.make(CONFIG, before)
    policy = written_policy(tmp_path, **({} if managed is None else {"config": managed}))
    assert place.run("diff", "-f", policy).code == (before != after)
    assert place.run("apply", "-f", policy).code == 0
    assert place.block(CONFIG) == after


@pytest.mark.parametrize(
    "spec",
    [{"mode": "Report"}, {"suspend": True}, {"mode": "Enforce", "stall": {"slowAfter": "5s"}}],
)
def test_what_is_said_to_the_reconciler_does_not_stop_a_person(
    place: Place, tmp_path: Path, spec: Any
) -> None:
    place.make(CONFIG, {"batchSize": 9})
    policy = written_policy(tmp_path, config={"batchSize": 5}, **spec)
    assert place.run("diff", "-f", policy).code == 1
    answer = place.run("apply", "-f", policy)
    assert (answer.code, answer.err.count("warning")) == (0, 0), answer.err
    assert place.block(CONFIG) == {"batchSize": 5}


def test_dry_runs_of_apply_write_nothing(place: Place, tmp_path: Path) -> None:
    for target in (CONFIG, A):
        place.make(target)
    before = [place.read(target) for target in (CONFIG, A)]
    rules = [{"match": {}, "batchSize": {"default": 2}}]
    policy = written_policy(tmp_path, config={"batchSize": 4}, topologies=rules)
    client, server = place.asked(), place.asked()
    assert place.run("apply", "-f", policy, "--dry-run").code == 0
    assert client.patches() == []
    assert place.run("apply", "-f", policy, "--dry-run=server").code == 0
    assert server.patches() == [("clabernetes", True, 200), ("a", True, 200)]
    assert [place.read(target) for target in (CONFIG, A)] == before
    assert place.records() == {}


def test_a_policy_for_a_config_that_is_not_there_is_an_error_before_anything_is_written(
    place: Place, tmp_path: Path
) -> None:
    place.make(A)
    rules = [{"match": {}, "batchSize": {"default": 2}}]
    policy, asked = (
        written_policy(tmp_path, config={"batchSize": 4}, topologies=rules),
        place.asked(),
    )
    for command in ("diff", "apply"):
        answer = place.run(command, "-f", policy)
        assert (answer.code, answer.out) == (3, "")
        assert f"there is none in {place.own}" in answer.err
    assert asked.patches() == []
    # Off is what no Config means, so there is nothing to say about it.
    assert (
        place.run(
            "apply", "-f", written_policy(tmp_path, config={"batchSize": 0}, topologies=rules)
        ).code
        == 0
    )
    assert place.block(A) == {"batchSize": 2}


def test_the_last_change_of_an_apply_is_undone_first(place: Place, tmp_path: Path) -> None:
    place.make(CONFIG)
    place.make(A, {"batchSize": 0})
    rules = [{"match": {}, "batchSize": {"max": 2}}]
    assert (
        place.run(
            "apply", "-f", written_policy(tmp_path, config={"batchSize": 4}, topologies=rules)
        ).code
        == 0
    )
    assert place.run("undo").code == 0
    assert (place.block(CONFIG), place.block(A)) == ({"batchSize": 4}, {"batchSize": 0})
    assert place.run("undo").code == 0
    assert place.block(CONFIG) is None


def test_a_policy_that_is_wrong_or_not_there_asks_nothing(
    place: Place, tmp_path: Path, wire: Wire
) -> None:
    wrong = written_policy(
        tmp_path, config={"batchSize": -1}, topologies=[{"batchSize": {"min": 3, "max": 2}}]
    )
    # To diff, 1 means that there are differences.
    for command, code in (("diff", 2), ("apply", 1)):
        answer = place.run(command, "-f", wrong)
        assert (answer.code, answer.out) == (code, "")
        assert "[not-admissible]" in answer.err
    assert place.run("apply", "-f", str(tmp_path / "none.yaml")).code == 2
    lab = tmp_path / "lab.json"
    lab.write_text(json.dumps({"apiVersion": C9S, "kind": "Topology", "metadata": {"name": "x"},
                               "spec": {"definition": {"containerlab": DEFINITION}}}), encoding="utf-8")  # fmt: skip
    answer = place.run("apply", "-f", str(lab))
    assert (answer.code, answer.out) == (1, "")
    assert "no RolloutPolicy" in answer.err
    assert wire.sent == []
