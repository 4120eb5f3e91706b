"""Two reports of a manager compared: per metric before, after and change, and what of it is notable.

Nothing is refused: what makes the two unequal is said (another version, another Pod, another length).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias

import msgspec

from kubectl_c9s.measurement.managerreading import share

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubectl_c9s.measurement.managerfigures import Client, Controller, Process, Queue
    from kubectl_c9s.measurement.managerjudge import Level
    from kubectl_c9s.measurement.managerreport import Report

KIND: Final = "DiagnosticsComparison"
_FACTOR: Final = 1.25
"""A quarter more or less is beyond what two captures of an even load differ by."""
_LENGTH: Final = 2.0
_MIB: Final = 2**20
_Key: TypeAlias = tuple[str, str, str]
"""Of a figure: its name, its controller or queue (empty for the manager), its unit."""


class Floor(NamedTuple):
    """The least change that is notable in a unit: below it, a factor of any size is chance."""

    least: float
    reason: str


FLOORS: Final = {
    "/s": Floor(
        0.5, "an event more or less in a capture of 30 s is 0.03/s; periodic work adds some"
    ),
    "s": Floor(0.01, "bounds of the histograms' buckets are as far apart below it"),
    "share": Floor(0.01, "one in a hundred"),
    "items": Floor(10, "a queue's depth is of one moment"),
    "workers": Floor(0.2, "a fifth of a worker"),
    "cores": Floor(0.05, "a twentieth of a core"),
    "MiB": Floor(16, "memory moves by as much between two collections"),
    "count": Floor(20, "goroutines and files come and go with requests"),
}


class Change(msgspec.Struct, rename="camel", frozen=True):
    """A figure of both; None where it is not available. ``change`` is after less before."""

    metric: str
    subject: str
    unit: str
    before: float | None
    after: float | None
    change: float | None
    notable: bool


class LevelChange(msgspec.Struct, rename="camel", frozen=True):
    """A judgement that is another one now; None where it could not be judged."""

    name: str
    subject: str
    before: Level | None
    after: Level | None


class Comparison(msgspec.Struct, rename="camel", frozen=True, kw_only=True):
    """Two reports, what changed, and in what the captures are unequal (``differences``, in words)."""

    format: Literal[1] = 1
    kind: Literal["DiagnosticsComparison"] = KIND
    before: Report
    after: Report
    differences: tuple[str, ...]
    changes: tuple[Change, ...]
    levels: tuple[LevelChange, ...]


def compare(before: Report, after: Report) -> Comparison:
    """Compare two reports; every figure that one of them has is listed, in the order of the tables."""
    old, new = dict(_figures(before)), dict(_figures(after))
    changes = (_change(key, old.get(key), new.get(key)) for key in {**old, **new})
    return Comparison(
        before=before,
        after=after,
        differences=tuple(_differences(before, after)),
        changes=tuple(one for one in changes if not (one.before is None and one.after is None)),
        levels=tuple(_levels(before, after)),
    )


def _change(key: _Key, before: float | None, after: float | None) -> Change:
    metric, subject, unit = key
    if before is None or after is None:
        return Change(metric, subject, unit, before, after, None, notable=False)
    change = after - before
    low, high = sorted((abs(before), abs(after)))
    notable = abs(change) >= FLOORS[unit].least and high >= _FACTOR * low
    return Change(metric, subject, unit, before, after, change, notable)


def _levels(before: Report, after: Report) -> Iterator[LevelChange]:
    old, new = (
        {(each.name, each.subject): each.level for each in one.judgements}
        for one in (before, after)
    )
    for name, subject in {**old, **new}:
        was, now = old.get((name, subject)), new.get((name, subject))
        if was != now and {was, now} != {"ok", None}:
            yield LevelChange(name, subject, was, now)


def _differences(before: Report, after: Report) -> Iterator[str]:
    old, new = before.facts, after.facts
    if old.image and new.image and old.image != new.image:
        yield f"another version of the manager: {old.image}, then {new.image}"
    elif old.image_id and new.image_id and old.image_id != new.image_id:
        yield f"another version under the same name: {old.image_id}, then {new.image_id}"
    if old.pod and new.pod and old.pod != new.pod:
        yield f"another Pod: {old.pod}, then {new.pod}"
    first, second = before.figures.process.started, after.figures.process.started
    if first is not None and second is not None and abs(first - second) > 1.5:  # noqa: PLR2004 - see metrics.py
        yield "another process of the manager: queues and caches were filled anew in between"
    elif first is not None and first == second and _went_down(before, after):
        yield "the second capture is older than the first: its counters are lower"
    for one, which in ((before, "first"), (after, "second")):
        if one.void:
            yield f"the {which} has no rates: {one.void}"
    if (
        old.elapsed
        and new.elapsed
        and max(old.elapsed, new.elapsed) > _LENGTH * min(old.elapsed, new.elapsed)
    ):
        yield f"they are of unequal length: {old.elapsed:.0f} s and {new.elapsed:.0f} s"


def _went_down(before: Report, after: Report) -> bool:
    old, new = before.figures.client.made.total, after.figures.client.made.total
    return old is not None and new is not None and new < old


def _figures(report: Report) -> Iterator[tuple[_Key, float | None]]:
    for controller in report.figures.controllers:
        yield from _of_controller(controller)
    for queue in report.figures.queues:
        yield from _of_queue(queue)
    yield from _of_client(report.figures.client)
    yield from _of_process(report.figures.process)


def _of_controller(one: Controller) -> Iterator[tuple[_Key, float | None]]:
    rate = sum(one.reconciles.values()) if one.reconciles is not None else None
    yield ("reconciles", one.name, "/s"), rate
    yield ("reconcile-errors", one.name, "share"), one.error_share
    yield ("reconcile-mean", one.name, "s"), one.time.mean
    yield ("reconcile-p95", one.name, "s"), one.time.p95
    yield ("busy", one.name, "workers"), one.busy
    yield ("workers", one.name, "workers"), one.workers


def _of_queue(one: Queue) -> Iterator[tuple[_Key, float | None]]:
    yield ("depth", one.name, "items"), one.depth
    yield ("adds", one.name, "/s"), one.adds
    yield ("retries", one.name, "/s"), one.retries
    yield ("queue-latency-mean", one.name, "s"), one.latency.mean
    yield ("queue-latency-p95", one.name, "s"), one.latency.p95
    yield ("longest-running", one.name, "s"), one.longest


def _of_client(one: Client) -> Iterator[tuple[_Key, float | None]]:
    made, written = one.made.rise, one.written.rise
    yield ("requests", "", "/s"), one.rate
    yield ("too-many-requests", "", "share"), share(one.too_many.rise, made)
    yield ("conflicts", "", "share"), share(one.conflicts.rise, written)
    yield ("server-errors", "", "share"), share(one.server_errors.rise, made)
    yield ("request-mean", "", "s"), one.latency.mean
    yield ("request-p95", "", "s"), one.latency.p95
    yield ("client-throttling-p95", "", "s"), one.throttling.p95


def _of_process(one: Process) -> Iterator[tuple[_Key, float | None]]:
    yield ("cpu", "", "cores"), one.cores
    yield ("memory", "", "MiB"), None if one.memory is None else one.memory / _MIB
    yield ("goroutines", "", "count"), one.goroutines
    yield ("collection-pauses", "", "share"), one.pauses
