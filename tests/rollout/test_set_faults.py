"""``rollout set`` on a bad day: answers that get lost, servers that are busy, objects that never rest."""

from __future__ import annotations

import collections
import json
import random
from typing import TYPE_CHECKING

import pytest
from audit_reader import accepted_twice
from rollout_live_tools import CONFIG, TARGETS, merged, still

if TYPE_CHECKING:
    from bed_client import Json
    from fault_handle import FaultProxy
    from rollout_live_tools import Place
    from split_lab import Answer

OURS = {"agent": "kubectl-c9s/.*"}
WRITE = {**OURS, "verb": "patch", "nth": 2}
DRY = {**OURS, "verb": "patch", "nth": 1}
# A change that came through although not everything went well: what is done, to which request, how often it was sent.
OVERCOME = {
    "lost-reply": ({"match": WRITE, "do": "lost-reply"}, 1),
    "reset-reply": ({"match": WRITE, "do": "lost-reply", "with": {"how": "reset"}}, 1),
    "lost-request": ({"match": WRITE, "do": "lost-request"}, 1),
    "refused-500": ({"match": WRITE, "do": "error"}, 1),
    "busy": ({"match": WRITE, "do": "too-many-requests", "with": {"retryAfter": 1}}, 1),
    "unavailable": ({"match": WRITE, "do": "unavailable", "with": {"retryAfter": 1}}, 1),
    "unavailable-no-wish": ({"match": WRITE, "do": "unavailable"}, 1),
    "half-an-answer": ({"match": WRITE, "do": "drop", "with": {"bytes": 40}}, 1),
    "conflict-that-is-none": ({"match": WRITE, "do": "conflict"}, 1),
    "other-writer": ({"match": {**OURS, "verb": "patch", "nth": [2, 3, 4]}, "do": "real-conflict"}, 2),
    "dry-lost-reply": ({"match": DRY, "do": "lost-reply"}, 1),
    "dry-busy": ({"match": DRY, "do": "too-many-requests", "with": {"retryAfter": 1}}, 1),
    "dry-500": ({"match": DRY, "do": "error"}, 1),
    "lists-fail": ({"match": {**OURS, "verb": "list", "nth": [1, 3]}, "do": "error"}, 1),
    "read-after-lost": ({"match": {**OURS, "verb": "get", "nth": 2}, "do": "lost-request"}, 1),
}  # fmt: skip


@pytest.mark.parametrize("fault", OVERCOME)
def test_what_can_be_overcome_is_and_the_change_is_written_once(
    place: Place, proxy: FaultProxy, fault: str
) -> None:
    target = TARGETS[len(fault) % 2]
    before, asked = place.make(target, {"batchSize": 1}), place.asked()
    rule, tries = OVERCOME[fault]
    proxy.rules({"name": "it", **rule})
    answer = place.run("set", target, "--batch-size=2", kubeconfig=proxy.kubeconfig)
    assert answer.code == 0, answer.err
    assert proxy.fired()["it"] > 0
    assert place.block(target) == {"batchSize": 2}
    sent = [one for one in asked.entries(verb="patch") if not one.dry_run]
    assert len(sent) == tries
    assert accepted_twice(sent) == {}
    (record,) = place.records().values()
    assert (record["before"], record["after"]) == ({"batchSize": 1}, {"batchSize": 2})
    proxy.rules()
    assert place.run("undo", kubeconfig=proxy.kubeconfig).code == 0
    left = place.read(target)
    left["metadata"]["annotations"] = before["metadata"].get("annotations")
    before["metadata"].setdefault("annotations", None)
    assert still(left) == still(before)


FAILED = {
    "errors": {"do": "error"},
    "lost-requests": {"do": "lost-request"},
    "webhook": {"do": "webhook"},
}


@pytest.mark.parametrize("which", ["dry-run", "write"])
@pytest.mark.parametrize("fault", FAILED)
def test_what_cannot_be_overcome_is_said_and_nothing_is_kept_or_printed_as_done(
    place: Place, proxy: FaultProxy, fault: str, which: str
) -> None:
    before = place.make(CONFIG, {"batchSize": 1})
    match = {**OURS, "verb": "patch", "after": 0 if which == "dry-run" else 1}
    proxy.rules({"match": match, **FAILED[fault]})
    answer = run(place, proxy, "--output=json")
    assert answer.code == 3
    assert "error: patch config clabernetes: " in answer.err
    (change,) = json.loads(answer.out)["changes"]
    assert (change["result"], change["undo"]) == ("failed", None)
    proxy.rules()
    assert place.read(CONFIG) == before
    # Whether it was written is not always known: undo looks, and finds nothing.
    undone = place.run("undo", kubeconfig=proxy.kubeconfig)
    assert undone.code == 1
    assert (place.read(CONFIG), place.records()) == (before, {})


def run(place: Place, proxy: FaultProxy, *more: str) -> Answer:
    words = ("set", CONFIG, "--batch-size=2", "--request-timeout=3s", *more)
    return place.run(*words, kubeconfig=proxy.kubeconfig)


def test_a_server_that_refuses_for_ever_is_believed_in_the_end(
    place: Place, proxy: FaultProxy
) -> None:
    before = place.make(CONFIG, {"batchSize": 1})
    proxy.rules({"match": {**OURS, "verb": "patch", "after": 1}, "do": "conflict"})
    answer = run(place, proxy)
    assert answer.code == 3
    assert "error: patch config clabernetes: " in answer.err
    assert (place.read(CONFIG), place.records()) == (before, {})


ANYWHERE = ("error", "lost-request", "lost-reply", "unavailable")


@pytest.mark.parametrize("rounds", [8, pytest.param(200, marks=pytest.mark.full)])
def test_faults_at_every_request_by_seed(place: Place, proxy: FaultProxy, rounds: int) -> None:
    ends = collections.Counter[int]()
    for seed in range(rounds):
        chance = random.Random(f"faults {seed}")  # noqa: S311 - the same faults in every run
        target = chance.choice(TARGETS)
        for one in TARGETS:
            place.client.delete(place.path(one))
        before: Json = {"batchSize": 1}
        place.make(target, before)
        proxy.rules(
            *({"name": do, "match": OURS | {"probability": 0.06}, "do": do} for do in ANYWHERE),
            {
                "match": {**OURS, "probability": 0.06},
                "do": "too-many-requests",
                "with": {"retryAfter": 0},
            },
            {"match": {**OURS, "verb": "patch", "probability": 0.1}, "do": "conflict"},
            seed=seed,
        )
        asked = place.asked()
        answer = place.run(
            "set",
            target,
            "--max-concurrent-per-host=3",
            kubeconfig=proxy.kubeconfig,
        )
        proxy.rules()
        wanted = merged(before, {"maxConcurrentPerHost": 3})
        found = place.block(target)
        assert answer.code in {0, 3}, answer.err
        assert found == wanted or (answer.code == 3 and found == before)
        assert ("error: " in answer.err) == (answer.code != 0)
        sent = [one for one in asked.entries(verb="patch") if not one.dry_run]
        assert accepted_twice(sent) == {}
        undone = place.run("undo", kubeconfig=proxy.kubeconfig)
        assert undone.code == (0 if found == wanted else 1), undone.err
        assert (place.block(target), place.records()) == (before, {})
        ends[answer.code] += 1
    assert ends[0] > 0
