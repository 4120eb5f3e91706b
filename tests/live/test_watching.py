"""Watches against a small server: bookmarks, streams that end, break, say nothing or are too old."""

from __future__ import annotations

import itertools
import json
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest
from room_tools import connect
from silent_server import Reply, Request, Scripted, status

from kubectl_c9s.cluster import kinds
from kubectl_c9s.cluster.errors import ApiError, Forbidden
from kubectl_c9s.cluster.watching import Watcher

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


def line(kind: str, name: str, version: str) -> bytes:
    body = {"type": kind, "object": {"metadata": {"name": name, "resourceVersion": version}}}
    return json.dumps(body).encode() + b"\n"


def listed(version: str, *names: str) -> Reply:
    items = [{"metadata": {"name": name}} for name in names]
    return Reply(200, {"metadata": {"resourceVersion": version}, "items": items})


def stream(*chunks: bytes, hold: threading.Event | None = None) -> Reply:
    return Reply(200, chunks=chunks, hold=hold)


def scripted(lists: list[Reply], streams: list[Reply]) -> Callable[[Request], Reply]:
    def answer(request: Request) -> Reply:
        left = streams if "watch=1" in request.path else lists
        return left.pop(0) if len(left) > 1 else left[0]

    return answer


def seen(server: Scripted, count: int, **how: Any) -> list[tuple[str, list[str]]]:
    """Watch until so many events have come; give type and names of each."""
    connection = connect(server.url)
    watcher = Watcher(connection, kinds.NODES, dict, sleep=lambda _: None, **how)
    events = itertools.islice(watcher.events(), count)
    found = [(one.type, [item["metadata"]["name"] for item in one.items]) for one in events]
    connection.close()
    return found


@pytest.fixture
def hold() -> Iterator[threading.Event]:
    event = threading.Event()
    yield event
    event.set()


def versions(server: Scripted) -> list[str]:
    """Give the resource versions from which watches began."""
    paths = [one.path for one in server.requests if "watch=1" in one.path]
    return [path.partition("resourceVersion=")[2].partition("&")[0] for path in paths]


def test_a_list_comes_first_and_then_each_change(hold: threading.Event) -> None:
    first = stream(line("ADDED", "b", "6"), line("MODIFIED", "a", "7"), line("DELETED", "b", "8"))
    with Scripted(scripted([listed("5", "a")], [first, stream(b"", hold=hold)])) as server:
        assert seen(server, 4) == [
            ("LISTED", ["a"]),
            ("ADDED", ["b"]),
            ("MODIFIED", ["a"]),
            ("DELETED", ["b"]),
        ]
        assert "allowWatchBookmarks=true" in server.requests[1].path
        assert versions(server)[0] == "5"


def test_a_stream_that_ends_goes_on_from_the_last_bookmark() -> None:
    streams = [
        stream(line("ADDED", "b", "6"), line("BOOKMARK", "", "60")),
        stream(line("ADDED", "c", "61")),
    ]
    with Scripted(scripted([listed("5")], streams)) as server:
        assert seen(server, 3) == [("LISTED", []), ("ADDED", ["b"]), ("ADDED", ["c"])]
        assert versions(server)[:2] == ["5", "60"]


def test_a_line_may_come_in_pieces() -> None:
    whole = line("ADDED", "b", "6") + line("ADDED", "c", "7")
    pieces = [whole[start : start + 7] for start in range(0, len(whole), 7)]
    with Scripted(scripted([listed("5")], [stream(*pieces)])) as server:
        assert seen(server, 3)[1:] == [("ADDED", ["b"]), ("ADDED", ["c"])]


@pytest.mark.parametrize(
    "old",
    [
        Reply(410, status(410, "too old", "Expired")),
        stream(json.dumps({"type": "ERROR", "object": status(410, "too old")}).encode() + b"\n"),
    ],
)
def test_a_version_that_is_too_old_means_a_fresh_list(old: Reply) -> None:
    streams = [stream(line("ADDED", "b", "6")), old, stream(line("ADDED", "d", "71"))]
    with Scripted(scripted([listed("5"), listed("70", "b", "c")], streams)) as server:
        assert seen(server, 4) == [
            ("LISTED", []),
            ("ADDED", ["b"]),
            ("LISTED", ["b", "c"]),
            ("ADDED", ["d"]),
        ]
        assert versions(server) == ["5", "6", "70"]


def test_a_silent_stream_is_left_and_taken_up_again(hold: threading.Event) -> None:
    streams = [
        stream(line("ADDED", "b", "6"), hold=hold),
        stream(line("ADDED", "c", "7")),
    ]
    with Scripted(scripted([listed("5")], streams)) as server:
        assert seen(server, 3, silence=0.2)[1:] == [("ADDED", ["b"]), ("ADDED", ["c"])]
        assert versions(server) == ["5", "6"]
        hold.set()


@pytest.mark.parametrize("fault", [Reply(lost=True), Reply(500, {}), Reply(429, {})])
def test_a_broken_watch_is_taken_up_again(fault: Reply) -> None:
    streams = [fault, fault, stream(line("ADDED", "b", "6"))]
    with Scripted(scripted([listed("5")], streams)) as server:
        assert seen(server, 2) == [("LISTED", []), ("ADDED", ["b"])]


def test_a_right_that_is_missing_is_no_fault_to_wait_out() -> None:
    refusal = Reply(403, status(403, "may not watch", "Forbidden"))
    with (
        Scripted(scripted([listed("5")], [refusal])) as server,
        pytest.raises(Forbidden, match="may not watch"),
    ):
        seen(server, 2)


def test_a_first_list_that_does_not_come_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kubectl_c9s.cluster.connection.time.sleep", lambda _: None)
    with (
        Scripted(scripted([Reply(500, status(500, "broken"))], [])) as server,
        pytest.raises(ApiError, match="broken"),
    ):
        seen(server, 1)


def test_a_watch_ends_at_its_deadline(hold: threading.Event) -> None:
    with Scripted(scripted([listed("5", "a")], [stream(b"\n", hold=hold)])) as server:
        assert seen(server, 9, deadline=time.monotonic() + 0.3) == [("LISTED", ["a"])]
        assert "timeoutSeconds=1" in server.requests[1].path.split("&")[-1]
        hold.set()


def test_selectors_go_with_list_and_watch() -> None:
    with Scripted(scripted([listed("5")], [stream(line("ADDED", "b", "6"))])) as server:
        seen(server, 2, namespace="ns", selectors={"labelSelector": "a=b"})
        assert all("labelSelector=a%3Db" in one.path for one in server.requests[:2])
        assert all("/namespaces/ns/nodes" in one.path for one in server.requests[:2])
