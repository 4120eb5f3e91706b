"""Metrics of a process at a moment, and what its counters rose by between two (measurement.md §6).

A value that is not there is None ("not available"), never 0: of a counter with labels only those series exist that
have counted, so 0 is given for labels that no series has when others of the same name are there.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from kubectl_c9s.measurement.histograms import Histogram, histogram_of, quantile_of
from kubectl_c9s.measurement.metricstext import START, Series, Text, read_text

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

__all__ = ["START", "Histogram", "Sample", "Scrape", "Void", "delta", "quantile_of", "read_scrape"]

_SAME_START: Final = 1.5
"""Starts this close, in seconds, are one: a host derives them from its clock, in whole seconds."""
_COUNTED: Final = ("_total", "_count", "_sum", "_bucket")


class Sample(NamedTuple):
    """One value, with its labels by name."""

    name: str
    labels: Mapping[str, str]
    value: float


class Void(msgspec.Struct, frozen=True):
    """Why the counters of two scrapes cannot be compared, in words."""

    reason: str


class Scrape(msgspec.Struct, frozen=True):
    """Values by the name of the sample (``x_total``, ``x_bucket``) and its labels, and types by family."""

    values: Mapping[str, Mapping[Series, float]] = {}
    types: Mapping[str, str] = {}

    def has(self, name: str, /) -> bool:
        """Tell whether there is any series of the name."""
        return bool(self.values.get(name))

    def samples(self, name: str, /, **where: str) -> Iterator[Sample]:
        """Give the series of a name that have the labels; an empty label is one that is not there."""
        for series, value in self.values.get(name, {}).items():
            labels = dict(series)
            if all(labels.get(key, "") == wanted for key, wanted in where.items()):
                yield Sample(name, labels, value)

    def total(self, name: str, /, **where: str) -> float | None:
        """Add up the series of a name that have the labels: 0 if none has, None if there is no series at all."""
        if not self.has(name):
            return None
        return math.fsum(one.value for one in self.samples(name, **where))

    def by(self, name: str, /, *labels: str, **where: str) -> dict[tuple[str, ...], float]:
        """Add up the series of a name by the values of some labels, in order of these; empty if there is none."""
        groups: dict[tuple[str, ...], float] = {}
        for one in self.samples(name, **where):
            key = tuple(one.labels.get(label, "") for label in labels)
            groups[key] = groups.get(key, 0.0) + one.value
        return dict(sorted(groups.items()))

    def histogram(self, name: str, /, **where: str) -> Histogram | None:
        """Add up the histograms of a family that have the labels; None if there is none."""
        counts = list(self.samples(f"{name}_count", **where))
        if not counts:
            return None
        buckets: dict[float, float] = {}
        for one in self.samples(f"{name}_bucket", **where):
            bound = _number(one.labels.get("le", ""))
            buckets[bound] = buckets.get(bound, 0.0) + one.value
        total = math.fsum(one.value for one in self.samples(f"{name}_sum", **where))
        return histogram_of(buckets, total, math.fsum(one.value for one in counts))


def read_scrape(
    text: str | bytes, wanted: Collection[str] | None = None, what: str = "the metrics"
) -> Scrape:
    """Read the text of a scrape; RefusedInput says what is wrong with it, and calls it ``what``.

    ``wanted`` names families (``workqueue_depth``) or single samples of such (``x_sum``); others are passed over
    before they are parsed, but for the start of the process. The text must be whole: its last line ends.
    """
    found: Text = read_text(text, wanted, what)
    return Scrape(found.values, found.types)


def delta(before: Scrape, after: Scrape) -> Scrape | Void:
    """Give what every counter (also of histograms and summaries) of ``after`` rose by; what was not there was 0.

    Void when the process changed in between: its start did, or a counter went down or away. Gauges are left out.
    """
    if reason := _restarted(before, after):
        return Void(reason)
    risen: dict[str, dict[Series, float]] = {}
    names = (name for name in {**before.values, **after.values} if _counts(name, before, after))
    for name in names:
        old, new = before.values.get(name, {}), after.values.get(name, {})
        for series in {**old, **new}:
            rise = new.get(series, 0.0) - old.get(series, 0.0)
            # A sum goes down with a negative observation; the count beside it tells of a restart.
            if rise < 0 and not name.endswith("_sum"):
                return Void(
                    f"the counter {name} went down: another process counts, or the order is wrong"
                )
            if series in new:
                risen.setdefault(name, {})[series] = rise
    return Scrape(risen, after.types)


def _restarted(before: Scrape, after: Scrape) -> str:
    old, new = before.total(START), after.total(START)
    if old is None or new is None or abs(new - old) <= _SAME_START:
        return ""
    return f"the process began anew in between, or its host's clock was set ({START}: {old:.0f}, then {new:.0f})"


def _counts(name: str, *scrapes: Scrape) -> bool:
    """Tell whether a sample is of something that only rises; by its name where no type is known."""
    for scrape in scrapes:
        if kind := scrape.types.get(name):
            return kind == "counter" or (kind in {"untyped", "unknown"} and name.endswith(_COUNTED))
        for suffix in _COUNTED:
            kind = scrape.types.get(name.removesuffix(suffix), "")
            if name.endswith(suffix) and kind in {"histogram", "summary"}:
                return True
    return name.endswith(_COUNTED)


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan
