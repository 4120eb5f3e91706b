"""What a snapshot makes of answers that a bed does not give: a leader, several servers, foreign and broken texts."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest
from pressure_texts import Asked, requests, text
from room_tools import connect
from silent_server import Reply, Scripted, status

from kubectl_c9s.cluster.pressure import take
from kubectl_c9s.cluster.runmanifest import Scope, collect
from kubectl_c9s.measurement.pressure import Leader, pressure
from kubectl_c9s.resources.moments import text_of

if TYPE_CHECKING:
    from silent_server import Request

    from kubectl_c9s.measurement.pressure import PressureSnapshot

LEASE = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases"
CONTROLLER = f"{LEASE}/kube-controller-manager"
NO_LEASE = Reply(404, status(404, "not found", "NotFound"))
NO_LEASES = Reply(200, {"metadata": {}, "items": []})


def metrics(*lines: str) -> Reply:
    """Give a text of counters in pieces."""
    whole = text(*lines, "c9s_other_total 1").encode()
    return Reply(200, chunks=(whole[:7], whole[7:]))


def lease(holder: str, *, ago: float = 0, transitions: int = 1) -> dict[str, Any]:
    """Give a Lease of an hour that was renewed some seconds ago."""
    spec = {
        "holderIdentity": holder,
        "leaseTransitions": transitions,
        "leaseDurationSeconds": 3600,
        "renewTime": text_of(time.time() - ago),
    }
    return {"metadata": {"name": holder}, "spec": spec}


def taken(
    counters: Reply, controller: Reply = NO_LEASE, identities: Reply = NO_LEASES
) -> PressureSnapshot:
    """Take a snapshot of a server that gives these answers."""

    def answer(request: Request) -> Reply:
        path = request.path.partition("?")[0]
        return {"/metrics": counters, CONTROLLER: controller}.get(path, identities)

    with Scripted(answer) as server:
        connection = connect(server.url, timeout=5)
        try:
            return take(connection)
        finally:
            connection.close()


def test_only_wanted_families_are_kept_of_a_text() -> None:
    found = taken(metrics(*requests({Asked(): 3}), 'apiserver_request_total_more{a="b"} 1'))
    assert found.scrape is not None
    assert set(found.scrape.values) == {"apiserver_request_total", "process_start_time_seconds"}


def test_the_leader_is_read_and_a_new_one_voids_the_counters() -> None:
    counters = metrics(*requests({Asked(): 3}))
    first = taken(counters, Reply(200, lease("one", transitions=4)))
    assert first.leader == Leader("one", 4)
    second = taken(counters, Reply(200, lease("two", transitions=5)))
    assert "(one, then two)" in pressure(first, second._replace(server=first.server)).churn.void


def test_api_servers_are_counted_while_they_renew_their_leases() -> None:
    here = [lease("a"), lease("b", ago=9), lease("gone", ago=600)]
    found = taken(metrics(), identities=Reply(200, {"metadata": {}, "items": here}))
    assert found.servers == 2
    assert taken(metrics()).servers is None


@pytest.mark.parametrize(
    ("counters", "words"),
    [
        (Reply(200, chunks=(b"<html>a proxy</html>",)), "none of them"),
        (Reply(200, {"kind": "Status"}), "none of them"),
        (Reply(200, chunks=(b'apiserver_request_total{code="200"} x\n',)), "line 1 cannot be read"),
        (Reply(404, status(404, "no such page", "NotFound")), "no such page"),
        (Reply(401, status(401, "who are you", "Unauthorized")), "who are you"),
        (Reply(403, status(403, "you may not", "Forbidden")), "nonResourceURL /metrics"),
    ],
    ids=["html", "json", "broken", "missing", "unknown", "forbidden"],
)
def test_what_is_no_text_of_counters_is_a_note_and_no_error(counters: Reply, words: str) -> None:
    found = taken(counters)
    assert found.scrape is None
    assert words in found.notes[0]


def test_a_lease_that_cannot_be_read_is_a_note_and_the_counters_stay() -> None:
    found = taken(metrics(), Reply(200, {"spec": {"leaseTransitions": "many"}}))
    assert found.scrape is not None
    assert found.leader is None
    assert "the answer cannot be read" in found.notes[0]


def test_a_server_that_does_not_answer_is_waited_for_once() -> None:
    with Scripted(lambda _: Reply(lost=True)) as server:
        connection = connect(server.url, timeout=0.5)
        found = take(connection)
        manifest = collect(connection, Scope("ns", "lab"))
        asked = {one.path.partition("?")[0] for one in server.requests}
    assert asked == {"/metrics", "/apis/c9s.run/v1alpha1/namespaces/ns/topologies"}
    (note,) = found.notes
    assert note.startswith(
        "what the run costs the API server is not counted, nor what is read after it: "
    )
    assert len(manifest.notes) == 1
