"""Quantiles of histograms, against a reading of the rule by other means: the distribution itself, turned around."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_c9s.measurement.histograms import Histogram, histogram_of, quantile_of
from kubectl_c9s.measurement.metrics import read_scrape

BOUNDS = st.lists(
    st.integers(-50, 1000).map(lambda n: n / 8), min_size=1, max_size=8, unique=True
).map(sorted)


def below(bounds: list[float], counts: list[int], value: Fraction) -> Fraction:
    """Give how many observations lie at or below a value, each bucket evenly filled; ``counts`` are not cumulative."""
    total = Fraction(0)
    for (start, end), count in zip(pairwise([Fraction(0), *map(Fraction, bounds)]), counts, strict=False):  # fmt: skip
        low = min(start, end)
        if value >= end:
            total += count
        elif value > low:
            total += count * (value - low) / (end - low)
    return total


@st.composite
def histograms(draw: st.DrawFn) -> tuple[list[float], list[int], Histogram]:
    """Draw bounds, counts of each bucket (the last is beyond all bounds), and the histogram of them."""
    bounds = [bound for bound in draw(BOUNDS) if bound > 0] or [1.0]
    counts = draw(st.lists(st.integers(0, 50), min_size=len(bounds) + 1, max_size=len(bounds) + 1))
    cumulative = [sum(counts[: place + 1]) for place in range(len(counts))]
    buckets = dict(zip([*bounds, math.inf], map(float, cumulative), strict=True))
    return bounds, counts, histogram_of(buckets, 1.0, float(cumulative[-1]))


@given(histograms(), st.fractions(0, 1, max_denominator=40))
def test_a_quantile_is_where_the_distribution_reaches_the_share(
    drawn: tuple[list[float], list[int], Histogram], share: Fraction
) -> None:
    bounds, counts, histogram = drawn
    found = quantile_of(histogram, float(share))
    everything = sum(counts)
    if not everything:
        assert found is None
        return
    assert found is not None
    wanted = share * everything
    slack = Fraction(1, 10**6)
    if wanted > everything - counts[-1]:
        assert found == bounds[-1]
        return
    assert below(bounds, counts, Fraction(found) + slack) >= wanted
    if found > 0:
        assert below(bounds, counts, Fraction(found) - slack) <= wanted


@given(histograms(), st.floats(0, 1), st.floats(0, 1))
def test_a_higher_share_is_never_a_lower_quantile(
    drawn: tuple[list[float], list[int], Histogram], one: float, other: float
) -> None:
    low, high = (quantile_of(drawn[2], share) for share in sorted((one, other)))
    assert low is None or (high is not None and low <= high)


@pytest.mark.parametrize(
    ("buckets", "share", "expected"),
    [
        ({1.0: 10, 2.0: 20, math.inf: 20}, 0.5, 1.0),
        ({1.0: 10, 2.0: 20, math.inf: 20}, 0.75, 1.5),
        ({1.0: 10, 2.0: 20, math.inf: 20}, 0.25, 0.5),
        ({1.0: 0, 2.0: 0, math.inf: 5}, 0.5, 2.0),
        ({1.0: 0, 2.0: 4, math.inf: 4}, 0.0, 0.0),
        ({-1.0: 4, 2.0: 8, math.inf: 8}, 0.25, -1.0),
        ({-1.0: 4, 2.0: 8, math.inf: 8}, 0.75, 0.5),
        ({1.0: 0, math.inf: 0}, 0.5, None),
        ({math.inf: 5}, 0.5, None),
        ({1.0: 5}, 0.5, None),
        ({}, 0.5, None),
        ({1.0: 5, math.inf: 5}, 1.5, None),
        ({1.0: 5, math.inf: 5}, math.nan, None),
        ({1.0: 5, math.nan: 7, math.inf: math.nan}, 0.5, None),
    ],
)
def test_edges_are_those_of_prometheus(
    buckets: dict[float, float], share: float, expected: float | None
) -> None:
    assert quantile_of(histogram_of(buckets, 0.0, 0.0), share) == expected


def test_a_count_below_its_neighbours_is_raised() -> None:
    raised = histogram_of({2.0: 3.0, 1.0: 5.0, math.inf: 6.0}, 0, 6)
    assert raised.buckets == ((1.0, 5.0), (2.0, 5.0), (math.inf, 6.0))


def test_the_mean_is_sum_over_count() -> None:
    text = (
        'h_bucket{le="1",x="a"} 1\nh_bucket{le="+Inf",x="a"} 2\nh_sum{x="a"} 3\nh_count{x="a"} 2\n'
    )
    both = read_scrape(text + text.replace('x="a"', 'x="b"')).histogram("h")
    assert both == Histogram(((1.0, 2.0), (math.inf, 4.0)), 6.0, 4.0)
    assert both.mean == 1.5
    assert both.largest == 1.0
    assert Histogram((), math.nan, 2.0).mean is None
    assert Histogram((), 0.0, 0.0).mean is None
