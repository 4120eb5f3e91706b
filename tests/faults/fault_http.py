"""HTTP/1.1 on asyncio streams, as far as a proxy needs it: heads, bodies in any framing, and nothing lost between."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

HEAD_LIMIT: Final = 1 << 20  # bytes
BODY_LIMIT: Final = 64 << 20
PIECE: Final = 64 << 10
END: Final = b"0\r\n\r\n"
_BODILESS: Final = frozenset({204, 304})


class Broken(Exception):
    """The other side went away in the middle, or does not speak HTTP."""


class Head(NamedTuple):
    """The first line and the headers, as they came."""

    first: str
    fields: list[tuple[str, str]]

    def get(self, name: str) -> str:
        """Give the first value of a header, empty when there is none; ``name`` in lower case."""
        return next((value for key, value in self.fields if key.lower() == name), "")

    def lower(self) -> dict[str, str]:
        """Give the headers by lower-case name; of several the last."""
        return {key.lower(): value for key, value in self.fields}

    def without(self, *names: str) -> Head:
        """Leave out headers; names in lower case."""
        return Head(self.first, [pair for pair in self.fields if pair[0].lower() not in names])

    def plus(self, name: str, value: str) -> Head:
        """Add a header."""
        return Head(self.first, [*self.fields, (name, value)])

    def encode(self) -> bytes:
        """Give the bytes, with the empty line."""
        lines = [self.first, *(f"{key}: {value}" for key, value in self.fields), "", ""]
        return "\r\n".join(lines).encode("latin-1")

    @property
    def status(self) -> int:
        """Give the status of a reply."""
        return int(self.first.split(" ", 2)[1])

    @property
    def closes(self) -> bool:
        """Tell whether the connection ends after this message."""
        return self.get("connection").lower() == "close" or "HTTP/1.0" in self.first

    @property
    def chunked(self) -> bool:
        """Tell whether the body comes in chunks."""
        return self.get("transfer-encoding").lower() == "chunked"

    @property
    def upgrades(self) -> bool:
        """Tell whether this asks for another protocol, or grants it."""
        return "upgrade" in self.get("connection").lower()


async def read_head(reader: asyncio.StreamReader) -> Head | None:
    """Read a head; None when the other side has ended in good order. :class:`Broken` otherwise."""
    try:
        raw = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError as error:
        if error.partial:
            raise Broken("the connection ended in a head") from None
        return None
    except (OSError, asyncio.LimitOverrunError) as error:
        raise Broken(f"no head: {error}") from None
    first, *lines = raw.decode("latin-1").split("\r\n")[:-2]
    pairs = [line.partition(":") for line in lines]
    return Head(first, [(key, value.strip()) for key, _, value in pairs])


async def read_body(reader: asyncio.StreamReader, head: Head) -> bytes:
    """Read the whole body of a request."""
    parts = [part async for part in _framed(reader, head, "0")]
    return b"".join(parts)


def bodiless(method: str, head: Head) -> bool:
    """Tell whether a reply has no body whatever its headers say."""
    return method == "HEAD" or head.status in _BODILESS


async def pieces(reader: asyncio.StreamReader, head: Head) -> AsyncIterator[bytes]:
    """Give the body of a reply as it comes, without its framing. :class:`Broken` when it ends too early."""
    async for piece in _framed(reader, head, ""):
        yield piece


async def _framed(reader: asyncio.StreamReader, head: Head, otherwise: str) -> AsyncIterator[bytes]:
    length = head.get("content-length") or otherwise
    if length and not length.isdigit():
        raise Broken(f"the length of a body is {length!r}")
    try:
        if head.chunked:
            async for piece in _chunks(reader):
                yield piece
        elif length:
            async for piece in _counted(reader, int(length)):
                yield piece
        else:
            while piece := await reader.read(PIECE):
                yield piece
    except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError) as error:
        raise Broken(f"the connection ended in a body: {error}") from None


async def _counted(reader: asyncio.StreamReader, left: int) -> AsyncIterator[bytes]:
    if left > BODY_LIMIT * 16:
        raise Broken(f"a body of {left} bytes")
    while left:
        piece = await reader.read(min(left, PIECE))
        if not piece:
            raise asyncio.IncompleteReadError(b"", left)
        left -= len(piece)
        yield piece


async def _chunks(reader: asyncio.StreamReader) -> AsyncIterator[bytes]:
    while True:
        line = await reader.readuntil(b"\r\n")
        try:
            size = int(line.split(b";")[0], 16)
        except ValueError:
            raise Broken(f"no chunk begins with {line[:40]!r}") from None
        if not size:
            break
        async for piece in _counted(reader, size):
            yield piece
        await reader.readexactly(2)
    while await reader.readuntil(b"\r\n") != b"\r\n":  # trailers, which nobody reads
        pass


def chunk(piece: bytes) -> bytes:
    """Frame a piece of a body; it must not be empty."""
    return b"%x\r\n%b\r\n" % (len(piece), piece)


async def lines(body: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Give whole lines, each as soon as it is there; at the end what is left of one."""
    rest = b""
    async for piece in body:
        *whole, rest = (rest + piece).split(b"\n")
        for line in whole:
            yield line + b"\n"
    if rest:
        yield rest
