"""How Pods are asked for: on time, once each, whatever answers get lost, and not at all after a refusal."""

from __future__ import annotations

import json
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest
from replay_answers import EXISTS, LOST, MADE, MISSING, SITE
from replay_tools import schedule_of
from room_tools import connect
from silent_server import Reply, Request, Scripted, status

from kubectl_c9s.cluster.errors import Conflict, Forbidden
from kubectl_c9s.cluster.replaysite import Clock
from kubectl_c9s.cluster.submitting import Submitter
from kubectl_c9s.measurement.plainpods import own_labels, pod_body

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kubectl_c9s.measurement.replayanalysis import Submission


class Server:
    """A server that has Pods, and answers the first creations of a name as it is told."""

    def __init__(self, **answers: list[Reply]) -> None:
        self.answers = answers
        self.pods: dict[str, dict[str, Any]] = {}
        self.posts: list[str] = []
        self.kept = True  # whether a creation whose reply is not 201 is carried out all the same
        self._lock = threading.Lock()

    def __call__(self, request: Request) -> Reply:
        with self._lock:
            if request.method == "GET":
                name = request.path.rpartition("/")[2]
                return Reply(200, self.pods[name]) if name in self.pods else MISSING
            body = json.loads(request.body)
            name = body["metadata"]["name"]
            if "dryRun=All" in request.path:
                return MADE
            self.posts.append(name)
            told = self.answers.get(name, [])
            reply = told.pop(0) if told else MADE
            if name in self.pods and reply is MADE:
                return EXISTS
            if reply is MADE or (self.kept and reply.status != 429):
                self.pods.setdefault(name, body)
            return reply


@pytest.fixture
def submitted() -> Iterator[Callable[..., tuple[Submitter, list[Submission]]]]:
    """Give a run of a schedule against a server, up to its end."""
    servers = []

    def run(
        server: Server, count: int = 4, step: float = 0.0
    ) -> tuple[Submitter, list[Submission]]:
        scripted = Scripted(server)
        scripted.start()
        servers.append(scripted)
        connection = connect(scripted.url, 30.0)
        entries = schedule_of(count, step).entries
        pods = [(one, pod_body(one, "new", one.host, SITE.replay)) for one in entries]
        submitter = Submitter(connection, SITE, pods, 4)
        submitter.warm_up(pods[0][1])
        submitter.start(Clock(time.monotonic(), 0.0))
        submitter.finish()
        submitter.stop()
        connection.close()
        return submitter, submitter.submissions()

    yield run
    for one in servers:
        one.stop()


def test_each_pod_is_asked_for_once_and_not_before_its_time(
    submitted: Callable[..., tuple[Submitter, list[Submission]]],
) -> None:
    server = Server()
    submitter, found = submitted(server, 5, 0.05)
    assert submitter.failure is None
    assert sorted(server.posts) == [f"d{number:03}" for number in range(5)]
    assert [(one.name, one.attempts, one.error) for one in found] == [
        (name, 1, "") for name in sorted(server.posts)
    ]
    assert all(one.offset <= one.request_started <= one.request_finished for one in found)


@pytest.mark.parametrize("reply", [LOST, Reply(500, status(500, "no")), Reply(504, {})])
def test_a_pod_whose_answer_was_lost_is_looked_up_and_not_asked_for_again(
    submitted: Callable[..., tuple[Submitter, list[Submission]]], reply: Reply
) -> None:
    server = Server(d001=[reply])
    submitter, found = submitted(server)
    assert submitter.failure is None
    assert server.posts.count("d001") == 1
    assert [one.error for one in found] == [""] * 4


def test_a_request_that_was_not_carried_out_is_repeated_and_counts_from_then(
    submitted: Callable[..., tuple[Submitter, list[Submission]]],
) -> None:
    server = Server(d001=[LOST])
    server.kept = False
    submitter, found = submitted(server)
    assert submitter.failure is None
    assert server.posts.count("d001") == 2
    assert found[1].attempts == 2
    assert set(server.pods) == {one.name for one in found}


def test_being_told_to_come_later_is_lateness(
    submitted: Callable[..., tuple[Submitter, list[Submission]]],
) -> None:
    server = Server(d001=[Reply(429, status(429, "later"), {"Retry-After": "1"})])
    _, found = submitted(server)
    assert (found[1].attempts, found[0].attempts) == (2, 1)
    assert found[1].request_started - found[1].offset >= 1.0


def test_one_that_is_there_after_all_is_ours_by_its_label(
    submitted: Callable[..., tuple[Submitter, list[Submission]]],
) -> None:
    # The first attempt is carried out after its connection broke and after it was looked for.
    class Late(Server):
        def __call__(self, request: Request) -> Reply:
            reply = super().__call__(request)
            if request.method == "GET" and self.pods.get("d001") is None:
                entry = schedule_of(2).entries[1]
                self.pods["d001"] = pod_body(entry, "new", entry.host, SITE.replay)
                return MISSING
            return reply

    server = Late(d001=[LOST])
    server.kept = False
    submitter, found = submitted(server, 2)
    assert submitter.failure is None
    assert server.posts.count("d001") == 2
    assert (found[1].attempts, found[1].error) == (2, "")


def test_a_pod_of_somebody_else_stops_the_replay(
    submitted: Callable[..., tuple[Submitter, list[Submission]]],
) -> None:
    server = Server()
    server.pods["d001"] = {"metadata": {"name": "d001", "labels": own_labels("other")}}
    submitter, _ = submitted(server)
    assert isinstance(submitter.failure, Conflict)
    assert server.pods["d001"]["metadata"]["labels"] == own_labels("other")


def test_a_refusal_stops_the_replay_and_is_kept(
    submitted: Callable[..., tuple[Submitter, list[Submission]]],
) -> None:
    server = Server(d000=[Reply(403, status(403, "exceeded quota", "Forbidden"))])
    server.kept = False
    submitter, found = submitted(server, 3, 0.3)
    assert isinstance(submitter.failure, Forbidden)
    assert "exceeded quota" in found[0].error
    assert "d002" not in server.posts
