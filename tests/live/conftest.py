"""A small server that answers as it is told, and pauses that are not waited for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from room_tools import connect
from silent_server import Reply, Request, Scripted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kubectl_c9s.cluster.connection import Connection


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Collect the pauses instead of waiting."""
    found: list[float] = []
    monkeypatch.setattr("kubectl_c9s.cluster.connection.time.sleep", found.append)
    return found


@pytest.fixture
def served() -> Iterator[Callable[..., tuple[Scripted, Connection]]]:
    """Give a maker of a server with answers, and a connection to it."""
    opened: list[tuple[Scripted, Connection]] = []

    def make(answer: Callable[[Request], Reply]) -> tuple[Scripted, Connection]:
        server = Scripted(answer)
        server.start()
        opened.append((server, connect(server.url)))
        return opened[-1]

    yield make
    for server, connection in opened:
        connection.close()
        server.stop()
