"""What a write has met decides what is done next: wait for the watch, read back, rest, or send again."""

from __future__ import annotations

import json
import threading
from typing import TYPE_CHECKING, cast

import pytest

from kubectl_c9s.cluster import kinds
from kubectl_c9s.cluster.connection import Reply
from kubectl_c9s.cluster.errors import Unreachable, api_error
from kubectl_c9s.reconciler.pacing import Allowance
from kubectl_c9s.reconciler.writer import Task, Writer

if TYPE_CHECKING:
    from kubectl_c9s.cluster.connection import Connection, Request

TASK = Task("tag", "uid", kinds.CONFIGS, "c9s", "clabernetes", {"spec": {}})
NO_FIELD = b'{"message": "strict decoding error: unknown field \\"spec.rollout\\""}'


class Wire:
    """A connection on which every request meets the same."""

    def __init__(self, meets: Exception | Reply) -> None:
        self.meets = meets
        self.asked = 0

    def call(self, request: Request) -> Reply:  # noqa: ARG002 - as a connection has it
        self.asked += 1
        if isinstance(self.meets, Exception):
            raise self.meets
        return self.meets


def outcome(meets: Exception | Reply, *, leads: bool = True) -> tuple[str, int]:
    wire, done = Wire(meets), threading.Event()
    allowance = Allowance(0, 0)
    writer = Writer(cast("Connection", wire), 1, lambda: leads, done.set, allowance)
    writer.send(TASK)
    assert done.wait(30)
    writer.stop()
    (result,) = writer.results()
    return result.outcome, wire.asked


@pytest.mark.parametrize(
    ("status", "body", "expected"),
    [
        (409, b"", "conflict"),
        (404, b"", "gone"),
        (403, b"", "forbidden"),
        (422, NO_FIELD, "unsupported"),
        (422, b"", "refused"),
        (429, b"", "unsent"),
        (500, b"", "lost"),
        (503, b"", "lost"),
    ],
)
def test_an_answer_of_the_server(status: int, body: bytes, expected: str) -> None:
    assert outcome(api_error(status, body, "patch")) == (expected, 1)


@pytest.mark.parametrize(("sent", "expected"), [(True, "lost"), (False, "unsent")])
def test_no_answer(sent: bool, expected: str) -> None:  # noqa: FBT001 - the two cases
    assert outcome(Unreachable("away", sent=sent)) == (expected, 1)


def test_a_write_that_was_taken() -> None:
    body = json.dumps({"metadata": {"resourceVersion": "7"}}).encode()
    assert outcome(Reply(200, {}, body)) == ("written", 1)


def test_without_the_lease_nothing_is_sent() -> None:
    assert outcome(Reply(200, {}, b"{}"), leads=False) == ("unsent", 0)
