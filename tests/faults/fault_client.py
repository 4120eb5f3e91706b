"""The proxy's side towards a client: what it sends, what it is given, and how the connection ends."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import struct
from typing import TYPE_CHECKING, Any, Final

from fault_http import PIECE

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Coroutine

NO_LINGER: Final = struct.pack("ii", 1, 0)


class ClientGone(Exception):
    """The client does not listen any more."""


class ClientReader(asyncio.StreamReader):
    """What the client sends; ``ended`` is set when it has gone, also while nobody reads."""

    def __init__(self, limit: int) -> None:
        super().__init__(limit=limit)
        self.ended = asyncio.Event()

    def feed_eof(self) -> None:
        """Take notice of the end."""
        super().feed_eof()
        self.ended.set()

    def set_exception(self, exc: Exception) -> None:
        """Take notice of an end with an error."""
        super().set_exception(exc)
        self.ended.set()


class Client:
    """One connection of a client."""

    def __init__(self, reader: ClientReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self._writer = writer

    async def while_there(self, work: Coroutine[Any, Any, Any]) -> Any:
        """Do something for as long as the client is there; :class:`ClientGone` when it goes first."""
        task = asyncio.ensure_future(work)
        gone = asyncio.ensure_future(self.reader.ended.wait())
        try:
            await asyncio.wait({task, gone}, return_when=asyncio.FIRST_COMPLETED)
            if task.done():
                return task.result()
            raise ClientGone
        finally:
            for one in (task, gone):
                one.cancel()
            await asyncio.gather(task, gone, return_exceptions=True)

    async def write(self, data: bytes) -> None:
        """Send bytes; :class:`ClientGone` when nobody takes them."""
        try:
            self._writer.write(data)
            await self._writer.drain()
        except OSError as error:
            raise ClientGone from error

    def leave(self, how: str) -> None:
        """End the connection: ``close`` it in good order, or ``reset`` it."""
        if how != "reset":
            self._writer.close()
            return
        plug: socket.socket | None = self._writer.get_extra_info("socket")
        if plug is not None:
            with contextlib.suppress(OSError):
                plug.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, NO_LINGER)
        self._writer.transport.abort()


async def raw_pieces(reader: asyncio.StreamReader) -> AsyncIterator[bytes]:
    """Give bytes as they come, until the other side ends."""
    with contextlib.suppress(OSError):
        while piece := await reader.read(PIECE):
            yield piece
