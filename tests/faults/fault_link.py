"""One connection of a client, its requests one after the other: each is decided, logged and carried out."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import http
from typing import TYPE_CHECKING, Protocol

from fault_bump import get_ahead
from fault_client import Client, ClientGone, raw_pieces
from fault_http import (
    END,
    Broken,
    Head,
    bodiless,
    chunk,
    lines,
    pieces,
    read_body,
    read_head,
)
from fault_request import describe
from fault_status import refusal, refuses
from fault_stream import Cut, disturbed
from fault_upstream import Server, ServerGone, Upstream

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from fault_decide import Decision, Fault
    from fault_log import End, Journal
    from fault_request import Asked


class House(Protocol):
    """What a connection needs of the proxy it belongs to."""

    server: Server
    journal: Journal
    changed: asyncio.Event

    def decide(self, asked: Asked) -> Decision:
        """Say what happens to a request."""


@dataclasses.dataclass
class Exchange:
    """One request on its way."""

    head: Head
    body: bytes
    asked: Asked
    decision: Decision
    end: End

    @property
    def fault(self) -> Fault | None:
        """Give what is done to it, beside delays."""
        return self.decision.fault


class Link:
    """Serves one client until one of both has enough."""

    def __init__(self, house: House, client: Client) -> None:
        self._house = house
        self._client = client
        self._upstream = Upstream(house.server, house.server.tls)

    async def serve(self) -> None:
        """Take requests until the connection ends."""
        how = "close"
        try:
            while (head := await read_head(self._client.reader)) and await self._one(head):
                pass
        except Cut as cut:
            how = cut.how
        except (Broken, ClientGone, ServerGone):
            pass
        except asyncio.CancelledError:
            how = "reset"
        finally:
            self._upstream.close()
            self._client.leave(how)

    async def _one(self, head: Head) -> bool:
        """Carry out one request; tell whether another one may come."""
        if head.get("expect").lower() == "100-continue":
            await self._client.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        body = await read_body(self._client.reader, head)
        words = head.first.split(" ")
        if len(words) != 3:
            raise Broken(f"no request begins with {head.first[:40]!r}")
        asked = describe(words[0], words[1], head.lower(), body)
        decision = self._house.decide(asked)
        end = self._house.journal.request(asked, decision)
        end.why = "stopped"
        try:
            keep = await self._carry_out(Exchange(head, body, asked, decision, end))
            end.why = "done"
        except Cut:
            end.why = "cut"
            raise
        except ClientGone:
            end.why = "client-gone"
            raise
        except (ServerGone, Broken):
            end.why = "server-gone"
            raise
        finally:
            self._house.journal.end(end)
        return keep and not head.closes

    async def _carry_out(self, now: Exchange) -> bool:
        if now.decision.before:
            await asyncio.sleep(now.decision.before)
        if now.fault:
            if refuses(now.fault):
                return await self._refuse(now, now.fault)
            if now.fault.do == "lost-request":
                raise Cut(now.fault.settings["how"])
            if now.fault.do == "hang" and not now.fault.settings["forwarded"]:
                await self._hang(now.fault)
            if now.fault.do == "real-conflict":
                kind = now.head.get("content-type")
                await get_ahead(self._house.server, now.fault, now.asked, now.body, kind)
        await self._upstream.send(now.head, now.body)
        now.end.forwarded = True
        reply = await self._upstream.reply()
        now.end.status, now.end.audit = reply.status, reply.get("audit-id")
        if now.fault and now.fault.do in {"lost-reply", "hang"}:
            await self._swallow(now, reply, now.fault)
        if now.decision.reply:
            await asyncio.sleep(now.decision.reply)
        if reply.get("content-length") and not now.fault:
            return await self._pass_on(now, reply)  # soon over
        keep: bool = await self._client.while_there(self._pass_on(now, reply))
        return keep

    async def _refuse(self, now: Exchange, fault: Fault) -> bool:
        answer = refusal(fault, now.asked)
        words = http.HTTPStatus(answer.status).phrase
        fields = [*answer.fields, ("Content-Length", str(len(answer.body)))]
        await self._client.write(
            Head(f"HTTP/1.1 {answer.status} {words}", fields).encode() + answer.body
        )
        now.end.answered, now.end.bytes = answer.status, len(answer.body)
        return True

    async def _hang(self, fault: Fault) -> None:
        """Wait until the client goes, the rules change, or it is time; the connection ends then."""
        changed, seconds = self._house.changed, fault.settings["seconds"]
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._client.while_there(changed.wait())
        raise Cut(fault.settings["how"])

    async def _swallow(self, now: Exchange, reply: Head, fault: Fault) -> None:
        """Take the whole answer, so that the request was carried out for certain, and give none."""
        if now.asked.verb != "watch" and reply.status != http.HTTPStatus.SWITCHING_PROTOCOLS:
            await self._client.while_there(_drain(self._body(now, reply)))
        if fault.do == "hang":
            await self._hang(fault)
        raise Cut(fault.settings["how"])

    def _body(self, now: Exchange, reply: Head) -> AsyncIterator[bytes]:
        reader = self._upstream.streams[0]
        return _nothing() if bodiless(now.asked.method, reply) else pieces(reader, reply)

    async def _pass_on(self, now: Exchange, reply: Head) -> bool:
        """Give the reply to the client, each piece as it comes; tell whether the connection can go on."""
        await self._client.write(reply.encode())
        now.end.answered = reply.status
        if reply.status == http.HTTPStatus.SWITCHING_PROTOCOLS:
            return await self._tunnel(now)
        body = self._body(now, reply)
        is_watch = now.asked.verb == "watch" and "json" in reply.get("content-type")
        if is_watch and reply.status == http.HTTPStatus.OK:
            body = lines(body)
        try:
            await self._send_all(now, disturbed(body, now.decision), framed=reply.chunked)
        except Cut as cut:
            if cut.how != "end" or not reply.chunked:
                raise
            self._upstream.close()  # it has more to say, to nobody
        if reply.chunked:
            await self._client.write(END)
        is_framed = reply.chunked or bool(reply.get("content-length"))
        return not reply.closes and (is_framed or bodiless(now.asked.method, reply))

    async def _send_all(
        self, now: Exchange, body: AsyncIterator[bytes], *, framed: bool = False
    ) -> None:
        async for piece in body:
            now.end.events += now.asked.verb == "watch"
            now.end.bytes += len(piece)
            await self._client.write(chunk(piece) if framed else piece)

    async def _tunnel(self, now: Exchange) -> bool:
        """Carry bytes both ways until one side ends."""
        reader, writer = self._upstream.streams

        async def up() -> None:
            async for piece in raw_pieces(self._client.reader):
                writer.write(piece)
                await writer.drain()

        rising = asyncio.create_task(up())
        try:
            await self._send_all(now, disturbed(raw_pieces(reader), now.decision))
        finally:
            rising.cancel()
            with contextlib.suppress(asyncio.CancelledError, OSError):
                await rising
        return False


async def _drain(body: AsyncIterator[bytes]) -> None:
    async for _ in body:
        pass


async def _nothing() -> AsyncIterator[bytes]:
    for piece in list[bytes]():
        yield piece
