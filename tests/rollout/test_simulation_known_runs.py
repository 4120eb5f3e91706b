"""The published runs (diagnosis.md §5) against the built-in stage times: how far off, as docs/simulate.md says.

None of these figures went into the stage times, except where the page says so.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest
from simulation_tools import chance, play, start

from kubectl_c9s.rollout.limits import Limits
from kubectl_c9s.simulation import milestones as ms
from kubectl_c9s.simulation.builtin import BUILT_IN
from kubectl_c9s.simulation.sweep import sweep

PAGE = Path(__file__).parents[2] / "docs/simulate.md"
HOSTS = 7
RUNS = 5


class Known(NamedTuple):
    """A recorded figure and the forecast, in seconds."""

    what: str
    recorded: float
    forecast: float

    def row(self) -> str:
        """Give the row of the page."""
        off = self.forecast / self.recorded - 1
        return f"| {self.what} | {self.recorded:g} s | {self.forecast:.1f} s | {off:+.0%} |"


def total(devices: int, batch: int) -> float:
    scenario, limits = start(devices, HOSTS), [Limits(batch)]
    (found,) = sweep(scenario, BUILT_IN, limits, chance, RUNS)
    ready = found.until["ready"]
    assert ready is not None
    return ready.middle


def until_replica_set(devices: int, batch: int) -> tuple[float, float, float]:
    """Give median, 95th of 100 and longest time from the Deployment."""
    outcome = play(start(devices, HOSTS, batch=batch), BUILT_IN)
    found = sorted(one[ms.REPLICA_SET] - one[ms.DEPLOYMENT] for one in outcome.times.values())
    return found[len(found) // 2], found[-(-95 * len(found) // 100) - 1], found[-1]


def last_sandbox_of_batches() -> list[float]:
    """Give for each batch the time from its last Deployment to its last sandbox."""
    outcome = play(start(1000, HOSTS, batch=100), BUILT_IN)
    found = []
    for batch in outcome.batches:
        devices = [outcome.times[uid] for uid in batch.primaries]
        found.append(
            max(one[ms.SANDBOX] for one in devices) - max(one[ms.DEPLOYMENT] for one in devices)
        )
    return sorted(found)


def known() -> list[Known]:
    batches, at_once = until_replica_set(1000, 100), until_replica_set(200, 0)
    last = last_sandbox_of_batches()
    until = "Deployment → ReplicaSet"
    until_sandbox = "1,000 in batches of 100: last Deployment → last sandbox of a batch"
    return [
        Known("1,000 devices in batches of 100: until all are ready", 315, total(1000, 100)),
        Known("50 devices in batches of 25: until all are ready", 36.3, total(50, 25)),
        Known(f"1,000 in batches of 100: {until}, median", 12, batches[0]),
        Known(f"1,000 in batches of 100: {until}, 95 of 100", 22, batches[1]),
        Known(f"1,000 in batches of 100: {until}, longest", 24, batches[2]),
        Known(f"200 at once: {until}, median", 14, at_once[0]),
        Known(f"200 at once: {until}, longest", 27, at_once[2]),
        Known(f"{until_sandbox}, shortest", 19, last[0]),
        Known(f"{until_sandbox}, longest", 27, last[-1]),
    ]


def test_the_page_says_how_far_off_the_known_runs_are() -> None:
    page = PAGE.read_text(encoding="utf-8")
    rows = [one.row() for one in known()]
    assert [row for row in rows if row not in page] == [], "\n".join(["the page wants:", *rows])


@pytest.mark.parametrize("batch", [25, 50, 100])
def test_at_200_devices_no_limit_beats_batches(batch: int) -> None:
    assert total(200, 0) < total(200, batch)


def test_no_built_in_figure_is_recorded() -> None:
    assert all(not step.origin.devices for _, step in BUILT_IN.steps())
    assert all(step.origin.text.startswith("built-in: ") for _, step in BUILT_IN.steps())
