"""Diagnoses what the watches show, as often as it is worth its cost, and keeps the record of stuck starts."""

from __future__ import annotations

import time
from collections import Counter
from typing import TYPE_CHECKING, Final, cast

from kubectl_c9s.cluster import kinds
from kubectl_c9s.diagnosis.report import diagnose
from kubectl_c9s.diagnosis.settings import Settings
from kubectl_c9s.reconciler.feeds import POLICIES, WATCHED
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
_PATIENCE: Final = 30.0  # seconds to wait for the first lists of what enforcing does not need
_QUIET: Final = {POLICIES.full_name, kinds.LEASES.full_name}
"""Kinds of which a change is no news by itself."""


class Observer:
    """Keeps the last reading and the open episodes; ``window`` is the least time between two diagnoses."""

    def __init__(self, window: float, metrics: Metrics, clock: Callable[[], float]) -> None:
        self._window = window
        self._metrics = metrics
        self._clock = clock
        self._due = float("-inf")
        self._next = float("-inf")
        self._dirty = True
        self._leases: set[tuple[str, str | None, bool]] = set()
        self._is_whole = False
        self._since: float | None = None
        self._settings = Settings()
        self._episodes: dict[Key, Episode] = {}
        self.reading: Reading | None = None

    def look(
        self, look: Look, place: Place, rule: Ruling, how: Circumstances, wall: float
    ) -> float:
        """Diagnose if it is time; give in how many seconds to look again."""
        now = self._clock()
        self._dirty = self._dirty or bool(look.changed - _QUIET) or self._leases_moved(look, wall)
        if (settings := _settings(rule)) != self._settings:
            self._settings, self._dirty = settings, True
        if how.blind:
            return _REST
        if (left := self._first_lists(look, now)) > 0:
            return left
        due = self._due if self._dirty else max(self._due, self._next)
        if now < due:
            return due - now
        begun = time.monotonic()
        diagnosis = diagnosis_of(look, place, wall, settings)
        cost = time.monotonic() - begun
        self._metrics.diagnosis.observe(cost)
        self.reading = read(diagnosis)
        self._note(diagnosis, look)
        self._dirty = False
        self._due = now + max(self._window, _AHEAD * cost)
        self._next = now + (_PULSE if _is_moving(diagnosis) else _REST)
        return self._next - now

    def _leases_moved(self, look: Look, wall: float) -> bool:
        """Tell whether a Lease has another holder, or holds no more: that it was renewed is no news."""
        leases = look.of(kinds.LEASES.full_name)
        found = {(one.metadata.uid, one.spec.holder_identity, one.is_held(wall)) for one in leases}
        moved = found != self._leases
        self._leases = found
        return moved

    def _first_lists(self, look: Look, now: float) -> float:
        """Give for how many seconds the first lists may be waited for: a diagnosis without them would say less."""
        if self._is_whole or look.objects.keys() | look.missing.keys() >= WATCHED:
            self._is_whole = True
            return 0.0
        self._since = now if self._since is None else self._since
        return self._since + _PATIENCE - now

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
    views = views_in(
        cast("list[KeptNode]", dump.nodes), cast("list[KeptPod]", dump.pods), place.app
    )
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
