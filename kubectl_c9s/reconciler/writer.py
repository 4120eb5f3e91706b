"""Writes: a bounded number at a time, none without the Lease, and what became of each goes back to who decides."""

from __future__ import annotations

import queue
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

import msgspec

from kubectl_c9s.cluster.connection import Request
from kubectl_c9s.cluster.errors import (
    ApiError,
    Conflict,
    Forbidden,
    NotFound,
    Unreachable,
    is_final,
)
from kubectl_c9s.cluster.patching import lacks_rollout
from kubectl_c9s.cluster.reading import read_object
from kubectl_c9s.reconciler.logs import log
from kubectl_c9s.resources.errors import C9sError

if TYPE_CHECKING:
    from collections.abc import Callable

    from kubectl_c9s.cluster.connection import Connection
    from kubectl_c9s.cluster.kinds import Resource
    from kubectl_c9s.reconciler.pacing import Allowance

MANAGER: Final = "c9s-reconciler"
"""Field manager of all that is written."""
_SERVER_ERROR: Final = 500
_TOO_MANY: Final = 429
Outcome = Literal[
    "written", "conflict", "forbidden", "unsupported", "refused", "unsent", "lost", "gone", "read"
]

_OUTCOMES: Final[tuple[tuple[type[C9sError], Outcome], ...]] = (
    (Conflict, "conflict"), (NotFound, "gone"), (Forbidden, "forbidden"),
)  # fmt: skip


class Task(NamedTuple):
    """One request; ``uid`` is the object it is about, ``tag`` what the one who decides knows it by.

    Without a ``body`` the object is read; with ``collection`` it is made.
    """

    tag: Any
    uid: str
    resource: Resource
    namespace: str
    name: str
    body: dict[str, Any] | None = None
    subresource: str = ""
    collection: bool = False


class Result(NamedTuple):
    """What became of a task: the object's new version when it was written or read, the server's words when not."""

    task: Task
    outcome: Outcome
    version: str = ""
    message: str = ""
    seconds: float = 0.0


class Writer:
    """Sends tasks with ``workers`` threads; ``may_write`` is asked right before each write, ``done`` wakes the loop.

    The connection's time limit must be so short that a request cannot outlive the Lease (cluster/election.py).
    """

    def __init__(
        self,
        connection: Connection,
        workers: int,
        may_write: Callable[[], bool],
        done: Callable[[], None],
        allowance: Allowance,
    ) -> None:
        self._connection = connection
        self._may_write = may_write
        self._done = done
        self._allowance = allowance
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix="c9s-write")
        self._results: queue.SimpleQueue[Result] = queue.SimpleQueue()

    def send(self, task: Task) -> None:
        """Begin a task; its result will be there later."""
        self._pool.submit(self._run, task)

    def results(self) -> list[Result]:
        """Give what has come in since this was last asked."""
        found = []
        while not self._results.empty():
            found.append(self._results.get())
        return found

    def stop(self) -> None:
        """Let what was sent come to its end; what waits is not sent."""
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _run(self, task: Task) -> None:
        begun = time.monotonic()
        try:
            result = self._do(task)
        except Exception as error:  # noqa: BLE001 - nobody else sees what happens in this thread
            log.exception("a write has failed", extra={"object": task.name})
            result = Result(task, "lost", message=f"{type(error).__name__}: {error}")
        self._results.put(result._replace(seconds=time.monotonic() - begun))
        self._done()

    def _do(self, task: Task) -> Result:
        self._allowance.wait()
        if task.body is not None and not self._may_write():
            return Result(task, "unsent", message="another process leads")
        try:
            if task.body is None:
                found = read_object(self._connection, task.resource, task.namespace, task.name)
                if found["metadata"]["uid"] != task.uid:
                    return Result(task, "gone")
                return Result(task, "read", found["metadata"]["resourceVersion"])
            reply = self._connection.call(_request(task))
        except C9sError as error:
            return Result(task, _outcome(error), message=error.message)
        head = msgspec.json.decode(reply.body)
        return Result(task, "written", head["metadata"]["resourceVersion"])


def _outcome(error: C9sError) -> Outcome:
    for kind, outcome in _OUTCOMES:
        if isinstance(error, kind):
            return outcome
    if isinstance(error, Unreachable):
        return "lost" if error.sent else "unsent"
    if not isinstance(error, ApiError):
        return "unsent"
    if lacks_rollout(error):
        return "unsupported"
    if error.status == _TOO_MANY:
        return "unsent"
    return "lost" if error.status >= _SERVER_ERROR and not is_final(error) else "refused"


def _request(task: Task) -> Request:
    query = {"fieldManager": MANAGER, "fieldValidation": "Strict"}
    kind = task.resource.kind.lower()
    body = msgspec.json.encode(task.body)
    if task.collection:
        path = task.resource.path(task.namespace)
        return Request("POST", path, f"create {kind}", query, body, "application/json")
    path = task.resource.path(task.namespace, task.name)
    if task.subresource:
        path += f"/{task.subresource}"
    what = f"patch {kind} {task.name}"
    return Request("PATCH", path, what, query, body, "application/merge-patch+json")
