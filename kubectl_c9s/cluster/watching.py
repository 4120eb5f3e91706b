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
from kubectl_c9s.cluster.watchlines import BOOKMARK, WIRE, lines, refusal, uid_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from kubectl_c9s.cluster.connection import Connection
    from kubectl_c9s.cluster.kinds import Resource
    from kubectl_c9s.cluster.watchlines import Wire

# Bookmarks come about once a minute: silence for longer mostly means that nobody is there any more. Of a kind without
# objects a server sends none for a while: a stream that was silent is opened again before it is doubted.
SILENCE: Final = 90.0
_END: Final = "k8s.io/initial-events-end"
"""Annotation of the bookmark behind which a stream that began with everything goes on as any other."""
_ERROR: Final = 300
_GONE: Final = 410


class Event(NamedTuple):
    """A change: type ``ADDED``, ``MODIFIED``, ``DELETED``, or ``LISTED`` with all items after a fresh list."""

    type: str
    items: list[Any]


class Watcher:
    """Follows one collection, on and on or up to ``deadline`` (of the monotonic clock).

    ``streamed`` lets lists come as a stream: the server sends them out of its memory, object by object, where pages are
    read from its database. One that knows no such stream, or whose stream breaks, is asked for a list. ``silence`` is
    how long a stream may say nothing, in seconds; ``sleep`` may be replaced in tests. ``breaks`` counts ends of
    streams, the server's own after some minutes included, ``lists`` the lists, ``bytes`` those of the streams.
    ``alive_at`` is when the server last said anything, by the monotonic clock; a bookmark counts, the mere opening of
    a stream does not.
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
        streamed: bool = False,
    ) -> None:
        self._connection = connection
        self._resource = resource
        self._type = item_type
        self._decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(item_type)
        self._namespace = namespace
        self._selectors = dict(selectors or {})
        self._silence = silence
        self._deadline = deadline
        self._sleep = sleep
        self._streamed = streamed
        self._first: dict[str, Any] | None = None
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
        listed, may_stream = False, self._streamed
        while self._left() > 0:
            asked = 0.0
            failures += 1  # taken back by the first event
            by_stream = may_stream and not self._version
            may_stream = self._streamed and not by_stream
            try:
                if not self._version and not by_stream:
                    yield self._list()
                    listed = True
                for event in self._stream():
                    failures = 0
                    listed, may_stream = True, self._streamed
                    yield event
            except Gone:
                self._version = ""
            except (Forbidden, NotFound, Unauthorized):
                raise
            except (ApiError, Unreachable) as error:
                if not listed and not by_stream:
                    raise
                # A list is another way, to be tried at once.
                failures -= by_stream and not self._version
                if time.monotonic() - self.alive_at >= 2 * self._silence:
                    # A stream that opens and then says nothing proves nothing: a list does.
                    self._version = ""
                asked = getattr(error, "retry_after", None) or 0.0
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
            **self._beginning(),
            # Not all at once, and no longer than anybody listens.
            "timeoutSeconds": math.ceil(min(CHANCE.uniform(240, 480), max(1.0, self._left()))),
        }
        request = Request("GET", self._resource.path(self._namespace), what, query)
        response = self._connection.open(
            self._pool, request, min(self._silence, max(1.0, self._left())), stream=True
        )
        try:
            if response.status >= _ERROR:
                raise refusal(response, what)
            for line in lines(response, what):
                self.alive_at = time.monotonic()
                self.bytes += len(line) + 1
                event = self._event(line, what)
                if event is not None:
                    yield event
        finally:
            # Closed and not given back: the rest of a watch is not ours to read.
            response.close()

    def _beginning(self) -> dict[str, str]:
        """Say from where on: from the version that is known, or with everything first."""
        if self._version:
            self._first = None
            return {"resourceVersion": self._version}
        self._first = {}
        return {"sendInitialEvents": "true", "resourceVersionMatch": "NotOlderThan"}

    def _event(self, line: bytes, what: str) -> Event | None:
        wire = WIRE.decode(line)
        if wire.type == "ERROR":
            status = BOOKMARK.decode(wire.object)
            raise api_error(status.code or _GONE, bytes(wire.object), what)
        if self._first is not None:
            return self._collect(wire, self._first)
        marked = BOOKMARK.decode(wire.object)
        self._version = marked.metadata.resource_version or self._version
        if wire.type == "BOOKMARK":
            return None
        return Event(wire.type, [self._decoder.decode(wire.object)])

    def _collect(self, wire: Wire, first: dict[str, Any]) -> Event | None:
        """Take what comes before the end of the first events; objects may change meanwhile."""
        if wire.type != "BOOKMARK":
            item = self._decoder.decode(wire.object)
            if wire.type == "DELETED":
                first.pop(uid_of(item), None)
            else:
                first[uid_of(item)] = item
            return None
        meta = BOOKMARK.decode(wire.object).metadata
        if _END in (meta.annotations or {}):
            self._version, self._first = meta.resource_version, None
            self.lists += 1
            return Event("LISTED", list(first.values()))
        return None
