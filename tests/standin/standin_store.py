"""What a leader remembers of one kind: a list, kept up by a watch and by the answers to its own writes.

An object never goes back to an older resourceVersion, so that a decision is never made from before the last write
(admission.md §9).
"""

from __future__ import annotations

import dataclasses
import http.client
import json
import logging
import threading
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from bed_client import path_of
from standin_api import Stream

if TYPE_CHECKING:
    from collections.abc import Callable

    from standin_api import Api
    from standin_views import Json

View = TypeVar("View")
Key = tuple[str, str]

log = logging.getLogger("standin")

PAGE: Final = 500
WATCH_SECONDS: Final = 240
SILENCE: Final = WATCH_SECONDS + 30.0
PAUSE: Final = 0.2  # seconds between a watch that ended and the next


@dataclasses.dataclass(frozen=True)
class Kind:
    """Where a kind is read: its version as in ``apiVersion``, its plural, and a label selector."""

    version: str
    plural: str
    selector: str = ""

    def path(self, namespace: str, name: str = "", sub: str = "") -> str:
        """Give the path of a collection, an object or a subresource."""
        return path_of(self.version, self.plural, namespace, name, sub)


class Expired(Exception):
    """The watch begins too far in the past: everything is to be listed again."""


class Store(Generic[View]):
    """Objects by namespace and name. ``listen(old, new)`` hears of every change, under the store's lock."""

    def __init__(
        self,
        api: Api,
        kind: Kind,
        view: Callable[[Json], View],
        listen: Callable[[View | None, View | None], None],
        wanted: Callable[[str], bool] = lambda _: True,
    ) -> None:
        self.kind = kind
        self._api, self._view, self._listen, self._wanted = api, view, listen, wanted
        self._lock = threading.RLock()
        self._objects: dict[Key, tuple[Json, View]] = {}
        self._gone: dict[Key, int] = {}
        self._synced = threading.Event()
        self._stopping = threading.Event()
        self._stream: Stream | None = None
        self._thread = threading.Thread(target=self._run, name=f"watch-{kind.plural}", daemon=True)

    def start(self) -> None:
        """Begin to list and to watch."""
        self._thread.start()

    def wait_synced(self, seconds: float) -> bool:
        """Wait for the first list; tell whether it came."""
        return self._synced.wait(seconds)

    def stop(self) -> None:
        """End the watch and wait for its end."""
        self._stopping.set()
        while self._thread.is_alive():
            if (stream := self._stream) is not None:
                stream.cut()
            self._thread.join(0.05)

    def views(self) -> list[View]:
        """Give all that is known."""
        with self._lock:
            return [view for _, view in self._objects.values()]

    def view(self, namespace: str, name: str) -> View | None:
        """Give one object as it is known."""
        with self._lock:
            found = self._objects.get((namespace, name))
        return found[1] if found else None

    def body(self, namespace: str, name: str) -> Json | None:
        """Give the JSON of one object, to read only."""
        with self._lock:
            found = self._objects.get((namespace, name))
        return found[0] if found else None

    def bodies(self, namespace: str) -> list[Json]:
        """Give the JSON of all objects of a namespace, to read only."""
        with self._lock:
            return [body for key, (body, _) in self._objects.items() if key[0] == namespace]

    def has_any(self, namespace: str) -> bool:
        """Tell whether a namespace has an object of the kind."""
        with self._lock:
            return any(key[0] == namespace for key in self._objects)

    def put(self, body: Json) -> None:
        """Take in an object, unless what is known of it is as new."""
        meta = body["metadata"]
        meta.pop("managedFields", None)
        key, version = (meta.get("namespace", ""), meta["name"]), int(meta["resourceVersion"])
        if not self._wanted(key[0]):
            return
        with self._lock:
            old = self._objects.get(key)
            known = int(old[0]["metadata"]["resourceVersion"]) if old else self._gone.get(key, 0)
            if known >= version:
                return
            new = self._view(body)
            self._objects[key] = body, new
            self._listen(old[1] if old else None, new)

    def _drop(self, key: Key, version: int) -> None:
        with self._lock:
            old = self._objects.get(key)
            self._gone[key] = max(version, self._gone.get(key, 0))
            if old and int(old[0]["metadata"]["resourceVersion"]) <= version:
                del self._objects[key]
                self._listen(old[1], None)

    def _run(self) -> None:
        version = ""
        while not self._stopping.is_set():
            try:
                version = version or self._list()
                version = self._watch(version)
            except Expired:
                version = ""
            except (OSError, http.client.HTTPException, ValueError) as error:
                if not self._stopping.is_set():
                    log.info("watch of %s: %r", self.kind.plural, error)
            self._stopping.wait(PAUSE)

    def _list(self) -> str:
        seen: set[Key] = set()
        query = {"limit": str(PAGE)} | self._selector()
        while True:
            answer = self._api.client.request("GET", self.kind.path(""), query=query)
            if answer.status == http.client.GONE:
                raise Expired
            if answer.status != http.client.OK:
                raise OSError(f"list of {self.kind.plural}: {answer.status} {answer.body[:200]!r}")
            page = answer.json()
            for body in page["items"]:
                seen.add((body["metadata"].get("namespace", ""), body["metadata"]["name"]))
                self.put(body)
            version, more = page["metadata"]["resourceVersion"], page["metadata"].get("continue")
            if not more:
                break
            query["continue"] = more
        with self._lock:
            missing = [key for key in self._objects if key not in seen]
        for key in missing:
            self._drop(key, int(version))
        self._synced.set()
        return str(version)

    def _watch(self, version: str) -> str:
        """Follow changes until the stream ends; give where the next one begins."""
        query = {
            "watch": "1",
            "resourceVersion": version,
            "allowWatchBookmarks": "true",
            "timeoutSeconds": str(WATCH_SECONDS),
        } | self._selector()
        with Stream(self._api.access, self.kind.path(""), query, SILENCE) as stream:
            self._stream = stream
            try:
                for line in stream:
                    version = self.take(json.loads(line))
                    if self._stopping.is_set():
                        break
            except (OSError, http.client.HTTPException, ValueError):
                log.info("watch of %s was cut", self.kind.plural)
            finally:
                self._stream = None
        return version

    def take(self, event: Json) -> str:
        """Take in an event of a watch; give its resourceVersion, or :class:`Expired`."""
        body = event.get("object", event)  # a refused watch is answered with a Status alone
        if event.get("type") == "ERROR" or body.get("kind") == "Status":
            if body.get("code") == http.client.GONE:
                raise Expired
            raise OSError(f"watch of {self.kind.plural}: {body.get('code')} {body.get('message')}")
        meta = body["metadata"]
        if event["type"] == "DELETED":
            self._drop((meta.get("namespace", ""), meta["name"]), int(meta["resourceVersion"]))
        elif event["type"] != "BOOKMARK":
            self.put(body)
        return str(meta["resourceVersion"])

    def _selector(self) -> dict[str, str]:
        return {"labelSelector": self.kind.selector} if self.kind.selector else {}
