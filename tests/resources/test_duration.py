from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kubectl_c9s.resources import duration

SECOND = 10**9
HOUR = 3600 * SECOND
LARGEST = 2**63 - 1


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("24h", "24h0m0s"),
        ("90m", "1h30m0s"),
        ("8760h", "8760h0m0s"),
        ("1m", "1m0s"),
        ("59s", "59s"),
        ("1.5s", "1.5s"),
        ("1m0.5s", "1m0.5s"),
        ("300ms", "300ms"),
        ("1.5ms", "1.5ms"),
        ("1us", "1\u00b5s"),
        ("1\u00b5s", "1\u00b5s"),
        ("1\u03bcs", "1\u00b5s"),
        ("1100ns", "1.1\u00b5s"),
        ("7ns", "7ns"),
        ("0", "0s"),
        ("-0", "0s"),
        ("0h", "0s"),
        ("+5s", "5s"),
        ("-1.5h", "-1h30m0s"),
        (".5s", "500ms"),
        ("5.s", "5s"),
        ("1h15m30.918s", "1h15m30.918s"),
        ("1s1s", "2s"),
        ("10s1h", "1h0m10s"),
        ("0.3333333333333333333h", "20m0s"),
        ("0.100000000000000000000h", "6m0s"),
        ("0.830103483285477580700h", "49m48.372539827s"),
        ("0.9223372036854775807s", "922.337203ms"),
        ("0.20531601h", "12m19.137636s"),  # exact arithmetic would lose the last nanosecond
        ("9223372036854775807ns", "2562047h47m16.854775807s"),
        ("-9223372036854775808ns", "-2562047h47m16.854775808s"),
    ],
)
def test_durations_are_written_as_go_writes_them(written: str, shown: str) -> None:
    assert duration.text(duration.parse(written)) == shown


@given(st.integers(min_value=-LARGEST - 1, max_value=LARGEST))
@example(0)
@example(SECOND)
@example(-LARGEST - 1)
def test_what_is_written_reads_back_to_the_nanosecond(nanoseconds: int) -> None:
    assert duration.parse(duration.text(nanoseconds)) == nanoseconds


@given(
    st.integers(min_value=0, max_value=10**5),
    st.integers(min_value=0, max_value=10**4),
    st.integers(min_value=0, max_value=10**4),
)
def test_terms_add_up(hours: int, minutes: int, seconds: int) -> None:
    assert duration.parse(f"{hours}h{minutes}m{seconds}s") == (
        hours * HOUR + minutes * 60 * SECOND + seconds * SECOND
    )


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "-",
            "+",
            "3",
            "h",
            ".s",
            "-.s",
            "1",
            "1h30",
            "1x",
            "1d",
            "1H",
            "1 h",
            " 1h",
            "1h ",
            "1h\n",
        ),
        *("--1h", "1e3s", "1h-1m", "\u0661s", "9223372036854775808ns", "-9223372036854775809ns"),
        *("9223372036854775.808us", "3000000h", "9" * 6000 + "s", "1h" * 5000),
    ],
)
def test_what_go_does_not_read_is_an_error(text: str) -> None:
    with pytest.raises(duration.DurationError):
        duration.parse(text)
