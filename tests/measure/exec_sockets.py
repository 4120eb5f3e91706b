"""A WebSocket that says what a test wants, in place of one through an API server."""

from __future__ import annotations

import json
import threading
import time
from typing import TYPE_CHECKING, Any

import websocket

if TYPE_CHECKING:
    from collections.abc import Iterable

BINARY = websocket.ABNF.OPCODE_BINARY
CLOSE = websocket.ABNF.OPCODE_CLOSE


def ended(status: str = "Success", code: int | None = None, message: str = "") -> bytes:
    """Give the message of a command's end as a kubelet sends it."""
    body: dict[str, Any] = {"metadata": {}, "status": status, "message": message}
    if code is not None:
        cause = {"reason": "ExitCode", "message": str(code)}
        body |= {"reason": "NonZeroExitCode", "details": {"causes": [cause]}}
    return b"\x03" + json.dumps(body).encode()


class Scripted:
    """Gives messages one after the other, then closes; an exception among them is raised, None is silence."""

    def __init__(self, messages: Iterable[bytes | Exception | None]) -> None:
        self._messages = iter(messages)
        self._limit: float | None = None
        self._aborted = threading.Event()
        self.closed = False

    def settimeout(self, limit: float | None) -> None:
        self._limit = limit

    def recv_data(self) -> tuple[int, bytes]:
        message = next(self._messages, b"")
        if isinstance(message, Exception):
            raise message
        if message is None:
            assert self._limit is not None
            begun = time.monotonic()
            if self._aborted.wait(self._limit):
                raise OSError("shut")
            assert time.monotonic() - begun >= 0
            raise websocket.WebSocketTimeoutException("silence")
        return (BINARY, message) if message else (CLOSE, b"\x03\xe8")

    def abort(self) -> None:
        self._aborted.set()

    def shutdown(self) -> None:
        self.closed = True
