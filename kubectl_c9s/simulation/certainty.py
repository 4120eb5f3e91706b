"""How sure a forecast is: what its figures rest on, and where it goes beyond what was recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kubectl_c9s.resources.listing import some
from kubectl_c9s.resources.simulated import StageFigures
from kubectl_c9s.simulation.milestones import (
    ADMITTED,
    DEPLOYMENT,
    GRANTED,
    PASSED,
    POD,
    REPLICA_SET,
    SCHEDULED,
    STARTED,
)
from kubectl_c9s.simulation.stages import Step

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from kubectl_c9s.resources.simulated import Combination
    from kubectl_c9s.simulation.scenario import Scenario
    from kubectl_c9s.simulation.stages import Seen, StageTimes

FEW: Final = 20
"""Fewer recorded devices than this behind a step are few: ours."""
HEALTHY: Final = 60.0
"""Seconds for which nobody is called slow (diagnosis.md §5)."""
_NAMED: Final = 3
_STEP_AFTER: Final = {
    ADMITTED: "plan",
    DEPLOYMENT: "replica_set",
    REPLICA_SET: "pod",
    POD: "schedule",
    SCHEDULED: "sandbox",
    GRANTED: "granted_late",
    PASSED: "boot",
    STARTED: "ready",
}
MAX_PODS: Final = 110
"""Pods that a kubelet takes unless it is told otherwise."""


def figures(stages: StageTimes) -> Iterator[StageFigures]:
    """Give what each step was taken to be."""
    for name, step in stages.steps():
        delay, origin = step.delay, step.origin
        unit = (
            "requests"
            if not isinstance(step, Step)
            else "devices a host"
            if step.per_host
            else "devices"
        )
        known = (delay.median, delay.p95, delay.longest)
        yield StageFigures(name, origin.text, origin.devices, *known, step.rate, unit)  # fmt: skip


def notes(
    stages: StageTimes, devices: int, hosts: int, combinations: Sequence[Combination]
) -> Iterator[str]:
    """Say in sentences what speaks against taking the forecast at its word."""
    recorded = [step.origin.devices for _, step in stages.steps()]
    if not any(recorded):
        yield "no record was given: all stage times are published figures of one installation"
    elif thin := [n for n, step in stages.steps() if not step.origin.devices]:
        yield f"built in, as no record shows them: {', '.join(thin)}"
    few = [count for count in recorded if 0 < count < FEW]
    if few:
        yield f"a step rests on {min(few)} recorded devices: rare delays are not among them"
    if any(recorded):
        yield from _beyond(stages.seen, devices, hosts, combinations)
    if any(one.max_concurrent_per_host for one in combinations):
        yield from _capped(stages)
    if hosts and devices > hosts * MAX_PODS:
        yield f"more than {MAX_PODS} Pods a host: kubelets take so many only when they are told to (maxPods)"
    for one in combinations:
        if one.unfinished:
            limits = f"batch size {one.batch_size}, {one.max_concurrent_per_host} a host"
            yield f"{one.unfinished} device(s) never become ready ({limits}): something holds them for good"


def _beyond(
    seen: Seen, devices: int, hosts: int, combinations: Iterable[Combination]
) -> Iterator[str]:
    if devices > seen.devices:
        yield f"{devices} devices, {seen.devices} recorded: what grows with their number is extrapolated"
    if seen.hosts and hosts != seen.hosts:
        yield f"{hosts} hosts, {seen.hosts} recorded: placement and load of a host are extrapolated"
    waves = [min(one.batch_size or devices, devices) for one in combinations]
    if waves and max(waves) > seen.batch:
        yield f"{max(waves)} devices at once, at most {seen.batch} recorded"
    for what, limit, peaks in (
        ("boots", seen.boots_per_host, [h.boots for c in combinations for h in c.hosts.values()]),
        ("sandboxes in the making", seen.sandboxes_per_host,
         [h.sandboxes for c in combinations for h in c.hosts.values()]),
    ):  # fmt: skip
        if peaks and max(peaks) > limit:
            yield f"{what}: {max(peaks)} at once on a host, at most {limit} recorded; a fuller host may be slower"


def _capped(stages: StageTimes) -> Iterator[str]:
    yield "boots take as long as recorded, however many a host has at once: what a limit spares a host is not counted"
    if not stages.granted_late.origin.devices:
        yield "how long a grant takes to reach its Pod was not recorded; 1 to 90 seconds are taken"


def overdue(scenario: Scenario, stages: StageTimes) -> Iterator[str]:
    """Say which devices of a start that goes on are longer in a step than it was ever seen to take.

    They count as through at once: a forecast does not know of devices that are stuck.
    """
    names = {node.uid: node.full_name for node in scenario.snapshot.nodes}
    late = sorted(
        names[uid]
        for uid, begun in scenario.begun.items()
        if (step := _STEP_AFTER.get(begun.milestone)) is not None
        and begun.since > max(HEALTHY, getattr(stages, step).delay.longest)
    )
    if late:
        yield (
            f"longer in a step than any recorded device: {some(late, _NAMED)}; a forecast takes them to be"
            " through now, 'kubectl c9s diagnose' says whether they are stuck"
        )
