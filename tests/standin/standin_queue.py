"""A queue of keys for the workers of a controller, and the workers."""

from __future__ import annotations

import heapq
import http.client
import itertools
import logging
import threading
import time
from typing import TYPE_CHECKING, Generic, TypeVar

from standin_api import Stopped, WriteRefused

if TYPE_CHECKING:
    from collections.abc import Callable

Key = TypeVar("Key")

log = logging.getLogger("standin")

AFTER_CONFLICT = 0.1  # seconds; what is to be read again is on its way
AFTER_ERROR = 0.5  # doubled for every failure of a key in a row
BACK_OFF_LIMIT = 30.0


class WorkQueue(Generic[Key]):
    """Keys that are due at a time. One key is never with two workers; of two times the earlier counts."""

    def __init__(self) -> None:
        self._due: dict[Key, float] = {}
        self._heap: list[tuple[float, int, Key]] = []
        self._active: set[Key] = set()
        self._change = threading.Condition()
        self._order = itertools.count()
        self._closed = False

    def add(self, key: Key, after: float = 0.0) -> None:
        """Make a key due in so many seconds, unless it is so earlier."""
        due = time.monotonic() + after
        with self._change:
            if self._due.get(key, float("inf")) <= due:
                return
            self._due[key] = due
            heapq.heappush(self._heap, (due, next(self._order), key))
            self._change.notify()

    def get(self) -> Key | None:
        """Wait for a key that is due and take it; None when the queue is closed."""
        with self._change:
            while not self._closed:
                key, wait = self._next()
                if key is not None:
                    self._active.add(key)
                    return key
                self._change.wait(wait)
            return None

    def _next(self) -> tuple[Key | None, float | None]:
        """Give the key that is due, or the seconds until one may be."""
        now = time.monotonic()
        while self._heap:
            due, _, key = self._heap[0]
            if due > now:
                return None, due - now
            heapq.heappop(self._heap)
            if self._due.get(key) == due and key not in self._active:
                del self._due[key]
                return key, None
        return None, None

    def done(self, key: Key) -> None:
        """Give a key back; what was added meanwhile is due as it was."""
        with self._change:
            self._active.discard(key)
            if key in self._due:
                heapq.heappush(self._heap, (self._due[key], next(self._order), key))
            self._change.notify()

    def close(self) -> None:
        """Let every worker end."""
        with self._change:
            self._closed = True
            self._change.notify_all()


class Controller(Generic[Key]):
    """Workers that bring one key at a time to where it should be.

    ``reconcile`` gives the seconds after which the key is due again, None for when something happens.
    """

    def __init__(self, name: str, reconcile: Callable[[Key], float | None], workers: int) -> None:
        self.queue: WorkQueue[Key] = WorkQueue()
        self._name = name
        self._reconcile = reconcile
        self._failures: dict[Key, int] = {}  # of a key that is with a worker; no other touches it
        self._threads = [
            threading.Thread(target=self._work, name=f"{name}-{number}", daemon=True)
            for number in range(workers)
        ]

    def start(self) -> None:
        """Let the workers begin."""
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """End the workers and wait for them."""
        self.queue.close()
        for thread in self._threads:
            if thread.is_alive():
                thread.join()

    def _work(self) -> None:
        while (key := self.queue.get()) is not None:
            again = self._once(key)
            self.queue.done(key)
            if again is not None:
                self.queue.add(key, again)

    def _once(self, key: Key) -> float | None:
        try:
            again = self._reconcile(key)
        except Stopped:
            return None
        except WriteRefused as error:
            log.info("%s %s: %s", self._name, key, error)
            return AFTER_CONFLICT if error.conflict else self._back_off(key)
        except (OSError, http.client.HTTPException) as error:
            log.warning("%s %s: %r", self._name, key, error)
            return self._back_off(key)
        except Exception:
            log.exception("%s %s", self._name, key)
            return self._back_off(key)
        self._failures.pop(key, None)
        return again

    def _back_off(self, key: Key) -> float:
        failures = self._failures[key] = self._failures.get(key, 0) + 1
        return float(min(AFTER_ERROR * 2 ** (failures - 1), BACK_OFF_LIMIT))
