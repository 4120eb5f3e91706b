"""``rollout undo`` on a real API server: what it restores, and what becomes of the record of the change."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from rollout_live_tools import CONFIG, LAB, TARGETS, flags_for, merged, still

if TYPE_CHECKING:
    from bed_client import Json
    from rollout_live_tools import Place

BLOCKS: tuple[Any, ...] = (
    None, {}, {"batchSize": 0}, {"maxConcurrentPerHost": 4}, {"batchSize": 5, "maxConcurrentPerHost": 0},
)  # fmt: skip
EDITS: tuple[Json, ...] = (
    {"batchSize": 9},
    {"batchSize": 0},
    {"batchSize": None, "maxConcurrentPerHost": 3},
    {"batchSize": 1, "maxConcurrentPerHost": None},
)


@pytest.mark.parametrize("block", BLOCKS, ids=json.dumps)
@pytest.mark.parametrize("target", TARGETS)
def test_the_block_becomes_exactly_what_it_was(
    place: Place, target: str, block: Json | None
) -> None:
    before = place.make(target, block)
    for edit in EDITS:
        place.set(target, *flags_for(edit))
        changed = place.block(target) != block
        assert len(place.records()) == changed
        undone = place.run("undo", target)
        assert undone.code == (0 if changed else 1), undone.err
        assert still(place.read(target)) == still(before)
        assert place.records() == {}


@pytest.mark.parametrize("spec", [None, {}])
def test_a_config_without_a_spec_has_none_again(place: Place, spec: Json | None) -> None:
    body = {"apiVersion": "c9s.run/v1alpha1", "kind": "Config", "metadata": {"name": "clabernetes"}}
    body |= {} if spec is None else {"spec": spec}
    path = place.path(CONFIG)
    before = place.client.create(path.rpartition("/")[0], body).ok()
    assert before.get("spec") == spec
    place.set(CONFIG, "--batch-size=4")
    assert place.run("undo").code == 0
    assert still(place.read(CONFIG)) == still(before)
    place.set(CONFIG, "--batch-size=4")
    more = {"spec": {"imagePull": {"pullSecrets": ["s"]}}}
    place.patch(CONFIG, more)
    assert place.run("undo").code == 0
    assert place.read(CONFIG)["spec"]["imagePull"]["pullSecrets"] == ["s"]
    assert place.block(CONFIG) is None


@pytest.mark.parametrize("target", TARGETS)
def test_what_others_have_written_beside_the_block_stays(place: Place, target: str) -> None:
    place.make(target, {"batchSize": 2})
    place.set(target, "--batch-size=3")
    place.patch(
        target, {"metadata": {"labels": {"a": "b"}}, "spec": {"imagePull": {"policy": "Always"}}}
    )
    assert place.run("undo", target).code == 0
    obj = place.read(target)
    assert obj["spec"]["rollout"] == {"batchSize": 2}
    assert (obj["metadata"]["labels"], obj["spec"]["imagePull"]["policy"]) == ({"a": "b"}, "Always")


def test_it_undoes_the_last_set_that_wrote_and_then_has_nothing_more(place: Place) -> None:
    place.make(CONFIG, {"batchSize": 1})
    place.set(CONFIG, "--batch-size=2")
    place.set(CONFIG, "--batch-size=3")
    place.set(CONFIG, "--batch-size=3")
    place.set(CONFIG, "--batch-size=4", "--dry-run=server")
    assert place.run("set", CONFIG, "--batch-size=-1").code == 2
    assert place.run("undo").code == 0
    assert place.block(CONFIG) == {"batchSize": 2}
    version = place.read(CONFIG)["metadata"]["resourceVersion"]
    again = place.run("undo")
    assert (again.code, again.out) == (1, "")
    assert "there is nothing to undo" in again.err
    assert place.read(CONFIG)["metadata"]["resourceVersion"] == version


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    "theirs", [{"batchSize": 8}, {"maxConcurrentPerHost": 1}, {"batchSize": None}, None], ids=str
)
def test_limits_that_somebody_has_changed_since_are_left_to_them(
    place: Place, target: str, theirs: Json | None
) -> None:
    place.make(target, {"batchSize": 1})
    place.set(target, "--batch-size=2")
    kept = place.records()
    changed = place.patch(target, {"spec": {"rollout": theirs}})
    refused = place.run("undo", target)
    assert (refused.code, refused.out) == (4, "")
    assert "[changed-since-read]" in refused.err
    assert place.read(target) == changed
    assert place.records() == kept
    place.patch(target, {"spec": {"rollout": None}})
    place.patch(target, {"spec": {"rollout": {"batchSize": 2}}})
    assert place.run("undo", target).code == 0
    assert place.block(target) == {"batchSize": 1}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("block", [{"batchSize": 2}, {"batchSize": 1}], ids=["as-set", "as-before"])
def test_an_object_that_was_made_anew_is_another_one(
    place: Place, target: str, block: Json
) -> None:
    place.make(target, {"batchSize": 1})
    place.set(target, "--batch-size=2")
    kept = place.records()
    place.client.delete(place.path(target)).ok()
    anew = place.make(target, block)
    refused = place.run("undo", target)
    assert (refused.code, refused.out) == (4, "")
    assert "another object" in refused.err
    assert "[changed-since-read]" in refused.err
    assert place.read(target) == anew
    assert place.records() == kept


def test_an_object_that_is_gone_is_named(place: Place) -> None:
    place.make(LAB)
    place.set(LAB, "--batch-size=2")
    kept = place.records()
    place.client.delete(place.path(LAB)).ok()
    answer = place.run("undo")
    assert answer.code == 3
    assert '"lab" not found' in answer.err
    assert place.records() == kept


@pytest.mark.parametrize("target", TARGETS)
def test_dry_runs_leave_object_and_record_as_they_were(place: Place, target: str) -> None:
    place.make(target)
    changed, kept = place.set(target, "--batch-size=2"), place.records()
    obj, client, server = place.read(target), place.asked(), place.asked()
    assert changed.code == 0
    told = place.run("undo", target, "--dry-run")
    assert (told.code, client.patches()) == (0, [])
    assert told.out.endswith(" configured (dry run)\n")
    told = place.run("undo", target, "--dry-run=server")
    assert told.code == 0
    assert [dry_run for _, dry_run, _ in server.patches()] == [True]
    assert (place.read(target), place.records()) == (obj, kept)
    assert place.run("undo", target).code == 0
    assert place.block(target) is None


def test_what_somebody_has_undone_by_hand_is_forgotten_but_not_by_a_dry_run(place: Place) -> None:
    place.make(LAB, {"batchSize": 1})
    place.set(LAB, "--batch-size=2")
    kept = place.records()
    by_hand, asked = place.patch(LAB, {"spec": {"rollout": {"batchSize": 1}}}), place.asked()
    for mode in ("--dry-run=client", "--dry-run=server", "--dry-run=none"):
        assert place.records() == kept
        answer = place.run("undo", mode, "--output=json")
        assert (answer.code, json.loads(answer.out)) == (0, {"changes": []})
        assert "nothing to undo: Topology lab is as it was" in answer.err
    assert place.records() == {}
    assert asked.patches() == []
    assert place.read(LAB) == by_hand


@pytest.mark.parametrize("block", BLOCKS, ids=json.dumps)
def test_the_patch_that_set_prints_restores_as_well(place: Place, block: Json | None) -> None:
    place.make(CONFIG, block)
    for edit in EDITS:
        answer = place.set(CONFIG, *flags_for(edit), "--output=json")
        (change,) = json.loads(answer.out)["changes"]
        if change["result"] == "unchanged":
            assert change["undo"] is None
            continue
        assert place.block(CONFIG) == merged(block, edit)
        place.patch(CONFIG, change["undo"])
        assert place.block(CONFIG) == block
