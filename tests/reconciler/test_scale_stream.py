"""A watch whose first list comes as a stream, and goes on as any other; and what becomes of one that cannot."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, ClassVar

import pytest

from kubectl_c9s.cluster import kinds
from kubectl_c9s.cluster.connection import Reply
from kubectl_c9s.cluster.errors import Forbidden, Unreachable
from kubectl_c9s.cluster.watching import Watcher

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubectl_c9s.cluster.connection import Request

Json = dict[str, Any]
END: Json = {"annotations": {"k8s.io/initial-events-end": "true"}}


def line(kind: str, name: str = "", version: int = 1, **meta: Any) -> bytes:
    """Make a line of a watch."""
    found = {"name": name, "uid": f"uid-{name}", "resourceVersion": str(version)} | meta
    return json.dumps({"type": kind, "object": {"metadata": found}}).encode() + b"\n"


class Answer:
    """An answer that is a stream of lines; an error instead of a line breaks it off."""

    headers: ClassVar[Json] = {}

    def __init__(self, *lines: bytes | Exception, status: int = 200) -> None:
        self.status = status
        self._lines = lines

    def stream(self, *_: object, **__: object) -> Iterator[bytes]:
        """Give the lines."""
        for one in self._lines:
            if isinstance(one, Exception):
                raise one
            yield one

    def read(self) -> bytes:
        """Give what an error says."""
        return json.dumps({"kind": "Status", "code": self.status, "message": "no"}).encode()

    def close(self) -> None:
        """Nothing is open."""


class Server:
    """Answers watches one after another, lists always with ``listed``; remembers how it was asked."""

    def __init__(self, *answers: Answer, listed: str = "listed") -> None:
        self._answers = list(answers)
        self._listed = listed
        self.asked: list[str] = []
        self.versions: list[str | None] = []

    def new_pool(self) -> None:
        """Give none."""

    def open(self, _pool: None, request: Request, _limit: float, *, stream: bool) -> Answer:
        """Answer a watch."""
        assert stream
        query = dict(request.query or {})
        self.asked.append("stream" if "sendInitialEvents" in query else "watch")
        self.versions.append(query.get("resourceVersion"))
        if not self._answers:
            raise Unreachable("that was all", sent=False)
        return self._answers.pop(0)

    def call(self, request: Request) -> Reply:
        """Answer a list."""
        self.asked.append("list")
        assert "watch" not in (request.query or {})
        items = [{"metadata": {"name": self._listed, "uid": "uid-l"}}]
        body = {"metadata": {"resourceVersion": "50"}, "items": items}
        return Reply(200, {}, json.dumps(body).encode())


def follow(server: Server, count: int) -> list[tuple[str, list[str]]]:
    """Give the first events with the names in them."""
    watcher = Watcher(
        server,  # type: ignore[arg-type]
        kinds.NODES,
        dict,
        sleep=lambda _: None,
        streamed=True,
    )
    found = []
    for event in watcher.events():
        found.append((event.type, [item["metadata"]["name"] for item in event.items]))
        if len(found) == count:
            break
    return found


def test_everything_before_the_mark_is_one_list_and_the_stream_goes_on() -> None:
    server = Server(
        Answer(
            line("ADDED", "a"), line("BOOKMARK"), line("ADDED", "b"), line("ADDED", "c"),
            line("MODIFIED", "a", 3), line("DELETED", "b", 4),
            line("BOOKMARK", version=7, **END), line("ADDED", "d", 8), line("DELETED", "a", 9),
        )
    )  # fmt: skip
    found = follow(server, 3)
    assert found == [("LISTED", ["a", "c"]), ("ADDED", ["d"]), ("DELETED", ["a"])]
    assert server.asked == ["stream"]


def test_after_a_break_it_goes_on_from_the_mark_without_a_list() -> None:
    begin = Answer(line("ADDED", "a", 5), line("BOOKMARK", version=7, **END))
    server = Server(begin, Answer(line("ADDED", "b", 8)))
    assert follow(server, 2) == [("LISTED", ["a"]), ("ADDED", ["b"])]
    assert server.asked == ["stream", "watch"]
    assert server.versions == [None, "7"]


@pytest.mark.parametrize("status", [400, 422, 429, 500])
def test_a_server_without_such_streams_is_asked_for_a_list(status: int) -> None:
    server = Server(Answer(status=status), Answer(line("ADDED", "b", 51)))
    assert follow(server, 2) == [("LISTED", ["listed"]), ("ADDED", ["b"])]
    assert server.asked == ["stream", "list", "watch"]
    assert server.versions == [None, "50"]


@pytest.mark.parametrize("broken", [OSError("cut"), None])
def test_of_a_beginning_that_breaks_off_nothing_is_taken(broken: OSError | None) -> None:
    lines: list[bytes | Exception] = [line("ADDED", "half"), *([broken] if broken else [])]
    server = Server(Answer(*lines), Answer(line("ADDED", "b", 51)))
    assert follow(server, 2) == [("LISTED", ["listed"]), ("ADDED", ["b"])]
    assert server.versions == [None, "50"]


def test_a_version_that_is_too_old_is_followed_by_a_new_beginning() -> None:
    gone = json.dumps({"type": "ERROR", "object": {"code": 410, "message": "too old"}}).encode()
    begin = Answer(line("ADDED", "a", 5), line("BOOKMARK", version=7, **END), gone + b"\n")
    anew = Answer(line("ADDED", "z", 9), line("BOOKMARK", version=9, **END))
    server = Server(begin, anew)
    assert follow(server, 2) == [("LISTED", ["a"]), ("LISTED", ["z"])]
    assert server.asked == ["stream", "stream"]


def test_what_is_forbidden_is_not_tried_another_way() -> None:
    server = Server(Answer(status=403))
    with pytest.raises(Forbidden):
        follow(server, 1)
    assert server.asked == ["stream"]


def test_a_stream_that_breaks_after_its_list_is_asked_for_again_at_once() -> None:
    pauses: list[float] = []
    begin = Answer(line("ADDED", "a", 5), line("BOOKMARK", version=7, **END), OSError("cut"))
    server = Server(begin, Answer(line("ADDED", "b", 8)))
    watcher = Watcher(server, kinds.NODES, dict, sleep=pauses.append, streamed=True)  # type: ignore[arg-type]
    events = watcher.events()
    assert [next(events).type, next(events).type] == ["LISTED", "ADDED"]
    assert (pauses, server.asked) == ([], ["stream", "watch"])
