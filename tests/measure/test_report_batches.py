"""Batches found from times alone: known ones are found, and none where there are none."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from run_samples import Wish, cancelled_run, lab_run

from kubectl_c9s.measurement.batches import FEWEST, Batch, batches
from kubectl_c9s.measurement.report import start_report
from kubectl_c9s.measurement.run import Device, Run


def devices(times: list[float], milestone: str = "admitted") -> list[Device]:
    return [Device("ns", f"r{i:04}", observed={milestone: time}) for i, time in enumerate(times)]


def stamped(times: list[float]) -> list[Device]:
    return [
        Device("ns", f"r{i:04}", stamps={"deployment": float(int(time))})
        for i, time in enumerate(times)
    ]


def sizes(found: list[Device], clock: str = "observed") -> list[int] | None:
    result = batches(found, "stamped" if clock == "stamped" else "observed", 0.0)
    return [one.devices for one in result.batches] if result else None


@given(
    st.lists(st.integers(4, 30), min_size=2, max_size=12),
    st.floats(0.005, 0.05),
    st.floats(2.0, 60.0),
    st.randoms(use_true_random=False),
)
def test_known_batches_are_found(
    members: list[int], within: float, between: float, chance: Random
) -> None:
    times, now = [], 5.0
    for size in members:
        for _ in range(size):
            times.append(now)
            now += within * chance.uniform(0.5, 1.5)
        now += between
    assert sizes(devices(times)) == members
    chance.shuffle(times)
    assert sizes(devices(times)) == members


@given(
    st.lists(st.integers(8, 30), min_size=2, max_size=12),
    st.floats(6.0, 60.0),
    st.randoms(use_true_random=False),
)
def test_known_batches_are_found_in_whole_seconds(
    members: list[int], between: float, chance: Random
) -> None:
    times, now = [], 5.0
    for size in members:
        for _ in range(size):
            times.append(now)
            now += chance.uniform(0.02, 0.2)
        now += between
    assert sizes(stamped(times), "stamped") == members


@given(st.integers(FEWEST, 400), st.floats(0.001, 30.0))
def test_devices_that_come_evenly_are_no_batches(number: int, apart: float) -> None:
    times = [apart * index for index in range(number)]
    assert sizes(devices(times)) == []
    assert sizes(stamped(times), "stamped") == []


@pytest.mark.parametrize("rate", [0.05, 0.3, 1.0, 2.0, 3.0, 5.0, 20.0])
def test_devices_that_come_by_chance_are_no_batches(rate: float) -> None:
    """Steady arrivals with gaps of chance: of 40 series of 300 none may seem to come in batches."""
    chance = Random(7)  # noqa: S311 - no secret
    for _ in range(40):
        now, times = 0.0, []
        for _ in range(300):
            now += chance.expovariate(rate)
            times.append(now)
        assert sizes(devices(times)) == []
        assert sizes(stamped(times), "stamped") == []


def test_devices_that_come_at_once_are_no_batches() -> None:
    assert sizes(devices([3.0] * 100)) == []


def test_a_pause_of_ten_times_the_usual_gap_parts_two_batches_and_a_shorter_one_does_not() -> None:
    for pause, expected in ((2.1, [10, 10]), (1.9, [])):
        times = [0.2 * index for index in range(10)]
        times += [times[-1] + pause + 0.2 * index for index in range(10)]
        assert sizes(devices(times)) == expected


def test_too_few_devices_tell_nothing() -> None:
    assert sizes(devices([0.0, 0.1, 0.2, 50.0, 50.1, 50.2])) is None


def test_the_mark_is_looked_at_before_the_deployment_and_that_before_the_pod() -> None:
    both = [
        Device("ns", f"r{i}", observed={"admitted": i // 10 * 30.0, "deployment": float(i)})
        for i in range(30)
    ]
    found = batches(both, "observed", 0.0)
    assert found is not None
    assert found.milestone == "admitted"
    assert [one.devices for one in found.batches] == [10, 10, 10]
    pods = batches(devices([i // 10 * 30.0 for i in range(30)], "pod"), "observed", 0.0)
    assert pods is not None
    assert pods.milestone == "pod"


def test_the_batches_of_a_start_are_found_by_both_kinds_of_time() -> None:
    run = lab_run(Wish(devices=130, batch=25))
    found = start_report(run, "x").batches
    for batches_found in found.values():
        assert batches_found is not None
        sizes_found = [one.devices for one in batches_found.batches]
        assert sizes_found == [25, 25, 25, 25, 25, 5]


def test_a_start_without_batches_has_none() -> None:
    found = start_report(lab_run(Wish(batch=0)), "x").batches
    assert all(one is not None and one.batches == () for one in found.values())


def test_a_batch_says_when_its_last_sandbox_was_and_nothing_when_one_never_was() -> None:
    run = lab_run(Wish(devices=50, batch=25))
    begin = min(time for one in run.devices for time in one.observed.values())
    first, *_ = observed(run)
    assert first.sandboxes == max(one.observed["sandbox"] for one in run.devices[:25]) - begin
    *_, last = observed(cancelled_run(Wish(devices=75)))
    assert (last.sandboxes, last.ready) == (None, None)


def observed(run: Run) -> tuple[Batch, ...]:
    found = start_report(run, "x").batches["observed"]
    assert found is not None
    return found.batches
