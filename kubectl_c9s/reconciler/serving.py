"""Metrics and health over plain HTTP, on a port of their own: ``/metrics``, ``/healthz``, ``/readyz``."""

from __future__ import annotations

import http.server
import socket
import threading
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_PLAIN: Final = "text/plain; charset=utf-8"
_SLOWEST: Final = 10.0  # seconds a client may take for its request


class Page:
    """An answer: status, type and text."""

    def __init__(self, status: HTTPStatus, text: bytes, kind: str = _PLAIN) -> None:
        self.status, self.text, self.kind = status, text, kind


def truth(problem: str) -> Page:
    """Make the answer of a health check: ``ok``, or 503 with what is wrong."""
    if problem:
        return Page(HTTPStatus.SERVICE_UNAVAILABLE, f"{problem}\n".encode())
    return Page(HTTPStatus.OK, b"ok\n")


class Server:
    """Serves pages by path; each is made when it is asked for, by a thread of the request."""

    def __init__(self, address: tuple[str, int], pages: Mapping[str, Callable[[], Page]]) -> None:
        """Listen; raises OSError when the port cannot be had."""
        self._server = _Listener(address, _handler(pages))
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.2,), name="c9s-serving", daemon=True
        )

    @property
    def port(self) -> int:
        """Give the port that is listened on."""
        port: int = self._server.server_address[1]
        return port

    def start(self) -> None:
        """Begin to answer."""
        self._thread.start()

    def stop(self) -> None:
        """Answer no more."""
        self._server.shutdown()
        self._server.server_close()


class _Listener(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, address: tuple[str, int], handler: Any) -> None:
        both = not address[0] and socket.has_dualstack_ipv6()
        if both or ":" in address[0]:
            self.address_family = socket.AF_INET6
        self._both = both
        super().__init__(address, handler)

    def server_bind(self) -> None:
        """Listen for both families where no address is given: probes come by either."""
        if self._both:
            self.socket.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        super().server_bind()


def _handler(pages: Mapping[str, Callable[[], Page]]) -> type[http.server.BaseHTTPRequestHandler]:
    class Handler(http.server.BaseHTTPRequestHandler):
        timeout = _SLOWEST
        server_version = "c9s-reconciler"
        sys_version = ""

        def do_GET(self) -> None:
            make = pages.get(self.path.partition("?")[0])
            page = make() if make else Page(HTTPStatus.NOT_FOUND, b"not found\n")
            self.send_response(page.status)
            self.send_header("Content-Type", page.kind)
            self.send_header("Content-Length", str(len(page.text)))
            self.end_headers()
            if self.command == "GET":
                self.wfile.write(page.text)

        do_HEAD = do_GET  # noqa: N815 - the library's name

        def log_message(self, *_: object) -> None:
            """Say nothing of probes: there is one every few seconds."""

    return Handler
