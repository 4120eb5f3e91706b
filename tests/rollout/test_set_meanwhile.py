"""``rollout set`` while other commands of ours run, and while its object goes."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import pytest
from bed_objects import until
from rollout_live_tools import CONFIG, LAB, TARGETS
from rollout_process import ended, start
from rollout_wire import is_dry, is_write, refused_by

if TYPE_CHECKING:
    from bed_client import Json
    from fault_handle import FaultProxy
    from rollout_live_tools import Place
    from rollout_wire import Wire


def test_two_commands_at_once_do_not_take_each_others_records(place: Place, wire: Wire) -> None:
    place.make(CONFIG, {"batchSize": 1})

    def meanwhile() -> None:
        with start(place, "set", CONFIG, "--batch-size=3") as process:
            assert ended(process)[0] == 0

    wire.before_next(is_write, meanwhile)
    assert place.run("set", CONFIG, "--batch-size=2").code == 4
    assert place.block(CONFIG) == {"batchSize": 3}
    (record,) = place.records().values()
    assert (record["before"], record["after"]) == ({"batchSize": 1}, {"batchSize": 3})
    assert place.run("undo").code == 0
    assert place.block(CONFIG) == {"batchSize": 1}


def test_an_undo_beside_a_running_set_does_not_take_its_record(place: Place, wire: Wire) -> None:
    place.make(CONFIG, {"batchSize": 1})

    def meanwhile() -> None:
        with start(place, "undo") as process:
            assert ended(process)[0] == 1

    wire.before_next(is_write, meanwhile)
    assert place.run("set", CONFIG, "--batch-size=2").code == 0
    assert place.run("undo").code == 0
    assert place.block(CONFIG) == {"batchSize": 1}


def test_a_command_that_fails_does_not_take_the_record_of_one_that_was_killed(
    place: Place, proxy: FaultProxy, wire: Wire
) -> None:
    place.make(CONFIG, {"batchSize": 1})
    way, asked = proxy.kubeconfig, place.asked()
    match = {"agent": "kubectl-c9s/.*", "verb": "patch", "nth": 2}
    proxy.rules({"match": match, "do": "hang", "with": {"forwarded": True}})
    with start(place, "set", CONFIG, "--batch-size=2", kubeconfig=way) as process:
        until("it is written", lambda: len(asked.patches()) == 2)
        wire.answer_write(refused_by(400))
        assert place.run("set", CONFIG, "--batch-size=3", kubeconfig=way).code == 3
        process.kill()
        ended(process)
    assert place.run("undo", kubeconfig=way).code == 0
    assert place.block(CONFIG) == {"batchSize": 1}


def test_an_object_that_goes_while_it_is_looked_at_is_a_refusal(place: Place, wire: Wire) -> None:
    for target in TARGETS:
        for fits in (is_dry, is_write):
            place.make(target, {"batchSize": 1})
            wire.before_next(fits, functools.partial(anew, place, target))
            refused = place.run("set", target, "--batch-size=2")
            assert refused.code == 4, refused.err
            assert "[changed-since-read]" in refused.err
            assert place.block(target) == {"batchSize": 1}
            place.client.delete(place.path(target)).ok()
    assert place.records() == {}


def anew(place: Place, target: str) -> Json:
    """Make an object again that looks like the one there was."""
    place.client.delete(place.path(target)).ok()
    return place.make(target, {"batchSize": 1})


@pytest.mark.parametrize("back", [True, False])
def test_a_topology_that_goes_between_two_reads_is_no_fault_of_ours(
    place: Place, wire: Wire, *, back: bool
) -> None:
    place.make(LAB)
    wire.before(1, lambda: anew(place, LAB) if back else place.client.delete(place.path(LAB)).ok())
    answer = place.run("set", LAB, "--batch-size=2")
    assert answer.code == 4
    assert "[changed-since-read]" in answer.err
    assert place.records() == {}
