"""Many containers asked at once: a bounded number of threads, one deadline, answers in the order of the questions."""

from __future__ import annotations

import collections
import threading
import time
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from kubectl_c9s.cluster.podexec import Cancel
from kubectl_c9s.resources.errors import C9sError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

T = TypeVar("T")
R = TypeVar("R")
WORKERS: Final = 16
_GRACE: Final = 5.0  # what ends by itself at the deadline may still have something to say


class Call:
    """What a question is asked with: how much time is left, and a way to be cancelled."""

    def __init__(self, end: float) -> None:
        self.cancel = Cancel()
        self._end = end

    def left(self, most: float = float("inf")) -> float:
        """Give the seconds that are left, at most so many."""
        return max(0.0, min(most, self._end - time.monotonic()))


def in_parallel(
    questions: Sequence[T],
    ask: Callable[[T, Call], R],
    *,
    workers: int = WORKERS,
    limit: float = float("inf"),
    fatal: tuple[type[C9sError], ...] = (),
) -> list[R | C9sError | None]:
    """Ask all, ``workers`` at a time: the answer, the error, or None for what did not begin or end in time.

    ``limit`` is for everything, in seconds; each question has to keep to what :meth:`Call.left` says. An error of a
    class in ``fatal``, one that is not of our tree, and an interruption of this thread end all that runs, and are
    raised.
    """
    call = Call(time.monotonic() + limit)
    try:
        return _Work(questions, ask, call, fatal).done(workers, time.monotonic() + limit + _GRACE)
    finally:
        call.cancel.cancel()


class _Work(Generic[T, R]):
    """The questions of a call and what has come of them."""

    def __init__(
        self,
        questions: Sequence[T],
        ask: Callable[[T, Call], R],
        call: Call,
        fatal: tuple[type[C9sError], ...],
    ) -> None:
        self._ask, self._call, self._fatal = ask, call, fatal
        self._waiting = collections.deque(enumerate(questions))
        self._answers: list[R | C9sError | None] = [None] * len(questions)
        self._failure: BaseException | None = None
        self._changed = threading.Condition()
        self._running = 0

    def done(self, workers: int, end: float) -> list[R | C9sError | None]:
        """Start the threads, wait for them at most until ``end``, and give what has come."""
        self._running = min(workers, len(self._waiting))
        for number in range(self._running):
            threading.Thread(target=self._work, daemon=True, name=f"c9s-ask-{number}").start()
        with self._changed:
            # In slices: without an end there is none for a Condition either, and Ctrl-C comes in between.
            while self._running and self._failure is None and time.monotonic() < end:
                self._changed.wait(min(1.0, end - time.monotonic()))
            if self._failure is not None:
                raise self._failure
            return list(self._answers)

    def _work(self) -> None:
        try:
            while self._waiting and self._call.left() > 0 and not self._call.cancel.cancelled:
                try:
                    place, question = self._waiting.popleft()
                except IndexError:  # another thread was faster
                    return
                self._answer(place, question)
        finally:
            with self._changed:
                self._running -= 1
                self._changed.notify_all()

    def _answer(self, place: int, question: T) -> None:
        try:
            self._answers[place] = self._ask(question, self._call)
        except C9sError as error:
            if isinstance(error, self._fatal):
                self._fail(error)
            self._answers[place] = error
        except BaseException as error:  # noqa: BLE001 - nobody else sees what happens in this thread
            self._fail(error)

    def _fail(self, error: BaseException) -> None:
        with self._changed:
            if self._failure is None and not self._call.cancel.cancelled:
                self._failure = error
            self._waiting.clear()
            self._changed.notify_all()
