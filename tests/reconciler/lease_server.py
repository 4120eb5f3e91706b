"""An API server with one Lease, and a clock that stands still until it is moved."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from kubectl_c9s.cluster.connection import Reply
from kubectl_c9s.cluster.errors import Conflict, NotFound, Unreachable, api_error

if TYPE_CHECKING:
    from collections.abc import Callable

    from kubectl_c9s.cluster.connection import Request


class Time:
    """Seconds, the same for everybody."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class LeaseServer:
    """Keeps a Lease as the real one does, with versions; ``writes`` has the holder after each write."""

    def __init__(self) -> None:
        self.lease: dict[str, Any] | None = None
        self.version = 0
        self.writes: list[str] = []


class Wire:
    """The connection of one candidate: what it asks may get lost on the way there or back."""

    def __init__(self, server: LeaseServer) -> None:
        self.server = server
        self.lose_request = False
        self.lose_answer = False
        self.on_the_way: Callable[[], None] = lambda: None

    def get(self, path: str, what: str, query: object = None) -> bytes:  # noqa: ARG002 - as a connection has it
        self._there()
        if self.server.lease is None:
            raise NotFound(404, b"", what)
        body = json.dumps(self.server.lease).encode()
        self._back()
        return body

    def call(self, request: Request) -> Reply:
        self.on_the_way()
        self._there()
        body = json.loads(request.body or b"{}")
        if request.method == "POST":
            if self.server.lease is not None:
                raise Conflict(409, b"", request.what)
            self.server.lease = body
        else:
            lease = self.server.lease
            if lease is None:
                raise api_error(404, b"", request.what)
            if body["metadata"]["resourceVersion"] != lease["metadata"]["resourceVersion"]:
                raise Conflict(409, b"", request.what)
            self.server.lease = lease | {"spec": lease["spec"] | body["spec"]}
        self.server.version += 1
        metadata = dict(self.server.lease["metadata"], resourceVersion=str(self.server.version))
        self.server.lease = self.server.lease | {"metadata": metadata}
        self.server.writes.append(self.server.lease["spec"]["holderIdentity"])
        answer = json.dumps(self.server.lease).encode()
        self._back()
        return Reply(200, {}, answer)

    def _there(self) -> None:
        if self.lose_request:
            raise Unreachable("lost on the way", sent=False)

    def _back(self) -> None:
        if self.lose_answer:
            raise Unreachable("the answer was lost", sent=True)
