"""The proxy's side towards the server: one connection for each connection of a client, made when it is needed."""

from __future__ import annotations

import asyncio
import contextlib
import urllib.parse
from typing import TYPE_CHECKING, NamedTuple

from fault_http import HEAD_LIMIT, Broken, Head, pieces, read_head

if TYPE_CHECKING:
    import ssl


class Server(NamedTuple):
    """Where the API server is, and how it is met: ``tls`` without certificate, ``own`` as the proxy itself.

    ``own_fields`` are headers of the proxy's own requests (a token, if it has one).
    """

    host: str
    port: int
    tls: ssl.SSLContext
    own: ssl.SSLContext
    own_fields: list[tuple[str, str]]


def address(url: str) -> tuple[str, int]:
    """Give host and port of a server's URL."""
    parts = urllib.parse.urlsplit(url)
    return parts.hostname or "", parts.port or 443


class ServerGone(Exception):
    """The server cannot be reached, or went away in the middle."""


class Upstream:
    """One connection to the server; made again when the server has ended it."""

    def __init__(self, server: Server, tls: ssl.SSLContext) -> None:
        self._server = server
        self._tls = tls
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def send(self, head: Head, body: bytes) -> None:
        """Send a request, once; :class:`ServerGone` when the server may not have got all of it."""
        _, writer = await self._ready()
        framed = head.without("transfer-encoding", "content-length", "expect")
        if body or not head.first.startswith(("GET", "HEAD")):
            framed = framed.plus("Content-Length", str(len(body)))
        try:
            writer.write(framed.encode() + body)
            await writer.drain()
        except OSError as error:
            raise ServerGone(str(error)) from None

    async def reply(self) -> Head:
        """Give the head of the reply; :class:`ServerGone` when none comes."""
        while True:
            try:
                head = await read_head(self.streams[0])
            except Broken as error:
                raise ServerGone(str(error)) from None
            if head is None:
                raise ServerGone("the server ended the connection")
            if head.status >= 200 or head.status == 101:
                return head

    async def _ready(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = self._reader, self._writer
        if reader and writer:
            if not (reader.at_eof() or reader.exception() or writer.is_closing()):
                return reader, writer
            self.close()
        try:
            reader, writer = await asyncio.open_connection(
                self._server.host, self._server.port, ssl=self._tls, limit=HEAD_LIMIT
            )
        except OSError as error:
            raise ServerGone(f"no connection to the server: {error}") from None
        self._reader, self._writer = reader, writer
        return reader, writer

    @property
    def streams(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Give the two directions of the connection; only while a reply is read."""
        assert self._reader is not None
        assert self._writer is not None
        return self._reader, self._writer

    def close(self) -> None:
        """Let go of the connection, whatever is under way."""
        if self._writer is not None:
            with contextlib.suppress(OSError):
                self._writer.transport.abort()
        self._reader = self._writer = None


async def ask(server: Server, method: str, path: str, body: bytes, kind: str) -> int:
    """Send a request of the proxy's own, and give the status of the answer."""
    fields = [
        ("Host", f"{server.host}:{server.port}"),
        ("User-Agent", "c9s-faults"),
        ("Accept", "application/json"),
        ("Content-Type", kind),
        *server.own_fields,
    ]
    upstream = Upstream(server, server.own)
    try:
        await upstream.send(Head(f"{method} {path} HTTP/1.1", fields), body)
        reply = await upstream.reply()
        async for _ in pieces(upstream.streams[0], reply):
            pass
    except Broken as error:
        raise ServerGone(str(error)) from None
    finally:
        upstream.close()
    return reply.status
