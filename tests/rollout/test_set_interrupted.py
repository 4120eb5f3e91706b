"""``rollout set`` and ``undo`` that end in the middle: the object is as it was or wholly changed, and can be undone."""

from __future__ import annotations

import collections
import random
import signal
import time
from typing import TYPE_CHECKING

import pytest
from bed_objects import until
from rollout_live_tools import CONFIG, LAB, TARGETS, still
from rollout_process import ended, start

from kubectl_c9s.cluster.errors import Unreachable

if TYPE_CHECKING:
    from collections.abc import Callable

    from bed_client import Json
    from fault_handle import FaultProxy
    from rollout_live_tools import Place
    from rollout_wire import Wire

    from kubectl_c9s.cluster.connection import Reply

SIGNALS = (signal.SIGINT, signal.SIGKILL)
OURS = {"agent": "kubectl-c9s/.*"}
# Where it hangs when it is ended: which request, whether the server gets it, whether the change is written then.
POINTS: dict[str, tuple[Json, bool, bool]] = {
    "before it knows": ({"resource": "nodeprofiles.c9s.run"}, False, False),
    "before the dry run": ({"verb": "patch", "nth": 1}, False, False),
    "after the dry run": ({"verb": "patch", "nth": 1}, True, False),
    "before the write": ({"verb": "patch", "nth": 2}, False, False),
    "after the write": ({"verb": "patch", "nth": 2}, True, True),
}  # fmt: skip
ROUNDS = [12, pytest.param(100, marks=pytest.mark.full)]


def end_at(place: Place, proxy: FaultProxy, point: str, number: signal.Signals, *words: str) -> int:
    """Run a command until it hangs at a point, end it there, and give its exit code."""
    match, forwarded, _ = POINTS[point]
    asked = place.asked()
    proxy.rules(
        {"name": "it", "match": OURS | match, "do": "hang", "with": {"forwarded": forwarded}}
    )
    with start(place, *words, kubeconfig=proxy.kubeconfig) as process:
        until("it hangs", lambda: proxy.fired()["it"] > 0)
        if forwarded:
            until("the server has done it", lambda: len(asked.patches()) == match["nth"])
        process.send_signal(number)
        code, _, _ = ended(process)
    proxy.settled()
    proxy.rules()
    return code


@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize("point", POINTS)
def test_a_set_that_is_ended_has_changed_all_or_nothing_and_is_undone_either_way(
    place: Place, proxy: FaultProxy, point: str, number: signal.Signals
) -> None:
    target = TARGETS[list(POINTS).index(point) % 2]
    first = place.make(target, {"batchSize": 1})
    way = proxy.kubeconfig
    assert place.run("set", target, "--max-concurrent-per-host=4", kubeconfig=way).code == 0
    before = place.read(target)
    code = end_at(
        place, proxy, point, number, "set", target, "--batch-size=0", "--unset=maxConcurrentPerHost"
    )
    assert code == (130 if number is signal.SIGINT else -number)
    written = POINTS[point][2]
    if written:
        assert place.block(target) == {"batchSize": 0}
    else:
        assert place.read(target) == before
    undone = place.run("undo", kubeconfig=way)
    assert undone.code == 0, undone.err
    # What was not written does not stand in the way of undoing what was written before it.
    assert still(place.read(target)) == still(before if written else first)
    assert place.run("undo", kubeconfig=way).code == 1
    assert place.records() == {}


@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize("point", ["before the write", "after the write"])
def test_an_undo_that_is_ended_can_be_repeated(
    place: Place, proxy: FaultProxy, point: str, number: signal.Signals
) -> None:
    first = place.make(LAB)
    assert place.run("set", LAB, "--batch-size=2", kubeconfig=proxy.kubeconfig).code == 0
    kept = place.records()
    end_at(place, proxy, point, number, "undo")
    assert place.records() == kept
    assert place.block(LAB) == (None if POINTS[point][2] else {"batchSize": 2})
    again = place.run("undo", kubeconfig=proxy.kubeconfig)
    assert again.code == 0
    assert ("as it was" in again.err) == POINTS[point][2]
    assert still(place.read(LAB)) == still(first)
    assert place.records() == {}


@pytest.mark.parametrize("rounds", ROUNDS)
def test_killed_at_any_moment_it_has_changed_all_or_nothing(place: Place, rounds: int) -> None:
    began = time.monotonic()
    place.make(CONFIG, {"batchSize": 1})
    with start(place, "set", CONFIG, "--batch-size=2") as process:
        assert ended(process)[0] == 0
    whole = time.monotonic() - began
    seen = collections.Counter[tuple[int, bool]]()
    for number in range(rounds):
        chance = random.Random(f"killed {number}")  # noqa: S311 - the same moments in every run
        value, before = 100 + number, place.read(CONFIG)
        with start(
            place, "set", CONFIG, f"--batch-size={value}", "--unset=maxConcurrentPerHost"
        ) as process:
            time.sleep(chance.uniform(0.5, 1.1) * whole)
            process.kill()
            code, _, _ = ended(process)
        changed = place.block(CONFIG) == {"batchSize": value}
        assert changed or place.read(CONFIG) == before
        assert changed or code != 0
        if changed:
            undone = place.run("undo")
            assert undone.code == 0, undone.err
            assert still(place.read(CONFIG)) == still(before)
        seen[code, changed] += 1
    assert sum(seen.values()) == rounds


def test_a_refused_command_leaves_object_and_record_as_they_were(place: Place) -> None:
    place.make(CONFIG, {"maxConcurrentPerHost": 1})
    place.make(LAB, {"batchSize": 1})
    place.set(LAB, "--batch-size=2")
    before, kept, asked = place.read(LAB), place.records(), place.asked()
    for mode in ((), ("--dry-run=client",), ("--dry-run=server",), ("--print-patch=merge",)):
        refused = place.run("set", LAB, "--max-concurrent-per-host=5", "--yes", *mode)
        assert refused.code == 4
        assert "refused by useless-topology-limit" in refused.err
    assert asked.patches() == []
    assert (place.read(LAB), place.records()) == (before, kept)
    assert place.run("undo").code == 0
    assert place.block(LAB) == {"batchSize": 1}


def gone(_: Callable[[], Reply]) -> Reply:
    raise Unreachable("nobody is there", sent=False)


@pytest.mark.parametrize("target", TARGETS)
def test_a_write_whose_end_nobody_saw_is_undone_when_the_server_is_back(
    place: Place, wire: Wire, target: str
) -> None:
    before = place.make(target, {"batchSize": 1})

    def applied_and_away(send: Callable[[], Reply]) -> Reply:
        send()
        wire.answer_all(gone)
        raise Unreachable("it broke", sent=True)

    wire.answer_write(applied_and_away)
    answer = place.run("set", target, "--batch-size=2", "--request-timeout=1s", "--output=json")
    assert answer.code == 3
    assert "it broke" in answer.err
    assert '"result": "failed"' in answer.out
    wire.reset()
    assert place.block(target) == {"batchSize": 2}
    assert place.run("undo").code == 0
    assert still(place.read(target)) == still(before)


def test_a_write_that_never_arrived_leaves_the_last_record_the_last(
    place: Place, wire: Wire
) -> None:
    place.make(CONFIG, {"batchSize": 1})
    place.set(CONFIG, "--batch-size=2")
    kept, before = place.records(), place.read(CONFIG)
    for _ in range(9):
        wire.answer_write(gone)
    assert place.run("set", CONFIG, "--batch-size=3", "--request-timeout=1s").code == 3
    wire.reset()
    assert (place.records(), place.read(CONFIG)) == (kept, before)


def test_a_record_of_a_write_that_never_was_does_not_outlive_its_object(
    place: Place, proxy: FaultProxy
) -> None:
    place.make(CONFIG)
    assert place.run("set", CONFIG, "--batch-size=1", kubeconfig=proxy.kubeconfig).code == 0
    place.make(LAB)
    end_at(place, proxy, "before the write", signal.SIGKILL, "set", LAB, "--batch-size=2")
    place.client.delete(place.path(LAB)).ok()
    assert len(place.records()) == 2
    undone = place.run("undo", kubeconfig=proxy.kubeconfig)
    assert undone.code == 0, undone.err
    assert place.block(CONFIG) is None
    assert place.records() == {}
