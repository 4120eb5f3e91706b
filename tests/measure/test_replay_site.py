"""The place of a replay: a namespace that is nobody else's, a clock, hosts that can be told apart."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

import pytest
from replay_answers import EXISTS, LOST, MADE, MISSING, SITE
from replay_tools import schedule_of
from room_tools import connect
from silent_server import Reply, Scripted, status

from kubectl_c9s.cluster.errors import Forbidden
from kubectl_c9s.cluster.replaysite import (
    Site,
    hostnames,
    make_site,
    remove_site,
    start_clock,
    try_out,
)
from kubectl_c9s.measurement.plainpods import own_labels, pod_body
from kubectl_c9s.measurement.schedule import Unusable
from kubectl_c9s.resources.errors import GuardRefusal

if TYPE_CHECKING:
    from silent_server import Request


class Place:
    """A server with namespaces and one kind of trouble."""

    def __init__(self, *replies: Reply, live: dict[str, Any] | None = None) -> None:
        self.replies = list(replies)
        self.live = live
        self.asked: list[str] = []

    def __call__(self, request: Request) -> Reply:
        self.asked.append(request.method)
        if request.method == "GET":
            return Reply(200, self.live) if self.live else MISSING
        return self.replies.pop(0)


def named(name: str, replay: str) -> dict[str, Any]:
    metadata = {"name": name, "uid": "u1", "labels": own_labels(replay)}
    metadata["creationTimestamp"] = "2026-11-30T23:05:04Z"
    return {"metadata": metadata}


def test_a_namespace_whose_answer_was_lost_is_found() -> None:
    with Scripted(Place(LOST, live=named("new", "mine"))) as server:
        connection = connect(server.url)
        assert make_site(connection, "new", "mine") == Site("new", "u1", "mine")
        connection.close()


@pytest.mark.parametrize("live", [named("new", "other"), {"metadata": {"name": "new"}}])
def test_a_namespace_of_somebody_else_is_refused(live: dict[str, Any]) -> None:
    with Scripted(Place(EXISTS, live=live)) as server:
        connection = connect(server.url)
        with pytest.raises(GuardRefusal, match="exists already"):
            make_site(connection, "new", "mine")
        connection.close()


def test_a_namespace_that_may_not_be_read_is_refused_as_well() -> None:
    def answer(request: Request) -> Reply:
        return EXISTS if request.method == "POST" else Reply(403, status(403, "no"))

    with Scripted(answer) as server:
        connection = connect(server.url)
        with pytest.raises(GuardRefusal, match="exists already"):
            make_site(connection, "new", "mine")
        connection.close()


def test_the_clock_begins_with_the_stamp_of_the_config_map() -> None:
    with Scripted(Place(Reply(201, named("benchmark-clock", "0a1b")))) as server:
        connection = connect(server.url)
        before = time.monotonic()
        clock = start_clock(connection, SITE)
        assert (clock.at, before <= clock.begun <= time.monotonic()) == (1796079904.0, True)
        connection.close()


def test_a_namespace_that_is_too_new_is_waited_for() -> None:
    early = 'pods "try" is forbidden: error looking up service account new/default: serviceaccount "default" not found'
    site = Place(Reply(403, status(403, early, "Forbidden")), MADE)
    with Scripted(site) as server:
        connection = connect(server.url)
        try_out(connection, pod_body(schedule_of(1).entries[0], "new", "h", "0a1b"))
        connection.close()
    assert site.asked == ["POST", "POST"]


def test_what_would_keep_pods_out_is_said_before_the_clock_begins() -> None:
    quota = Reply(403, status(403, "exceeded quota", "Forbidden"))
    with Scripted(Place(quota)) as server:
        connection = connect(server.url)
        with pytest.raises(Forbidden, match="exceeded quota"):
            try_out(connection, pod_body(schedule_of(1).entries[0], "new", "h", "0a1b"))
        connection.close()


def test_a_namespace_that_another_has_taken_is_left_alone() -> None:
    conflict = Reply(409, status(409, "the UID in the precondition does not match", "Conflict"))
    with Scripted(Place(conflict)) as server:
        connection = connect(server.url)
        assert remove_site(connection, SITE) is False
        (request,) = server.requests
        assert json.loads(request.body)["preconditions"] == {"uid": "uid"}
        connection.close()


def test_hosts_are_known_by_their_label_and_all_that_cannot_be_used_are_named() -> None:
    labels = {"a": "a", "b": "b.example", "c": None, "d": "same", "e": "same"}
    items = [
        {"metadata": {"name": name, "labels": {"kubernetes.io/hostname": label} if label else {}}}
        for name, label in labels.items()
    ]
    with Scripted(lambda _: Reply(200, {"metadata": {}, "items": items})) as server:
        connection = connect(server.url)
        assert hostnames(connection, ["a", "b", "a"]) == {"a": "a", "b": "b.example"}
        with pytest.raises(Unusable) as caught:
            hostnames(connection, ["a", "c", "d", "x"])
        connection.close()
    assert list(caught.value.problems) == [
        "host 'c' has no label kubernetes.io/hostname",
        "host 'd' shares its label kubernetes.io/hostname with another",
        "there is no host 'x' in this cluster",
    ]
