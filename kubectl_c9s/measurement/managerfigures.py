"""What metrics of a manager say, in numbers: per controller, per queue, its requests and its process.

Rates are per second between two scrapes. None is "not available": the metric is not there, or there are no two scrapes
of one process.
"""

from __future__ import annotations

import msgspec


class _Part(msgspec.Struct, rename="camel"):
    pass


class Times(_Part):
    """Seconds. ``above`` tells that p95 is at least what it says: it lies beyond the largest bound that is counted."""

    mean: float | None = None
    p50: float | None = None
    p95: float | None = None
    above: bool = False


class Count(_Part):
    """What was counted since the process began, and between the scrapes."""

    total: float | None = None
    rise: float | None = None


class Controller(_Part):
    """A controller: ``reconciles`` a second by result, ``busy`` how many workers were at work on average.

    ``backlog`` is the seconds in which its workers would be through with the queue: depth over workers, times the mean
    of a reconcile between the scrapes, or since the process began.
    """

    name: str
    finished: float | None
    reconciles: dict[str, float] | None
    error_share: float | None
    time: Times
    active: float | None
    workers: float | None
    busy: float | None
    backlog: float | None
    errors: Count
    terminal_errors: Count
    panics: Count
    timeouts: Count


class Queue(_Part):
    """A work queue; ``adds`` and ``retries`` are a second, ``unfinished`` and ``longest`` seconds of work going on.

    Work that asked to be called again later counts as a retry, too, not only what failed.
    """

    name: str
    depth: float | None
    adds: float | None
    retries: float | None
    latency: Times
    work: Times
    unfinished: float | None
    longest: float | None


class Requests(_Part):
    """Requests a second with an answer; the code ``<error>`` is none at all."""

    code: str
    method: str
    rate: float


class Client(_Part):
    """What the manager asks of the API server; ``throttling`` is what it waits for its own limit before a request."""

    rate: float | None
    requests: tuple[Requests, ...]
    made: Count
    written: Count
    too_many: Count
    conflicts: Count
    forbidden: Count
    server_errors: Count
    unanswered: Count
    retries: Count
    latency: Times
    throttling: Times


class Process(_Part):
    """The process: ``cores`` used, bytes, counts; ``pauses`` is the share of time that collections stopped it."""

    started: float | None
    cores: float | None
    memory: float | None
    heap: float | None
    goroutines: float | None
    collections: float | None
    pauses: float | None
    open_files: float | None
    most_files: float | None


class Figures(_Part):
    """Everything of a manager; ``leader`` is what it says of itself."""

    leader: bool | None
    controllers: tuple[Controller, ...]
    queues: tuple[Queue, ...]
    client: Client
    process: Process
