"""From figures of a manager to judgements, by the table of managerrules.py."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec

from kubectl_c9s.measurement.managerreading import share
from kubectl_c9s.measurement.managerrules import ALL_AT_WORK, BY_NAME, EVIDENCE, RULES, Unit
from kubectl_c9s.measurement.metricstext import START

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubectl_c9s.measurement.managerfigures import Client, Controller, Count, Figures, Queue
    from kubectl_c9s.measurement.metrics import Scrape

Level = Literal["ok", "notice", "warning"]
_ADMISSION = "startup-admission"
_NODE = "node"
_NOTHING = "nothing of it happened between the scrapes"


class Judgement(msgspec.Struct, rename="camel", frozen=True):
    """A figure against its limits: ``threshold`` is the one it is above, or the lowest one when it is ``ok``.

    ``subject`` is the controller or queue, empty for the manager as a whole. ``advice`` is empty when it is ``ok``.
    """

    name: str
    subject: str
    level: Level
    value: float
    unit: Unit
    threshold: float
    words: str
    advice: str


class Unjudged(msgspec.Struct, rename="camel", frozen=True):
    """What could not be judged, and why."""

    name: str
    subject: str
    reason: str


class Moments(NamedTuple):
    """Of two scrapes: why there are no rates (else empty), restarts and changes of the leader; ``two`` says if any."""

    void: str
    restarts: int | None
    leader_changes: int | None
    two: bool


class _Value(NamedTuple):
    """A value for a rule; without enough behind it (``sure``) it is no warning."""

    rule: str
    subject: str
    value: float | None
    sure: bool = True


def judge(
    figures: Figures, last: Scrape, moments: Moments
) -> tuple[list[Judgement], list[Unjudged]]:
    """Judge all that can be judged, in the order of the table; the rest is given with a reason."""
    values = itertools.chain(
        _of_manager(figures, moments),
        *(_of_controller(one) for one in figures.controllers),
        *(_of_queue(one, figures) for one in figures.queues),
        _of_client(figures.client),
    )
    order = {rule.name: place for place, rule in enumerate(RULES)}
    judged: list[Judgement] = []
    unjudged: list[Unjudged] = []
    for one in sorted(values, key=lambda value: order[value.rule]):
        if one.value is None:
            unjudged.append(Unjudged(one.rule, one.subject, _why_not(one.rule, last, moments)))
        else:
            judged.append(_judgement(one, one.value))
    return judged, unjudged


def _judgement(given: _Value, value: float) -> Judgement:
    rule = BY_NAME[given.rule]
    limits = [limit for limit in (rule.notice, rule.warning) if limit is not None]
    level: Level = "ok"
    threshold = limits[0]
    if rule.notice is not None and value > rule.notice:
        level = "notice"
    if rule.warning is not None and value > rule.warning:
        level = "warning" if given.sure else "notice"
        threshold = rule.warning
    words, advice = (rule.title, "") if level == "ok" else (rule.meaning, rule.advice)
    return Judgement(rule.name, given.subject, level, value, rule.unit, threshold, words, advice)


def _why_not(name: str, last: Scrape, moments: Moments) -> str:
    metric = BY_NAME[name].metric
    if metric == START:
        return "there is only one scrape" if not moments.two else "nobody looked"
    if metric == "leaseTransitions":
        return "nobody looked at the Lease before and after"
    if not (last.has(metric) or last.has(f"{metric}_count")):
        return f"there is no {metric} in the scrape"
    return moments.void or _NOTHING


def _of_manager(figures: Figures, moments: Moments) -> Iterator[_Value]:
    process = figures.process
    yield _Value("not-leading", "", None if figures.leader is None else float(not figures.leader))
    yield _Value("restarted", "", _float(moments.restarts))
    yield _Value("leader-changed", "", _float(moments.leader_changes))
    yield _Value("collection-pauses", "", process.pauses)
    yield _Value("open-files", "", share(process.open_files, process.most_files))


def _of_controller(one: Controller) -> Iterator[_Value]:
    errors = "admission-errors" if one.name.endswith(_ADMISSION) else "reconcile-errors"
    yield _Value(errors, one.name, one.error_share, (one.finished or 0) >= EVIDENCE)
    for rule, count in (
        ("panics", one.panics),
        ("terminal-errors", one.terminal_errors),
        ("reconcile-timeouts", one.timeouts),
    ):
        yield _Value(rule, one.name, _lately(count))
    yield _Value("reconcile-time", one.name, one.time.p95)


def _of_queue(one: Queue, figures: Figures) -> Iterator[_Value]:
    controller = next((each for each in figures.controllers if each.name == one.name), None)
    yield _Value(_bound(one.name), one.name, _waiting(controller))
    yield _Value("queue-latency", one.name, one.latency.p95)
    yield _Value("stuck-worker", one.name, one.longest)


def _bound(name: str) -> str:
    if name.endswith(_ADMISSION):
        return "admission-bound"
    return "planning-bound" if name == _NODE else "workers-saturated"


def _waiting(controller: Controller | None) -> float | None:
    """Give in how many seconds the queue is worked off; 0 while a worker is free."""
    if controller is None or not controller.workers:
        return None
    at_work = max(controller.active or 0.0, (controller.busy or 0.0) / ALL_AT_WORK)
    return controller.backlog if at_work >= controller.workers else 0.0


def _of_client(client: Client) -> Iterator[_Value]:
    many = (client.made.rise or 0) >= EVIDENCE
    written = (client.written.rise or 0) >= EVIDENCE
    made = client.made.rise
    yield _Value("too-many-requests", "", share(client.too_many.rise, made), many)
    yield _Value("conflicts", "", share(client.conflicts.rise, client.written.rise), written)
    yield _Value("forbidden-requests", "", client.forbidden.rise)
    yield _Value("server-errors", "", share(client.server_errors.rise, made), many)
    yield _Value("unanswered-requests", "", client.unanswered.rise)
    yield _Value("request-latency", "", client.latency.p95)
    yield _Value("client-throttling", "", client.throttling.p95)


def _lately(count: Count) -> float | None:
    """Give what was counted between the scrapes; without two of one process, what was counted at all."""
    return count.total if count.rise is None else count.rise


def _float(count: int | None) -> float | None:
    return None if count is None else float(count)
