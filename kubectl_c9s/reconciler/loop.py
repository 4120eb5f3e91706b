"""The one loop that decides: looks at the watches, asks the pure rooms, hands writes out, takes results in."""

from __future__ import annotations

import time
from collections import Counter, deque
from typing import TYPE_CHECKING, Final, NamedTuple

from kubectl_c9s.cluster import kinds
from kubectl_c9s.diagnosis.place import find_place
from kubectl_c9s.diagnosis.world import Place
from kubectl_c9s.reconciler.enforcer import Enforcer
from kubectl_c9s.reconciler.feeds import POLICIES
from kubectl_c9s.reconciler.logs import log
from kubectl_c9s.reconciler.managers import Managers
from kubectl_c9s.reconciler.refusals import Refusals
from kubectl_c9s.reconciler.seen import dump_in
from kubectl_c9s.reconciler.standing import Standing
from kubectl_c9s.resources.errors import UsageError
from kubectl_c9s.rollout.policyfacts import Facts
from kubectl_c9s.rollout.ruling import candidate, ruling

if TYPE_CHECKING:
    from collections.abc import Callable

    from kubectl_c9s.cluster.election import Election
    from kubectl_c9s.cluster.serverclock import ServerClock
    from kubectl_c9s.reconciler.metrics import Metrics
    from kubectl_c9s.reconciler.observer import Observer
    from kubectl_c9s.reconciler.telling import Teller
    from kubectl_c9s.reconciler.view import Look, View
    from kubectl_c9s.reconciler.writer import Result, Writer
    from kubectl_c9s.resources.objects import KubeObject
    from kubectl_c9s.rollout.enforcing import Decision
    from kubectl_c9s.rollout.holding import Circumstances
    from kubectl_c9s.rollout.ruling import Candidate, Ruling

_LONGEST: Final = 5.0  # seconds between two looks at the Lease and at silent watches


class Settings(NamedTuple):
    """Where the manager is, and with it the policies; seconds of resync and of rest before the first write."""

    manager_namespace: str
    resync: float = 600.0
    settle: float = 5.0


class Parts(NamedTuple):
    """The parts of the process that a loop works with; ``clock`` is a steady one, ``server`` that of the stamps."""

    view: View
    writer: Writer
    election: Election
    teller: Teller
    observer: Observer
    metrics: Metrics
    clock: Callable[[], float]
    server: ServerClock


class Loop:
    """Decides by itself alone; everything that takes time happens in other threads.

    ``problem`` says why the view is not to be trusted, ``passed_at`` when the last pass ended.
    """

    def __init__(self, settings: Settings, parts: Parts) -> None:
        self._settings = settings
        (
            self._view, self._writer, self._election, self._teller, self._observer, self._metrics, self._clock,
            self._server,
        ) = parts  # fmt: skip
        clock = parts.clock
        self._enforcer = Enforcer()
        self._managers = Managers(clock)
        self._standing = Standing(parts.election, settings.settle)
        self._results: deque[Result] = deque()
        self._resynced = clock()
        self._known: set[str] = set()
        self._failed = ""
        self._refusals = Refusals()
        self.passed_at = clock()

    @property
    def problem(self) -> str:
        """Say why the view is not to be trusted, or why decisions are not made or not told; empty when all is well."""
        return self._failed or self._standing.problem or self._refusals.text

    def run(self, is_over: Callable[[], bool]) -> None:
        """Go on until it is over; a pass that fails is logged and tried again."""
        while not is_over():
            begun = time.monotonic()
            try:
                pause = self.step()
                self._failed = ""
                self._metrics.passes.labels("success").inc()
            except Exception as error:  # noqa: BLE001 - a fault in one pass must not end the process
                log.exception("a pass of the loop has failed")
                self._failed = f"no decision can be made: {type(error).__name__}: {error}"
                self._metrics.passes.labels("error").inc()
                pause = 1.0
                self._wait_out(pause, is_over)
            self._metrics.seconds.observe(time.monotonic() - begun)
            self.passed_at = self._clock()
            self._view.wait(min(pause, _LONGEST))

    def step(self) -> float:
        """Make one pass; give in how many seconds to look again if nothing happens."""
        now = self._clock()
        self._results.extend(self._writer.results())
        look = self._view.look()
        how = self._circumstances(look, now)
        rule = ruling(map(candidate, look.of(POLICIES.full_name)), self._settings.manager_namespace)
        while self._results:
            self._take(self._results.popleft(), rule, look, now)
        place = self._place(look)
        self._managers.take(look.of(kinds.LEASES.full_name))
        managed = self._managers.leads(place.app)
        how = how._replace(managed=managed, unsupported=self._enforcer.unsupported)
        decisions = self._enforce(rule, look, place, how)
        pause = self._observer.look(look, place, rule, how, self._server.now())
        self._count(look, decisions, how)
        return min(pause, self._tell(rule, look, how, decisions, now))

    def _circumstances(self, look: Look, now: float) -> Circumstances:
        term = self._standing.term
        how = self._standing.look(look, now)
        if how.leading and self._standing.term != term:
            self._enforcer.begin_term()
        if now - self._resynced > self._settings.resync:
            self._resynced, self._enforcer.unsupported = now, frozenset()
        return how

    def _place(self, look: Look) -> Place:
        namespace = self._settings.manager_namespace
        try:
            return find_place(dump_in(look._replace(objects=_small(look))), namespace)
        except UsageError:
            return Place(namespace)

    def _enforce(
        self, rule: Ruling, look: Look, place: Place, how: Circumstances
    ) -> tuple[Decision, ...]:
        if rule.ruler is None or rule.ruler.policy is None or how.blind:
            return ()
        decisions, tasks = self._enforcer.decide(rule.ruler.policy, look, place, how)
        for task in tasks:
            self._writer.send(task)
        return decisions

    def _take(self, result: Result, rule: Ruling, look: Look, now: float) -> None:
        kind = result.task.resource.kind
        if result.task.body is not None:
            self._metrics.writes.labels(kind, result.outcome).inc()
            self._metrics.write_seconds.labels(kind).observe(result.seconds)
            self._refusals.take(result)
        if result.task.tag == "event":
            return
        if result.task.resource is POLICIES:
            for task in self._teller.take(result, now):
                self._writer.send(task)
            return
        written = self._enforcer.take(result, now, self._server.now())
        if written and rule.ruler is not None:
            policy = look.objects[POLICIES.full_name][rule.ruler.uid]
            for task in self._teller.write_events(policy, written):
                self._writer.send(task)
            for one in written:
                log.info("a limit was written", extra=one.drift._asdict())

    def _tell(
        self,
        rule: Ruling,
        look: Look,
        how: Circumstances,
        decisions: tuple[Decision, ...],
        now: float,
    ) -> float:
        policies = {obj["metadata"]["uid"]: obj for obj in look.of(POLICIES.full_name)}
        self._teller.forget(self._known - policies.keys())
        self._known = set(policies)
        if not how.leading or self._standing.is_beginning:
            return _LONGEST if not how.leading else min(self._settings.settle or 1.0, 1.0)
        pause = self._enforcer.pause(now)
        for one in (*((rule.ruler,) if rule.ruler else ()), *rule.superseded):
            facts = self._facts(one, rule, how, decisions)
            pause = min(pause, self._tell_one(policies[one.uid], facts, now))
        return pause

    def _tell_one(self, policy: KubeObject, facts: Facts, now: float) -> float:
        task, pause = self._teller.status_task(policy, facts, now, self._server.now())
        if task is not None:
            self._writer.send(task)
        return pause

    def _facts(
        self, one: Candidate, rule: Ruling, how: Circumstances, decisions: tuple[Decision, ...]
    ) -> Facts:
        facts = Facts(one.generation, one.policy, one.problem, how=how)
        if rule.ruler is None or one.uid != rule.ruler.uid:
            return facts._replace(ruler=rule.ruler.name if rule.ruler else "")
        facts = facts._replace(
            decisions=decisions,
            failures=self._enforcer.failures,
            writes=tuple(self._enforcer.writes),
        )
        if (reading := self._observer.reading) is not None and not how.blind:
            facts = facts._replace(
                start=reading.start, blockers=reading.blockers, hosts=reading.hosts
            )
        return facts

    def _count(self, look: Look, decisions: tuple[Decision, ...], how: Circumstances) -> None:
        metrics = self._metrics
        metrics.leader.set(how.leading)
        metrics.only(metrics.objects, {name: len(found) for name, found in look.objects.items()})
        metrics.managed.set(sum(one.managed for one in decisions))
        metrics.drifted.set(sum(bool(one.drift) for one in decisions))
        held = Counter(one.hold.reason for one in decisions if one.hold)
        metrics.only(metrics.held_back, held)

    def _wait_out(self, seconds: float, is_over: Callable[[], bool]) -> None:
        end = time.monotonic() + seconds
        while not is_over() and time.monotonic() < end:
            time.sleep(0.05)


def _small(look: Look) -> dict[str, dict[str, object]]:
    """Give what tells where the manager is: Leases and Configs. Its Pods carry no label of devices."""
    names = (kinds.LEASES.full_name, kinds.CONFIGS.full_name)
    return {name: look.objects[name] for name in names if name in look.objects}
