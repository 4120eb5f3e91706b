"""Judgements: each rule has a state that is ok, one that is above each of its limits, and words for both."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest
from manager_metrics import ADMISSION, NODE, Metrics, ask, idle_manager, reconcile, reported

from kubectl_c9s.measurement.managerrules import RULES
from kubectl_c9s.output.amounts import amount

if TYPE_CHECKING:
    from collections.abc import Callable

    from kubectl_c9s.measurement.managerjudge import Judgement
    from kubectl_c9s.measurement.managerreport import Report

PAGE: Final = Path(__file__).parents[2] / "docs/diagnostics.md"


def errors(name: str, bad: int, good: int) -> Callable[[Metrics], None]:
    def do(metrics: Metrics) -> None:
        reconcile(metrics, name, bad, "error")
        reconcile(metrics, name, good)

    return do


def counted(kind: str, name: str = NODE) -> Callable[[Metrics], None]:
    return lambda metrics: metrics.count(f"controller_runtime_{kind}_total", 1, controller=name)


def gauge(name: str, value: float, /, **labels: str) -> Callable[[Metrics], None]:
    return lambda metrics: metrics.gauge(name, value, **labels)


def asked(code: str, times: int, method: str = "PUT", good: int = 1000) -> Callable[[Metrics], None]:  # fmt: skip
    def do(metrics: Metrics) -> None:
        ask(metrics, code, method, times)
        ask(metrics, "200", method, good)

    return do


def crowded(name: str, workers: int, depth: int, took: float) -> Callable[[Metrics], None]:
    """Have all workers at work, and so many items behind them."""

    def do(metrics: Metrics) -> None:
        reconcile(metrics, name, 10, took=took)
        metrics.gauge("controller_runtime_active_workers", workers, controller=name)
        metrics.gauge("workqueue_depth", depth, controller=name, name=name, priority="0")

    return do


def throttled(wait: float) -> Callable[[Metrics], None]:
    name = "rest_client_rate_limiter_duration_seconds"
    return lambda metrics: metrics.observe(name, wait, 100, verb="GET", host="h")


LONGEST = "workqueue_longest_running_processor_seconds"
CASES: Final = [
    ("not-leading", "", "warning", gauge("leader_election_master_status", 0, name="clabernetes-manager")),
    ("restarted", "", "warning", gauge("process_start_time_seconds", 1.7e9 + 20)),
    ("panics", NODE, "warning", counted("reconcile_panics")),
    ("admission-errors", ADMISSION, "notice", errors(ADMISSION, 1, 99)),
    ("admission-errors", ADMISSION, "warning", errors(ADMISSION, 20, 80)),
    ("reconcile-errors", NODE, "ok", errors(NODE, 1, 199)),
    ("reconcile-errors", NODE, "notice", errors(NODE, 5, 95)),
    ("reconcile-errors", NODE, "warning", errors(NODE, 20, 80)),
    ("reconcile-errors", NODE, "notice", errors(NODE, 3, 3)),  # too few to be sure
    ("terminal-errors", NODE, "notice", counted("terminal_reconcile_errors")),
    ("reconcile-timeouts", NODE, "notice", counted("reconcile_timeouts")),
    ("reconcile-time", NODE, "notice", lambda metrics: reconcile(metrics, NODE, 100, took=8.0)),
    ("reconcile-time", NODE, "warning", lambda metrics: reconcile(metrics, NODE, 100, took=50.0)),
    ("planning-bound", NODE, "notice", crowded(NODE, 16, 160, 1.0)),
    ("planning-bound", NODE, "warning", crowded(NODE, 16, 1600, 1.0)),
    ("planning-bound", NODE, "ok", crowded(NODE, 15, 1600, 1.0)),  # a worker is free
    ("planning-bound", NODE, "ok", crowded(NODE, 16, 160, 0.1)),  # a second, and they are through
    ("admission-bound", ADMISSION, "notice", crowded(ADMISSION, 1, 20, 0.1)),
    ("admission-bound", ADMISSION, "warning", crowded(ADMISSION, 1, 100, 0.1)),
    ("workers-saturated", "topology", "notice", crowded("topology", 1, 10, 1.0)),
    ("workers-saturated", "topology", "warning", crowded("topology", 1, 100, 1.0)),
    ("queue-latency", NODE, "notice", lambda metrics: reconcile(metrics, NODE, 100, waited=4.0)),
    ("queue-latency", NODE, "warning", lambda metrics: reconcile(metrics, NODE, 100, waited=50.0)),
    ("stuck-worker", NODE, "notice", gauge(LONGEST, 90, controller=NODE, name=NODE)),
    ("stuck-worker", NODE, "warning", gauge(LONGEST, 900, controller=NODE, name=NODE)),
    ("too-many-requests", "", "notice", asked("429", 1)),
    ("too-many-requests", "", "warning", asked("429", 20)),
    ("conflicts", "", "ok", asked("409", 1)),
    ("conflicts", "", "notice", asked("409", 50)),
    ("conflicts", "", "warning", asked("409", 500)),
    ("forbidden-requests", "", "warning", asked("403", 1)),
    ("forbidden-requests", "", "warning", asked("401", 1)),
    ("server-errors", "", "notice", asked("500", 1)),
    ("server-errors", "", "warning", asked("504", 20)),
    ("unanswered-requests", "", "notice", asked("<error>", 1)),
    ("request-latency", "", "notice", lambda metrics: ask(metrics, "200", "GET", 100, took=0.9)),
    ("request-latency", "", "warning", lambda metrics: ask(metrics, "200", "GET", 100, took=4.0)),
    ("client-throttling", "", "notice", throttled(0.4)),
    ("client-throttling", "", "warning", throttled(4.0)),
    ("collection-pauses", "", "notice", lambda metrics: metrics.observe("go_gc_duration_seconds", 0.01, 60)),
    ("collection-pauses", "", "warning", lambda metrics: metrics.observe("go_gc_duration_seconds", 0.1, 60)),
    ("open-files", "", "notice", gauge("process_open_fds", 600)),
    ("open-files", "", "warning", gauge("process_open_fds", 900)),
]  # fmt: skip


def judged(report: Report, name: str, subject: str) -> Judgement:
    (found,) = (one for one in report.judgements if (one.name, one.subject) == (name, subject))
    return found


@pytest.mark.parametrize(("name", "subject", "level", "do"), CASES)
def test_a_state_is_judged_by_its_rule(
    name: str, subject: str, level: str, do: Callable[[Metrics], None]
) -> None:
    before = idle_manager()
    after = before.later()
    do(after)
    found = judged(reported(before, after), name, subject)
    rule = next(one for one in RULES if one.name == name)
    assert found.level == level, found
    if level == "ok":
        assert (found.words, found.advice) == (rule.title, "")
        assert found.value <= found.threshold
    else:
        assert (found.words, found.advice) == (rule.meaning, rule.advice)
        assert found.value > found.threshold


def test_every_limit_of_every_rule_has_a_case() -> None:
    reached = {(name, level) for name, _, level, _ in CASES} | {("leader-changed", "notice")}
    limits = {
        (rule.name, level)
        for rule in RULES
        for level, limit in (("notice", rule.notice), ("warning", rule.warning))
        if limit is not None
    }
    assert limits <= reached


def test_a_manager_that_idles_is_all_right() -> None:
    before = idle_manager()
    after = before.later()
    for name in (NODE, ADMISSION, "topology"):
        reconcile(after, name, 3)
    ask(after, "200", "PUT", 3)
    report = reported(before, after)
    assert {one.level for one in report.judgements} == {"ok"}
    assert not report.unjudged
    assert not report.warned


def test_a_change_of_the_leader_is_a_notice() -> None:
    before = idle_manager()
    found = judged(reported(before, before.later(), leader_changes=1), "leader-changed", "")
    assert found.level == "notice"


def test_workers_count_as_busy_when_they_were_all_the_while() -> None:
    """A moment in which one is free says little when the thirty seconds before say otherwise."""
    before = idle_manager()
    after = before.later()
    reconcile(after, ADMISSION, 300, took=0.099)
    after.gauge("workqueue_depth", 50, controller=ADMISSION, name=ADMISSION, priority="0")
    assert judged(reported(before, after), "admission-bound", ADMISSION).level == "notice"


def test_without_a_reconcile_that_ended_the_mean_is_that_of_the_process() -> None:
    before = idle_manager()
    reconcile(before, NODE, 900, took=10.0)
    after = before.later()
    after.gauge("controller_runtime_active_workers", 16, controller=NODE)
    after.gauge("workqueue_depth", 160, controller=NODE, name=NODE, priority="0")
    found = judged(reported(before, after), "planning-bound", NODE)
    assert found.level == "warning"
    assert found.value == pytest.approx(10 * (900 * 10 + 100 * 0.02) / 1000)


@pytest.mark.parametrize(
    ("name", "word"),
    [("conflicts", "rest_client_requests_total"), ("request-latency", "rest_client_request_duration_seconds")],
)  # fmt: skip
def test_what_cannot_be_judged_is_named_with_the_metric_that_is_missing(name: str, word: str) -> None:  # fmt: skip
    before = idle_manager()
    before.drop(word)
    report = reported(before, before.later())
    assert name not in {one.name for one in report.judgements}
    (found,) = (one for one in report.unjudged if one.name == name)
    assert found.reason == f"there is no {word} in the scrape"


def test_what_did_not_happen_is_not_judged_and_says_so() -> None:
    before = idle_manager()
    (found,) = (one for one in reported(before, before.later()).unjudged if one.name == "conflicts")
    assert "nothing of it happened" in found.reason


def test_a_short_interval_is_told() -> None:
    before = idle_manager()
    assert any("30 s" in note for note in reported(before, before.later(), 12.0).notes)
    assert not reported(before, before.later(), 30.0).notes


def test_names_are_in_kebab_case_and_once_and_every_limit_has_a_reason() -> None:
    names = [rule.name for rule in RULES]
    assert len(set(names)) == len(names)
    for rule in RULES:
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", rule.name)
        assert rule.reason
        assert rule.meaning
        assert rule.advice
        limits = [one for one in (rule.notice, rule.warning) if one is not None]
        assert limits == sorted(limits)
        assert limits


def test_the_page_lists_every_judgement_with_its_limits() -> None:
    rows = re.findall(r"^\| `([a-z-]+)` \|(.*)\|$", PAGE.read_text("utf-8"), re.MULTILINE)
    expected = {
        rule.name: [rule.title, *(limit(one, rule.unit) for one in (rule.notice, rule.warning)), rule.reason]
        for rule in RULES
    }  # fmt: skip
    found = {name: [cell.strip() for cell in cells.split("|")] for name, cells in rows}
    assert {name: found.get(name) for name in expected} == expected


def limit(value: float | None, unit: str) -> str:
    return "-" if value is None else amount(float(value), unit)
