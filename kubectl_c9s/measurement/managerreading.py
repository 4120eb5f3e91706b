"""From scrapes of a manager to its figures."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import msgspec

from kubectl_c9s.measurement import managermetrics as metric
from kubectl_c9s.measurement.histograms import quantile_of
from kubectl_c9s.measurement.managerfigures import (
    Client,
    Controller,
    Count,
    Figures,
    Process,
    Queue,
    Requests,
    Times,
)
from kubectl_c9s.measurement.metricstext import START

if TYPE_CHECKING:
    from kubectl_c9s.measurement.metrics import Scrape

_P50: Final = 0.5
_P95: Final = 0.95


class _Reading(msgspec.Struct):
    """The last scrape, what rose before it (empty when that is void), and over how many seconds."""

    last: Scrape
    risen: Scrape
    seconds: float | None

    def gauge(self, name: str, /, **where: str) -> float | None:
        return finite(self.last.total(name, **where)) if self._exists(name, where) else None

    def count(self, name: str, /, **where: str) -> Count:
        return Count(
            finite(self.last.total(name, **where)), finite(self.risen.total(name, **where))
        )

    def rate(self, name: str, /, **where: str) -> float | None:
        return (
            self.per_second(self.count(name, **where).rise) if self._exists(name, where) else None
        )

    def per_second(self, rise: float | None) -> float | None:
        return None if rise is None or not self.seconds else rise / self.seconds

    def times(self, name: str, /, **where: str) -> Times:
        found = self.risen.histogram(name, **where)
        if found is None or not found.count:
            return Times()
        p95 = quantile_of(found, _P95)
        above = p95 is not None and p95 == found.largest
        return Times(found.mean, quantile_of(found, _P50), p95, above)

    def _exists(self, name: str, where: dict[str, str]) -> bool:
        return next(self.last.samples(name, **where), None) is not None


def figures_of(last: Scrape, risen: Scrape, seconds: float | None) -> Figures:
    """Read the figures: gauges from the last scrape, rates from what rose in so many seconds before it."""
    reading = _Reading(last, risen, seconds)
    controllers = {
        key
        for name in (metric.RECONCILES, metric.WORKERS)
        for (key,) in last.by(name, "controller")
    }
    queues = {key for name in (metric.DEPTH, metric.ADDS) for (key,) in last.by(name, "name")}
    leads = last.by(metric.LEADER, "name").values()
    return Figures(
        leader=any(leads) if leads else None,
        controllers=tuple(_controller(reading, name) for name in sorted(controllers)),
        queues=tuple(_queue(reading, name) for name in sorted(queues)),
        client=_client(reading),
        process=_process(reading),
    )


def _controller(reading: _Reading, name: str) -> Controller:
    by_result = reading.risen.by(metric.RECONCILES, "result", controller=name)
    finished = finite(reading.risen.total(metric.RECONCILES, controller=name))
    spent = finite(reading.risen.total(f"{metric.RECONCILE_TIME}_sum", controller=name))
    rates = {
        result: rate
        for (result,), rise in by_result.items()
        if (rate := reading.per_second(finite(rise))) is not None
    }
    time = reading.times(metric.RECONCILE_TIME, controller=name)
    workers = reading.gauge(metric.WORKERS, controller=name)
    return Controller(
        name,
        finished,
        rates or None,
        share(by_result.get(("error",), 0.0), finished),
        time,
        reading.gauge(metric.ACTIVE, controller=name),
        workers,
        reading.per_second(spent),
        _backlog(reading, name, workers, time.mean),
        *(
            reading.count(metric, controller=name)
            for metric in (metric.ERRORS, metric.TERMINAL, metric.PANICS, metric.TIMEOUTS)
        ),
    )


def _backlog(
    reading: _Reading, name: str, workers: float | None, mean: float | None
) -> float | None:
    depth = reading.gauge(metric.DEPTH, name=name)
    if mean is None:
        since = reading.last.histogram(metric.RECONCILE_TIME, controller=name)
        mean = since.mean if since else None
    return None if depth is None or mean is None or not workers else depth / workers * mean


def _queue(reading: _Reading, name: str) -> Queue:
    return Queue(
        name,
        reading.gauge(metric.DEPTH, name=name),
        reading.rate(metric.ADDS, name=name),
        reading.rate(metric.RETRIES, name=name),
        reading.times(metric.LATENCY, name=name),
        reading.times(metric.WORK, name=name),
        reading.gauge(metric.UNFINISHED, name=name),
        reading.gauge(metric.LONGEST, name=name),
    )


def _client(reading: _Reading) -> Client:
    made = reading.count(metric.REQUESTS)
    rates = (
        Requests(code, method, rate)
        for (code, method), rise in reading.risen.by(metric.REQUESTS, "code", "method").items()
        if rise and (rate := reading.per_second(finite(rise))) is not None
    )
    return Client(
        rate=reading.per_second(made.rise),
        requests=tuple(sorted(rates, key=lambda one: (-one.rate, one.code, one.method))),
        made=made,
        written=_answers(reading, methods=("POST", "PUT", "PATCH", "DELETE")),
        too_many=_answers(reading, "429"),
        conflicts=_answers(reading, "409"),
        forbidden=_answers(reading, "401", "403"),
        server_errors=_answers(reading, "5"),
        unanswered=_answers(reading, "<"),
        retries=reading.count(metric.REQUEST_RETRIES),
        latency=reading.times(metric.REQUEST_TIME),
        throttling=reading.times(metric.THROTTLING),
    )


def _answers(reading: _Reading, *codes: str, methods: tuple[str, ...] = ()) -> Count:
    """Count requests whose code begins with one of the texts and whose method is one of the given; all by default."""

    def within(scrape: Scrape) -> float | None:
        if not scrape.has(metric.REQUESTS):
            return None
        return finite(math.fsum(
            value for (code, method), value in scrape.by(metric.REQUESTS, "code", "method").items()
            if code.startswith(codes or "") and (not methods or method in methods)
        ))  # fmt: skip

    return Count(within(reading.last), within(reading.risen))


def _process(reading: _Reading) -> Process:
    return Process(
        reading.gauge(START),
        reading.rate(metric.CPU),
        reading.gauge(metric.MEMORY),
        reading.gauge(metric.HEAP),
        reading.gauge(metric.GOROUTINES),
        reading.rate(f"{metric.PAUSES}_count"),
        reading.rate(f"{metric.PAUSES}_sum"),
        reading.gauge(metric.OPEN_FILES),
        reading.gauge(metric.MOST_FILES),
    )


def finite(value: float | None) -> float | None:
    """Give None for what is no number that can be shown."""
    return value if value is not None and math.isfinite(value) else None


def share(part: float | None, whole: float | None) -> float | None:
    """Give a part of the whole, None when either is not known or the whole is nothing."""
    return None if part is None or not whole else part / whole
