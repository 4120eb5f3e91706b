"""The parts of a start as tables: under which conditions it took place, when it was done, and its stages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kubectl_c9s.measurement.run import POD, READY, SANDBOX
from kubectl_c9s.measurement.stages import CLOCKS, SINCE
from kubectl_c9s.output.measuretables import NOTHING, Table, facts, seconds

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kubectl_c9s.measurement.report import StartReport, Total
    from kubectl_c9s.measurement.run import Limits
    from kubectl_c9s.measurement.stages import Clock, StageTiming

GROUPS: Final = {"step": "step", "bridge": "span", "whole": "whole"}
_STAGE_HEAD: Final = (
    "stage", "kind", "times", "devices", "min", "median", "mean", "p95", "max", "left out",
)  # fmt: skip


def ready_devices(one: StartReport) -> int:
    """Give how many devices were ready in the end, by whichever kind of time tells."""
    return max(one.reached[clock].get("ready", 0) for clock in CLOCKS)


def limits_text(limits: Limits | None) -> str | None:
    """Say a rollout policy."""
    if limits is None:
        return None
    return f"batchSize {limits.batch_size or 'off'}, maxConcurrentPerHost {limits.max_concurrent_per_host or 'off'}"


def manifest_table(one: StartReport) -> Table:
    """Say under which conditions a start took place."""
    told = one.manifest
    lab = {name: limits_text(limits) for name, limits in sorted(told.topology_limits.items())}
    return facts(
        "Conditions",
        [
            ("workload", told.workload),
            ("lab", "/".join(filter(None, (told.namespace, told.lab)))),
            ("definition", told.definition),
            ("Kubernetes", told.server),
            ("recorded with", told.tool),
            ("begun (local clock)", told.local_start),
            ("stamps count from", f"{one.anchor.kind} {one.anchor.name}" if one.anchor else None),
            ("limits", limits_text(told.limits)),
            *((f"limits of {name}", text) for name, text in lab.items()),
            (
                "planner replicas",
                None if told.planner_replicas is None else str(told.planner_replicas),
            ),
            ("hosts", str(told.hosts or "")),
            ("address families", ", ".join(told.families)),
            ("images on the hosts", told.image_state),
            *((f"image {name}", identity) for name, identity in sorted(told.images.items())),
            *(("image of the manager", name) for name in told.manager_images),
        ],
    )


def totals_table(one: StartReport) -> Table:
    """Say when the whole start had reached what, by both kinds of time."""
    rows = [
        (f"last {name}", "stamped", seconds(at, "stamped"), NOTHING)
        for name, at in one.last.items()
    ]
    rows += [
        (
            f"all {name}",
            one.clock,
            seconds(total.since_start, one.clock),
            seconds(total.since_recording),
        )
        for name, total in sorted(one.overall.items(), key=lambda pair: _when(pair[1]))
    ]
    return Table(
        "The whole start",
        ("reached", "times", "since the start", "since recording"),
        rows,
        "Stamped times count from the anchor, observed ones from the first that was seen of any device.",
    )


def _when(total: Total) -> float:
    return total.since_recording or total.since_start or 0.0


def longest_table(one: StartReport) -> Table:
    """Say where the time went."""
    rows = [
        (longest.clock, longest.stage, seconds(longest.median, longest.clock), str(longest.devices))
        for longest in one.longest
    ]
    return Table(
        "Where the time went",
        ("times", "longest step", "median", "devices"),
        rows,
        "The step in which devices spent most time at the median. Steps of different devices overlap.",
    )


def stages_table(title: str, stages: Iterable[StageTiming], told: str = "") -> Table:
    """Give the distributions of stages, a row for each kind of time."""
    rows = [_stage(one, clock) for one in stages for clock in CLOCKS]
    return Table(title, _STAGE_HEAD, [row for row in rows if row], told)


def main_stages(one: StartReport) -> list[StageTiming]:
    """Leave out bridges that pass over what is known: they repeat the steps below them."""
    return [
        stage
        for stage in one.stages
        if stage.counts_as_step or stage.group == "whole" or stage.stamped.negative
    ]


def main_moments(one: StartReport) -> list[StageTiming]:
    """Give the times since the start of Pods, sandboxes and Ready."""
    names = {f"{milestone}{SINCE}" for milestone in (POD, SANDBOX, READY)}
    return [moment for moment in one.since_start if moment.name in names]


def _stage(one: StageTiming, clock: Clock) -> tuple[str, ...]:
    timing = one.by(clock)
    found = timing.seconds
    if not found.count and not timing.negative:
        return ()
    figures = (found.min, found.p50, found.mean, found.p95, found.max)
    return (
        one.name,
        GROUPS[one.group],
        clock,
        str(found.count),
        *(seconds(value, clock) for value in figures),
        str(timing.negative or NOTHING),
    )
