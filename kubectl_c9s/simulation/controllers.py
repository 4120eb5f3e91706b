"""A controller of kube-controller-manager in simulated time: workers, a queue without doubles, limited requests.

Seen in the audit log of a v1.37 test bed with the default limits: the requests of one controller come at its limit as
long as it has work, ReplicaSets first and what their status says later behind those that came in between. That is why
200 Deployments at once are not twice as slow as 100, and why a batch waits for the news of the one before.
"""

from __future__ import annotations

from collections import Counter, deque
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from kubectl_c9s.simulation.eventloop import Turns

if TYPE_CHECKING:
    from collections.abc import Callable

    from kubectl_c9s.simulation.eventloop import EventLoop
    from kubectl_c9s.simulation.stages import Client

Key = TypeVar("Key")


class _Job(NamedTuple, Generic[Key]):
    """A pass for a device with ``left`` requests to be sent; ``new`` while its object is not made."""

    key: Key
    left: int
    new: bool


class Controller(Generic[Key]):
    """Makes an object for each key, and passes on what it hears of it.

    ``made`` is called with the key when its object is made, ``told`` when the status that follows on :meth:`heard` is
    written.
    """

    def __init__(
        self,
        client: Client,
        loop: EventLoop,
        made: Callable[[Key], None],
        told: Callable[[Key], None],
    ) -> None:
        self._client = client
        self._loop = loop
        self._made = made
        self._told = told
        self._turns = Turns(client.rate, client.burst)
        self._queue: deque[Key] = deque()
        self._queued: set[Key] = set()
        self._active: set[Key] = set()
        self._again: set[Key] = set()
        self._known: set[Key] = set()
        self._news: Counter[Key] = Counter()
        self._events = 0

    def add(self, key: Key) -> None:
        """Make the object of a key."""
        if key not in self._queued:
            self._queued.add(key)
            self._queue.append(key)
            self._work()

    def have(self, key: Key) -> None:
        """Take note of an object that is there already."""
        self._known.add(key)

    def heard(self, key: Key) -> None:
        """Take note that what the object made has changed: its status is to be written."""
        self._news[key] += 1
        self.add(key)

    def _work(self) -> None:
        while self._queue and len(self._active) < self._client.workers:
            key = self._queue.popleft()
            self._queued.remove(key)
            if key in self._active:  # one key is never with two workers
                self._again.add(key)
                continue
            self._active.add(key)
            new = key not in self._known
            self._known.add(key)
            news = 0 if new else min(self._news.pop(key, 0), 1)  # one write tells all
            self._request(_Job(key, self._client.first if new else news, new))

    def _request(self, job: _Job[Key]) -> None:
        if job.left:
            self._loop.at(self._turns.take(self._loop.now), self._sent, job)
            return
        self._active.remove(job.key)
        if job.key in self._again or (job.new and self._news[job.key]):
            self._again.discard(job.key)
            self.add(job.key)
        self._work()

    def _sent(self, job: _Job[Key]) -> None:
        if not job.new:
            self._told(job.key)
        elif job.left == self._client.first:
            self._loop.at(self._loop.now + self._client.delay.median, self._made, job.key)
            self._events += 1
            if self._events == 1:
                self._send_event(job.key)
        self._request(job._replace(left=job.left - 1))

    def _send_event(self, key: Key) -> None:
        self._loop.at(self._turns.take(self._loop.now), self._event_sent, key)

    def _event_sent(self, key: Key) -> None:
        self._events -= 1
        if self._events:
            self._send_event(key)
