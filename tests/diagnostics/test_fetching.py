"""Plain HTTP with limits: what is no whole answer is an error in words."""

from __future__ import annotations

import socket
import threading
from typing import TYPE_CHECKING

import pytest
from silent_server import Reply, Scripted, silent

from kubectl_c9s.cluster.errors import ClusterError, Unreachable
from kubectl_c9s.cluster.fetching import HttpError, Limits, fetch
from kubectl_c9s.resources.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def said() -> Iterator[tuple[list[bytes], str]]:
    """Give a list of what a server says to the next client, and its address; it ends the connection then."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        words: list[bytes] = []

        def serve() -> None:
            sock, _ = server.accept()
            with sock:
                sock.recv(65536)
                sock.sendall(b"".join(words))

        threading.Thread(target=serve, daemon=True).start()
        yield words, f"http://127.0.0.1:{server.getsockname()[1]}"


def test_the_body_is_given_as_it_is() -> None:
    with Scripted(lambda request: Reply(200, {"path": request.path})) as server:
        assert fetch(f"{server.url}/metrics?x=1") == b'{"path": "/metrics?x=1"}'
        assert fetch(server.url) == b'{"path": "/"}'
        (first, _) = server.requests
    headers = {name.lower(): value for name, value in first.headers}
    assert headers["user-agent"].startswith("kubectl-c9s/")
    assert headers["accept-encoding"] == "identity"


def test_chunks_are_put_together() -> None:
    with Scripted(lambda _: Reply(200, chunks=(b"one ", b"two"))) as server:
        assert fetch(server.url) == b"one two"


def test_a_proxy_of_the_environment_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    with Scripted(lambda _: Reply(200, "x")) as server:
        assert fetch(server.url) == b'"x"'


@pytest.mark.parametrize("status", [204, 301, 302, 307, 404, 500])
def test_an_answer_other_than_ok_is_an_error_and_a_redirect_is_not_followed(status: int) -> None:
    with Scripted(lambda _: Reply(status, "why", {"Location": "/elsewhere"})) as server:
        with pytest.raises(HttpError, match=f"HTTP {status}"):
            fetch(server.url)
        assert len(server.requests) == 1


@pytest.mark.parametrize(
    "words",
    [
        b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nshort\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n10\r\nshort",
    ],
)
def test_a_body_that_is_cut_off_is_no_body(said: tuple[list[bytes], str], words: bytes) -> None:
    said[0].append(words)
    with pytest.raises(Unreachable, match="the answer was cut off"):
        fetch(said[1])


@pytest.mark.parametrize("words", [b"SSH-2.0-it\r\n", b""])
def test_what_is_no_http_is_an_error(said: tuple[list[bytes], str], words: bytes) -> None:
    said[0].append(words)
    with pytest.raises(ClusterError):
        fetch(said[1])


def test_a_body_that_is_too_large_is_not_read_to_its_end() -> None:
    with (
        Scripted(lambda _: Reply(200, chunks=(b"x" * 600,) * 4)) as server,
        pytest.raises(ClusterError, match="more than 1,000 bytes"),
    ):
        fetch(server.url, Limits(size=1000))


def test_silence_ends_with_the_time_that_was_given() -> None:
    with silent() as address, pytest.raises(Unreachable, match=r"no whole answer in 0\.3 s"):
        fetch(f"http://{address}/metrics", Limits(seconds=0.3))


def test_an_answer_that_drips_ends_with_the_time_that_was_given() -> None:
    hold = threading.Event()
    drops = Reply(200, chunks=(b"x",) * 5, hold=hold)
    with Scripted(lambda _: drops) as server:
        with pytest.raises(Unreachable, match=r"no whole answer in 0\.3 s"):
            fetch(server.url, Limits(seconds=0.3))
        hold.set()


def test_nobody_there_is_said() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with pytest.raises(Unreachable, match="Connection refused"):
        fetch(f"http://127.0.0.1:{port}/metrics")


@pytest.mark.parametrize(
    "url",
    [
        "127.0.0.1:9090",
        "https://127.0.0.1:9090",
        "file:///etc/passwd",
        "http://",
        "http://h:port/",
        "http://h:99999/",
        "http://user:word@127.0.0.1/",
        "http://127.0.0.1/a b",
        "http://127.0.0.1/\x00",
        "http://127.0.0.1/ä",
        "http://[::1/",
    ],
)
def test_what_is_no_plain_url_is_a_usage_error(url: str) -> None:
    with pytest.raises(UsageError, match="http://"):
        fetch(url)
