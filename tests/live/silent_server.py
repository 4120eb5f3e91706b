"""Servers that misbehave: one that takes connections and says nothing, one that answers what it is told to."""

from __future__ import annotations

import contextlib
import http.server
import json
import socket
import threading
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, Self

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping


@contextlib.contextmanager
def silent() -> Iterator[str]:
    """Give ``host:port`` of a socket whose connections the system accepts and nobody ever answers."""
    with socket.create_server(("127.0.0.1", 0), backlog=64) as server:
        yield f"127.0.0.1:{server.getsockname()[1]}"


class Request(NamedTuple):
    """What a client asked."""

    method: str
    path: str
    headers: list[tuple[str, str]]
    body: bytes


class Reply(NamedTuple):
    """What to say: a status and a body; ``lost`` closes the connection instead, ``chunks`` come one by one.

    ``hold`` is waited for before each chunk but the first, and before the end.
    """

    status: int = 200
    body: Any = None
    headers: Mapping[str, str] = MappingProxyType({})
    lost: bool = False
    chunks: tuple[bytes, ...] = ()
    hold: threading.Event | None = None


class Scripted:
    """A plain HTTP server that asks a function for each answer and remembers the requests."""

    def __init__(self, answer: Callable[[Request], Reply]) -> None:
        self.requests: list[Request] = []
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_: object) -> None:
                """Say nothing."""

            def _serve(self) -> None:
                length = int(self.headers.get("Content-Length") or 0)
                body = self.rfile.read(length)
                request = Request(self.command, self.path, list(self.headers.items()), body)
                outer.requests.append(request)
                self._send(answer(request))

            def _send(self, reply: Reply) -> None:
                if reply.lost:
                    self.close_connection = True
                    self.connection.shutdown(socket.SHUT_RDWR)
                    return
                data = json.dumps(reply.body if reply.body is not None else {}).encode()
                self.send_response(reply.status)
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                if not reply.chunks:
                    self.send_header("Content-Length", str(len(data)))
                    self.end_headers()
                    self.wfile.write(data)
                    return
                self.send_header("Transfer-Encoding", "chunked")
                self.end_headers()
                for place, chunk in enumerate(reply.chunks):
                    if place and reply.hold:
                        reply.hold.wait(60)
                    self.wfile.write(b"%x\r\n%s\r\n" % (len(chunk), chunk))
                if reply.hold:
                    reply.hold.wait(60)
                self.wfile.write(b"0\r\n\r\n")

            do_GET = do_PATCH = do_POST = do_DELETE = _serve  # noqa: N815 - the library's names

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.01,), daemon=True
        )
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self.stop()

    def start(self) -> None:
        """Begin to serve."""
        self._thread.start()

    def stop(self) -> None:
        """Stop serving and close the socket; nothing happens when that is done already."""
        if self._thread.is_alive():
            self._server.shutdown()
            self._server.server_close()
            self._thread.join()


def status(code: int, message: str, reason: str = "", **details: Any) -> dict[str, Any]:
    """Make a metav1.Status."""
    found = {"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": code}
    return (
        found | {"message": message, "reason": reason} | ({"details": details} if details else {})
    )
