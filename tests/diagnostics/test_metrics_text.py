"""Text of Prometheus: what is wanted is read as it is written, and what is no such text is refused in words."""

from __future__ import annotations

import contextlib
import gzip
import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from manager_metrics import SCRAPES, written
from prometheus_client.parser import text_string_to_metric_families

from kubectl_c9s.measurement.metrics import START, Scrape, read_scrape
from kubectl_c9s.resources.errors import RefusedInput

NAMES = st.from_regex(r"[a-z_:][a-z0-9_:]{0,8}", fullmatch=True)
LABEL = st.from_regex(r"[a-z][a-z0-9]{0,4}", fullmatch=True)
LABELS = st.dictionaries(LABEL, st.text(max_size=6), max_size=3)
NUMBERS = st.floats(allow_nan=True, allow_infinity=True)
REAL = (SCRAPES / "metrics-after.prom").read_text("utf-8")


def number(value: float) -> str:
    return {math.inf: "+Inf", -math.inf: "-Inf"}.get(value, "NaN" if math.isnan(value) else repr(value))  # fmt: skip


def same(one: float, other: float) -> bool:
    return one == other or (math.isnan(one) and math.isnan(other))


def refusal(text: str | bytes) -> str:
    with pytest.raises(RefusedInput) as caught:
        read_scrape(text, None, "the text")
    assert caught.value.hint
    return caught.value.message


def test_values_are_read_with_their_labels() -> None:
    scrape = read_scrape(
        'a_total{x="1",y="two"} 3\na_total 4.5e-3 1700000000000\n\n# a word\nb 7\n'
    )
    assert [(one.labels, one.value) for one in scrape.samples("a_total")] == [
        ({"x": "1", "y": "two"}, 3.0),
        ({}, 0.0045),
    ]
    assert scrape.total("b") == 7


def test_escapes_in_labels_are_undone() -> None:
    scrape = read_scrape('a{x="q\\"uote \\\\ back\\nline {,} ="} 1\n')
    (found,) = scrape.samples("a")
    assert found.labels == {"x": 'q"uote \\ back\nline {,} ='}


def test_infinities_and_what_is_no_number_are_kept() -> None:
    scrape = read_scrape('a{x="p"} +Inf\na{x="m"} -Inf\na{x="n"} NaN\n')
    assert [number(one.value) for one in scrape.samples("a")] == ["+Inf", "-Inf", "NaN"]


@given(
    st.dictionaries(st.tuples(NAMES, LABELS.map(lambda one: tuple(sorted(one.items())))), NUMBERS)
)
def test_whatever_is_written_is_read_back(
    values: dict[tuple[str, tuple[tuple[str, str], ...]], float],
) -> None:
    text = "# comment\n" + "".join(
        f"{name}{written(dict(labels))} {number(value)}\n" for (name, labels), value in values.items()
    )  # fmt: skip
    if re.search(r"_bucket\b[^\n]*\n\Z", text):
        text += "end 1\n"
    scrape = read_scrape(text)
    for (name, labels), value in values.items():
        assert same(scrape.values[name][labels], value)


def test_a_real_scrape_is_read_as_the_whole_parser_reads_it() -> None:
    scrape = read_scrape(REAL)
    expected = {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(REAL)
        for sample in family.samples
    }
    found = {(name, key): value for name, values in scrape.values.items() for key, value in values.items()}  # fmt: skip
    assert found == expected
    assert scrape.types["workqueue_work_duration_seconds"] == "histogram"


def test_only_what_is_wanted_is_read_and_the_start_of_the_process() -> None:
    scrape = read_scrape(REAL, ["workqueue_depth", "workqueue_queue_duration_seconds_sum"])
    assert set(scrape.values) == {"workqueue_depth", "workqueue_queue_duration_seconds_sum", START}
    family = "workqueue_queue_duration_seconds"
    whole = read_scrape(REAL, [family])
    assert set(whole.values) == {f"{family}_sum", f"{family}_count", f"{family}_bucket", START}


def test_what_is_wrong_in_lines_nobody_wants_is_passed_over() -> None:
    assert read_scrape('odd{x="} 1\nb 2\n', ["b"]).total("b") == 2


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "empty"),
        (" \n\n", "empty"),
        (b"", "empty"),
        ("<!DOCTYPE html><html></html>\n", "HTML"),
        ('{"kind": "Status", "code": 403}\n', "JSON"),
        ("[1]\n", "JSON"),
        ("{}\n", "JSON"),
        (gzip.compress(b"a 1\n"), "compressed"),
        (b'a{x="\xff"} 1\n', "UTF-8"),
        ("a 1\n403 Forbidden\n", "line 2 is no metric"),
        ('a 1\nb{x="1"} \n', "line 2 cannot be read"),
        ("a 1\nb{x=1} 2\n", "line 2 cannot be read"),
        ('a 1\nb{x="1} 2\n', "line 2 cannot be read"),
        ("a one\n", "line 1 cannot be read"),
        ("a 1_000\n", "line 1 cannot be read"),
        (f"a {'9' * 400}\n", "line 1 cannot be read"),
        ("a 1\na 1\n", "line 2 repeats"),
        ('a{x="1",y="2"} 1\na{y="2",x="1"} 2\n', "line 2 repeats"),
        ("a 12", "cut off"),
        ("a 1\n# HELP b Words.\n", "cut off"),
        ('a_bucket{le="1"} 1\n', "cut off"),
        ("service unavailable\n", "cannot be read"),
    ],
)  # fmt: skip
def test_other_text_is_refused_with_what_it_is(text: str | bytes, word: str) -> None:
    message = refusal(text)
    assert message.startswith("the text: ")
    assert word in message


def test_a_long_line_is_not_quoted_whole() -> None:
    assert len(refusal("a" * 5000 + " ?\n")) < 200


@given(st.text() | st.text(alphabet='ab_{}=",\\ \n#1.5eNaINf+-'))
def test_any_text_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(RefusedInput):
        assert isinstance(read_scrape(text), Scrape)


@given(st.binary())
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    with contextlib.suppress(RefusedInput):
        assert isinstance(read_scrape(data), Scrape)


@given(st.integers(1, len(REAL) - 1))
def test_a_text_cut_within_a_line_is_refused(end: int) -> None:
    part = REAL[:end]
    if part.endswith("\n"):
        return
    with pytest.raises(RefusedInput, match="cut off"):
        read_scrape(part, ["workqueue_depth"])
