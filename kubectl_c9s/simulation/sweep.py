"""Several combinations of limits, several runs of each: what they have in common, and how far they lie apart."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, TypeAlias

from msgspec.structs import replace

from kubectl_c9s.resources.simulated import Batches, Combination, HostPeaks, Moment, Spread
from kubectl_c9s.simulation.engine import simulate
from kubectl_c9s.simulation.milestones import READY, SANDBOX, STARTED
from kubectl_c9s.simulation.tally import COUNTED, UNREADY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from kubectl_c9s.rollout.limits import Limits
    from kubectl_c9s.simulation.engine import Chance, Outcome
    from kubectl_c9s.simulation.scenario import Scenario
    from kubectl_c9s.simulation.stages import StageTimes

MOMENTS: Final = 60
"""Moments of a timeline, the beginning not counted."""
_UNTIL: Final = {"sandboxes": SANDBOX, "started": STARTED, "ready": READY}

Chances: TypeAlias = "Callable[[int], Chance]"
"""Gives the chance of a run by its number. Every combination takes the same, so that they differ by limits alone."""


def sweep(
    scenario: Scenario,
    stages: StageTimes,
    combinations: Iterable[Limits],
    chances: Chances,
    runs: int,
) -> Iterator[Combination]:
    """Simulate each combination ``runs`` times."""
    for limits in combinations:
        start = replace(scenario.snapshot, batch=limits.batch, per_host=limits.per_host)
        limited = scenario._replace(snapshot=start)
        outcomes = [simulate(limited, stages, chances(run)) for run in range(runs)]
        yield _combination(limits, scenario, outcomes)


def _combination(limits: Limits, scenario: Scenario, outcomes: Sequence[Outcome]) -> Combination:
    ordered = sorted(outcomes, key=_end)
    stuck = [sum(READY not in times for times in one.times.values()) for one in outcomes]
    return Combination(
        limits.batch,
        limits.per_host,
        {name: _until(outcomes, milestone) for name, milestone in _UNTIL.items()},
        max(stuck),
        _peaks("", outcomes),
        {host: _peaks(host, outcomes) for host in scenario.hosts},
        _batches(outcomes),
        timeline(ordered[(len(ordered) - 1) // 2]),
    )


def _end(outcome: Outcome) -> float:
    return max((max(times.values()) for times in outcome.times.values() if times), default=0.0)


def _until(outcomes: Sequence[Outcome], milestone: str) -> Spread | None:
    found = [outcome.until_all(milestone) for outcome in outcomes]
    known = [one for one in found if one is not None]
    return spread(known) if len(known) == len(found) else None


def spread(values: Sequence[float]) -> Spread:
    """Give the least, the median and the greatest of at least one value."""
    ordered = sorted(values)
    half = len(ordered) // 2
    middle = ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2
    return Spread(ordered[0], middle, ordered[-1])


def _peaks(host: str, outcomes: Sequence[Outcome]) -> HostPeaks:
    kinds = (UNREADY, "booting", "queued")
    return HostPeaks(*(max(one.tally.peaks[kind][host] for one in outcomes) for kind in kinds))


def _batches(outcomes: Sequence[Outcome]) -> Batches | None:
    if not any(outcome.batches for outcome in outcomes):
        return None
    sizes: list[float] = []
    seconds: list[float] = []
    for outcome in outcomes:
        for batch in outcome.batches:
            sizes.append(len(batch.primaries))
            ends = [outcome.times[uid].get(SANDBOX) for uid in batch.primaries]
            seconds.extend([max(filter(None, ends)) - batch.seconds] if all(ends) else [])
    counts = [float(len(outcome.batches)) for outcome in outcomes]
    return Batches(spread(counts), spread(sizes), spread(seconds or [0.0]))


def timeline(outcome: Outcome) -> tuple[Moment, ...]:
    """Give the counts at evenly spaced times, the last of which is the end."""
    end = _end(outcome)
    changes = sorted(outcome.tally.changes, key=lambda change: change[0])
    counts: Counter[str] = Counter()
    found, index = [], 0
    for number in range(MOMENTS + 1):
        seconds = end * number / MOMENTS
        while index < len(changes) and (changes[index][0] <= seconds or number == MOMENTS):
            counts[changes[index][1]] += changes[index][2]
            index += 1
        found.append(Moment(seconds, *(counts[name] for name in COUNTED)))
    return tuple(found)
