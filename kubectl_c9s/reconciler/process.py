"""The process: its parts put together, its threads begun, and all of it ended in order."""

from __future__ import annotations

import threading
import time
from http import HTTPStatus
from typing import TYPE_CHECKING, Final, NamedTuple

from kubectl_c9s.cluster.election import Election, Timers, steady_clock
from kubectl_c9s.cluster.serverclock import ServerClock
from kubectl_c9s.reconciler.feeds import feeds
from kubectl_c9s.reconciler.logs import log
from kubectl_c9s.reconciler.loop import Loop, Parts, Settings
from kubectl_c9s.reconciler.metrics import CONTENT_TYPE, Metrics
from kubectl_c9s.reconciler.observer import Observer
from kubectl_c9s.reconciler.pacing import Allowance
from kubectl_c9s.reconciler.serving import Page, Server, truth
from kubectl_c9s.reconciler.telling import Teller
from kubectl_c9s.reconciler.view import View
from kubectl_c9s.reconciler.watches import Watches
from kubectl_c9s.reconciler.writer import Writer
from kubectl_c9s.resources.errors import C9sError

if TYPE_CHECKING:
    from collections.abc import Callable

    from kubectl_c9s.cluster.connection import Connection

_GRACE: Final = 10.0
"""Seconds beyond twice the silence: by then a watch has opened its stream again and listed (cluster/watching.py)."""
_STUCK: Final = 60.0  # seconds without a pass after which the process is not alive
_CLOCK: Final = 300.0  # seconds between two looks at the server's clock


class Options(NamedTuple):
    """What operators tune; times in seconds. Connections for reading, for writing and for the Lease are three."""

    namespace: str
    manager_namespace: str
    identity: str
    lease: str = "c9s-reconciler"
    timers: Timers = Timers()
    address: tuple[str, int] = ("", 8080)
    rate: float = 0.0
    burst: int = 0
    workers: int = 16
    silence: float = 90.0
    pod_selector: str = "c9s.run/direct-workload"
    events: bool = True
    window: float = 0.25
    resync: float = 600.0
    settle: float = 5.0


class Connections(NamedTuple):
    """Connections of their own, so that nobody waits behind another."""

    watching: Connection
    writing: Connection
    election: Connection


class Process:
    """Runs until :meth:`stop`; leaves the Lease behind at once."""

    def __init__(self, connections: Connections, options: Options) -> None:
        self._options = options
        self._stopping = threading.Event()
        self.metrics = Metrics()
        clock = steady_clock
        self._clock = clock
        self.election = Election(
            connections.election,
            options.namespace,
            options.lease,
            options.identity,
            options.timers,
            clock,
        )
        self._view = View(2 * options.silence + _GRACE, time.monotonic)
        wanted = feeds(options.manager_namespace, options.pod_selector)
        self._watches = Watches(connections.watching, wanted, self._view, options.silence)
        allowance = Allowance(options.rate, options.burst)
        self._writer = Writer(
            connections.writing,
            options.workers,
            self.election.leads,
            self._view.wake,
            allowance,
        )
        self._server_clock = ServerClock(connections.election)
        teller = Teller(options.window, events=options.events, identity=options.identity)
        observer = Observer(options.window, self.metrics, clock)
        settings = Settings(options.manager_namespace, options.resync, options.settle)
        parts = Parts(
            self._view, self._writer, self.election, teller, observer, self.metrics, clock, self._server_clock,
        )  # fmt: skip
        self.loop = Loop(settings, parts)
        self.server = Server(options.address, self._pages())

    def stop(self) -> None:
        """Let :meth:`run` come to its end; may be called by a signal's handler."""
        self._stopping.set()

    def run(self) -> None:
        """Watch, decide and write until told to stop."""
        self.server.start()
        log.info(
            "the process has started",
            extra={
                "identity": self._options.identity,
                "namespace": self._options.namespace,
                "port": self.server.port,
            },
        )
        self._watches.start()
        threads = [
            threading.Thread(target=self._lead, name="c9s-election", daemon=True),
            threading.Thread(target=self.loop.run, args=(self._stopping.is_set,), name="c9s-loop", daemon=True),
        ]  # fmt: skip
        for thread in threads:
            thread.start()
        self._stopping.wait()
        self._end(threads)

    def _end(self, threads: list[threading.Thread]) -> None:
        """Stop deciding, let what was sent come back, give the Lease away, stop answering."""
        self._watches.stop()
        self._view.wake()
        for thread in threads:
            thread.join()
        self._writer.stop()
        self.election.release()
        self.server.stop()
        log.info("the process has ended")

    def _lead(self) -> None:
        before, read_at = False, self._clock()
        while not self._stopping.is_set():
            leads = self._look()
            if leads != before:
                log.info(
                    "this process leads" if leads else "this process leads no more",
                    extra={"holder": self.election.holder},
                )
                self._view.wake()
            before = leads
            if self._clock() - read_at > _CLOCK:
                read_at = self._clock()
                self._quietly(self._server_clock.read)
            self._stopping.wait(self._options.timers.retry)

    def _look(self) -> bool:
        """Look at the Lease; whatever goes wrong, the thread goes on, or nobody would ever lead again."""
        known = self.election.problem
        try:
            self.election.look()
        except Exception as error:  # noqa: BLE001 - nobody else sees what happens in this thread
            self.election.problem = f"{type(error).__name__}: {error}"
        if self.election.problem not in {"", known}:
            log.warning("the Lease cannot be kept", extra={"reason": self.election.problem})
        return self.election.leads()

    def _quietly(self, do: Callable[[], None]) -> None:
        try:
            do()
        except C9sError as error:
            log.warning("the server's time could not be read", extra={"reason": error.message})

    def _pages(self) -> dict[str, Callable[[], Page]]:
        return {
            "/metrics": lambda: Page(HTTPStatus.OK, self._metrics_text(), CONTENT_TYPE),
            "/healthz": lambda: truth(self._dead()),
            "/readyz": lambda: truth(self.loop.problem or self.election.problem),
        }

    def _metrics_text(self) -> bytes:
        self.metrics.only(self.metrics.age, self._view.ages())
        self.metrics.only(self.metrics.breaks, self._watches.breaks)
        return self.metrics.text()

    def _dead(self) -> str:
        quiet = self._clock() - self.loop.passed_at
        return f"no decision was made for {quiet:.0f} seconds" if quiet > _STUCK else ""
