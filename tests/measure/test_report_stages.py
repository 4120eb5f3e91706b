"""Stages of a start: the rules of time of measurement.md §1, each held."""

from __future__ import annotations

from itertools import pairwise

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from run_samples import changed, lab_run, plain_run

from kubectl_c9s.measurement.report import start_report
from kubectl_c9s.measurement.reportnotes import report_notes
from kubectl_c9s.measurement.run import MILESTONES, Anchor, Device, Run
from kubectl_c9s.measurement.stages import (
    STAGES,
    StageTiming,
    from_start,
    longest_steps,
    stage_timings,
)
from kubectl_c9s.measurement.statistics import distribution

TIMES = st.dictionaries(st.sampled_from(MILESTONES), st.integers(0, 500).map(float))
DEVICES = st.lists(st.builds(Device, st.just("ns"), st.text("ab"), stamps=TIMES, observed=TIMES))


def by_name(devices: list[Device]) -> dict[str, StageTiming]:
    return {one.name: one for one in stage_timings(devices)}


def device(**stamps: float) -> Device:
    return Device("ns", "r1", stamps=stamps)


@given(DEVICES)
def test_a_stage_comes_from_the_two_stamps_of_each_device_and_nothing_else(
    devices: list[Device],
) -> None:
    found = by_name(devices)
    for stage in STAGES:
        both = [
            one.stamps[stage.end] - one.stamps[stage.begin]
            for one in devices
            if {stage.begin, stage.end} <= one.stamps.keys()
        ]
        sound = [seconds for seconds in both if seconds >= 0]
        if stage.name in found:
            timing = found[stage.name].stamped
            assert timing.seconds == distribution(sound)
            assert timing.negative == len(both) - len(sound)
        else:
            assert not both


@given(DEVICES)
def test_stamps_and_observed_times_never_meet(devices: list[Device]) -> None:
    """Whatever is observed, figures by stamps stay; and the other way round."""
    stripped = [msgspec.structs.replace(one, observed={}) for one in devices]
    only = [msgspec.structs.replace(one, stamps={}) for one in devices]
    for name, found in by_name(devices).items():
        if found.stamped.seconds.count or found.stamped.negative:
            assert by_name(stripped)[name].stamped == found.stamped
        if found.observed.seconds.count or found.observed.negative:
            assert by_name(only)[name].observed == found.observed


def test_a_stamp_and_an_observed_time_make_no_stage() -> None:
    mixed = Device("ns", "r1", stamps={"pod": 10.0}, observed={"ready": 12.0, "pod": 1.0})
    found = by_name([mixed])["pod->ready"]
    assert found.stamped.seconds.count == 0
    assert found.observed.seconds.p50 == 11.0


def test_no_stage_is_a_difference_of_percentiles() -> None:
    """The second device goes its way the other way round: percentiles of moments say nothing about stages."""
    devices = [device(pod=0, scheduled=9, sandbox=10), device(pod=0, scheduled=1, sandbox=10)]
    devices.append(device(pod=0, scheduled=2, sandbox=10))
    found, moments = by_name(devices), from_start(devices, {"stamped": 0.0, "observed": None})
    medians = {one.name: one.stamped.seconds.p50 for one in moments}
    assert found["pod->scheduled"].stamped.seconds.p95 == 9.0
    assert found["scheduled->sandbox"].stamped.seconds.p95 == 9.0
    assert medians["sandboxFromStart"] == 10.0
    assert found["scheduled->sandbox"].stamped.seconds.p50 == 8.0


def test_percentiles_of_steps_do_not_make_that_of_the_whole_and_nobody_adds_them() -> None:
    """Of a whole start each figure is that of its own devices, not a sum of those of its steps."""
    devices = [device(pod=0, scheduled=9, sandbox=10), device(pod=0, scheduled=1, sandbox=10)]
    steps = [one.stamped.seconds.p95 for one in stage_timings(devices)]
    assert steps == [9.0, 9.0]
    run = Run(verdict="reached", expected=2, elapsed=1.0, devices=tuple(devices))
    numbers = _numbers(msgspec.to_builtins(start_report(run, "x")))
    assert 18.0 not in numbers


def test_the_resolution_of_stamps_is_said() -> None:
    run = lab_run()
    notes = report_notes(run, start_report(run, "x"))
    assert any("right to one second up or down" in note for note in notes)
    assert any("never mixed" in note for note in notes)
    assert any("may be added up" in note for note in notes)


def test_times_since_the_start_count_from_the_anchor_or_the_first_that_was_seen() -> None:
    run = lab_run()
    found = {one.name: one for one in start_report(run, "x").since_start}
    anchor = run.anchor
    assert anchor is not None
    stamped = [one.stamps["ready"] - anchor.at for one in run.devices]
    assert found["readyFromStart"].stamped.seconds == distribution(stamped)
    first = min(time for one in run.devices for time in one.observed.values())
    observed = [one.observed["ready"] - first for one in run.devices]
    assert found["readyFromStart"].observed.seconds == distribution(observed)
    assert found["grantedFromStart"].stamped.seconds.count == 0


def test_without_an_anchor_the_first_object_stands_in_and_that_is_said() -> None:
    run = changed(lab_run(), anchor=None)
    found = start_report(run, "x")
    assert found.anchor == Anchor("first created", "lab/r0000", run.devices[0].stamps["created"])
    assert any("no anchor was recorded" in note for note in report_notes(run, found))


@pytest.mark.parametrize("clock", ["stamped", "observed"])
def test_a_clock_that_jumped_is_counted_left_out_and_said(clock: str) -> None:
    field = {"stamped": "stamps", "observed": "observed"}[clock]
    run = lab_run()
    wrong = dict(getattr(run.devices[0], field))
    wrong["sandbox"] -= 1000.0
    first = msgspec.structs.replace(run.devices[0], **{field: wrong})
    jumped = changed(run, devices=(first, *run.devices[1:]))
    found = start_report(jumped, "x")
    timing = {one.name: getattr(one, clock) for one in found.stages}["scheduled->sandbox"]
    assert (timing.negative, timing.seconds.count) == (1, len(run.devices) - 1)
    assert timing.seconds.min >= 0
    notes = report_notes(jumped, found)
    assert any(f"negative by {clock} times, counted and left out" in note for note in notes)


def test_where_the_time_went_is_told_by_each_kind_of_time() -> None:
    longest = {one.clock: one.stage for one in longest_steps(stage_timings(lab_run().devices))}
    assert longest == {"stamped": "created->deployment", "observed": "created->admitted"}


def test_plain_pods_have_their_own_steps() -> None:
    steps = [one.name for one in stage_timings(plain_run().devices) if one.counts_as_step]
    assert steps == ["pod->scheduled", "scheduled->sandbox", "sandbox->started", "started->ready"]


@given(DEVICES)
def test_steps_of_a_kind_of_time_do_not_pass_over_each_other(devices: list[Device]) -> None:
    for clock in ("stamped", "observed"):
        names = [one.name for one in stage_timings(devices) if clock in one.counts_as_step]
        ways = [tuple(map(MILESTONES.index, name.split("->"))) for name in names]
        assert all(one[1] <= other[0] for one, other in pairwise(ways))


def _numbers(value: object) -> set[float]:
    if isinstance(value, dict):
        return set().union(*map(_numbers, value.values()))
    if isinstance(value, list | tuple):
        return set().union(*map(_numbers, value))
    return {float(value)} if isinstance(value, int | float) else set()
