"""The clock of the server that stamps the objects: read once in a while, carried on by ours."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from kubectl_c9s.cluster.connection import Request

if TYPE_CHECKING:
    from kubectl_c9s.cluster.connection import Connection


class ServerClock:
    """Gives the server's time, right to a second; this machine's where the server does not tell its own."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._offset = time.time() - time.monotonic()
        self.read()

    def read(self) -> None:
        """Ask for the time; raises what a request raises."""
        reply = self._connection.call(Request("GET", "/version", "ask for the time"))
        if reply.at is not None:
            self._offset = reply.at - time.monotonic()

    def now(self) -> float:
        """Give the seconds since 1970."""
        return time.monotonic() + self._offset
