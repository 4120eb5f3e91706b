"""Each fault of a watch, against a real API server: what the client sees, and when."""

from __future__ import annotations

import contextlib
import http.client
import json
import time
import urllib.parse
from typing import TYPE_CHECKING, Any

import pytest
from bed_client import path_of

if TYPE_CHECKING:
    import socket
    from collections.abc import Iterator

    from bed_client import ApiClient, Json
    from bed_own import OwnBed
    from fault_handle import FaultProxy


class Watched:
    """A namespace's ConfigMaps: made straight at the server, watched through the proxy."""

    def __init__(self, proxy: FaultProxy, direct: ApiClient, namespace: str) -> None:
        self.path = path_of("v1", "configmaps", namespace)
        self._proxy = proxy
        self._direct = direct
        self._plug: socket.socket | None = None
        self._since = direct.get(self.path).ok()["metadata"]["resourceVersion"]

    def make(self, *names: str) -> None:
        """Create objects, one after the other."""
        for name in names:
            body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}}
            self._direct.create(self.path, body).ok()

    def patience(self, seconds: float) -> None:
        """Wait no longer for what the last stream should bring."""
        assert self._plug is not None
        self._plug.settimeout(seconds)

    @contextlib.contextmanager
    def stream(self, **query: str) -> Iterator[http.client.HTTPResponse]:
        """Watch from the beginning of the test on."""
        access = self._proxy.access
        url = urllib.parse.urlsplit(access.server)
        asked = {"watch": "1", "resourceVersion": self._since, **query}
        connection = http.client.HTTPSConnection(
            url.hostname or "", url.port, timeout=30, context=access.tls()
        )
        with contextlib.closing(connection):
            fields = {"Authorization": f"Bearer {access.token}", "User-Agent": "watcher/1"}
            target = f"{self.path}?{urllib.parse.urlencode(asked)}"
            connection.request("GET", target, headers=fields)
            self._plug = connection.sock
            with connection.getresponse() as response:
                yield response


@pytest.fixture
def watched(own_bed: OwnBed, proxy: FaultProxy) -> Iterator[Watched]:
    with own_bed.namespace("faults") as namespace, own_bed.client() as direct:
        yield Watched(proxy, direct, namespace)


def watching(do: str, **settings: Any) -> Json:
    return {"name": "it", "match": {"verb": "watch", "limit": 1}, "do": do, "with": settings}


def events(response: http.client.HTTPResponse) -> list[str]:
    """Read to the end, and give the names of the objects; a break in the middle raises."""
    return [name_of(line) for line in response.read().splitlines()]


def name_of(line: bytes) -> str:
    name: str = json.loads(line)["object"]["metadata"]["name"]
    return name


def test_events_pass_one_by_one_as_they_come(watched: Watched, proxy: FaultProxy) -> None:
    with watched.stream() as response:
        for name in ("a", "b", "c"):
            watched.make(name)
            # Would wait for more if the proxy gathered what it has.
            assert name_of(response.readline()) == name
    (only,) = proxy.settled()
    assert only.end
    assert (only.end["why"], only.end["events"]) == ("client-gone", 3)


def test_a_watch_that_the_server_ends_ends_in_good_order(
    watched: Watched, proxy: FaultProxy
) -> None:
    watched.make("a")
    with watched.stream(timeoutSeconds="1") as response:
        assert events(response) == ["a"]
    assert [one.end["why"] for one in proxy.settled() if one.end] == ["done"]


@pytest.mark.parametrize("how", ["close", "reset"])
def test_a_watch_is_dropped_after_so_many_events(
    watched: Watched, proxy: FaultProxy, how: str
) -> None:
    watched.make("a", "b", "c")
    proxy.rules(watching("drop", events=2, how=how))
    with watched.stream() as response:
        assert [name_of(response.readline()) for _ in range(2)] == ["a", "b"]
        with pytest.raises((OSError, http.client.HTTPException)):
            response.read()
    with watched.stream(timeoutSeconds="1") as response:
        assert events(response) == ["a", "b", "c"]


def test_a_watch_is_dropped_in_the_middle_of_an_event(watched: Watched, proxy: FaultProxy) -> None:
    watched.make("a")
    proxy.rules(watching("drop", bytes=40))
    with watched.stream() as response, pytest.raises(http.client.IncompleteRead) as caught:
        response.read()
    assert len(caught.value.partial) == 40


def test_a_drop_may_look_as_if_the_server_had_ended_the_watch(
    watched: Watched, proxy: FaultProxy
) -> None:
    watched.make("a", "b")
    proxy.rules(watching("drop", events=1, how="end"))
    with watched.stream() as response:
        assert events(response) == ["a"]


def test_a_quiet_watch_is_dropped_when_its_time_is_over(
    watched: Watched, proxy: FaultProxy
) -> None:
    proxy.rules(watching("drop", seconds=0.3))
    began = time.monotonic()
    with watched.stream() as response, pytest.raises(http.client.IncompleteRead):
        response.read()
    assert time.monotonic() - began >= 0.3


def test_a_silent_watch_stays_open_and_nothing_comes(watched: Watched, proxy: FaultProxy) -> None:
    proxy.rules(watching("silent", events=1))
    with watched.stream() as response:
        watched.make("a", "b")
        assert name_of(response.readline()) == "a"
        watched.patience(0.4)
        with pytest.raises(TimeoutError):
            response.readline()
    (only,) = proxy.settled()
    assert only.end
    assert (only.end["why"], only.end["events"]) == ("client-gone", 1)


def test_every_event_lags_and_their_order_stays(watched: Watched, proxy: FaultProxy) -> None:
    proxy.rules(watching("lag", seconds=0.5))
    with watched.stream() as response:
        made = {}
        for name in ("a", "b", "c"):
            made[name] = time.monotonic()
            watched.make(name)
        for name, when in made.items():
            assert name_of(response.readline()) == name
            assert time.monotonic() - when >= 0.5


def test_an_expired_watch_is_refused_by_status(watched: Watched, proxy: FaultProxy) -> None:
    proxy.rules(watching("gone"))
    with watched.stream() as response:
        assert response.status == 410
        assert json.loads(response.read())["reason"] == "Expired"


def test_a_watch_expires_in_the_stream(watched: Watched, proxy: FaultProxy) -> None:
    watched.make("a", "b")
    proxy.rules(watching("expire", events=1))
    with watched.stream() as response:
        first, last = (json.loads(line) for line in response.read().splitlines())
    assert first["object"]["metadata"]["name"] == "a"
    assert (last["type"], last["object"]["code"]) == ("ERROR", 410)


def test_lag_and_drop_go_together(watched: Watched, proxy: FaultProxy) -> None:
    watched.make("a", "b")
    lag = watching("lag", seconds=0.3) | {"name": "lag"}
    proxy.rules(lag, watching("drop", events=1))
    began = time.monotonic()
    with watched.stream() as response:
        assert name_of(response.readline()) == "a"
        assert time.monotonic() - began >= 0.3
        with pytest.raises((OSError, http.client.HTTPException)):
            response.read()
    assert proxy.fired() == {"lag": 1, "it": 1}


def test_all_streams_can_be_cut_at_once(watched: Watched, proxy: FaultProxy) -> None:
    with watched.stream() as one, watched.stream() as two:
        watched.make("a")
        assert name_of(one.readline()) == name_of(two.readline()) == "a"
        assert proxy.cut() >= 2
        for response in (one, two):
            with pytest.raises((OSError, http.client.HTTPException)):
                response.read()
    assert {one.end["why"] for one in proxy.settled() if one.end} == {"stopped"}
