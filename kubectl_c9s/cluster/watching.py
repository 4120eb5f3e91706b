"""Watches: from a list on, over sockets of their own, and on again after every break (conventions.md §10)."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from kubectl_c9s.cluster.connection import Request
from kubectl_c9s.cluster.errors import (
    ApiError,
    Forbidden,
    Gone,
    NotFound,
    Unauthorized,
    Unreachable,
    api_error,
)
from kubectl_c9s.cluster.patience import CHANCE, backoff
from kubectl_c9s.cluster.reading import list_objects

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from kubectl_c9s.cluster.connection import Connection
    from kubectl_c9s.cluster.kinds import Resource

# Bookmarks come about once a minute: silence for longer means that nobody is there any more.
SILENCE: Final = 90.0
_ERROR: Final = 300
_GONE: Final = 410


class Event(NamedTuple):
    """A change: type ``ADDED``, ``MODIFIED``, ``DELETED``, or ``LISTED`` with all items after a fresh list."""

    type: str
    items: list[Any]


class _Wire(msgspec.Struct):
    type: str
    object: msgspec.Raw


class _Versioned(msgspec.Struct, rename={"resource_version": "resourceVersion"}):
    resource_version: str = ""


class _Bookmark(msgspec.Struct):
    metadata: _Versioned = msgspec.field(default_factory=_Versioned)
    code: int = 0


class Watcher:
    """Follows one collection, on and on or up to ``deadline`` (of the monotonic clock).

    ``silence`` is how long a stream may say nothing, in seconds; ``sleep`` may be replaced in tests. ``breaks`` counts
    ends of streams, the server's own after some minutes included, ``lists`` the lists, ``bytes`` those of the streams.
    ``alive_at`` is when the server last said anything, by the monotonic clock; a bookmark counts, too.
    """

    def __init__(  # noqa: PLR0913 - what to watch, and how, by keyword
        self,
        connection: Connection,
        resource: Resource,
        item_type: type[Any],
        *,
        namespace: str | None = None,
        selectors: Mapping[str, str] | None = None,
        silence: float = SILENCE,
        deadline: float = float("inf"),
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._connection = connection
        self._resource = resource
        self._type = item_type
        self._namespace = namespace
        self._selectors = dict(selectors or {})
        self._silence = silence
        self._deadline = deadline
        self._sleep = sleep
        self._pool = connection.new_pool()
        self._version = ""
        self.breaks = 0
        self.lists = 0
        self.bytes = 0
        self.alive_at = float("-inf")

    def events(self) -> Iterator[Event]:
        """Give a LISTED event first and after every loss of the thread, then each change; ends at the deadline.

        Raises Forbidden, NotFound or Unauthorized, and what keeps the first list from coming; everything else that
        passes is waited out.
        """
        failures = 0
        listed = False
        while self._left() > 0:
            asked = 0.0
            failures += 1  # taken back by the first event
            try:
                if not self._version:
                    yield self._list()
                    listed = True
                for event in self._stream():
                    failures = 0
                    yield event
            except Gone:
                self._version = ""
            except (Forbidden, NotFound, Unauthorized):
                raise
            except (ApiError, Unreachable) as error:
                if not listed:
                    raise
                asked = (error.retry_after or 0.0) if isinstance(error, ApiError) else 0.0
            self.breaks += 1
            if failures:
                # A stream that ends at once, in whatever way, must not be asked for again at once.
                self._sleep(max(0.0, min(max(asked, backoff(failures)), self._left())))

    def end(self) -> None:
        """Let the watch end with the stream that is open now: nothing is asked for again."""
        self._deadline = 0.0

    def _left(self) -> float:
        return self._deadline - time.monotonic()

    def _list(self) -> Event:
        listing = list_objects(
            self._connection,
            self._resource,
            self._type,
            namespace=self._namespace,
            selectors=self._selectors,
        )
        self._version = listing.resource_version
        self.lists += 1
        self.alive_at = time.monotonic()
        return Event("LISTED", listing.items)

    def _stream(self) -> Iterator[Event]:
        what = f"watch {self._resource.full_name}"
        query = {
            **self._selectors,
            "watch": "1",
            "allowWatchBookmarks": "true",
            "resourceVersion": self._version,
            # Not all at once, and no longer than anybody listens.
            "timeoutSeconds": math.ceil(min(CHANCE.uniform(240, 480), max(1.0, self._left()))),
        }
        request = Request("GET", self._resource.path(self._namespace), what, query)
        response = self._connection.open(
            self._pool, request, min(self._silence, max(1.0, self._left())), stream=True
        )
        try:
            if response.status >= _ERROR:
                raise _refusal(response, what)
            self.alive_at = time.monotonic()
            for line in _lines(response, what):
                self.alive_at = time.monotonic()
                self.bytes += len(line) + 1
                event = self._event(line, what)
                if event is not None:
                    yield event
        finally:
            # Closed and not given back: the rest of a watch is not ours to read.
            response.close()

    def _event(self, line: bytes, what: str) -> Event | None:
        wire = msgspec.json.decode(line, type=_Wire)
        if wire.type == "ERROR":
            status = msgspec.json.decode(wire.object, type=_Bookmark)
            raise api_error(status.code or _GONE, bytes(wire.object), what)
        marked = msgspec.json.decode(wire.object, type=_Bookmark)
        self._version = marked.metadata.resource_version or self._version
        if wire.type == "BOOKMARK":
            return None
        return Event(wire.type, [msgspec.json.decode(wire.object, type=self._type)])


def _refusal(response: Any, what: str) -> ApiError | Unreachable:
    """Give the error of an answer that is no stream; it may break off like one."""
    import urllib3  # noqa: PLC0415 - comes with the client

    try:
        body = response.read()
    except (urllib3.exceptions.HTTPError, OSError) as error:
        return Unreachable(f"{what}: the answer broke off: {error}", sent=False)
    return api_error(response.status, body, what, response.headers.get("Retry-After"))


def _lines(response: Any, what: str) -> Iterator[bytes]:
    import urllib3  # noqa: PLC0415 - comes with the client

    rest = b""
    try:
        for chunk in response.stream(64 * 1024, decode_content=True):
            parts = (rest + chunk).split(b"\n")
            rest = parts.pop()
            yield from (part for part in parts if part.strip())
    except (urllib3.exceptions.HTTPError, OSError) as error:
        raise Unreachable(f"{what}: the stream broke: {error}", sent=False) from None
