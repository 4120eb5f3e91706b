"""Diagnoses what the watches show, as often as it is worth its cost, and keeps the record of stuck starts."""

from __future__ import annotations

import time
from collections import Counter
from typing import TYPE_CHECKING, Final, cast

from kubectl_c9s.diagnosis.report import diagnose
from kubectl_c9s.diagnosis.settings import Settings
from kubectl_c9s.reconciler.feeds import POLICIES
from kubectl_c9s.reconciler.logs import log
from kubectl_c9s.reconciler.reading import Reading, read
from kubectl_c9s.reconciler.seen import dump_in, views_in
from kubectl_c9s.remediation.episodes import advance

if TYPE_CHECKING:
    from collections.abc import Callable

    from kubectl_c9s.diagnosis.report import Diagnosis
    from kubectl_c9s.diagnosis.world import Place
    from kubectl_c9s.reconciler.kept import KeptNode, KeptPod
    from kubectl_c9s.reconciler.metrics import Metrics
    from kubectl_c9s.reconciler.view import Look
    from kubectl_c9s.remediation.episodes import Episode, Key
    from kubectl_c9s.rollout.holding import Circumstances
    from kubectl_c9s.rollout.ruling import Ruling

_AHEAD: Final = 4.0  # times its own cost a diagnosis waits
_PULSE: Final = 10.0  # seconds: verdicts change by time alone while somebody waits
_REST: Final = 60.0


class Observer:
    """Keeps the last reading and the open episodes; ``window`` is the least time between two diagnoses."""

    def __init__(self, window: float, metrics: Metrics, clock: Callable[[], float]) -> None:
        self._window = window
        self._metrics = metrics
        self._clock = clock
        self._due = float("-inf")
        self._next = float("-inf")
        self._dirty = True
        self._episodes: dict[Key, Episode] = {}
        self.reading: Reading | None = None

    def look(
        self, look: Look, place: Place, rule: Ruling, how: Circumstances, wall: float
    ) -> float:
        """Diagnose if it is time; give in how many seconds to look again."""
        now = self._clock()
        self._dirty = self._dirty or bool(look.changed - {POLICIES.full_name})
        if how.blind:
            return _REST
        due = self._due if self._dirty else max(self._due, self._next)
        if now < due:
            return due - now
        begun = time.monotonic()
        diagnosis = diagnosis_of(look, place, wall, _settings(rule))
        cost = time.monotonic() - begun
        self._metrics.diagnosis.observe(cost)
        self.reading = read(diagnosis)
        self._note(diagnosis, look)
        self._dirty = False
        self._due = now + max(self._window, _AHEAD * cost)
        self._next = now + (_PULSE if _is_moving(diagnosis) else _REST)
        return self._next - now

    def _note(self, diagnosis: Diagnosis, look: Look) -> None:
        metrics = self._metrics
        metrics.counts(diagnosis.counts)
        stuck = {entry.code: 1.0 for entry in diagnosis.entries if entry.state == "stuck"}
        metrics.only(metrics.stalled, stuck)
        changes = advance(self._episodes, diagnosis, look.missing)
        self._episodes = changes.open
        metrics.only(metrics.open, Counter(one.code for one in changes.open.values()))
        for episode in changes.opened:
            metrics.opened.labels(episode.code).inc()
            log.warning(
                "a start is stuck",
                extra={"workload": episode.workload, "cause": episode.code, "sub": episode.sub},
            )
        for end in changes.closed:
            metrics.closed.labels(end.outcome).inc()
            log.info(
                "a stuck start has ended",
                extra={"workload": end.episode.workload, "outcome": end.outcome},
            )


def diagnosis_of(look: Look, place: Place, wall: float, settings: Settings) -> Diagnosis:
    """Diagnose what the watches show; ``wall`` is in seconds since 1970."""
    dump = dump_in(look)
    views = views_in(cast("list[KeptNode]", dump.nodes), cast("list[KeptPod]", dump.pods), place.app)
    return diagnose(dump, place, wall, settings, views)


def _settings(rule: Ruling) -> Settings:
    policy = rule.ruler.policy if rule.ruler else None
    if policy is None:
        return Settings()
    return Settings(policy.stall.slow_after, policy.stall.stalled_after)


def _is_moving(diagnosis: Diagnosis) -> bool:
    """Tell whether time alone may change the verdict: while anybody is on the way."""
    counts = diagnosis.counts
    busy = counts["global"]["pending"] or counts["global"]["blocking"] or counts["global"]["held"]
    on_hosts = any(found["booting"] or found["queued"] for found in counts["hosts"].values())
    return bool(busy or on_hosts or diagnosis.verdict != "healthy")
