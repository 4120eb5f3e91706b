"""``rollout set`` while somebody else writes: the other one's limits are never lost, other edits never in the way."""

from __future__ import annotations

import collections
import functools
import json
import random
import shutil
import threading
import time
from typing import TYPE_CHECKING, Self

import pytest
from race_tools import CODE, PLAN, aside_stands, draw, expected, other_writes, prepare, run
from rollout_live_tools import TARGETS, block_of, merged
from rollout_process import ended, start
from rollout_wire import is_write

if TYPE_CHECKING:
    from fault_handle import FaultProxy
    from race_tools import Race
    from rollout_live_tools import Place
    from rollout_wire import Wire

SEED = 20
ROUNDS = [100, pytest.param(1000, marks=pytest.mark.full)]


@pytest.mark.parametrize("target", TARGETS)
def test_the_races_know_when_what_is_asked(place: Place, wire: Wire, target: str) -> None:
    place.make(target)
    place.set(target, "--batch-size=1")
    read, write, after = PLAN[target]
    path = place.path(target)
    assert [n for n, one in enumerate(wire.sent) if one.path == path] == [
        read,
        write - 1,
        write,
        after,
    ]
    assert [n for n, one in enumerate(wire.sent) if is_write(one)] == [write]


@pytest.mark.parametrize("rounds", ROUNDS)
def test_whoever_writes_at_whichever_moment_nothing_is_lost(
    place: Place, wire: Wire, rounds: int
) -> None:
    seen = collections.Counter[tuple[bool, int, str]]()
    for number in range(rounds):
        chance = random.Random(f"{SEED} {number}")  # noqa: S311 - the same races in every run
        race = draw(chance, number)
        prepare(place, race)
        at = chance.randint(0, PLAN[race.target][2])
        wire.reset()
        wire.before(at, functools.partial(other_writes, place, race, number))
        answer = run(place, race)
        if at >= len(wire.sent):
            assert (answer.code, race.ours_on(race.before)) == (0, race.before)
            continue  # nothing was to be written
        obj = place.read(race.target)
        assert (answer.code, block_of(obj)) == expected(race, at), (number, race, at, answer.err)
        assert aside_stands(obj, race, number), (number, race, at)
        assert (f"[{CODE}]" in answer.err) == (answer.code == 4), answer.err
        if race.ours_on(race.before) != race.before:
            seen[race.lasting, answer.code, when(race, at)] += 1
    # Each outcome was there: both changed it, we were too late, the other one came later, and asides at each moment.
    assert {(True, 0, "before"), (True, 4, "between"), (True, 4, "after")} <= seen.keys()
    assert {(False, 0, moment) for moment in ("before", "between", "after")} <= seen.keys()


def when(race: Race, at: int) -> str:
    """Say when a request is: before the read that counts, between it and the write, or after that."""
    read, write, _ = PLAN[race.target]
    return "before" if at <= read else "between" if at <= write else "after"


@pytest.mark.parametrize("moment", [1, 2], ids=["dry-run", "write"])
@pytest.mark.parametrize("target", TARGETS)
def test_a_write_of_another_client_just_before_ours_stands(
    place: Place, proxy: FaultProxy, target: str, moment: int
) -> None:
    for number, theirs in enumerate(({"batchSize": 9}, {"maxConcurrentPerHost": 1}, None)):
        for one in TARGETS:
            place.client.delete(place.path(one))
        place.make(target, {"batchSize": 3})
        match = {"verb": "patch", "agent": "kubectl-c9s/.*", "nth": moment}
        patch = {"spec": {"rollout": theirs}}
        proxy.rules({"match": match, "do": "real-conflict", "with": {"patch": patch}})
        answer = place.run("set", target, "--batch-size=5", kubeconfig=proxy.kubeconfig)
        assert answer.code == 4, number
        assert f"[{CODE}]" in answer.err
        assert place.block(target) == merged({"batchSize": 3}, theirs)
        assert place.records() == {}
        proxy.rules({"match": match, "do": "real-conflict"})
        assert place.run("set", target, "--batch-size=5", kubeconfig=proxy.kubeconfig).code == 0
        assert "faults.testbed.c9s.run/bumped" in place.read(target)["metadata"]["annotations"]
        shutil.rmtree(place.state)


@pytest.mark.parametrize("rounds", ROUNDS)
def test_of_two_that_write_at_the_same_time_nobody_is_lost(place: Place, rounds: int) -> None:
    seen = collections.Counter[int]()
    for number in range(rounds):
        chance = random.Random(f"{SEED} {number}")  # noqa: S311 - the same races in every run
        target, theirs = chance.choice(TARGETS), 1000 + number
        place.client.delete(place.path(target))
        place.make(target, {"batchSize": 1})
        with OtherWriter(place, target, theirs, chance.uniform(0, 0.15)) as other:
            answer = place.run(
                "set", target, "--batch-size=7", "--max-concurrent-per-host=7", "--output=json"
            )
        (change,) = json.loads(answer.out)["changes"]
        block, records = place.block(target), place.records()
        if other.version <= int(change["resourceVersion"]):  # we have seen it
            assert (answer.code, block) == (0, {"batchSize": 7, "maxConcurrentPerHost": 7})
        else:  # it stands, on top of ours or instead of it
            written = {"batchSize": theirs, "maxConcurrentPerHost": 7}
            assert block == (written if records else {"batchSize": theirs}), (number, answer.err)
            assert answer.code == 4 or records
        assert (f"[{CODE}]" in answer.err) == (answer.code == 4)
        shutil.rmtree(place.state, ignore_errors=True)
        seen[answer.code] += 1
    assert len(seen) == 2, seen


class OtherWriter:
    """Somebody who writes a batch size at some moment, on a connection and a thread of their own."""

    def __init__(self, place: Place, target: str, value: int, pause: float) -> None:
        self.version = 0
        self._place, self._path, self._pause = place, place.path(target), pause
        self._body = {"spec": {"rollout": {"batchSize": value}}}
        self._thread = threading.Thread(target=self._write)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._thread.join()
        assert self.version

    def _write(self) -> None:
        time.sleep(self._pause)
        with self._place.bed.client() as client:
            written = client.patch(self._path, self._body).ok()
        self.version = int(written["metadata"]["resourceVersion"])


def test_two_of_our_own_at_once_end_as_one_after_the_other(place: Place) -> None:
    for number in range(5):
        target = TARGETS[number % 2]
        place.make(target, {"batchSize": 1})
        both = [
            start(place, "set", target, f"--batch-size={value}", "--output=json")
            for value in (7, 8)
        ]
        ends = [ended(process) for process in both]
        codes = [code for code, _, _ in ends]
        assert set(codes) <= {0, 4}
        assert 0 in codes
        reads = [int(json.loads(out)["changes"][0]["resourceVersion"]) for _, out, _ in ends]
        wrote = [value for value, code in zip((7, 8), codes, strict=True) if code == 0]
        last = wrote[0] if len(wrote) == 1 else (7 if reads[0] > reads[1] else 8)
        assert place.block(target) == {"batchSize": last}, (ends, reads)
        undone = place.run("undo", target)
        assert undone.code == 0, undone.err
        assert place.block(target) == {"batchSize": 1 if len(wrote) == 1 else sum(wrote) - last}
        place.client.delete(place.path(target))
