"""Distributions agree with other ways to work them out (measurement.md §1)."""

from __future__ import annotations

import math
import statistics
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from kubectl_c9s.measurement.statistics import Distribution, distribution, median, nearest_rank

SECONDS = st.floats(-1e9, 1e9, allow_nan=False)
WHOLE = st.integers(0, 300).map(float)
SAMPLES = st.lists(st.one_of(SECONDS, WHOLE), min_size=1, max_size=400)


def rank_by_counting(samples: list[float], percent: int) -> float:
    """Give the least value that so many in a hundred samples do not exceed, by counting whole numbers."""
    return min(
        value
        for value in samples
        if 100 * sum(other <= value for other in samples) >= percent * len(samples)
    )


@given(SAMPLES)
def test_figures_are_those_of_the_standard_library_and_of_counting(samples: list[float]) -> None:
    found = distribution(samples)
    assert found.count == len(samples)
    assert (found.min, found.max) == (min(samples), max(samples))
    assert found.p50 == statistics.median(samples)
    assert found.p95 == rank_by_counting(samples, 95)
    exact = float(sum(map(Fraction, samples)) / len(samples))
    assert found.mean is not None
    assert math.isclose(found.mean, exact, rel_tol=1e-12, abs_tol=1e-6)


@given(SAMPLES, st.integers(1, 100))
def test_every_percentile_is_the_one_of_counting(samples: list[float], percent: int) -> None:
    assert nearest_rank(sorted(samples), percent / 100) == rank_by_counting(samples, percent)


def test_a_share_that_floats_write_a_hair_too_large_is_the_one_that_is_meant() -> None:
    samples = [float(number) for number in range(1, 101)]
    assert 0.07 * 100 > 7
    assert [nearest_rank(samples, percent / 100) for percent in range(1, 101)] == samples


@given(SAMPLES)
def test_the_order_of_samples_does_not_matter(samples: list[float]) -> None:
    assert distribution(samples) == distribution(samples[::-1]) == distribution(iter(samples))


def test_of_nothing_there_is_only_the_count() -> None:
    assert distribution([]) == Distribution(0, None, None, None, None, None)


def test_an_even_count_has_its_median_between_the_middle_two() -> None:
    assert median([1.0, 2.0, 4.0, 9.0]) == 3.0


def test_the_tail_is_a_value_that_was_measured_and_not_one_between() -> None:
    samples = [float(number) for number in range(1, 21)]
    assert distribution(samples).p95 == 19.0
    assert distribution([*samples, 21.0]).p95 == 20.0
