"""Stage times that are easy to reckon with, and starts to try them on."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from kubectl_c9s.simulation.distribution import Distribution
from kubectl_c9s.simulation.engine import simulate
from kubectl_c9s.simulation.recording import DeviceTimes, LimitsThen, Record
from kubectl_c9s.simulation.scenario import Wish, host_names, made_up
from kubectl_c9s.simulation.stages import Client, Origin, StageTimes, Step

if TYPE_CHECKING:
    from collections.abc import Callable

    from kubectl_c9s.simulation.engine import Outcome
    from kubectl_c9s.simulation.scenario import Scenario

MADE_UP = Origin("made up")
UNLIMITED = Client(1, MADE_UP, rate=0.0)


def always(seconds: float, **fields: Any) -> Step:
    """Make a step that takes so long for everybody."""
    return Step(Distribution(seconds=(seconds, seconds)), MADE_UP, **fields)


def between(low: float, high: float, **fields: Any) -> Step:
    """Make a step that takes anything between two times."""
    return Step(Distribution(seconds=(low, high)), MADE_UP, **fields)


# Planned in 1 s, a sandbox in 2 s, booted in 3 s, ready in 1 s; writes and the controllers take no time.
PLAIN = StageTimes(
    write=always(0),
    plan=always(1),
    replica_set=UNLIMITED,
    pod=UNLIMITED,
    schedule=always(0),
    sandbox=always(2),
    granted_early=always(0.5),
    granted_late=always(1),
    boot=always(3),
    ready=always(1),
)


def chance(seed: int = 0) -> Callable[[], float]:
    """Give chance that is the same for the same seed."""
    return random.Random(seed).random  # noqa: S311 - no secret


def start(devices: int, hosts: int = 1, *, batch: int = 0, cap: int = 0, **wish: Any) -> Scenario:
    """Make a start of new devices under limits of the Config."""
    scenario = made_up(Wish(devices, host_names(hosts), **wish))
    limited = replace(scenario.snapshot, batch=batch, per_host=cap)
    return scenario._replace(snapshot=limited)


def play(scenario: Scenario, stages: StageTimes = PLAIN, seed: int = 0) -> Outcome:
    """Simulate a start."""
    return simulate(scenario, stages, chance(seed))


def times(outcome: Outcome, milestone: str) -> list[float]:
    """Give when the devices reached a milestone, in the order of their names."""
    return [round(found[milestone], 6) for _, found in sorted(outcome.times.items())]


def record_of(scenario: Scenario, outcome: Outcome) -> Record:
    """Write down a simulated start as watches would."""
    hosts = {pod.node_uid: pod.host for pod in outcome.pods}
    devices = []
    for uid, found in sorted(outcome.times.items()):
        namespace, _, name = uid.partition("/")
        devices.append(DeviceTimes(namespace, name, hosts.get(uid, ""), found))
    limits = LimitsThen(scenario.snapshot.batch, scenario.snapshot.per_host)
    return Record(rollout=limits, devices=tuple(devices))
