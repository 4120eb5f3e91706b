"""Two scrapes compared: what counters rose by, and when that cannot be said."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_c9s.measurement.metrics import START, Scrape, Void, delta, read_scrape

COUNTER = "# TYPE c_total counter\n"
COUNTS = st.dictionaries(st.sampled_from("abcdef"), st.integers(0, 2**40), min_size=1)


def rise(before: str, after: str) -> Scrape:
    found = delta(read_scrape(before), read_scrape(after))
    assert isinstance(found, Scrape)
    return found


def void(before: str, after: str) -> str:
    found = delta(read_scrape(before), read_scrape(after))
    assert isinstance(found, Void)
    return found.reason


def text(counts: dict[str, int]) -> str:
    return COUNTER + "".join(f'c_total{{x="{key}"}} {count}\n' for key, count in counts.items())


@given(COUNTS, COUNTS)
def test_counters_rise_by_their_difference(before: dict[str, int], rises: dict[str, int]) -> None:
    after = {key: before.get(key, 0) + rises.get(key, 0) for key in {**before, **rises}}
    found = rise(text(before), text(after)).by("c_total", "x")
    assert {key: value for (key,), value in found.items()} == {
        key: rises.get(key, 0) for key in after
    }


@given(COUNTS, st.data())
def test_any_counter_that_goes_down_voids_all(before: dict[str, int], data: st.DataObject) -> None:
    before = {key: count + 1 for key, count in before.items()}
    key = data.draw(st.sampled_from(sorted(before)))
    lower = data.draw(st.integers(0, before[key] - 1))
    assert "c_total went down" in void(text(before), text({**before, key: lower}))


def test_what_was_not_there_before_was_zero() -> None:
    assert rise("other 1\n", 'c_total{x="1"} 5\n').total("c_total") == 5


def test_a_counter_that_is_gone_voids() -> None:
    assert "c_total went down" in void('c_total{x="1"} 5\n', "other 1\n")
    assert rise('c_total{x="1"} 0\n', "other 1\n").total("c_total") is None


@pytest.mark.parametrize("name", ["c_total", "h_count", "h_bucket"])
def test_a_decrease_voids_in_histograms_too(name: str) -> None:
    assert f"{name} went down" in void(f"{name} 2\nend 1\n", f"{name} 1\nend 1\n")


def test_a_sum_may_go_down() -> None:
    assert rise("h_sum 2\nh_count 1\n", "h_sum 1\nh_count 2\n").total("h_sum") == -1


def test_gauges_are_left_out_whatever_their_name() -> None:
    before = "# TYPE g_count gauge\ng_count 5\n# TYPE plain gauge\nplain 5\n"
    found = rise(before, before.replace(" 5", " 1"))
    assert not found.has("g_count")
    assert not found.has("plain")


def test_a_counter_need_not_be_called_total() -> None:
    before = "# TYPE c counter\nc 1\n"
    assert rise(before, before.replace("c 1", "c 3")).total("c") == 2


def test_quantiles_of_a_summary_are_no_counters() -> None:
    before = '# TYPE s summary\ns{quantile="0.5"} 9\ns_sum 9\ns_count 1\n'
    found = rise(before, '# TYPE s summary\ns{quantile="0.5"} 5\ns_sum 14\ns_count 2\n')
    assert set(found.values) == {"s_sum", "s_count"}


def test_another_start_of_the_process_voids_even_if_all_counters_rose() -> None:
    before = f"{START} 1.7e+09\nc_total 1\n"
    reason = void(before, f"{START} 1.700000002e+09\nc_total 2\n")
    assert "began anew" in reason
    assert "1700000000" in reason


def test_a_start_that_wavers_by_a_second_is_the_same() -> None:
    before = f"{START} 1.7e+09\nc_total 1\n"
    assert rise(before, f"{START} 1.700000001e+09\nc_total 2\n").total("c_total") == 1


def test_what_is_not_there_is_not_available_and_a_label_without_a_series_is_zero() -> None:
    scrape = read_scrape('c_total{code="200"} 3\n')
    assert scrape.total("d_total") is None
    assert scrape.histogram("d") is None
    assert scrape.total("c_total", code="429") == 0
    assert scrape.total("c_total", code="200", method="") == 3
    assert scrape.by("c_total", "code", "method") == {("200", ""): 3.0}


def test_sums_go_by_labels() -> None:
    scrape = read_scrape('c{a="1",b="x"} 1\nc{a="1",b="y"} 2\nc{a="2",b="x"} 4\nc{b="x"} 8\n')
    assert scrape.by("c", "a") == {("",): 8.0, ("1",): 3.0, ("2",): 4.0}
    assert scrape.by("c", "a", b="x") == {("",): 8.0, ("1",): 1.0, ("2",): 4.0}
    assert scrape.by("c") == {(): 15.0}


def test_a_label_may_be_called_name() -> None:
    assert (
        read_scrape('workqueue_depth{name="node"} 4\n').total("workqueue_depth", name="node") == 4
    )
