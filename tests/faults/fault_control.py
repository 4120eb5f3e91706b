"""Control of a running proxy: HTTP on loopback, for whoever knows the secret.

- ``GET /state``: ``{"requests": …, "open": …, "fired": {rule: count}}``
- ``GET /rules``, ``PUT /rules``: the table as JSON (fault_rules.py); 400 with the reason for one that is none
- ``POST /replay``: decide as a log says; the body names the file, ``{"log": path}``
- ``POST /cut``: reset all connections of clients
- ``POST /stop``: end the process
"""

from __future__ import annotations

import asyncio
import contextlib
import http
import json
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fault_http import Broken, Head, read_body, read_head
from fault_log import read_log
from fault_rules import BadRules, Json, Table, read_table

if TYPE_CHECKING:
    from fault_proxy import Proxy


class Control:
    """Listens beside a proxy. ``stopped`` is set when the process should end."""

    def __init__(self, proxy: Proxy) -> None:
        self.secret = secrets.token_hex(16)
        self.stopped = asyncio.Event()
        self._proxy = proxy

    async def start(self) -> int:
        """Listen on a free port of loopback, and give it."""
        listening = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        port: int = listening.sockets[0].getsockname()[1]
        return port

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, Broken), contextlib.closing(writer):
            head = await read_head(reader)
            if head is None:
                return
            status, answer = self._answer(head, await read_body(reader, head))
            body = json.dumps(answer).encode()
            fields = [("Content-Length", str(len(body))), ("Connection", "close")]
            words = http.HTTPStatus(status).phrase
            writer.write(Head(f"HTTP/1.1 {status} {words}", fields).encode() + body)
            await writer.drain()

    def _answer(self, head: Head, body: bytes) -> tuple[int, Json]:
        if not secrets.compare_digest(head.get("authorization"), f"Bearer {self.secret}"):
            return 401, {"error": "who are you?"}
        method, path, *_ = head.first.split(" ")
        try:
            return self._do(f"{method} {path}", json.loads(body or b"null"))
        except (BadRules, OSError, ValueError, KeyError, TypeError) as error:
            return 400, {"error": str(error)}

    def _do(self, what: str, body: Any) -> tuple[int, Json]:
        proxy, answer = self._proxy, Json()
        match what:
            case "GET /state":
                answer = proxy.state()
            case "GET /rules":
                answer = proxy.table.source
            case "PUT /rules":
                proxy.put(read_table(body))
            case "POST /replay":
                proxy.put(Table(), read_log(Path(body["log"])))
            case "POST /cut":
                answer = {"cut": proxy.cut()}
            case "POST /stop":
                self.stopped.set()
            case _:
                return 404, {"error": f"no {what}"}
        return 200, answer
