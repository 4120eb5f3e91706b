"""A socket that one thread reads and another writes at the same time, with TLS or without.

OpenSSL allows only one call at a time on a TLS connection, and Python 3.11 does not see to it. Here calls never block
and take turns; what is waited for is waited for outside.
"""

from __future__ import annotations

import contextlib
import selectors
import socket
import ssl
import threading
from typing import Any, Final

_NOT_NOW: Final = (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError)
# poll takes descriptors of any number and needs none of its own; it is not everywhere.
_SELECTOR: Final = getattr(selectors, "PollSelector", selectors.DefaultSelector)


class SharedSocket:
    """Has the methods of a connected socket that websocket-client calls; takes the socket over.

    After ``shutdown``, which any thread may call, reads give the end and writes raise OSError.
    """

    def __init__(self, sock: socket.socket) -> None:
        sock.settimeout(0)
        self._sock = sock
        self._turn = threading.Lock()
        self._over = False

    def recv(self, size: int) -> bytes:
        """Wait for bytes and give at most so many; none at the end."""
        while True:
            with self._turn:
                if self._over:
                    return b""
                try:
                    return self._sock.recv(size)
                except _NOT_NOW as error:
                    writing = isinstance(error, ssl.SSLWantWriteError)
            self._wait(writing=writing)

    def send(self, data: bytes) -> int:
        """Wait until there is room and send; give how many bytes were taken."""
        while True:
            with self._turn:
                if self._over:
                    raise ConnectionAbortedError("the connection was ended")
                try:
                    return self._sock.send(data)
                except _NOT_NOW as error:
                    # A plain socket says only that it is not now.
                    writing = not isinstance(error, ssl.SSLWantReadError)
            self._wait(writing=writing)

    def _wait(self, *, writing: bool) -> None:
        event = selectors.EVENT_WRITE if writing else selectors.EVENT_READ
        with _SELECTOR() as selector:
            selector.register(self._sock, event)
            selector.select()

    def shutdown(self, how: int = socket.SHUT_RDWR) -> None:
        """End it, and let those who wait go on: the system wakes them."""
        with self._turn:
            self._over = True
            with contextlib.suppress(OSError):
                self._sock.shutdown(how)

    def close(self) -> None:
        """End it; websocket-client calls this from either thread, so the descriptor stays until ``release``."""
        self.shutdown()

    def release(self) -> None:
        """Give the descriptor back; nobody may be inside a call any more."""
        self._sock.close()

    def gettimeout(self) -> None:
        """Say that calls wait for ever."""

    def settimeout(self, timeout: Any) -> None:
        """Take no limit: who wants to stop waiting calls ``shutdown``."""
