"""What a leader remembers and draws: stores, queues, chance, faults."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, cast

import pytest
import standin_names as names
from standin_faults import STEPS, Chance, Faults
from standin_queue import WorkQueue
from standin_store import Expired, Kind, Store
from standin_views import view_node

if TYPE_CHECKING:
    from standin_api import Api
    from standin_views import Json, NodeView


def _store(heard: list[tuple[NodeView | None, NodeView | None]]) -> Store[NodeView]:
    def listen(old: NodeView | None, new: NodeView | None) -> None:
        heard.append((old, new))

    return Store(cast("Api", None), Kind(names.VERSION, "nodes"), view_node, listen)


def _version(number: int, mark: str = "") -> Json:
    meta = {"name": "a", "namespace": "lab", "uid": "u", "resourceVersion": str(number)}
    return {"metadata": meta | {"annotations": {names.ADMITTED: mark}}, "spec": {}}


def test_memory_never_goes_back_before_an_own_write() -> None:
    heard: list[tuple[NodeView | None, NodeView | None]] = []
    store = _store(heard)
    store.put(_version(5, "u"))
    store.take({"type": "MODIFIED", "object": _version(4)})
    view = store.view("lab", "a")
    assert view is not None
    assert (view.mark, len(heard)) == ("u", 1)


def test_an_answer_that_comes_late_does_not_bring_back_what_is_gone() -> None:
    store = _store([])
    store.put(_version(5))
    store.take({"type": "DELETED", "object": _version(7)})
    store.put(_version(6, "u"))
    assert store.views() == []


def test_a_watch_that_begins_too_early_is_started_anew() -> None:
    with pytest.raises(Expired):
        _store([]).take({"type": "ERROR", "object": {"kind": "Status", "code": 410}})


def test_a_key_is_with_one_worker_at_a_time_and_comes_again() -> None:
    queue: WorkQueue[str] = WorkQueue()
    queue.add("a")
    assert queue.get() == "a"
    queue.add("a")
    queue.add("b")
    assert queue.get() == "b"
    queue.done("a")
    assert queue.get() == "a"


def test_of_two_times_the_earlier_counts_and_a_closed_queue_ends() -> None:
    queue: WorkQueue[str] = WorkQueue()
    queue.add("a", 3600.0)
    queue.add("a", 0.0)
    queue.add("a", 3600.0)
    assert queue.get() == "a"
    queue.done("a")
    threading.Timer(0.05, queue.close).start()
    assert queue.get() is None


def test_chance_is_the_same_for_a_seed_and_differs_between_devices() -> None:
    chance = Chance(7, {"boot": (5.0, 9.0)})
    delays = chance.delays("lab/a")
    assert delays == Chance(7, {"boot": (5.0, 9.0)}).delays("lab/a")
    assert delays != Chance(8, {"boot": (5.0, 9.0)}).delays("lab/a")
    assert delays != chance.delays("lab/b")
    assert set(delays) == {f"testbed.c9s.run/{step}-delay" for step in STEPS}
    assert 5.0 <= float(delays["testbed.c9s.run/boot-delay"].removesuffix("s")) <= 9.0


def test_faults_match_nodes_by_pattern() -> None:
    faults = Faults.read(
        {"plan_refused": {"lab-*/leaf?": "PlanInvariant"}, "foreign_hold": ["x/*"]}
    )
    assert faults.refusal("lab-1/leaf1") == "PlanInvariant"
    assert faults.refusal("lab-1/spine") is None
    assert faults.has_foreign_hold("x/y")
    with pytest.raises(ValueError, match="no such failure of a device: rain"):
        Faults.read({"device_fails": {"*": "rain"}})
