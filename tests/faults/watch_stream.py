"""One watch of the recorder: list, follow, go on after every break, and say where history is missing."""

from __future__ import annotations

import contextlib
import http.client
import json
import socket
import threading
import urllib.parse
from typing import TYPE_CHECKING, Any, Final

from watch_lines import Json, LineWriter, now

if TYPE_CHECKING:
    import ssl
    from collections.abc import Iterator

    from bed_client import Access

SILENCE: Final = 90.0  # seconds; bookmarks come about once a minute
PAUSE: Final = 0.2  # seconds before the next try; the recorder is alone and need not be polite
PAGE: Final = 500
BROKEN: Final = (OSError, http.client.HTTPException, ValueError, AttributeError)


class Expired(Exception):
    """The server does not know any more what happened since then."""


class Follower:
    """Follows the collection at a path; ``synced`` when its first list is written, ``trouble`` what went wrong last."""

    def __init__(self, access: Access, path: str, writer: LineWriter, silence: float) -> None:
        self.path = path
        self.synced = threading.Event()
        self.trouble = ""
        self._access = access
        self._tls: ssl.SSLContext = access.tls()
        self._writer = writer
        self._silence = silence
        self._stopped = threading.Event()
        self._connection: http.client.HTTPSConnection | None = None
        self._known: dict[str, Json] = {}
        self._kind = ""
        self._version = ""
        self._gap = ("", "")  # the version before it, and why

    def run(self) -> None:
        """Follow until :meth:`stop`."""
        while not self._stopped.is_set():
            try:
                if not self._version:
                    self._list()
                self._follow()
                why = "the server ended the stream"
            except Expired as error:
                self._gap = (self._version or self._gap[0], str(error))
                self._version = ""
                continue
            except BROKEN as error:
                why = f"{type(error).__name__}: {error}"
            self.trouble = why
            if self._version and not self._stopped.is_set():
                self._writer.note(self._kind, "RESUMED", self._version, why)
            self._stopped.wait(PAUSE)

    def stop(self) -> None:
        """End it, also while it waits for an event."""
        self._stopped.set()
        self.cut()

    def cut(self) -> None:
        """Break the stream."""
        connection = self._connection
        plug = connection.sock if connection else None
        if plug is not None:
            with contextlib.suppress(OSError):
                # Of the plain socket: that of TLS would forget its session under the reading thread.
                socket.socket.shutdown(plug, socket.SHUT_RDWR)

    def _list(self) -> None:
        pages = list(self._pages())
        when = now()
        items = {
            item["metadata"]["uid"]: item for page in pages for item in page.get("items") or ()
        }
        self._kind = pages[0]["kind"].removesuffix("List")
        first = not self.synced.is_set()
        if not first:
            self._writer.note(self._kind, "GAP", *self._gap)
        for uid, item in self._known.items():
            if uid not in items:
                self._writer.seen(self._kind, "VANISHED", item, when)
        for item in items.values():
            self._writer.seen(self._kind, "LISTED", item, when)
        self._known = {uid: {"metadata": item["metadata"]} for uid, item in items.items()}
        self._version = pages[-1]["metadata"]["resourceVersion"]
        if first:
            self._writer.note(self._kind, "SYNCED", self._version)
            self.synced.set()

    def _pages(self) -> Iterator[Json]:
        more = ""
        while True:
            query = {"limit": PAGE, "continue": more} if more else {"limit": PAGE}
            with self._answer(query) as response:
                page: Json = json.loads(response.read())
            yield page
            more = page["metadata"].get("continue", "")
            if not more:
                return

    def _follow(self) -> None:
        query = {"watch": "1", "allowWatchBookmarks": "true", "resourceVersion": self._version}
        with self._answer(query) as response:
            for line in response:
                when = now()
                self._event(json.loads(line), when)

    def _event(self, event: Json, when: tuple[float, float]) -> None:
        kind, obj = event["type"], event["object"]
        if kind == "ERROR":
            raise Expired(f"{obj.get('code')} {obj.get('message')}")
        if kind != "BOOKMARK":
            self._writer.seen(self._kind, kind, obj, when)
            if kind == "DELETED":
                self._known.pop(obj["metadata"]["uid"], None)
            else:
                self._known[obj["metadata"]["uid"]] = {"metadata": obj["metadata"]}
        self._version = obj["metadata"]["resourceVersion"]

    @contextlib.contextmanager
    def _answer(self, query: dict[str, Any]) -> Iterator[http.client.HTTPResponse]:
        """Ask for the collection on a connection of its own; Expired for 410, OSError for other refusals."""
        url = urllib.parse.urlsplit(self._access.server)
        connection = http.client.HTTPSConnection(
            url.hostname or "", url.port or 443, timeout=self._silence, context=self._tls
        )
        fields = {"Accept": "application/json", "User-Agent": "c9s-recorder"}
        if self._access.token:
            fields["Authorization"] = f"Bearer {self._access.token}"
        self._connection = connection
        with contextlib.closing(connection):
            connection.request(
                "GET", f"{self.path}?{urllib.parse.urlencode(query)}", headers=fields
            )
            if self._stopped.is_set():  # perhaps before there was something to cut
                raise OSError("stopped")
            response = connection.getresponse()
            if response.status == http.client.GONE:
                raise Expired(f"410 {response.read()[:500]!r}")
            if response.status != http.client.OK:
                raise OSError(f"{response.status} {response.read()[:500]!r}")
            yield response
