"""What is asked again and what is not, against a small server that does as it is told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from room_tools import LIVE, NODE, NOTHING, connect, in_turn
from silent_server import Reply, Request, silent, status

from kubectl_c9s.cluster import kinds
from kubectl_c9s.cluster.errors import (
    ApiError,
    FieldConflict,
    Unreachable,
)
from kubectl_c9s.cluster.reading import list_objects
from kubectl_c9s.cluster.writing import Options, apply_object

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.usefixtures("pauses")
BUSY = status(429, "slow down", "TooManyRequests")


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


def test_a_message_that_says_too_large_is_final(served: Any) -> None:
    server, connection = served(
        in_turn(Reply(500, status(500, "etcdserver: request is too large")))
    )
    with pytest.raises(ApiError, match="too large"):
        apply_object(connection, kinds.NODES, NODE, Options())
    assert len(server.requests) == 1


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
