"""``rollout set`` of objects that never rest, and answers that get lost in between."""

from __future__ import annotations

import itertools
import threading
from typing import TYPE_CHECKING, Any, Self

import pytest
from live_tools import C9S
from rollout_live_tools import CONFIG, LAB, TARGETS
from rollout_wire import fails_after, is_dry, is_write, lost_after

if TYPE_CHECKING:
    from bed_client import Json
    from rollout_live_tools import Place
    from rollout_wire import Wire


NUMBERS = itertools.count(1)


@pytest.mark.parametrize("status", [500, 502, 503, 504])
@pytest.mark.parametrize("target", TARGETS)
def test_an_error_after_the_server_has_done_it_is_no_error(
    place: Place, wire: Wire, target: str, status: int
) -> None:
    place.make(target)
    wire.answer_write(fails_after(status))
    place.set(target, "--batch-size=2")
    assert place.block(target) == {"batchSize": 2}
    assert sum(map(is_write, wire.sent)) == 1
    wire.answer_write(fails_after(status))
    assert place.run("undo").code == 0
    assert place.block(target) is None
    assert place.records() == {}


def test_a_label_written_after_a_lost_answer_does_not_hide_that_it_was_done(
    place: Place, wire: Wire
) -> None:
    place.make(LAB, {"batchSize": 1})

    def lost(send: Any) -> Any:
        try:
            return lost_after(send)
        finally:
            place.patch(LAB, {"metadata": {"labels": {"a": "b"}}})

    wire.answer_write(lost)
    place.set(LAB, "--batch-size=2")
    assert sum(map(is_write, wire.sent)) == 1
    assert place.read(LAB)["metadata"]["labels"] == {"a": "b"}


def test_limits_written_after_a_lost_answer_stand(place: Place, wire: Wire) -> None:
    place.make(LAB, {"batchSize": 1})

    def lost(send: Any) -> Any:
        try:
            return lost_after(send)
        finally:
            place.patch(LAB, {"spec": {"rollout": {"batchSize": 5}}})

    wire.answer_write(lost)
    answer = place.run("set", LAB, "--batch-size=2")
    assert answer.code == 4
    assert "[changed-since-read]" in answer.err
    assert place.block(LAB) == {"batchSize": 5}


@pytest.mark.parametrize("target", TARGETS)
def test_an_object_that_changes_before_each_try_is_written_and_its_limits_still_watched(
    place: Place, wire: Wire, target: str
) -> None:
    place.make(target, {"batchSize": 1})

    def labelled(send: Any) -> Any:
        place.patch(target, {"metadata": {"labels": {"n": str(next(NUMBERS))}}})
        return send()

    def limited(send: Any) -> Any:
        place.patch(target, {"spec": {"rollout": {"maxConcurrentPerHost": len(wire.sent)}}})
        return send()

    for _ in range(9):
        wire.answer_next(is_write, labelled)
    place.set(target, "--batch-size=2")
    assert sum(map(is_write, wire.sent)) == 2
    wire.reset()
    wire.answer_next(is_write, labelled)
    wire.answer_next(is_write, limited)
    refused = place.run("set", target, "--batch-size=3")
    assert refused.code == 4
    assert "[changed-since-read]" in refused.err
    block = place.block(target) or {}
    assert (block["batchSize"], len(block)) == (2, 2)
    wire.reset()
    wire.answer_next(is_write, labelled)
    wire.before_next(is_write, lambda: anew(place, target))
    assert place.run("set", target, "--batch-size=3").code == 4
    assert place.block(target) == {"batchSize": 2, "maxConcurrentPerHost": 1}


def anew(place: Place, target: str) -> None:
    place.client.delete(place.path(target)).ok()
    place.make(target, {"batchSize": 2, "maxConcurrentPerHost": 1})


def test_a_config_without_a_spec_is_written_and_undone_beside_other_writers(
    place: Place, wire: Wire
) -> None:
    path = place.path(CONFIG)
    body = {"apiVersion": C9S, "kind": "Config", "metadata": {"name": "clabernetes"}}
    place.client.create(path.rpartition("/")[0], body).ok()

    def labelled(send: Any) -> Any:
        place.patch(CONFIG, {"metadata": {"labels": {"n": str(next(NUMBERS))}}})
        return send()

    wire.answer_write(labelled)
    place.set(CONFIG, "--batch-size=2")
    assert place.read(CONFIG)["spec"] == {"rollout": {"batchSize": 2}}
    wire.answer_write(labelled)
    assert place.run("undo").code == 0
    assert "spec" not in place.read(CONFIG)

    def filled(send: Any) -> Any:
        place.patch(CONFIG, {"spec": {"imagePull": {"policy": "Always"}}})
        return send()

    wire.answer_write(labelled)
    wire.answer_write(filled)
    place.set(CONFIG, "--batch-size=2")
    spec = place.read(CONFIG)["spec"]
    assert spec == {"imagePull": {"policy": "Always"}, "rollout": {"batchSize": 2}}


class Busy:
    """Writers of status who do nothing else and never rest."""

    def __init__(self, place: Place, writers: int) -> None:
        self.written = 0
        self._place, self._over = place, threading.Event()
        self._threads = [threading.Thread(target=self._write, args=(n,)) for n in range(writers)]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join()

    def _write(self, who: int) -> None:
        path = f"{self._place.path(LAB)}/status"
        with self._place.bed.client() as client:
            while not self._over.is_set():
                status: Json = {"kind": "containerlab", "conditions": [], "topologyReady": False}
                status["error"] = f"{who} {self.written}"
                client.patch(path, {"status": status}).ok()
                self.written += 1
                self._over.wait(0.02)


def test_a_storm_of_status_updates_is_no_obstacle_and_loses_nothing(place: Place) -> None:
    place.make(LAB)
    with Busy(place, 2) as busy:
        for number in range(10):
            answer = place.run("set", LAB, f"--batch-size={number}")
            assert answer.code == 0, answer.err
            assert place.block(LAB) == {"batchSize": number}
            assert "webhook" not in answer.err
    obj = place.read(LAB)
    assert busy.written > 10
    assert obj["status"]["error"].split()[0] in "01"


def test_dry_runs_are_repeated_but_never_turned_into_writes(place: Place, wire: Wire) -> None:
    before = place.make(CONFIG)
    for _ in range(3):
        wire.answer_next(is_dry, lost_after)
    assert place.run("set", CONFIG, "--batch-size=2", "--dry-run=server").code == 0
    assert sum(map(is_dry, wire.sent)) == 4
    for _ in range(9):
        wire.answer_next(is_dry, lost_after)
    assert place.run("set", CONFIG, "--batch-size=2").code == 3
    assert sum(map(is_write, wire.sent)) == 0
    assert (place.read(CONFIG), place.records()) == (before, {})
