"""``rollout set`` on a real API server: zeros, no-ops, dry runs, printed patches, and what cannot be meant."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from adding_policy import adding_annotation
from bed_client import APPLY_PATCH, JSON_PATCH, MERGE_PATCH
from live_tools import C9S
from rollout_live_tools import CONFIG, EDITS, LAB, TARGETS, flags_for, merged
from rollout_process import at_terminal

if TYPE_CHECKING:
    from bed_client import Json
    from rollout_live_tools import Place
    from rollout_wire import Wire


@pytest.mark.parametrize("target", TARGETS)
def test_an_explicit_zero_is_written_once_and_survives_other_writes(
    place: Place, target: str
) -> None:
    place.make(target)
    assert "configured" in place.set(target, "--batch-size=0").out
    assert place.block(target) == {"batchSize": 0}
    asked = place.asked()
    assert "unchanged" in place.set(target, "--batch-size=0").out
    assert asked.patches() == []
    place.set(target, "--max-concurrent-per-host=2")
    assert place.block(target) == {"batchSize": 0, "maxConcurrentPerHost": 2}
    place.set(target, "--unset=maxConcurrentPerHost")
    assert place.block(target) == {"batchSize": 0}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    ("block", "edit"),
    [
        ({"batchSize": 5, "maxConcurrentPerHost": 0}, {"batchSize": 5, "maxConcurrentPerHost": 0}),
        ({"batchSize": 5}, {"maxConcurrentPerHost": None}),
        ({}, {"batchSize": None}),
        (None, {"batchSize": None, "maxConcurrentPerHost": None}),
    ],
)
def test_what_is_there_already_is_not_written_and_not_even_tried(
    place: Place, target: str, block: Json | None, edit: Json
) -> None:
    before, asked = place.make(target, block), place.asked()
    for mode in ((), ("--dry-run=server",), ("--dry-run=client",)):
        answer = place.set(target, *flags_for(edit), *mode)
        assert answer.out.count("\n") == 1
        assert " unchanged" in answer.out
    assert asked.patches() == []
    assert place.read(target) == before
    assert place.records() == {}


@pytest.mark.parametrize("target", TARGETS)
def test_dry_runs_write_nothing(place: Place, target: str) -> None:
    before = place.make(target, {"batchSize": 5})
    client, server = place.asked(), place.asked()
    told = place.set(target, "--batch-size=6", "--dry-run")
    assert told.out.endswith(" configured (dry run)\n")
    assert client.patches() == []
    told = place.set(target, "--batch-size=6", "--dry-run=server")
    assert told.out.endswith(" configured (server dry run)\n")
    assert [dry_run for _, dry_run, _ in server.patches()] == [True]
    assert place.read(target) == before
    assert place.records() == {}
    place.set(target, "--batch-size=7")
    kept = place.records()
    place.set(target, "--batch-size=8", "--dry-run=server")
    assert place.records() == kept


FORMS = {"json": JSON_PATCH, "merge": MERGE_PATCH, "apply": APPLY_PATCH}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("target", TARGETS)
def test_a_printed_patch_does_the_same_and_printing_writes_nothing(
    place: Place, target: str, form: str
) -> None:
    for block, edit in (
        (None, EDITS[0]),
        ({"batchSize": 2}, EDITS[3]),
        ({"batchSize": 2}, EDITS[5]),
    ):
        before, asked = place.make(target, block), place.asked()
        printed = place.run("set", target, *flags_for(edit), f"--print-patch={form}").out
        assert asked.patches() == []
        assert place.read(target) == before
        # What an apply leaves out it leaves alone, unless it was ours before.
        wanted = merged(
            block, {k: v for k, v in edit.items() if v is not None} if form == "apply" else edit
        )
        query = {"fieldManager": "by-hand"} | ({"force": "true"} if form == "apply" else {})
        place.client.request(
            "PATCH", place.path(target), json.loads(printed), query=query, content=FORMS[form]
        ).ok()
        assert place.block(target) == wanted
        place.client.delete(place.path(target)).ok()


@pytest.mark.parametrize("form", ["json", "merge"])
@pytest.mark.parametrize("block", ["no spec", None, {"batchSize": 2}], ids=str)
def test_a_printed_patch_does_not_overwrite_what_came_after_it(
    place: Place, form: str, block: Any
) -> None:
    for theirs in ({"imagePull": {"policy": "Always"}}, {"rollout": {"batchSize": 9}}):
        path = place.path(CONFIG)
        body: Json = {"apiVersion": C9S, "kind": "Config", "metadata": {"name": "clabernetes"}}
        body |= {} if block == "no spec" else {"spec": {"rollout": block} if block else {}}
        place.client.create(path.rpartition("/")[0], body).ok()
        printed = json.loads(
            place.run("set", CONFIG, "--batch-size=5", f"--print-patch={form}").out
        )
        changed = place.patch(CONFIG, {"spec": theirs})
        answer = place.client.request("PATCH", path, printed, content=FORMS[form])
        # Tests of JSON patch look at the limits alone, unless there was nothing around them.
        if form == "json" and "imagePull" in theirs and block != "no spec":
            rollout = place.read(CONFIG)["spec"]
            assert (answer.status, rollout) == (
                200,
                changed["spec"] | {"rollout": {"batchSize": 5}},
            )
        else:
            assert answer.status == (422 if form == "json" else 409)
            assert place.read(CONFIG) == changed
        place.client.delete(path).ok()


BAD = (
    (["set", CONFIG, "--batch-size=-1"], "--batch-size"),
    (["set", CONFIG, "--batch-size=2147483648"], "2147483648"),
    (["set", CONFIG, "--max-concurrent-per-host=abc"], "abc"),
    (["set", CONFIG, "--max-concurrent-per-host=1.0"], "1.0"),
    (["set", CONFIG, "--batch-size="], "--batch-size"),
    (["set", CONFIG, "--batch-size=1", "--unset=batchSize"], "to be set and to be removed"),
    (["set", CONFIG, "--unset=parallel"], "parallel"),
    (["set", CONFIG], "nothing is to be changed"),
    (["set", "--batch-size=1"], "no target"),
    (["set", "node/r1", "--batch-size=1"], "is no target"),
    (["set", "config/other", "--batch-size=1"], "is no target"),
    (["set", "topology", "--batch-size=1"], "is no target"),
    (["set", "topology/", "--batch-size=1"], "is no target"),
    (["set", CONFIG, "--batch-size=1", "--allow=would-release"], "--allow"),
    (["set", CONFIG, "--batch-size=1", "--allow=changed-since-read"], "--allow"),
    (["set", CONFIG, "--batch-size=1", "--print-patch=json", "-o", "json"], "--print-patch"),
    (["set", CONFIG, "--batch-size=1", "--in-place"], "--in-place"),
    (["set", CONFIG, "--batch-size=1", "--field-manager="], "--field-manager"),
    (["show", "node/r1"], "is no target"),
    (["undo", "lab"], "is no target"),
    (["apply"], "--filename"),
    (["diff", "-f", "/nowhere/policy.yaml"], "/nowhere/policy.yaml"),
)  # fmt: skip


@pytest.mark.parametrize(("words", "said"), BAD, ids=lambda part: "_".join(part)[:40])
def test_what_cannot_be_meant_is_refused_before_the_server_is_asked(
    place: Place, wire: Wire, words: list[str], said: str
) -> None:
    answer = place.run(*words)
    assert (answer.code, answer.out) == (2, "")
    assert said in answer.err
    assert wire.sent == []


def test_a_target_that_is_not_there_is_named(place: Place) -> None:
    answer = place.run("set", LAB, "--batch-size=1")
    assert (answer.code, answer.out) == (3, "")
    assert '"lab" not found' in answer.err
    answer = place.run("set", CONFIG, "--batch-size=1")
    assert (answer.code, answer.out) == (3, "")
    assert f"there is no Config clabernetes in {place.own}" in answer.err
    assert place.records() == {}


@pytest.mark.parametrize(("said", "code"), [("n\n", 130), ("y\n", 0), ("\x04", 130)])
def test_at_a_terminal_nothing_is_written_before_yes(place: Place, said: str, code: int) -> None:
    before = place.make(CONFIG, {"batchSize": 5})
    with at_terminal(place, "set", CONFIG, "--batch-size=6") as (process, terminal):
        shown = terminal.until("Write this?")
        assert "batchSize" in shown
        assert place.read(CONFIG) == before
        terminal.write(said)
        assert process.wait(60) == code
    assert place.block(CONFIG) == {"batchSize": 6 if code == 0 else 5}
    assert len(place.records()) == (1 if code == 0 else 0)


def test_what_the_server_would_change_besides_is_said(place: Place) -> None:
    """As a webhook might, a policy of the server adds an annotation to every Config whose limits are written."""
    place.make(CONFIG)
    with adding_annotation(place, "by-policy"):
        told = place.set(CONFIG, "--batch-size=1", "--dry-run=server")
        assert "warning: the server would change metadata.annotations as well" in told.err
        assert "annotations" not in place.read(CONFIG)["metadata"]
        told = place.set(CONFIG, "--batch-size=1")
        assert "warning: the server would change metadata.annotations as well" in told.err
        assert place.read(CONFIG)["metadata"]["annotations"] == {"by-policy": "yes"}
