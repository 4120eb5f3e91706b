"""HTTP from a process that serves its metrics: at a URL, or at a port of a Pod through the API server.

Plain HTTP in one request, with limits of time and size; no redirect, no proxy, no repetition.
"""

from __future__ import annotations

import contextlib
import http.client
import socket
import threading
import time
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import urlsplit

from kubectl_c9s.cluster.activepod import refusal
from kubectl_c9s.cluster.connection import USER_AGENT
from kubectl_c9s.cluster.errors import ClusterError, Unreachable
from kubectl_c9s.cluster.tunnel import Tunnel, dial
from kubectl_c9s.resources.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kubectl_c9s.cluster.activepod import Active
    from kubectl_c9s.cluster.connection import Connection

_PIECE: Final = 64 * 1024
_OK: Final = 200
_MOST_WORDS: Final = 200


class HttpError(ClusterError):
    """The answer is an error or a redirect."""


class Limits(NamedTuple):
    """How many seconds the whole may take, and how many bytes the body may have."""

    seconds: float = 30.0
    size: int = 256 * 1024 * 1024


def fetch(url: str, limits: Limits = Limits()) -> bytes:  # noqa: B008 - a tuple cannot change
    """Get what a URL such as ``http://127.0.0.1:9090/metrics`` serves.

    Raises UsageError for what is no such URL, Unreachable when no whole answer comes in time, HttpError for an
    answer that is an error or a redirect, and ClusterError for one that is too large.
    """
    host, port, path = _parts(url)
    client = http.client.HTTPConnection(host, port, timeout=limits.seconds)
    what = f"get {url}"
    with contextlib.closing(client), _described(what, limits):
        client.connect()
        return b"".join(_Request(client, client.sock, path, what, limits).body())


def _parts(url: str) -> tuple[str, int, str]:
    hint = "write http://127.0.0.1:9090/metrics, as diagnostics port-forward prints it"
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise UsageError(f"{url!r} is no URL: {error}", hint=hint) from None
    if parts.scheme != "http" or not host or parts.username is not None:
        raise UsageError(f"{url!r} is no plain http:// URL", hint=hint)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    if not path.isascii() or not path.isprintable() or " " in path:
        raise UsageError(f"{url!r} has characters that a URL must not have", hint=hint)
    return host, port or 80, path


def fetch_from(
    connection: Connection,
    active: Active,
    port: int,
    path: str,
    limits: Limits = Limits(),  # noqa: B008 - a tuple cannot change
    on_answer: Callable[[], None] = lambda: None,
) -> Iterator[bytes]:
    """Get what a port of the active manager's Pod serves, piece by piece.

    ``on_answer`` is called when the answer begins. Raises DiagnosticsOff when nobody listens there, Forbidden when a
    right is missing, and else as ``fetch``; pieces that came before are then of an answer that is not whole.
    """
    what = f"get {path} from port {port} of {active.name}"
    near, far = socket.socketpair()
    with contextlib.closing(near), contextlib.closing(far):
        tunnel = Tunnel(far, dial(connection, active.namespace, active.name, port))
        carrying = threading.Thread(target=tunnel.run, name="c9s-fetch", daemon=True)
        carrying.start()
        client = http.client.HTTPConnection("localhost", port)
        client.sock = near
        try:
            with _described(what, limits):
                yield from _Request(client, near, path, what, limits).body(on_answer)
        except Unreachable:
            if tunnel.trouble:
                raise refusal(active, port, tunnel.trouble) from None
            raise
        finally:
            tunnel.stop()
            carrying.join()


def check_port(connection: Connection, active: Active, port: int, seconds: float = 10.0) -> None:
    """Make sure that somebody answers at a port of the Pod, whatever they say to a page they do not have.

    Raises DiagnosticsOff, Forbidden and what else keeps an answer from coming.
    """
    try:
        for _ in fetch_from(connection, active, port, "/", Limits(seconds)):
            pass
    except HttpError:
        pass


class _Request:
    """One GET over a socket that is connected."""

    def __init__(
        self,
        client: http.client.HTTPConnection,
        sock: socket.socket,
        path: str,
        what: str,
        limits: Limits,
    ) -> None:
        self._client, self._sock, self._path, self._what = client, sock, path, what
        self._limits = limits
        self._end = time.monotonic() + limits.seconds

    def body(self, on_answer: Callable[[], None] = lambda: None) -> Iterator[bytes]:
        """Send it and give the body of an answer that is no error; raises what ``_described`` describes."""
        self._wait()
        headers = {"User-Agent": USER_AGENT, "Accept": "*/*", "Connection": "close"}
        self._client.request("GET", self._path, headers=headers)
        with self._client.getresponse() as response:
            if response.status != _OK:
                words = response.read(_MOST_WORDS).decode("utf-8", "replace").strip()
                said = f"HTTP {response.status} {response.reason}"
                raise HttpError(f"{self._what}: {said}{': ' if words else ''}{words}")
            on_answer()
            yield from self._pieces(response)

    def _pieces(self, response: http.client.HTTPResponse) -> Iterator[bytes]:
        whole, size = response.length, 0
        while piece := self._read(response):
            size += len(piece)
            if size > self._limits.size:
                raise ClusterError(f"{self._what}: more than {self._limits.size:,} bytes")
            yield piece
        if (
            whole is not None and size < whole
        ):  # the library says so only to those who read all at once
            raise http.client.IncompleteRead(b"", whole - size)

    def _read(self, response: http.client.HTTPResponse) -> bytes:
        self._wait()
        return response.read1(_PIECE)

    def _wait(self) -> None:
        """Let the next wait last no longer than what is left of the whole."""
        left = self._end - time.monotonic()
        if left <= 0:
            raise TimeoutError
        self._sock.settimeout(left)


@contextlib.contextmanager
def _described(what: str, limits: Limits) -> Iterator[None]:
    """Make our errors of those of sockets and of HTTP."""
    try:
        yield
    except TimeoutError:
        text = f"{what}: no whole answer in {limits.seconds:g} s"
        raise Unreachable(text, sent=True) from None
    except http.client.IncompleteRead:
        raise Unreachable(f"{what}: the answer was cut off", sent=True) from None
    except http.client.HTTPException as error:
        text = f"{what}: the answer is no HTTP: {type(error).__name__}"
        raise Unreachable(text, sent=True) from None
    except OSError as error:
        raise Unreachable(f"{what}: {error.strerror or error}", sent=True) from None
