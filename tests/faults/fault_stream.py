"""What is done to a reply on its way: lag, drop, silence, expiry. Each takes pieces of a body and gives pieces."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Final

from fault_status import expired_event

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping

    from fault_decide import Decision
    from fault_rules import Json


class Cut(Exception):
    """The connection to the client is to end here; ``how`` is ``close``, ``reset`` or ``end``."""

    def __init__(self, how: str) -> None:
        super().__init__(how)
        self.how = how


def disturbed(body: AsyncIterator[bytes], decision: Decision) -> AsyncIterator[bytes]:
    """Give the pieces that reach the client: for a watch, whole lines go in."""
    if decision.lag:
        body = lagged(body, decision.lag)
    if decision.fault and (disturb := _DISTURB.get(decision.fault.do)):
        body = disturb(body, decision.fault.settings)
    return body


async def lagged(body: AsyncIterator[bytes], seconds: float) -> AsyncIterator[bytes]:
    """Give every piece so many seconds after it came, in order; the end, and what broke it, too."""
    clock = asyncio.get_running_loop().time
    queue: asyncio.Queue[tuple[float, bytes | Exception | None]] = asyncio.Queue()

    async def read() -> None:
        try:
            async for piece in body:
                queue.put_nowait((clock() + seconds, piece))
        except Exception as error:  # noqa: BLE001 - it is raised where the pieces are taken
            queue.put_nowait((clock() + seconds, error))
        else:
            queue.put_nowait((clock() + seconds, None))

    reading = asyncio.create_task(read())
    try:
        while True:
            due, piece = await queue.get()
            await asyncio.sleep(due - clock())
            if isinstance(piece, Exception):
                raise piece
            if piece is None:
                return
            yield piece
    finally:
        reading.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await reading


async def dropped(body: AsyncIterator[bytes], settings: Json) -> AsyncIterator[bytes]:
    """End after so many pieces, bytes or seconds, whichever comes first, by :class:`Cut`."""
    events, left, seconds = settings["events"], settings["bytes"], settings["seconds"]
    clock = asyncio.get_running_loop().time
    end = None if seconds is None else clock() + seconds
    count = 0
    while (events is None or count < events) and (left is None or left > 0):
        try:
            piece = await asyncio.wait_for(
                anext(body, None), None if end is None else end - clock()
            )
        except TimeoutError:
            break
        if piece is None:
            return
        count += 1
        yield piece if left is None else piece[:left]
        left = None if left is None else left - len(piece)
    raise Cut(settings["how"])


async def silent(body: AsyncIterator[bytes], settings: Json) -> AsyncIterator[bytes]:
    """Give so many pieces, and nothing after them; never end."""
    async for piece in _first(body, settings["events"]):
        yield piece
    await asyncio.Event().wait()


async def expired(body: AsyncIterator[bytes], settings: Json) -> AsyncIterator[bytes]:
    """Give so many pieces, then say that the watch has expired, and end in good order."""
    async for piece in _first(body, settings["events"]):
        yield piece
    yield expired_event()
    raise Cut("end")


async def _first(body: AsyncIterator[bytes], count: int) -> AsyncIterator[bytes]:
    for _ in range(count):
        piece = await anext(body, None)
        if piece is None:
            return
        yield piece


_DISTURB: Final[Mapping[str, Callable[[AsyncIterator[bytes], Json], AsyncIterator[bytes]]]] = {
    "drop": dropped,
    "silent": silent,
    "expire": expired,
}
