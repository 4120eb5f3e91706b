"""Records of starts: their file, what objects say of a start, and the stage times that are worked out of both."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from saved_start import saved
from simulation_tools import PLAIN, UNLIMITED, always, between, play, record_of, start

from kubectl_c9s.cli.rolloutsource import read_source
from kubectl_c9s.resources.errors import RefusedInput, UsageError
from kubectl_c9s.simulation import milestones as ms
from kubectl_c9s.simulation.builtin import BUILT_IN
from kubectl_c9s.simulation.estimate import stage_times
from kubectl_c9s.simulation.milestones import MILESTONES
from kubectl_c9s.simulation.recording import (
    DeviceTimes,
    LimitsThen,
    Record,
    is_record,
    most_at_once,
    read_record,
    write_record,
)
from kubectl_c9s.simulation.stages import Client

if TYPE_CHECKING:
    from kubectl_c9s.simulation.scenario import Scenario
    from kubectl_c9s.simulation.stages import StageTimes

SCHEMA = Path(__file__).parents[2] / "docs/schemas/stage-times.json"
TEXTS = st.text(st.characters(codec="utf-8"), max_size=8)
RECORDS = st.builds(
    Record,
    resolution=st.sampled_from([0.0, 0.001, 1.0]),
    rollout=st.builds(LimitsThen, st.integers(0, 9), st.integers(0, 9)),
    devices=st.lists(
        st.builds(
            DeviceTimes,
            TEXTS,
            TEXTS,
            TEXTS,
            st.dictionaries(st.sampled_from(MILESTONES), st.floats(0, 1e6)),
        ),
        max_size=4,
    ).map(tuple),
)
CONTROLLER = Client(3, UNLIMITED.origin)
REAL = PLAIN._replace(
    write=always(0.02),
    plan=between(0.0, 0.4),
    replica_set=CONTROLLER,
    pod=CONTROLLER._replace(first=2),
    sandbox=between(1.0, 3.0),
    granted_early=between(0.2, 0.4),
    granted_late=between(1.0, 2.0),
    boot=between(4.0, 8.0),
)


def estimated(scenario: Scenario, stages: StageTimes) -> StageTimes:
    return stage_times([record_of(scenario, play(scenario, stages, 3))])


@given(RECORDS)
def test_a_record_is_read_as_it_was_written_and_keeps_its_schema(record: Record) -> None:
    data = write_record(record)
    assert is_record(data)
    assert read_record(data, "x") == record
    jsonschema_rs.validator_for(json.loads(SCHEMA.read_text("utf-8"))).validate(json.loads(data))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"format": 2}, "format"),
        ({"devices": [{"namespace": "a"}]}, "name"),
        ({"devices": [{"namespace": "a", "name": "b", "seconds": {"asleep": 1}}]}, "asleep"),
        ({"resolution": -1}, "resolution"),
        ({"more": 1}, "more"),
    ],
)
def test_a_wrong_record_is_refused_with_its_name(change: dict[str, Any], words: str) -> None:
    body = json.loads(write_record(Record())) | change
    with pytest.raises(RefusedInput, match=f"run.json .*{words}"):
        read_record(json.dumps(body).encode(), "run.json")


def test_a_broken_file_is_refused() -> None:
    with pytest.raises(RefusedInput, match=r"run\.json is no record"):
        read_record(b'{"format":1,"kind":"StageTimes"', "run.json")


def test_spans_that_touch_are_not_at_once() -> None:
    assert most_at_once([(0, 2), (2, 3), (1, 4), (5, 6)]) == 2
    assert most_at_once([]) == 0


def test_delays_are_found_again() -> None:
    found = estimated(start(60, 3, batch=20), REAL)
    for name, low, high in (("sandbox", 1, 3), ("boot", 4, 8), ("plan", 0, 0.4)):
        step = getattr(found, name)
        assert step.rate == 0
        assert step.origin.devices == 60
        assert low <= step.delay.seconds[0] <= step.delay.longest <= high + 0.001
        assert step.delay.median == pytest.approx((low + high) / 2, rel=0.15)
    assert found.write.delay.median == pytest.approx(0.02)


def test_a_limit_that_makes_devices_wait_is_found_and_one_that_does_not_is_not() -> None:
    slow = REAL._replace(plan=between(0.0, 0.4, rate=5.0))
    assert estimated(start(60, 3), slow).plan.rate == pytest.approx(5.0, rel=0.15)
    assert estimated(start(60, 3, rate=2.0), slow).plan.rate == 0


def test_sandboxes_made_one_by_one_on_a_host_are_found() -> None:
    one_by_one = REAL._replace(sandbox=between(0.1, 0.3, rate=0.5, per_host=True))
    step = estimated(start(45, 3), one_by_one).sandbox
    assert step.per_host
    assert step.rate == pytest.approx(0.5, rel=0.15)


@pytest.mark.parametrize("rate", [7.0, 20.0, 60.0])
def test_the_limit_of_the_controllers_is_found(rate: float) -> None:
    limited = CONTROLLER._replace(rate=rate, burst=round(rate * 1.5))
    stages = REAL._replace(replica_set=limited, pod=limited._replace(first=2))
    found = estimated(start(150, 3), stages)
    assert found.replica_set.rate == pytest.approx(rate, rel=0.2)
    assert found.pod.rate == found.replica_set.rate


def test_without_a_backlog_the_default_limit_stays() -> None:
    found = estimated(start(12, 3, rate=1.0), REAL)
    assert found.replica_set.rate == BUILT_IN.replica_set.rate
    assert "default" in found.replica_set.origin.text


def test_grants_before_and_after_the_sandbox_are_told_apart() -> None:
    found = estimated(start(12, 2, cap=2), REAL)
    assert found.granted_early.delay.longest <= 0.4
    assert found.granted_late.delay.seconds[0] >= 1.0


def test_what_no_record_shows_is_built_in() -> None:
    device = DeviceTimes("a", "b", "h", {ms.CREATED: 0.0, ms.ADMITTED: 1.0, ms.DEPLOYMENT: 2.0})
    found = stage_times([Record(devices=(device,))])
    assert found.plan.delay.median == 1.0
    assert found.boot == BUILT_IN.boot
    assert found.replica_set == BUILT_IN.replica_set


def test_how_far_a_record_reaches_is_known() -> None:
    scenario = start(12, 3, batch=4, cap=2)
    seen = estimated(scenario, REAL).seen
    assert (seen.devices, seen.hosts, seen.batch) == (12, 3, 4)
    assert seen.boots_per_host == 2


def test_objects_show_the_same_times_as_watches(tmp_path: Path) -> None:
    scenario = start(20, 3, batch=8)
    outcome = play(scenario, REAL)
    (tmp_path / "a.json").write_text(json.dumps(saved(scenario, outcome)), "utf-8")
    source = read_source([str(tmp_path)], {})
    assert source.found is not None
    watched = {one.name: one for one in record_of(scenario, outcome).devices}
    for device in source.found.record.devices:
        other = watched[device.name]
        assert device.host == other.host
        assert set(other.seconds) - set(device.seconds) == {ms.ADMITTED}
        for milestone, seconds in device.seconds.items():
            assert seconds == pytest.approx(other.seconds[milestone], abs=1)


def test_two_clusters_at_once_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_text(json.dumps(saved(start(1), play(start(1)))), "utf-8")
    with pytest.raises(UsageError, match="besides it"):
        read_source(["live", str(file)], {})
