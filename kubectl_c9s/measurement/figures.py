"""The single figures of a start that comparisons look at, each under a key that other starts have, too."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubectl_c9s.measurement.report import StartReport
    from kubectl_c9s.measurement.stages import Clock

Kind = Literal["stage", "since-start", "total", "count"]
Which = Literal["p50", "p95", "value"]
SECONDS: Final = "s"


class Key(NamedTuple):
    """What a figure tells. ``clock`` is None for a count, and ``unit`` is seconds for all others."""

    kind: Kind
    name: str
    which: Which
    clock: Clock | None
    unit: str = SECONDS


def figures(report: StartReport) -> dict[Key, float]:
    """Give all figures of a start that can be compared."""
    return dict([*_stages(report), *_totals(report), *_counts(report)])


def _stages(report: StartReport) -> Iterator[tuple[Key, float]]:
    kinds: tuple[tuple[Kind, str], ...] = (("stage", "stages"), ("since-start", "since_start"))
    clocks: tuple[Clock, ...] = ("stamped", "observed")
    for kind, field in kinds:
        for one in getattr(report, field):
            for clock in clocks:
                if kind == "since-start" and clock == "observed" and report.unseen:
                    continue  # the first that was seen of any device was not its beginning
                seconds = one.by(clock).seconds
                if seconds.p50 is not None and seconds.p95 is not None:
                    yield Key(kind, one.name, "p50", clock), seconds.p50
                    yield Key(kind, one.name, "p95", clock), seconds.p95


def _totals(report: StartReport) -> Iterator[tuple[Key, float]]:
    for milestone, seconds in report.last.items():
        yield Key("total", f"last {milestone}", "value", "stamped"), seconds
    for name, total in report.overall.items():
        if total.since_start is not None:
            yield Key("total", f"all {name}", "value", report.clock), total.since_start


def _counts(report: StartReport) -> Iterator[tuple[Key, float]]:
    def count(name: str, unit: str, value: float) -> tuple[Key, float]:
        return Key("count", name, "value", None, unit), value

    if report.peak is not None:
        yield count(f"most boots on a host, {report.clock}", "boots", report.peak)
    came = report.arrivals["stamped"] or report.arrivals["observed"]
    if came:
        yield count("arrivals", "Pods/s", came.per_second)
    churn, devices = report.churn, report.devices
    if churn is None or not devices:
        return
    yield count("Events", "per device", sum(churn.events.values()) / devices)
    yield count(
        "revisions of objects",
        "per device",
        sum(one.revisions for one in churn.kinds.values()) / devices,
    )
    if churn.void:
        return
    if churn.requests:
        yield count("requests", "per device", sum(one.count for one in churn.requests) / devices)
    if churn.too_many is not None:
        yield count("answers 429", "answers", churn.too_many)
    if churn.rejected:
        yield count("rejected by queues", "requests", sum(churn.rejected.values()))
