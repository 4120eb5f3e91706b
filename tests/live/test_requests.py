"""What is sent and how answers are read, against a small server that does as it is told."""

from __future__ import annotations

import json
from typing import Any

import pytest
from room_tools import LIVE, NOTHING, in_turn
from silent_server import Reply, status

from kubectl_c9s.cluster import kinds
from kubectl_c9s.cluster.errors import (
    ApiError,
    Conflict,
    Forbidden,
    Unauthorized,
)
from kubectl_c9s.cluster.reading import list_objects
from kubectl_c9s.cluster.writing import delete_object

pytestmark = pytest.mark.usefixtures("pauses")


@pytest.mark.parametrize(
    ("code", "kind"), [(401, Unauthorized), (403, Forbidden), (409, Conflict), (422, ApiError)]
)
def test_an_answer_is_an_answer(served: Any, code: int, kind: type[ApiError]) -> None:
    server, connection = served(in_turn(Reply(code, status(code, "no"))))
    with pytest.raises(kind, match="read x: no"):
        connection.get("/x", "read x")
    assert len(server.requests) == 1


def test_an_answer_that_is_no_status_is_shown_in_part(served: Any) -> None:
    _, connection = served(in_turn(Reply(404, "<html>" + "x" * 1000)))
    with pytest.raises(ApiError) as error:
        connection.get("/x", "read x")
    assert "<html>" in error.value.message
    assert len(error.value.message) < 300


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
