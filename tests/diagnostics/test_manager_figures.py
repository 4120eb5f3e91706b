"""Figures of a manager: rates between two scrapes, gauges of the last one, and None for what is not available."""

from __future__ import annotations

import math

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from manager_metrics import ADMISSION, NODE, SCRAPES, ask, idle_manager, reconcile, reported

from kubectl_c9s.measurement.managermetrics import WANTED
from kubectl_c9s.measurement.managerreport import Facts, Report, report_of
from kubectl_c9s.measurement.metrics import Scrape, read_scrape


def of_controller(report: Report, name: str) -> dict[str, object]:
    (found,) = (one for one in report.figures.controllers if one.name == name)
    return msgspec.structs.asdict(found)


def of_queue(report: Report, name: str) -> dict[str, object]:
    (found,) = (one for one in report.figures.queues if one.name == name)
    return msgspec.structs.asdict(found)


@given(
    st.integers(0, 500), st.integers(0, 500), st.integers(1, 300), st.sampled_from([0.02, 0.4, 7.0])
)
def test_rates_are_what_happened_over_the_seconds(
    good: int, bad: int, seconds: int, took: float
) -> None:
    before = idle_manager()
    after = before.later()
    reconcile(after, NODE, good, took=took)
    reconcile(after, NODE, bad, "error", took=took)
    report = reported(before, after, float(seconds))
    node = of_controller(report, NODE)
    assert node["reconciles"] == pytest.approx(
        {"success": good / seconds, "error": bad / seconds, "requeue": 0, "requeue_after": 0}
    )
    assert node["finished"] == good + bad
    assert node["error_share"] == (pytest.approx(bad / (good + bad)) if good + bad else None)
    assert node["busy"] == pytest.approx((good + bad) * took / seconds, abs=1e-9)
    assert of_queue(report, NODE)["adds"] == pytest.approx((good + bad) / seconds)
    mean = report.figures.controllers[1].time.mean
    assert mean == (pytest.approx(took) if good + bad else None)


def test_requests_are_told_by_code_and_method() -> None:
    before = idle_manager()
    after = before.later()
    ask(after, "200", "GET", 300)
    ask(after, "409", "PUT", 6)
    ask(after, "429", "POST", 3)
    ask(after, "503", "GET", 1)
    ask(after, "<error>", "PATCH", 2)
    client = reported(before, after).figures.client
    assert [(one.method, one.code, one.rate) for one in client.requests[:2]] == [
        ("GET", "200", 10.0),
        ("PUT", "409", 0.2),
    ]
    assert client.rate == 312 / 30
    assert (client.made.rise, client.made.total) == (312, 412)
    assert (client.conflicts.rise, client.too_many.rise, client.server_errors.rise) == (6, 3, 1)
    assert (client.unanswered.rise, client.forbidden.rise, client.written.rise) == (2, 0, 11)


def test_depth_is_added_up_over_priorities() -> None:
    after = idle_manager()
    after.gauge("workqueue_depth", 7, controller=NODE, name=NODE, priority="-100")
    after.gauge("workqueue_depth", 2, controller=NODE, name=NODE, priority="0")
    assert of_queue(reported(None, after), NODE)["depth"] == 9


def test_gauges_are_reported_when_a_restart_voids_the_rates() -> None:
    before, after = idle_manager(), idle_manager()
    reconcile(before, NODE, 1000)
    after.gauge("process_start_time_seconds", 1.7e9 + 20)
    after.gauge("workqueue_depth", 40, controller=NODE, name=NODE, priority="0")
    after.gauge("controller_runtime_active_workers", 16, controller=NODE)
    report = reported(before, after)
    assert "began anew" in report.void
    node, queue = of_controller(report, NODE), of_queue(report, NODE)
    assert (node["active"], node["workers"], queue["depth"]) == (16, 16, 40)
    assert node["reconciles"] is node["busy"] is node["error_share"] is None
    assert queue["adds"] is queue["retries"] is None
    assert report.figures.client.rate is report.figures.process.cores is None
    assert report.figures.client.made.rise is None
    assert report.figures.process.goroutines == 100


@pytest.mark.parametrize("elapsed", [None, 0.0, -3.0, math.nan, math.inf])
def test_without_seconds_that_can_be_there_are_no_rates(elapsed: float | None) -> None:
    before = idle_manager()
    after = before.later()
    reconcile(after, NODE, 5)
    report = reported(before, after, elapsed)
    assert "seconds" in report.void
    assert report.figures.client.rate is None
    assert of_controller(report, NODE)["workers"] == 16


def test_a_restart_that_the_pod_tells_voids_too() -> None:
    before = idle_manager()
    assert "restarted" in reported(before, before.later(), restarts=1).void


def test_one_scrape_has_no_rates_and_is_no_restart() -> None:
    report = reported(None, idle_manager())
    assert "only one scrape" in report.void
    assert of_controller(report, ADMISSION)["workers"] == 1
    assert report.figures.leader is True


@pytest.mark.parametrize("family", WANTED)
def test_a_metric_that_is_missing_is_not_available_and_never_zero(family: str) -> None:
    """Every figure that changes when a metric is taken away changes to None or is gone."""
    before = idle_manager()
    reconcile(before, NODE, 10)
    before.count("rest_client_request_retries_total", 3)
    before.gauge("go_memstats_heap_inuse_bytes", 5)
    after = before.later()
    reconcile(after, NODE, 10)
    ask(after, "200", "GET", 10)
    whole = flat(msgspec.to_builtins(reported(before, after).figures))
    before.drop(family)
    after.drop(family)
    rest = flat(msgspec.to_builtins(reported(before, after).figures))
    changed = {key for key in whole if rest.get(key) != whole[key]}
    assert changed
    assert not {key: rest[key] for key in changed if rest.get(key) is not None}


def flat(value: object, path: str = "") -> dict[str, object]:
    """Give what nested values have by its path."""
    if isinstance(value, dict):
        items = [(str(key), one) for key, one in value.items()]
    elif isinstance(value, list | tuple):
        items = [(one.get("name", str(place)), one) for place, one in enumerate(value)]
    else:
        return {path: value}
    return {key: one for name, each in items for key, one in flat(each, f"{path}/{name}").items()}


def test_a_series_that_is_missing_beside_others_is_not_available() -> None:
    after = idle_manager()
    after.gauge("controller_runtime_max_concurrent_reconciles", 1, controller="link")
    link = of_controller(reported(None, after), "link")
    assert (link["workers"], link["active"]) == (1, None)


def test_sums_that_are_no_numbers_are_not_available() -> None:
    before = idle_manager()
    after = before.later()
    after.observe("controller_runtime_reconcile_time_seconds", math.nan, controller=NODE)
    node = of_controller(reported(before, after), NODE)
    assert node["busy"] is None
    assert node["time"].mean is None  # type: ignore[attr-defined]


def test_a_quantile_beyond_all_bounds_says_so() -> None:
    before = idle_manager()
    after = before.later()
    reconcile(after, NODE, 10, took=500.0)
    time = reported(before, after).figures.controllers[1].time
    assert time.p95 == 60.0
    assert time.above


def test_real_scrapes_of_the_library_are_understood() -> None:
    """As recorded: 15 seconds, a queue that never runs empty, some errors and two conflicts."""
    before, after = (
        read_scrape((SCRAPES / f"metrics-{name}.prom").read_bytes(), WANTED)
        for name in ("before", "after")
    )
    assert isinstance(after, Scrape)
    report = report_of(before, after, Facts(source="real", elapsed=15.0))
    assert report.void == ""
    assert report.figures.leader is True
    node = of_controller(report, NODE)
    assert (node["active"], node["workers"]) == (2, 2)
    assert node["busy"] == pytest.approx(2.0, abs=0.01)
    assert node["error_share"] == pytest.approx(76 / 1263)
    assert of_queue(report, NODE)["depth"] == 29
    assert report.figures.client.conflicts.rise == 2
    assert report.figures.client.latency.mean is None
    unjudged = {one.name for one in report.unjudged}
    assert unjudged == {"leader-changed", "request-latency", "client-throttling"}
