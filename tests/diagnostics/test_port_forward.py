"""port-forward through API server and kubelet's door to a Go process: nothing is lost, the leader is followed."""

from __future__ import annotations

import hashlib
import http.client
import signal
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from bed_objects import until
from forward_tools import Forward, get

if TYPE_CHECKING:
    from collections.abc import Iterator

    from manager_site import Site

BIG = 50 << 20


@pytest.fixture(scope="module")
def content() -> bytes:
    """Give what /big serves, made here anew."""
    blocks = (hashlib.sha256(f"big{offset}".encode()).digest() for offset in range(0, BIG, 32))
    return b"".join(blocks)


@pytest.fixture(scope="module")
def forward(standing: Site) -> Iterator[Forward]:
    standing.lead("m-0")
    with Forward(standing) as one:
        yield one


def test_a_hundred_requests_at_once_get_each_their_own_answer(forward: Forward) -> None:
    ready = threading.Barrier(100)

    def ask(number: int) -> bytes:
        ready.wait(60)
        return get(forward.port(), f"/who?{number}")

    with ThreadPoolExecutor(100) as pool:
        answers = list(pool.map(ask, range(100)))
    assert answers == [f"zero {number}".encode() for number in range(100)]


def test_a_large_body_comes_whole(forward: Forward, content: bytes) -> None:
    assert same(get(forward.port(), "/big"), content)
    assert same(get(forward.port(), "/big?length=no"), content)


def test_a_large_body_goes_whole(forward: Forward, content: bytes) -> None:
    digest = hashlib.sha256(content).hexdigest()
    assert get(forward.port(), "/digest", content).split() == [
        str(BIG).encode(),
        digest.encode(),
        b"<nil>",
    ]


def test_both_directions_run_full_at_the_same_time(forward: Forward, content: bytes) -> None:
    """Neither waits for the other: a body that comes back while it is sent would block both."""
    body = content[: 8 << 20]
    with socket.create_connection(("127.0.0.1", forward.port()), 60) as sock:
        head = f"POST /echo HTTP/1.1\r\nHost: it\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
        sender = threading.Thread(target=sock.sendall, args=(head.encode() + body,))
        sender.start()
        answer = http.client.HTTPResponse(sock)
        answer.begin()
        got = answer.read()
        sender.join()
    assert same(got, body)


def same(got: bytes, wanted: bytes) -> bool:
    """Compare without a word about each byte."""
    assert len(got) == len(wanted)
    return got == wanted


def test_a_client_that_has_ended_its_direction_still_gets_its_answer(forward: Forward) -> None:
    with socket.create_connection(("127.0.0.1", forward.port()), 60) as sock:
        sock.sendall(b"GET /big?size=3200000 HTTP/1.1\r\nHost: it\r\n\r\n")
        sock.shutdown(socket.SHUT_WR)
        got = bytearray()
        while piece := sock.recv(65536):
            got += piece
    assert len(got.partition(b"\r\n\r\n")[2]) == 3200000


def test_one_connection_serves_several_requests(forward: Forward) -> None:
    client = http.client.HTTPConnection("127.0.0.1", forward.port(), timeout=60)
    for number in range(3):
        client.request("GET", f"/who?{number}")
        assert client.getresponse().read() == f"zero {number}".encode()
    client.close()


def test_a_client_that_leaves_ends_its_connection(forward: Forward) -> None:
    """The door does not notice; what was opened for the client must not stay."""
    count = 20
    before = sockets_of(forward)
    clients = [socket.create_connection(("127.0.0.1", forward.port()), 60) for _ in range(count)]
    until("connections are open", lambda: sockets_of(forward) >= before + 2 * count, 30.0)
    for one in clients:
        one.close()
    until("connections are ended", lambda: sockets_of(forward) <= before, 30.0)


def sockets_of(forward: Forward) -> int:
    """Count open sockets of the program."""
    links = Path(f"/proc/{forward.process.pid}/fd")
    found = 0
    for link in links.iterdir():
        try:
            found += str(link.readlink()).startswith("socket:")
        except OSError:  # closed meanwhile
            continue
    return found


def test_profiles_have_a_port_of_their_own(forward: Forward) -> None:
    assert b"goroutine profile:" in get(forward.port("pprof"), "/debug/pprof/goroutine?debug=1")
    assert forward.urls["pprof"].endswith("/debug/pprof/")
    assert forward.urls["metrics"].endswith("/metrics")


def test_leadership_that_moves_takes_new_connections_along(standing: Site) -> None:
    standing.lead("m-0")
    with Forward(standing) as forward:
        assert get(forward.port(), "/who") == b"zero "
        old = http.client.HTTPConnection("127.0.0.1", forward.port(), timeout=60)
        old.request("GET", "/who?old")
        assert old.getresponse().read() == b"zero old"
        standing.lead("m-1")
        forward.says("leadership has moved: new connections go to m-1")
        assert get(forward.port(), "/who") == b"one "
        old.request("GET", "/who?still")  # what is open stays with the Pod it was opened to
        assert old.getresponse().read() == b"zero still"
        old.close()
        standing.lead("")
        forward.says("no manager leads: the Lease clabernetes-manager has no holder; waiting")
        found: list[bytes] = []
        waiting = threading.Thread(target=answer_into, args=(forward, found))
        waiting.start()
        standing.lead("m-0")
        waiting.join()
        assert found == [b"zero "]


def answer_into(forward: Forward, found: list[bytes]) -> None:
    found.append(get(forward.port(), "/who"))


def test_a_pod_that_fails_is_followed_to_the_next_leader_at_once(standing: Site) -> None:
    """m-2 has no process: the failed connection is the sign to ask who leads."""
    standing.lead("m-0")
    with Forward(standing) as forward:
        standing.lead("m-2")
        forward.says("leadership has moved: new connections go to m-2")
        with pytest.raises(OSError, match=r"reset|closed|without response"):
            get(forward.port(), "/who")
        forward.says("port 9090 of m-2: ")
        standing.lead("m-1")
        until("m-1 answers", lambda: asked(forward) == b"one ", 30.0)


def asked(forward: Forward) -> bytes:
    try:
        return get(forward.port(), "/who")
    except OSError:
        return b""


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 0)])
def test_it_ends_cleanly_when_it_is_asked_to(standing: Site, number: int, code: int) -> None:
    standing.lead("m-0")
    with Forward(standing) as forward:
        idle = socket.create_connection(("127.0.0.1", forward.port()), 60)
        assert get(forward.port(), "/who") == b"zero "
        assert forward.end(number) == code
        idle.close()
    assert "error:" not in forward.said
