"""Who leads: one process stands for all replicas, one of which holds the Lease while its Pod lives."""

from __future__ import annotations

import dataclasses
import http.client
import logging
import random
import string
import threading
import time
from typing import TYPE_CHECKING, Any, Final

import standin_names as names
from standin_lease import Lease, Timers, lease_labels
from standin_session import NotSynced, Session

if TYPE_CHECKING:
    from bed_client import Access, ApiClient
    from standin_faults import FaultBoard
    from standin_install import Installation
    from standin_session import Settings

log = logging.getLogger("standin")

TICK: Final = 0.25  # seconds between looks at the faults and at the leader's Pod
STALE_AGE: Final = 600.0
TROUBLE: Final = (OSError, http.client.HTTPException, AssertionError, NotSynced)


class Leader:
    """Takes the Lease, leads with a fresh :class:`Session`, steps down; all in one thread."""

    def __init__(
        self,
        access: Access,
        client: ApiClient,
        installation: Installation,
        settings: Settings,
        faults: FaultBoard,
        timers: Timers | None = None,
    ) -> None:
        self._access, self._installation = access, installation
        self._settings, self._faults, self._timers = settings, faults, timers or Timers()
        app = settings.app
        self._lease = Lease(client, settings.namespace, f"{app}-manager", lease_labels(app))
        self._stopping = threading.Event()
        self._session: Session | None = None
        self._holder, self._pod = "", ""
        self._renewed = 0.0
        self._stale = self._starved = False
        self.terms = 0

    def stop(self) -> None:
        """Let :meth:`run` come to its end."""
        self._stopping.set()

    def run(self) -> None:
        """Lead when possible until told to stop; a clean end releases the Lease."""
        while not self._stopping.is_set():
            try:
                self._tick()
            except TROUBLE as error:
                log.warning("leader: %r", error)
            self._stopping.wait(TICK)
        self._step_down(release=True)

    @property
    def state(self) -> dict[str, Any]:
        """Give what tests want to see, as JSON."""
        session = self._session
        tally = session.admission.tally if session else None
        return {
            "leading": session is not None,
            "holder": self._holder,
            "terms": self.terms,
            "limits": list(session.limits) if session else None,
            "tally": dataclasses.asdict(tally) if tally else None,
        }

    def _tick(self) -> None:
        faults = self._faults.now
        if faults.planner_starved != self._starved:
            self._installation.set_pool(starved=faults.planner_starved)
            self._starved = faults.planner_starved
        if faults.no_leader:
            self._step_down(release=True)
        elif faults.stale_lease:
            self._grow_stale()
        elif self._session is None:
            self._run_for_it()
        else:
            self._go_on(self._session)

    def _run_for_it(self) -> None:
        """Take the Lease for one of the Pods and begin to lead."""
        pods = self._installation.managers()
        if not pods or not self._take(pods):
            return
        log.info("%s leads", self._holder)
        session = Session(self._access, self._settings, self._faults)
        try:
            session.start()
        except BaseException:
            session.stop()
            raise
        self._session, self._stale = session, False
        self.terms += 1
        self._installation.own_config()

    def _take(self, pods: list[str], age: float = 0.0) -> bool:
        chosen = random.choice(pods)  # noqa: S311 - any of them
        tail = "".join(random.choices(string.ascii_lowercase + string.digits, k=12))  # noqa: S311
        holder = names.holder(chosen, tail)
        if not self._lease.acquire(holder, self._timers, age=age):
            return False
        self._holder, self._pod, self._renewed = holder, chosen, time.monotonic()
        return True

    def _go_on(self, session: Session) -> None:
        """Renew in time; step down when the Lease or the Pod is lost."""
        pod = session.pod_store.view(self._settings.namespace, self._pod)
        if pod is None or pod.deleting:
            log.info("%s is gone", self._pod)
            self._step_down(release=True)
            return
        since = time.monotonic() - self._renewed
        if since < self._timers.retry:
            return
        if self._lease.acquire(self._holder, self._timers):
            self._renewed = time.monotonic()
        elif since > self._timers.deadline:
            self._step_down(release=False)

    def _grow_stale(self) -> None:
        """Hang: nobody works any more, and the Lease says so by its age only."""
        if self._stale:
            return
        self._end_session()
        if self._holder:
            self._stale = self._lease.acquire(self._holder, self._timers, age=STALE_AGE)
        elif pods := self._installation.managers():
            self._stale = self._take(pods, age=STALE_AGE)

    def _step_down(self, *, release: bool) -> None:
        self._end_session()
        if release and self._holder:
            self._lease.release(self._holder)
        self._holder, self._pod, self._stale = "", "", False

    def _end_session(self) -> None:
        session, self._session = self._session, None
        if session is not None:
            session.stop()
