"""Forecasts of a start that goes on: from any moment the rest is what was to come; stuck devices are named."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from saved_start import saved
from simulation_tools import PLAIN, always, chance, play, start

from kubectl_c9s.cli.rolloutsource import read_source
from kubectl_c9s.rollout.limits import Limits
from kubectl_c9s.simulation import milestones as ms
from kubectl_c9s.simulation.certainty import overdue
from kubectl_c9s.simulation.distribution import Distribution, points, recorded
from kubectl_c9s.simulation.engine import simulate
from kubectl_c9s.simulation.scenario import Begun, again, from_present
from kubectl_c9s.simulation.sweep import sweep

if TYPE_CHECKING:
    from pathlib import Path

    from kubectl_c9s.cli.rolloutsource import Source

# Whole seconds, as stamps have them: each step ends at one.
SLOW = PLAIN._replace(plan=always(4), sandbox=always(10), boot=always(20), ready=always(5))
# Passes come 0.25 s after events, and stamps are cut off: each batch may be a second off.
A_BATCH_OFF = 1.0


def read(folder: Path, batch: int, share: float) -> tuple[Source, float]:
    """Save a start when a share of its time is over and read it; give it, and the seconds until its true end."""
    scenario = start(6, 2, batch=batch)
    outcome = play(scenario, SLOW)
    end = outcome.until_all(ms.READY)
    assert end is not None
    at = share * end
    (folder / "saved.json").write_text(json.dumps(saved(scenario, outcome, at)), "utf-8")
    return read_source([str(folder)], {}), end - int(at)


@pytest.mark.parametrize("batch", [0, 2, 4])
@pytest.mark.parametrize("share", [0.0, 0.05, 0.15, 0.4, 0.6, 0.8, 0.95])
def test_the_rest_of_a_start_takes_as_long_as_it_took(
    tmp_path: Path, batch: int, share: float
) -> None:
    source, left = read(tmp_path, batch, share)
    assert source.objects is not None
    assert source.found is not None
    rest = from_present(source.objects.snapshot, source.found, source.hosts)
    found = simulate(rest, SLOW, chance())
    assert found.until_all(ms.READY) == pytest.approx(left, abs=A_BATCH_OFF * 3)
    assert len(found.times) == 6


def test_the_same_devices_can_be_started_anew(tmp_path: Path) -> None:
    source, _ = read(tmp_path, 2, 1.0)
    assert source.objects is not None
    assert source.found is not None
    assert source.found.unready == 0
    scenario = again(source.objects.snapshot, source.found, source.hosts)
    first, second = sweep(scenario, SLOW, [Limits(2), Limits()], chance, 1)
    assert first.until["ready"] == pytest.approx(
        [play(start(6, 2, batch=2), SLOW).until_all(ms.READY)] * 3
    )
    assert second.until["ready"] == pytest.approx([39.0] * 3)
    hosts = {one.name: one.host for one in source.found.record.devices}
    placed = simulate(scenario, SLOW, chance()).pods
    assert {pod.name.removesuffix("-0"): pod.host for pod in placed} == hosts


def test_nodes_come_as_fast_as_is_asked_for(tmp_path: Path) -> None:
    source, _ = read(tmp_path, 0, 1.0)
    assert source.objects is not None
    assert source.found is not None
    scenario = again(source.objects.snapshot, source.found, source.hosts, rate=0.5)
    assert [one.seconds for one in scenario.coming] == [0, 2, 4, 6, 8, 10]


def test_devices_that_are_stuck_are_named(tmp_path: Path) -> None:
    source, _ = read(tmp_path, 2, 0.05)
    assert source.objects is not None
    assert source.found is not None
    rest = from_present(source.objects.snapshot, source.found, source.hosts)
    assert list(overdue(rest, SLOW)) == []
    first = min(rest.begun)
    stuck = rest._replace(begun={**rest.begun, first: Begun(ms.SCHEDULED, 100.0)})
    (note,) = overdue(stuck, SLOW)
    assert f"recorded device: {first};" in note


def test_what_is_left_of_a_step_depends_on_what_is_over() -> None:
    step = Distribution(seconds=(10.0, 20.0))
    assert step.draw_rest(0.5, 0) == 15
    assert step.draw_rest(0.0, 15) == 0
    assert step.draw_rest(1.0, 15) == 5
    assert step.draw_rest(0.5, 30) == 0


def test_quantiles_are_straight_between_what_is_known() -> None:
    step = points((0, 0), (0.5, 1), (1, 5))
    assert [step.draw(share) for share in (0, 0.25, 0.5, 0.75, 1)] == [0, 0.5, 1, 3, 5]
    assert recorded([3, 1, 2]).median == 2
    assert recorded([7]).draw(0.3) == 7
    assert recorded([-1, 1]).draw(0) == 0
