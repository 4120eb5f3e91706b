"""What is asked again and what is not, against a small server that does as it is told."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from silent_server import Reply, Request, Scripted, silent, status

from kubectl_c9s.cluster import kinds
from kubectl_c9s.cluster.connection import Connection
from kubectl_c9s.cluster.errors import (
    ApiError,
    Conflict,
    FieldConflict,
    Forbidden,
    Unauthorized,
    Unreachable,
)
from kubectl_c9s.cluster.kubeconfig import load_settings
from kubectl_c9s.cluster.reading import list_objects
from kubectl_c9s.cluster.writing import Options, apply_object, delete_object

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

NODE = {
    "apiVersion": "c9s.run/v1alpha1",
    "kind": "Node",
    "metadata": {"name": "r1", "namespace": "ns"},
    "spec": {"kind": "linux"},
}
OWNED = {"manager": "kubectl-c9s", "operation": "Apply", "fieldsV1": {"f:spec": {"f:kind": {}}}}
LIVE: dict[str, Any] = {
    **NODE,
    "metadata": {"name": "r1", "namespace": "ns", "managedFields": [OWNED]},
}
NOTHING = Reply(200, {"metadata": {}, "items": []})
BUSY = status(429, "slow down", "TooManyRequests")


@pytest.fixture(autouse=True)
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Collect the pauses instead of waiting."""
    found: list[float] = []
    monkeypatch.setattr("kubectl_c9s.cluster.connection.time.sleep", found.append)
    return found


def in_turn(*replies: Reply) -> Callable[[Request], Reply]:
    """Give these answers one after the other, the last for ever."""
    left = list(replies)

    def answer(_: Request) -> Reply:
        return left.pop(0) if len(left) > 1 else left[0]

    return answer


def connect(url: str, timeout: float = 300.0) -> Connection:
    return Connection(
        load_settings({"server": url, "kubeconfig": ""}, {"KUBECONFIG": "/none"}), timeout
    )


@pytest.fixture
def served() -> Iterator[Callable[..., tuple[Scripted, Connection]]]:
    """Give a maker of a server with answers, and a connection to it."""
    opened: list[tuple[Scripted, Connection]] = []

    def make(answer: Callable[[Request], Reply]) -> tuple[Scripted, Connection]:
        server = Scripted(answer)
        server.start()
        opened.append((server, connect(server.url)))
        return opened[-1]

    yield make
    for server, connection in opened:
        connection.close()
        server.stop()


def test_a_busy_server_is_given_the_time_it_asks_for(served: Any, pauses: list[float]) -> None:
    wait = Reply(429, BUSY, {"Retry-After": "7"})
    server, connection = served(in_turn(wait, wait, Reply(201, LIVE)))
    assert apply_object(connection, kinds.NODES, NODE, Options()).result == "created"
    assert len(server.requests) == 3
    assert all(7 <= one < 15 for one in pauses)


def test_the_wish_may_stand_in_the_body(served: Any, pauses: list[float]) -> None:
    wait = Reply(429, status(429, "slow down", "TooManyRequests", retryAfterSeconds=9))
    _, connection = served(in_turn(wait, Reply(200, LIVE)))
    apply_object(connection, kinds.NODES, NODE, Options())
    assert 9 <= pauses[0] < 15


def test_a_server_that_stays_busy_is_an_error_in_the_end(served: Any) -> None:
    server, connection = served(in_turn(Reply(429, BUSY)))
    with pytest.raises(ApiError, match="slow down"):
        apply_object(connection, kinds.NODES, NODE, Options())
    assert len(server.requests) > 5


def test_no_pause_goes_beyond_the_request_timeout(served: Any, pauses: list[float]) -> None:
    server, _ = served(in_turn(Reply(429, BUSY, {"Retry-After": "60"})))
    connection = connect(server.url, timeout=5)
    with pytest.raises(ApiError):
        connection.get("/x", "read x")
    connection.close()
    assert pauses == []
    assert len(server.requests) == 1


@pytest.mark.parametrize("code", [500, 502, 503, 504])
def test_a_read_is_repeated_after_a_fault(served: Any, code: int) -> None:
    server, connection = served(in_turn(Reply(code, status(code, "hm")), NOTHING))
    assert list_objects(connection, kinds.NODES, dict).items == []
    assert len(server.requests) == 2


def answer_by_method(patches: list[Reply], *, there: bool) -> Callable[[Request], Reply]:
    """Answer patches in turn; a list shows the object if it is ``there``."""
    listed = Reply(200, {"metadata": {}, "items": [LIVE] if there else []})

    def answer(request: Request) -> Reply:
        return patches.pop(0) if request.method == "PATCH" else listed

    return answer


AMBIGUOUS = [
    Reply(lost=True),
    *(Reply(code, status(code, "hm")) for code in (500, 502, 503, 504)),
]


@pytest.mark.parametrize("fault", AMBIGUOUS)
def test_a_write_with_a_lost_answer_is_looked_up_and_not_repeated(
    served: Any, fault: Reply
) -> None:
    server, connection = served(answer_by_method([fault], there=True))
    assert apply_object(connection, kinds.NODES, NODE, Options()).live["metadata"]["name"] == "r1"
    assert [one.method for one in server.requests] == ["PATCH", "GET"]
    assert "fieldSelector=metadata.name%3Dr1" in server.requests[1].path


@pytest.mark.parametrize("fault", AMBIGUOUS)
def test_a_write_that_was_not_carried_out_is_repeated(served: Any, fault: Reply) -> None:
    server, connection = served(answer_by_method([fault, Reply(201, LIVE)], there=False))
    assert apply_object(connection, kinds.NODES, NODE, Options()).result == "created"
    assert [one.method for one in server.requests] == ["PATCH", "GET", "PATCH"]


def test_a_write_that_is_lost_again_and_again_is_an_honest_error(served: Any) -> None:
    server, connection = served(answer_by_method([Reply(lost=True)] * 9, there=False))
    with pytest.raises(Unreachable) as lost:
        apply_object(connection, kinds.NODES, NODE, Options())
    assert lost.value.sent
    assert lost.value.exit_code == 3
    assert [one.method for one in server.requests].count("PATCH") == 4


def test_another_writer_in_between_is_no_conflict_of_fields(served: Any) -> None:
    raced = Reply(409, status(409, "the object has been modified", "Conflict"))
    server, connection = served(answer_by_method([raced, Reply(200, LIVE)], there=False))
    assert apply_object(connection, kinds.NODES, NODE, Options()).result == "configured"
    assert [one.method for one in server.requests] == ["PATCH", "GET", "PATCH"]


def test_a_conflict_of_fields_is_refused_and_not_repeated(served: Any) -> None:
    cause = {
        "reason": "FieldManagerConflict",
        "message": 'conflict with "helm" using c9s.run/v1alpha1',
        "field": ".spec.kind",
    }
    refusal = status(409, "Apply failed with 1 conflict", "Conflict", causes=[cause])
    server, connection = served(in_turn(Reply(409, refusal)))
    with pytest.raises(FieldConflict) as refused:
        apply_object(connection, kinds.NODES, NODE, Options())
    assert refused.value.owners == [(".spec.kind", "helm")]
    assert refused.value.exit_code == 4
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("code", "kind"), [(401, Unauthorized), (403, Forbidden), (409, Conflict), (422, ApiError)]
)
def test_an_answer_is_an_answer(served: Any, code: int, kind: type[ApiError]) -> None:
    server, connection = served(in_turn(Reply(code, status(code, "no"))))
    with pytest.raises(kind, match="read x: no"):
        connection.get("/x", "read x")
    assert len(server.requests) == 1


def test_a_message_that_says_too_large_is_final(served: Any) -> None:
    server, connection = served(
        in_turn(Reply(500, status(500, "etcdserver: request is too large")))
    )
    with pytest.raises(ApiError, match="too large"):
        apply_object(connection, kinds.NODES, NODE, Options())
    assert len(server.requests) == 1


def test_an_answer_that_is_no_status_is_shown_in_part(served: Any) -> None:
    _, connection = served(in_turn(Reply(404, "<html>" + "x" * 1000)))
    with pytest.raises(ApiError) as error:
        connection.get("/x", "read x")
    assert "<html>" in error.value.message
    assert len(error.value.message) < 300


def test_a_silent_server_is_left_after_the_timeout() -> None:
    with silent() as place:
        connection = connect(f"http://{place}", timeout=0.2)
        with pytest.raises(Unreachable, match="did not answer in time"):
            connection.get("/x", "read x")
        connection.close()


def test_a_server_that_never_answered_is_soon_given_up(pauses: list[float]) -> None:
    connection = connect("http://127.0.0.1:1")
    with pytest.raises(Unreachable, match="cannot be reached"):
        connection.get("/x", "read x")
    connection.close()
    assert len(pauses) == 1


def test_a_server_that_went_away_is_waited_for(served: Any, pauses: list[float]) -> None:
    server, connection = served(in_turn(NOTHING))
    list_objects(connection, kinds.NODES, dict)
    server.stop()
    connection.close()
    with pytest.raises(Unreachable):
        list_objects(connection, kinds.NODES, dict)
    assert len(pauses) > 5


DELETED = Reply(200, {"kind": "Status"})
GONE = Reply(404, status(404, "not found", "NotFound"))


def test_a_delete_names_the_object_it_means(served: Any) -> None:
    live = {**LIVE, "metadata": {**LIVE["metadata"], "uid": "u-1"}}
    server, connection = served(in_turn(DELETED))
    assert delete_object(connection, kinds.NODES, live, dry_run=False)
    assert json.loads(server.requests[0].body)["preconditions"] == {"uid": "u-1"}


@pytest.mark.parametrize(("replies", "ours"), [((GONE,), False), ((Reply(lost=True), GONE), True)])
def test_what_is_gone_already_was_ours_only_after_a_lost_answer(
    served: Any, replies: tuple[Reply, ...], *, ours: bool
) -> None:
    live = {**LIVE, "metadata": {**LIVE["metadata"], "uid": "u-1"}}
    _, connection = served(in_turn(*replies))
    assert delete_object(connection, kinds.NODES, live, dry_run=False) is ours


def test_pages_go_on_and_begin_anew_when_they_are_too_old(served: Any) -> None:
    first = Reply(200, {"metadata": {"continue": "more"}, "items": [{"n": 1}]})
    gone = Reply(410, status(410, "expired", "Expired"))
    whole = Reply(200, {"metadata": {"resourceVersion": "9"}, "items": [{"n": 1}, {"n": 2}]})
    server, connection = served(in_turn(first, gone, whole))
    listing = list_objects(connection, kinds.NODES, dict)
    assert (listing.items, listing.resource_version) == ([{"n": 1}, {"n": 2}], "9")
    assert "limit=500" in server.requests[0].path
    assert "continue=more" in server.requests[1].path
    assert "limit" not in server.requests[2].path


def test_every_request_says_who_asks(served: Any) -> None:
    server, connection = served(in_turn(NOTHING))
    list_objects(connection, kinds.NODES, dict)
    headers = dict(server.requests[0].headers)
    assert headers["User-Agent"].startswith("kubectl-c9s/")
    assert headers["Accept"] == "application/json"
