"""Each fault of a request, against a real API server: what the client sees, and what the server did."""

from __future__ import annotations

import http.client
import time
from typing import TYPE_CHECKING, Any

import pytest
from audit_reader import AuditLog
from bed_client import APPLY_PATCH, path_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from audit_reader import Entry
    from bed_client import ApiClient, Json
    from bed_own import OwnBed
    from fault_handle import FaultProxy

NO_ANSWER = (OSError, http.client.HTTPException)


@pytest.fixture
def namespace(own_bed: OwnBed) -> Iterator[str]:
    with own_bed.namespace("faults") as name:
        yield name


@pytest.fixture
def direct(own_bed: OwnBed) -> Iterator[ApiClient]:
    with own_bed.client() as client:
        yield client


@pytest.fixture
def client(proxy: FaultProxy) -> Iterator[ApiClient]:
    with proxy.client() as client:
        yield client


def config_map(name: str, **data: str) -> Json:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, "data": data}


def maps(namespace: str, name: str = "") -> str:
    return path_of("v1", "configmaps", namespace, name)


def one_map(do: str, nth: int = 1, **settings: Any) -> Json:
    match = {"resource": "configmaps", "nth": nth}
    return {"name": "it", "match": match, "do": do, "with": settings}


def writes(audit: AuditLog, namespace: str, **wanted: Any) -> list[Entry]:
    return audit.writes(namespace=namespace, agent="testbed", **wanted)


def test_without_rules_everything_passes_as_it_is(
    proxy: FaultProxy, client: ApiClient, direct: ApiClient, namespace: str
) -> None:
    path = maps(namespace, "it")
    client.create(maps(namespace), config_map("it", text="é" * 200_000)).ok()
    assert client.get(path).body == direct.get(path).body
    assert client.patch(path, {"data": {"more": "1"}}).ok()["data"]["more"] == "1"
    assert client.get("/version").body == direct.get("/version").body
    assert client.get(maps(namespace, "other")).status == 404
    assert client.delete(path).status == 200
    found = [one.end or {} for one in proxy.settled()]
    assert [one["why"] for one in found] == ["done"] * 6
    assert all(one["audit"] and one["forwarded"] for one in found)


REFUSALS = {
    "too-many-requests": (429, "TooManyRequests"),
    "conflict": (409, "Conflict"),
    "already-exists": (409, "AlreadyExists"),
    "error": (500, "InternalError"),
    "unavailable": (503, "ServiceUnavailable"),
    "gone": (410, "Expired"),
    "webhook": (403, "Forbidden"),
}


@pytest.mark.parametrize("do", REFUSALS)
def test_a_refusal_comes_from_the_proxy_once_and_the_server_hears_nothing_of_it(
    proxy: FaultProxy, own_bed: OwnBed, client: ApiClient, namespace: str, do: str
) -> None:
    audit = AuditLog(own_bed.audit_log)
    proxy.rules(one_map(do))
    refused = client.create(maps(namespace), config_map("it"))
    assert (refused.status, refused.json()["reason"]) == REFUSALS[do]
    client.create(maps(namespace), config_map("it")).ok()
    audit.catch_up(client)
    assert [one.code for one in writes(audit, namespace, verb="create")] == [201]
    assert proxy.fired() == {"it": 1}


@pytest.mark.parametrize("do", ["too-many-requests", "unavailable", "error"])
def test_a_refusal_may_say_when_to_come_again(
    proxy: FaultProxy, client: ApiClient, namespace: str, do: str
) -> None:
    proxy.rules(one_map(do, retryAfter=7))
    refused = client.get(maps(namespace))
    assert refused.json()["details"]["retryAfterSeconds"] == 7
    assert client.get(maps(namespace)).status == 200


def test_latency_before_the_server_and_before_the_reply(
    proxy: FaultProxy, client: ApiClient, namespace: str
) -> None:
    late = one_map("latency", seconds=0.2)
    later = one_map("latency", seconds={"uniform": [0.2, 0.3]}, when="reply") | {"name": "later"}
    proxy.rules(late, later)
    began = time.monotonic()
    client.get(maps(namespace)).ok()
    assert time.monotonic() - began >= 0.4
    (only,) = proxy.settled()
    assert only.request["before"] == 0.2
    assert 0.2 <= only.request["reply"] <= 0.3
    assert only.fault == ""


@pytest.mark.parametrize("how", ["close", "reset"])
def test_a_lost_request_never_reaches_the_server(
    proxy: FaultProxy, client: ApiClient, direct: ApiClient, namespace: str, how: str
) -> None:
    proxy.rules(one_map("lost-request", how=how))
    with pytest.raises(NO_ANSWER):
        client.create(maps(namespace), config_map("it"))
    assert direct.get(maps(namespace, "it")).status == 404
    (only,) = proxy.settled()
    assert (only.fault, only.forwarded) == ("lost-request", False)
    assert only.end
    assert (only.end["why"], only.end["answered"]) == ("cut", None)


@pytest.mark.parametrize("how", ["close", "reset"])
def test_a_lost_reply_was_carried_out_and_the_client_does_not_know(
    proxy: FaultProxy, client: ApiClient, direct: ApiClient, namespace: str, how: str
) -> None:
    proxy.rules(one_map("lost-reply", how=how))
    with pytest.raises(NO_ANSWER):
        client.create(maps(namespace), config_map("it"))
    assert direct.get(maps(namespace, "it")).status == 200
    (only,) = proxy.settled()
    assert only.end
    assert (only.end["status"], only.end["answered"]) == (201, None)
    assert client.create(maps(namespace), config_map("it")).status == 409


@pytest.mark.parametrize("forwarded", [False, True])
def test_a_hang_ends_when_the_client_has_had_enough(
    proxy: FaultProxy, direct: ApiClient, namespace: str, *, forwarded: bool
) -> None:
    proxy.rules(one_map("hang", forwarded=forwarded))
    with proxy.client(timeout=2) as client, pytest.raises(TimeoutError):
        client.create(maps(namespace), config_map("it"))
    (only,) = proxy.settled()
    assert only.end
    assert only.end["why"] == "client-gone"
    assert only.forwarded == forwarded
    assert direct.get(maps(namespace, "it")).status == (200 if forwarded else 404)


def test_a_hang_may_end_by_itself(proxy: FaultProxy, client: ApiClient, namespace: str) -> None:
    proxy.rules(one_map("hang", seconds=0.2))
    with pytest.raises(NO_ANSWER):
        client.get(maps(namespace))
    (only,) = proxy.settled()
    assert only.end
    assert only.end["why"] == "cut"


def test_an_answer_may_break_off_in_the_middle(
    proxy: FaultProxy, client: ApiClient, namespace: str
) -> None:
    client.create(maps(namespace), config_map("it", text="x" * 1000)).ok()
    proxy.rules(one_map("drop", bytes=300))
    with pytest.raises(http.client.IncompleteRead) as caught:
        client.get(maps(namespace, "it"))
    assert len(caught.value.partial) == 300


def changed(client: ApiClient, path: str, version: str) -> Any:
    body = {"metadata": {"resourceVersion": version}, "data": {"by": "client"}}
    return client.patch(path, body)


def test_a_real_conflict_of_versions_is_the_servers_own(
    proxy: FaultProxy, client: ApiClient, direct: ApiClient, namespace: str
) -> None:
    path = maps(namespace, "it")
    made = client.create(maps(namespace), config_map("it")).ok()
    proxy.rules(one_map("real-conflict"))
    answer = changed(client, path, made["metadata"]["resourceVersion"])
    assert (answer.status, answer.json()["reason"]) == (409, "Conflict")
    now = direct.get(path).ok()
    assert "data" not in now
    assert changed(client, path, now["metadata"]["resourceVersion"]).status == 200
    assert [one.end["status"] for one in proxy.settled() if one.end] == [409, 200]


def test_a_real_conflict_of_managers_is_the_servers_own(
    proxy: FaultProxy, client: ApiClient, namespace: str
) -> None:
    path = maps(namespace, "it")
    body = config_map("it", colour="red")
    client.apply(path, body, manager="client").ok()
    proxy.rules(one_map("real-conflict", patch={"data": {"colour": "blue"}}))
    query = {"fieldManager": "client"}
    answer = client.request("PATCH", path, body, query=query, content=APPLY_PATCH)
    assert answer.status == 409
    (cause,) = answer.json()["details"]["causes"]
    assert cause["field"] == ".data.colour"
    assert "c9s-faults" in cause["message"]


def test_a_real_conflict_of_a_create_is_another_one_of_that_name(
    proxy: FaultProxy, client: ApiClient, direct: ApiClient, namespace: str
) -> None:
    proxy.rules(one_map("real-conflict"))
    answer = client.create(maps(namespace), config_map("it"))
    assert (answer.status, answer.json()["reason"]) == (409, "AlreadyExists")
    assert direct.get(maps(namespace, "it")).status == 200


def test_a_real_conflict_of_a_delete_with_a_precondition(
    proxy: FaultProxy, client: ApiClient, direct: ApiClient, namespace: str
) -> None:
    path = maps(namespace, "it")
    made = client.create(maps(namespace), config_map("it")).ok()
    proxy.rules(one_map("real-conflict"))
    condition = {"preconditions": {"resourceVersion": made["metadata"]["resourceVersion"]}}
    assert client.request("DELETE", path, condition).status == 409
    assert direct.get(path).status == 200
