from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_c9s.resources import quantity

WHOLE = st.integers(min_value=0, max_value=10**12)
NANO = 10**9
POWERS = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1000m", "1"),
        ("1", 1),
        ("1Ki", "1024"),
        ("1Gi", 1 << 30),
        ("1.5Gi", "1536Mi"),
        ("1e3", "1k"),
        ("1E3", "1000"),
        ("1E", "1e18"),
        ("1e-3", "1m"),
        ("+.5", "500m"),
        ("5.", "5"),
        ("-1", "-1000m"),
        ("0", "-0"),
        ("0Ki", "0"),
        ("0.1n", "1n"),  # too small to be kept: rounded away from zero
        ("-1.0000000001", "-1.000000001"),
        ("8Ei", "9223372036854775807"),  # binary amounts end at the largest 64-bit integer
        ("20Ei", "8Ei"),
    ],
)
def test_equal_amounts_in_other_words(one: str, other: str | int) -> None:
    assert quantity.equal(one, other)


@pytest.mark.parametrize(
    ("one", "other"), [("1", "1001m"), ("1G", "1Gi"), ("1", "-1"), ("9E", "8Ei"), ("1m", "1M")]
)
def test_unequal_amounts(one: str, other: str) -> None:
    assert not quantity.equal(one, other)


@given(WHOLE, st.integers(min_value=0, max_value=999), st.sampled_from(sorted(POWERS)))
def test_the_value_of_a_decimal_amount_is_exact(whole: int, part: int, suffix: str) -> None:
    exact = (whole + Fraction(part, 1000)) * Fraction(10) ** POWERS[suffix] * NANO
    expected = -(-exact.numerator // exact.denominator)
    assert quantity.parse(f"{whole}.{part:03d}{suffix}") == expected


@given(WHOLE)
def test_exponents_and_suffixes_agree(number: int) -> None:
    for suffix, power in POWERS.items():
        assert quantity.equal(f"{number}{suffix}", f"{number}e{power}")


@pytest.mark.parametrize(
    "text",
    [
        *("", ".", "+", "-", "Ki", "m", "1 ", " 1", "1\n", "--1", "1.2.3", "1kk", "1K", "1ki"),
        *("1e", "1e1.5", "1e+", "0x10", "1_000", "\u0661", "abc", "NaN", "inf"),
        *("9" * 6000, "1e99999", "1e-99999"),
    ],
)
def test_a_text_that_is_no_quantity_is_an_error(text: str) -> None:
    with pytest.raises(quantity.QuantityError):
        quantity.parse(text)


@pytest.mark.parametrize("value", [0.5, True, None, [], {}, b"1"])
def test_a_value_that_is_neither_integer_nor_text_is_an_error(value: object) -> None:
    with pytest.raises(quantity.QuantityError):
        quantity.parse(value)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (None, {}, True),
        ({}, {"requests": {}, "limits": None, "claims": []}, True),
        ({"requests": {"cpu": "1000m"}}, {"requests": {"cpu": 1}, "limits": {}}, True),
        ({"requests": {"cpu": "1"}}, {"limits": {"cpu": "1"}}, False),
        ({"requests": {"cpu": "0"}}, {"requests": {}}, False),
        ({"requests": {"cpu": "1"}}, {"requests": {"cpu": "2"}}, False),
        ({"claims": [{"name": "a"}]}, {"claims": [{"name": "a", "request": ""}]}, True),
        ({"claims": [{"name": "a"}]}, {"claims": [{"name": "a", "request": "r"}]}, False),
        (
            {"claims": [{"name": "a"}, {"name": "b"}]},
            {"claims": [{"name": "b"}, {"name": "a"}]},
            False,
        ),
    ],
)
def test_resources_count_by_meaning(
    one: dict[str, Any] | None,
    other: dict[str, Any],
    same: bool,  # noqa: FBT001 - a table of answers
) -> None:
    assert quantity.resources_equal(one, other) is same
    assert quantity.resources_equal(other, one) is same
