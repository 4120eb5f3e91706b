"""The way of one replica to the server in memory: requests get lost there or back, late, or are refused."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from kubectl_c9s.cluster.connection import Reply, Request
from kubectl_c9s.cluster.errors import ApiError, Unreachable, api_error

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

    from reconcile_sim_server import Json, SimServer

_PATH: Final = re.compile(
    r"/apis/(?P<group>[^/]+)/[^/]+/namespaces/(?P<namespace>[^/]+)/(?P<plural>[^/]+)(/(?P<name>[^/]+))?(/(?P<sub>.+))?"
)
FAULTS: Final = (
    "429", "500", "500 done", "409", "lost", "lost done", "unsent", "ghost",
)  # fmt: skip
LATE: Final = 4.0
"""Seconds within which a request that was given up may still arrive: no longer than a request may take."""


class Ghost(NamedTuple):
    """A request that was given up and has not arrived yet; and until when it may."""

    request: Request
    until: float
    who: str


class Faults:
    """What may go wrong, and how often; ``refusing`` is 401 or 403 for all, 0 for neither.

    ``frozen`` is the plural of a kind that may not be written.
    """

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.rate = 0.0
        self.kinds: tuple[str, ...] = FAULTS
        self.refusing = 0
        self.frozen = "nothing"
        self.ghosts: list[Ghost] = []

    def draw(self) -> str:
        """Say what happens to a request, empty for nothing."""
        if self.chance.random() >= self.rate:
            return ""
        return self.chance.choice(self.kinds)


class SimWire:
    """What the product takes for its connection; ``asked`` is told of each request before anything happens to it."""

    def __init__(
        self, server: SimServer, faults: Faults, who: str, clock: Callable[[], float]
    ) -> None:
        self._server, self._faults, self._who, self._clock = server, faults, who, clock
        self.asked: Callable[[Request], None] = lambda _: None
        self.on_the_way: Callable[[], None] = lambda: None
        self.answered: Callable[[Request], None] = lambda _: None
        self.outcome, self.version = "none", ""

    def get(self, path: str, what: str, query: object = None) -> bytes:
        """Read, as a connection does it."""
        assert query is None
        return self.call(Request("GET", path, what)).body

    def call(self, request: Request) -> Reply:
        """Ask the server, if the request gets there."""
        self.outcome = "none"
        self.asked(request)
        self.on_the_way()
        if request.method == "PATCH" and self._faults.frozen in request.path.split("/"):
            raise api_error(403, b'{"message": "forbidden, planted"}', request.what)
        if self._faults.refusing:
            raise api_error(self._faults.refusing, b'{"message": "no"}', request.what)
        fault = self._faults.draw()
        if request.method == "GET" and fault in {"409", "ghost"}:
            fault = "lost"
        self.outcome = (
            "doubt" if fault in {"500", "lost", "ghost", "500 done", "lost done"} else "none"
        )
        if fault in {"429", "500", "409"}:
            raise api_error(int(fault), b'{"message": "planted"}', request.what)
        if fault in {"lost", "unsent", "ghost"}:
            if fault == "ghost":
                ghost = Ghost(request, self._clock() + LATE, self._who)
                self._faults.ghosts.append(ghost)
            raise Unreachable("planted", sent=fault != "unsent")
        found = self._carried_out(request, fault)
        reply = Reply(200, {}, json.dumps(found).encode())
        if fault == "500 done":
            raise api_error(500, b'{"message": "planted"}', request.what)
        if fault == "lost done":
            raise Unreachable("planted", sent=True)
        self.answered(request)
        self.outcome, self.version = "done", found["metadata"]["resourceVersion"]
        return reply

    def _carried_out(self, request: Request, fault: str) -> Json:
        """Let the server do it; of an answer that gets lost nobody knows that it was a refusal."""
        try:
            return carry_out(self._server, request)
        except ApiError:
            if fault not in {"500 done", "lost done"}:
                self.outcome = "none"
                raise
        if fault == "lost done":
            raise Unreachable("planted", sent=True)
        raise api_error(500, b'{"message": "planted"}', request.what)


def carry_out(server: SimServer, request: Request) -> Json:
    """Let the server do what is asked; raises what it says."""
    found = _PATH.fullmatch(request.path)
    assert found is not None, request.path
    name = f"{found['plural']}.{found['group']}"
    key = (found["namespace"], found["name"] or "")
    body: Any = json.loads(request.body or b"null")
    if request.method == "GET":
        return server.read(name, key)
    if request.method == "POST":
        return server.create(name, body)
    manager = str((request.query or {}).get("fieldManager") or "election")
    return server.patch(name, key, body, found["sub"] or "", manager)
