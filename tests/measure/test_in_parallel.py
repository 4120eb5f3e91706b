from __future__ import annotations

import threading
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_c9s.cluster.errors import NotFound, Unreachable
from kubectl_c9s.cluster.inparallel import Call, in_parallel


def unreachable() -> Unreachable:
    return Unreachable("gone", sent=False)


@given(st.lists(st.integers(), max_size=40), st.integers(1, 20))
def test_answers_come_in_the_order_of_the_questions(questions: list[int], workers: int) -> None:
    assert in_parallel(questions, lambda one, _: one * 2, workers=workers) == [
        one * 2 for one in questions
    ]


def test_no_more_are_asked_at_once_than_there_are_workers() -> None:
    running, most, lock = 0, 0, threading.Lock()
    together = threading.Barrier(4)

    def ask(_: int, __: Call) -> None:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        together.wait(30)  # four have to be there at once, or it breaks
        with lock:
            running -= 1

    in_parallel(range(12), ask, workers=4)
    assert most == 4


def test_an_error_stands_in_the_place_of_its_answer() -> None:
    error = unreachable()

    def ask(one: int, _: Call) -> int:
        if one == 1:
            raise error
        return one

    assert in_parallel([0, 1, 2], ask) == [0, error, 2]


def test_a_fatal_error_ends_everything_and_is_raised() -> None:
    cancelled = threading.Event()
    begun: list[int] = []

    def ask(one: int, call: Call) -> None:
        begun.append(one)
        if one == 1:
            raise NotFound(404, b"", "get")
        call.cancel.wait(10)
        if call.cancel.cancelled:
            cancelled.set()

    with pytest.raises(NotFound):
        in_parallel(range(8), ask, workers=2, fatal=(NotFound,))
    assert cancelled.wait(60)
    assert len(begun) <= 4


def test_a_fault_of_ours_is_not_taken_for_an_answer() -> None:
    def ask(_: int, __: Call) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        in_parallel([1], ask)


def test_what_does_not_begin_in_time_has_no_answer() -> None:
    def ask(one: int, call: Call) -> int:
        while call.left():
            time.sleep(0.005)
        return one

    assert in_parallel([1, 2, 3], ask, workers=1, limit=0.05) == [1, None, None]


def test_time_that_is_left_is_bounded() -> None:
    def ask(_: int, call: Call) -> float:
        return call.left(7.0)

    assert in_parallel([1], ask) == [7.0]
    assert in_parallel([1], ask, limit=0.0) == [None]
