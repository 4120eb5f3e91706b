"""Two sides of recorded starts: in which figures they differ by more than resolution and chance explain.

The rule (docs/measure-report.md). Each run gives a figure of its own; runs are never pooled and percentiles never
added. A side's value is the median of its runs, its range goes from the lowest to the highest of them. Two sides differ
in a time when their ranges lie more than a second apart; with one run the range is a point, and the spread is unknown.
They differ in a count when both spreads are known and the ranges do not touch. When nothing has changed, ranges of m
and n runs lie apart by chance in 2 of C(m+n, m) cases, the probability of the extreme ranks of a Mann-Whitney test.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, Literal

import msgspec

from kubectl_c9s.measurement.figures import SECONDS, figures
from kubectl_c9s.measurement.likeness import Named, mixed, unequal, unknown
from kubectl_c9s.measurement.run import RESOLUTION
from kubectl_c9s.measurement.statistics import median
from kubectl_c9s.resources.listing import some

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kubectl_c9s.measurement.figures import Key, Kind, Which
    from kubectl_c9s.measurement.report import StartReport
    from kubectl_c9s.measurement.stages import Clock

Verdict = Literal["slower", "faster", "more", "fewer", "alike", "undecided"]
"""Of B against A: the first two of times, the next two of counts; undecided is a count of single runs."""
DIFFERENT: Final = frozenset({"slower", "faster", "more", "fewer"})
_SHOWN: Final = 8


class Range(msgspec.Struct, frozen=True, rename="camel"):
    """A figure over the runs of a side: the median, the lowest and the highest of them."""

    value: float
    low: float
    high: float


class Compared(msgspec.Struct, frozen=True, rename="camel"):
    """A figure on both sides. ``difference`` is B less A; ``gap`` how far the ranges lie apart, 0 when they touch.

    ``spread_known``: both sides have several runs.
    """

    kind: Kind
    name: str
    which: Which
    clock: Clock | None
    unit: str
    a: Range
    b: Range
    difference: float
    gap: float
    spread_known: bool
    verdict: Verdict


class Comparison(msgspec.Struct, frozen=True, rename="camel"):
    """What was compared, and what came out.

    ``chance`` is how often unchanged starts would have a figure's ranges apart, None when a spread is unknown.
    ``unequal`` says in what the runs are not alike; it is empty unless going on was allowed.
    """

    a: tuple[str, ...]
    b: tuple[str, ...]
    unequal: tuple[str, ...]
    chance: float | None
    figures: tuple[Compared, ...]
    notes: tuple[str, ...]

    def with_verdict(self, *verdicts: str) -> list[Compared]:
        """Give the figures with one of the verdicts."""
        return [one for one in self.figures if one.verdict in verdicts]


def inequalities(a: Sequence[Named], b: Sequence[Named]) -> tuple[str, ...]:
    """Say why these runs should not be compared; empty when nothing speaks against it."""
    return tuple(unequal([*a, *b]))


def compare(
    a: Sequence[tuple[Named, StartReport]], b: Sequence[tuple[Named, StartReport]]
) -> Comparison:
    """Compare two sides, each of which has a run or several."""
    sides = [[figures(report) for _, report in side] for side in (a, b)]
    runs = [named for named, _ in (*a, *b)]
    everywhere = [
        key
        for key in sides[0][0]
        if all(key in one for side in sides for one in side)
        and not (mixed(runs) and _own_start(key))
    ]
    found = tuple(
        compared(key, [one[key] for one in sides[0]], [one[key] for one in sides[1]])
        for key in everywhere
    )
    chance = chance_apart(len(a), len(b))
    missing = {key for side in sides for one in side for key in one} - set(everywhere)
    return Comparison(
        tuple(named.name for named, _ in a),
        tuple(named.name for named, _ in b),
        tuple(unequal(runs)),
        chance,
        found,
        (*_notes(runs, chance), *_origins([*a, *b]), *_missing(missing), *_void(runs)),
    )


def compared(key: Key, a: Sequence[float], b: Sequence[float]) -> Compared:
    """Compare a figure of two sides, by its values in each run."""
    left, right = _range(a), _range(b)
    gap = max(right.low - left.high, left.low - right.high, 0.0)
    known = min(len(a), len(b)) > 1
    verdict: Verdict = "alike"
    higher = right.low > left.high
    if key.unit == SECONDS:
        if gap > RESOLUTION:
            verdict = "slower" if higher else "faster"
    elif not known:
        verdict = "undecided"
    elif gap:
        verdict = "more" if higher else "fewer"
    return Compared(*key, left, right, right.value - left.value, gap, known, verdict)


def chance_apart(a: int, b: int) -> float | None:
    """Give the probability that ranges of so many equal runs lie apart; None when a side has but one."""
    return 2 / math.comb(a + b, a) if min(a, b) > 1 else None


def _range(values: Sequence[float]) -> Range:
    ordered = sorted(values)
    return Range(median(ordered), ordered[0], ordered[-1])


def _own_start(key: Key) -> bool:
    """Tell whether a figure counts from the first that was seen: a Node of a lab, but a Pod of a replay."""
    return key.clock == "observed" and key.kind in ("since-start", "total")


def _notes(runs: Sequence[Named], chance: float | None) -> Iterator[str]:
    yield "B is looked at against A; times differ only when more than a second, the resolution of stamps, lies between"
    yield "stages overlap: neither medians, percentiles nor differences may be added up"
    if chance is None:
        yield (
            "a side has a single run: how much runs differ from one to the next is not known, so a difference of times "
            "may be chance, and counts are not judged"
        )
    else:
        yield (
            f"with so many runs up to 1 of {1 / chance:.0f} figures lies apart by chance when nothing has changed; "
            "more runs make it rarer"
        )
    if mixed(runs):
        yield (
            "labs against plain Pods: only what both have is compared, images and limits are not; a plain Pod is ready "
            "without a device in it"
        )
    if untold := unknown(runs):
        yield f"not told by every run, so not checked: {', '.join(untold)}"
    versions = sorted({one.run.manifest.server for one in runs if one.run.manifest.server})
    if len(versions) > 1:
        yield f"the versions of Kubernetes differ: {', '.join(versions)}"


def _origins(sides: Sequence[tuple[Named, StartReport]]) -> Iterator[str]:
    """Say when stamped times since the start count from objects of different kinds."""
    kinds = {report.anchor.kind: named.side for named, report in sides if report.anchor}
    if len(kinds) > 1:
        texts = ", ".join(f"{kind} ({side})" for kind, side in sorted(kinds.items()))
        yield f"stamped times since the start count from different things, and compare only if those are alike: {texts}"


def _missing(keys: set[Key]) -> Iterator[str]:
    if keys:
        names = sorted({f"{key.name} ({key.clock})" if key.clock else key.name for key in keys})
        yield f"not in every run, so not compared: {some(names, _SHOWN)}"


def _void(runs: Sequence[Named]) -> Iterator[str]:
    for one in runs:
        if one.run.churn and one.run.churn.void:
            yield f"requests are not compared: those of {one.name} cannot be used, {one.run.churn.void}"
