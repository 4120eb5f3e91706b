"""A simulation for people, as tables and notes, and for programs (docs/schemas/rollout-simulation.json)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from kubectl_c9s.output.columns import columns
from kubectl_c9s.output.safe_text import safe_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kubectl_c9s.resources.simulated import (
        Combination,
        HostPeaks,
        Moment,
        Simulation,
        Spread,
        StageFigures,
    )

_FORECASTS: Final = (
    "BATCH", "PER HOST", "SANDBOXES", "STARTED", "READY", "FROM-TO", "BATCHES", "BATCH TIME",
    "PEAK SANDBOXES", "PEAK BOOTS", "PEAK QUEUED",
)  # fmt: skip
_STAGES: Final = ("STAGE", "MEDIAN", "P95", "LONGEST", "AT MOST", "RECORDED", "FROM")
_MOMENTS: Final = (
    "SECONDS", "CREATED", "ADMITTED", "PODS", "SANDBOXES", "BOOTING", "QUEUED", "STARTED", "READY",
)  # fmt: skip
_SHOWN: Final = 6
"""Every how manieth moment a table shows."""


def table_lines(found: Simulation, *, wide: bool = False) -> Iterator[str]:
    """Give the forecasts, the stage times and the notes; ``wide`` adds a timeline for each forecast.

    Peaks are those of the whole installation and, behind the stroke, of the host with the highest.
    """
    yield f"{found.devices} devices on {found.hosts} hosts, {found.runs} run(s) each; {safe_text(found.source)}\n"
    yield "\n"
    yield from _table(_FORECASTS, map(_forecast, found.combinations))
    for one in found.combinations if wide else ():
        yield f"\n{title(one)}\n"
        yield from _table(_MOMENTS, map(_moment, one.timeline[::_SHOWN]))
    yield "\n"
    yield from _table(_STAGES, map(_stage, found.stages))
    yield "\n"
    yield from (f"note: {safe_text(note)}\n" for note in found.notes)


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    return (f"{line}\n" for line in columns([head, *rows]))


def title(one: Combination) -> str:
    """Name a combination of limits."""
    batch = f"batches of {one.batch_size}" if one.batch_size else "no batches"
    limit = one.max_concurrent_per_host
    return f"{batch}, {f'{limit} boots a host' if limit else 'no limit a host'}"


def _forecast(one: Combination) -> tuple[str, ...]:
    until = one.until
    ready = until["ready"]
    batches = one.batches
    return (
        str(one.batch_size or "off"),
        str(one.max_concurrent_per_host or "off"),
        *(_seconds(until[name]) for name in ("sandboxes", "started", "ready")),
        f"{ready.low:.1f}-{ready.high:.1f}s" if ready else "-",
        f"{batches.number.middle:.0f}" if batches else "-",
        _seconds(batches.seconds) if batches else "-",
        *(
            f"{overall}/{max(each, default=0)}"
            for overall, each in zip(one.peaks, _by_kind(one.hosts.values()), strict=True)
        ),
    )


def _by_kind(hosts: Iterable[HostPeaks]) -> list[tuple[int, ...]]:
    return list(zip(*hosts, strict=True)) or [(), (), ()]


def _seconds(spread: Spread | None) -> str:
    return "never" if spread is None else f"{spread.middle:.1f}s"


def _moment(moment: Moment) -> tuple[str, ...]:
    return (f"{moment.seconds:.1f}", *map(str, moment[1:]))


def _stage(one: StageFigures) -> tuple[str, ...]:
    return (
        one.stage,
        *(f"{value:.2f}s" for value in (one.median, one.p95, one.longest)),
        f"{one.per_second:.1f} {one.unit}/s" if one.per_second else "-",
        str(one.recorded or "-"),
        safe_text(one.origin),
    )


def simulation_json(found: Simulation) -> dict[str, Any]:
    """Give the simulation ready for an encoder, seconds to the millisecond."""
    return {
        "format": 1,
        "source": found.source,
        "devices": found.devices,
        "hosts": found.hosts,
        "runs": found.runs,
        "stages": [_stage_json(one) for one in found.stages],
        "combinations": [_combination_json(one) for one in found.combinations],
        "notes": list(found.notes),
    }


def _stage_json(one: StageFigures) -> dict[str, Any]:
    limit = {"perSecond": round(one.per_second, 3), "unit": one.unit} if one.per_second else None
    return {
        "stage": one.stage,
        "origin": one.origin,
        "recorded": one.recorded,
        "seconds": {name: round(getattr(one, name), 3) for name in ("median", "p95", "longest")},
        "limit": limit,
    }


def _combination_json(one: Combination) -> dict[str, Any]:
    batches = one.batches
    return {
        "batchSize": one.batch_size,
        "maxConcurrentPerHost": one.max_concurrent_per_host,
        "seconds": {name: _spread_json(spread) for name, spread in one.until.items()},
        "unfinished": one.unfinished,
        "batches": {
            "count": _spread_json(batches.number),
            "size": _spread_json(batches.size),
            "seconds": _spread_json(batches.seconds),
        }
        if batches
        else None,
        "peaks": one.peaks._asdict(),
        "hosts": {name: peaks._asdict() for name, peaks in one.hosts.items()},
        "timeline": [
            {**moment._asdict(), "seconds": round(moment.seconds, 3)} for moment in one.timeline
        ],
    }


def _spread_json(spread: Spread | None) -> dict[str, float] | None:
    if spread is None:
        return None
    return {
        name: round(value, 3) for name, value in zip(("min", "median", "max"), spread, strict=True)
    }
