"""Pods asked for at their times: one thread that waits for each, a bounded number that ask (measurement.md §4)."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Final

from kubectl_c9s.cluster import kinds
from kubectl_c9s.cluster.errors import ApiError, Conflict, Unreachable, api_error
from kubectl_c9s.cluster.patience import backoff, pause_before_retry
from kubectl_c9s.cluster.replaysite import create_request, find, is_ambiguous
from kubectl_c9s.measurement import plainpods
from kubectl_c9s.measurement.replayanalysis import Submission
from kubectl_c9s.resources.errors import C9sError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kubectl_c9s.cluster.connection import Connection, Request
    from kubectl_c9s.cluster.replaysite import Clock, Site
    from kubectl_c9s.measurement.schedule import Entry
    from kubectl_c9s.resources.objects import KubeObject

_REFUSED: Final = 300
_TRIES: Final = 12


class Submitter:
    """Asks for Pods on a schedule; each is made once, however answers get lost.

    ``pods`` are entries in order of their offsets, each with the Pod to make. The first one that is refused for good
    stops all: the run is of no use any more.
    """

    def __init__(
        self,
        connection: Connection,
        site: Site,
        pods: Sequence[tuple[Entry, KubeObject]],
        workers: int,
    ) -> None:
        self._connection = connection
        self._site = site
        self._pods = [(entry, create_request(kinds.PODS, body)) for entry, body in pods]
        self._sockets = connection.new_pool()
        self._workers = ThreadPoolExecutor(workers, thread_name_prefix="c9s-replay")
        self._number = workers
        self._lock = threading.Lock()
        self._done: list[Submission] = []
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self.failure: C9sError | None = None

    def warm_up(self, body: KubeObject) -> None:
        """Open a socket for each worker with a request that changes nothing, so that the first Pods need not wait."""
        request = create_request(kinds.PODS, body, dry_run=True)
        together = threading.Barrier(self._number)

        def ask() -> None:
            together.wait()
            self._send(request)

        for future in [self._workers.submit(ask) for _ in range(self._number)]:
            error = future.exception()
            if error is not None and not isinstance(error, ApiError | Unreachable):
                raise error  # whether Pods are taken was tried before; here the sockets matter

    def start(self, clock: Clock) -> None:
        """Begin; offsets count from the beginning of the clock."""
        self._thread = threading.Thread(
            target=self._submit, args=(clock,), daemon=True, name="c9s-schedule"
        )
        self._thread.start()

    def _submit(self, clock: Clock) -> None:
        for entry, request in self._pods:
            if self._stop.wait(max(0.0, entry.offset - clock.elapsed())):
                return
            self._workers.submit(self._guarded, clock, entry, request)

    def finish(self) -> None:
        """Wait until all have been asked for and answered."""
        if self._thread is not None:
            self._thread.join()
        self._workers.shutdown(wait=True)

    def stop(self) -> None:
        """Ask for nothing more; returns when requests that are under way have been answered or given up."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()
        self._workers.shutdown(wait=True, cancel_futures=True)
        self._sockets.clear()

    def submissions(self) -> list[Submission]:
        """Give what has been asked for and was answered so far, in the order of names."""
        with self._lock:
            return sorted(self._done, key=lambda one: (one.offset, one.name))

    @property
    def count(self) -> int:
        """Give how many have been answered so far."""
        with self._lock:
            return len(self._done)

    def _guarded(self, clock: Clock, entry: Entry, request: Request) -> None:
        try:
            found = self._make(clock, entry, request)
        except Exception as error:  # noqa: BLE001 - nobody else sees what happens in this thread
            text = f"cannot ask for Pod {entry.name}: {type(error).__name__}: {error}"
            self._fail(error if isinstance(error, C9sError) else C9sError(text))
            return
        if found is not None:
            with self._lock:
                self._done.append(found)

    def _fail(self, error: C9sError) -> None:
        with self._lock:
            self.failure = self.failure or error
        self._stop.set()

    def _make(self, clock: Clock, entry: Entry, request: Request) -> Submission | None:
        """Ask until the Pod is there; None when it is stopped meanwhile. Raises what is refused for good."""
        first = clock.elapsed()
        doubt = False  # whether an attempt may have made it without saying so
        for attempt in range(_TRIES):
            if self._stop.is_set():
                return None
            begun = clock.elapsed()
            try:
                self._send(request)
            except (ApiError, Unreachable) as error:
                made = is_ambiguous(error) and self._is_there(entry, error)
                if made:
                    # Which of several attempts did it is not known: the first that could have.
                    return self._submission(entry, first if doubt else begun, clock, attempt)
                if is_ambiguous(error) and not doubt:
                    doubt, first = True, begun
                pause = self._pause(error, attempt)
                if pause is None or attempt + 1 == _TRIES:
                    self._note_refusal(entry, begun, clock, attempt, error)
                    raise
            else:
                return self._submission(entry, begun, clock, attempt)
            self._stop.wait(pause)
        raise AssertionError  # pragma: no cover - the loop ends before

    def _submission(
        self, entry: Entry, begun: float, clock: Clock, attempt: int, error: str = ""
    ) -> Submission:
        return Submission(
            entry.name, entry.offset, begun, clock.elapsed(), attempts=attempt + 1, error=error
        )

    def _note_refusal(
        self, entry: Entry, begun: float, clock: Clock, attempt: int, error: C9sError
    ) -> None:
        refused = self._submission(entry, begun, clock, attempt, error.message)
        with self._lock:
            self._done.append(refused)

    def _send(self, request: Request) -> None:
        limit = self._connection.timeout or float("inf")
        response = self._connection.open(self._sockets, request, limit)
        if response.status >= _REFUSED:
            after = response.headers.get("Retry-After")
            raise api_error(response.status, response.data, request.what, after)

    def _is_there(self, entry: Entry, error: C9sError) -> bool:
        """Look whether the Pod is there and ours; raises the error for one of somebody else."""
        live = find(self._connection, kinds.PODS, self._site.namespace, entry.name)
        if live is None:
            return False
        if not plainpods.is_of(live["metadata"].get("labels"), self._site.replay):
            raise error
        return True

    def _pause(self, error: ApiError | Unreachable, attempt: int) -> float | None:
        """Say how long to wait before the next attempt; None when there should be none."""
        if is_ambiguous(error) or isinstance(error, Conflict):
            return backoff(
                attempt
            )  # it was looked up and is not there, or a quota was written meanwhile
        return pause_before_retry(error, "POST", attempt, known=True)
