"""Patterns of namespaces against the shell's own, and one pattern against another."""

from __future__ import annotations

import fnmatch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_c9s.rollout.patterns import covers, matches

names = st.text("ab-", max_size=8)
patterns = st.text("ab-*?", min_size=1, max_size=8)


@given(patterns, names)
def test_a_pattern_fits_what_it_fits_in_a_shell(pattern: str, name: str) -> None:
    assert matches(pattern, name) == fnmatch.fnmatchcase(name, pattern)


@pytest.mark.parametrize(
    ("pattern", "name", "fits"),
    [
        ("ci-*", "ci-", True),
        ("ci-*", "ci-1", True),
        ("ci-*", "my-ci-1", False),
        ("ci-?", "ci-", False),
        ("ci", "ci-1", False),
        ("CI", "ci", False),
        ("[c]i", "ci", False),
        ("[c]i", "[c]i", True),
        ("*", "", True),
    ],
)
def test_a_pattern_is_about_the_whole_name_and_has_no_classes(
    pattern: str, name: str, *, fits: bool
) -> None:
    assert matches(pattern, name) is fits


def test_a_pattern_of_many_stars_is_answered_at_once() -> None:
    assert not matches("a*" * 120 + "b", "a" * 253)


@given(patterns, patterns, names)
def test_a_pattern_that_covers_another_fits_all_that_the_other_fits(
    pattern: str, other: str, name: str
) -> None:
    if covers(pattern, other) and matches(other, name):
        assert matches(pattern, name)


@given(patterns, names.filter(bool))
def test_a_name_is_covered_by_the_patterns_that_fit_it(pattern: str, name: str) -> None:
    assert covers(pattern, name) == matches(pattern, name)
    assert covers("*", pattern)
    assert covers(pattern, pattern)


def test_a_pattern_for_less_does_not_cover_one_for_more() -> None:
    assert covers("ci-*", "ci-a*")
    assert not covers("ci-a*", "ci-*")
    assert not covers("?", "*")
    assert not covers("a", "?")
