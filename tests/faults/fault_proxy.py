"""The proxy: TLS on loopback in front of an API server, with a rule table that may change while it runs."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from fault_client import Client, ClientReader
from fault_decide import ByLog, ByRules, Decides
from fault_http import HEAD_LIMIT
from fault_link import Link
from fault_rules import Json, Table

if TYPE_CHECKING:
    import ssl

    from fault_decide import Decision
    from fault_log import Journal
    from fault_request import Asked
    from fault_upstream import Server


class Proxy:
    """Takes connections and hands each to a :class:`Link`. Lives in one event loop."""

    def __init__(self, server: Server, journal: Journal) -> None:
        self.server = server
        self.journal = journal
        self.changed = asyncio.Event()
        self.table = Table()
        self._decides: Decides = ByRules(self.table)
        self._since = 0.0
        self._links: set[asyncio.Task[None]] = set()
        self._listening: asyncio.Server | None = None

    async def start(self, tls: ssl.SSLContext, port: int = 0) -> int:
        """Listen on loopback, by default on a free port; give the port."""
        loop = asyncio.get_running_loop()

        def protocol() -> asyncio.StreamReaderProtocol:
            return asyncio.StreamReaderProtocol(ClientReader(HEAD_LIMIT), self._serve)

        self._listening = await loop.create_server(
            protocol, "127.0.0.1", port, ssl=tls, ssl_shutdown_timeout=1.0, backlog=1024
        )
        found: int = self._listening.sockets[0].getsockname()[1]
        return found

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        assert isinstance(reader, ClientReader)
        task = asyncio.current_task()
        assert task is not None
        self._links.add(task)
        try:
            await Link(self, Client(reader, writer)).serve()
        finally:
            self._links.discard(task)

    def put(self, table: Table, log: list[Json] | None = None) -> None:
        """Replace the rules, or repeat a log; all counting begins anew, and what hangs is let go."""
        self.table = table
        self._decides = ByRules(table) if log is None else ByLog(log)
        self._since = asyncio.get_running_loop().time()
        self.journal.rules(table)
        self.changed.set()
        self.changed = asyncio.Event()

    def decide(self, asked: Asked) -> Decision:
        """Say what happens to a request."""
        return self._decides.decide(asked, asyncio.get_running_loop().time() - self._since)

    def state(self) -> Json:
        """Give the numbers of now: requests since the start, open connections, how often each rule was applied."""
        return {
            "requests": self.journal.requests,
            "open": len(self._links),
            "fired": self._decides.counts(),
        }

    def cut(self) -> int:
        """Reset every connection that is open, and give how many there were."""
        links = list(self._links)
        for task in links:
            task.cancel()
        return len(links)

    async def stop(self) -> None:
        """Take no more connections, and end those that are there."""
        if self._listening is not None:
            self._listening.close()
        links = list(self._links)
        self.cut()
        await asyncio.gather(*links, return_exceptions=True)
