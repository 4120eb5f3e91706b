"""Several collections followed at once: each by a watch of its own thread, together what they show now."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, NamedTuple

from kubectl_c9s.cluster.errors import Forbidden, NotFound
from kubectl_c9s.cluster.watching import Watcher
from kubectl_c9s.resources.errors import C9sError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kubectl_c9s.cluster.connection import Connection
    from kubectl_c9s.cluster.kinds import Resource
    from kubectl_c9s.cluster.watching import Event


class Followed(NamedTuple):
    """A collection to follow, and the partial struct of its objects (with ``metadata.uid``)."""

    resource: Resource
    item_type: type[Any]


class Follower:
    """Keeps the objects of collections by UID, until it is stopped."""

    def __init__(
        self, connection: Connection, wanted: Iterable[Followed], namespace: str | None
    ) -> None:
        self._connection = connection
        self._namespace = namespace
        self._wanted = list(wanted)
        self._objects: dict[str, dict[str, Any]] = {}
        self._lock = threading.Lock()
        self._changed = threading.Condition(self._lock)
        self._versions = 0
        self.unseen: dict[str, str] = {}
        self._failure: C9sError | None = None
        self._watchers: list[Watcher] = []
        self._stopped = threading.Event()

    def start(self) -> None:
        """Begin; returns when every collection was listed, or may not be. Raises what keeps a list from coming."""
        for one in self._wanted:
            threading.Thread(
                target=self._follow, args=(one,), daemon=True, name=f"c9s-{one.resource.plural}"
            ).start()
        with self._changed:
            self._changed.wait_for(lambda: self._failure or self._answered() == len(self._wanted))
            if self._failure:
                raise self._failure

    def _answered(self) -> int:
        return len(self._objects) + len(self.unseen)

    def _follow(self, one: Followed) -> None:
        name = one.resource.full_name
        namespace = self._namespace if one.resource.namespaced else None
        watcher = Watcher(
            self._connection,
            one.resource,
            one.item_type,
            namespace=namespace,
            sleep=self._pause,
        )
        self._watchers.append(watcher)
        try:
            for event in watcher.events():
                if self._stopped.is_set():
                    return
                self._take(name, event)
        except (Forbidden, NotFound) as error:
            with self._changed:
                self.unseen[name] = error.message
                self._changed.notify_all()
        except Exception as error:  # noqa: BLE001 - nobody else sees what happens in this thread
            self._fail(name, error)

    def _pause(self, seconds: float) -> None:
        self._stopped.wait(seconds)

    def _fail(self, name: str, error: Exception) -> None:
        """Hand an error to who waits; once nobody does, it is of no interest."""
        if self._stopped.is_set():
            return
        text = f"cannot follow {name}: {type(error).__name__}: {error}"
        failure = error if isinstance(error, C9sError) else C9sError(text)
        with self._changed:
            self._failure = failure
            self._changed.notify_all()

    def stop(self) -> None:
        """Let the threads end: they ask for nothing more, and are done when their streams are."""
        self._stopped.set()
        for watcher in self._watchers:
            watcher.end()

    def _take(self, name: str, event: Event) -> None:
        with self._changed:
            if event.type == "LISTED":
                self._objects[name] = {item.metadata.uid: item for item in event.items}
            for item in event.items if event.type != "LISTED" else ():
                if event.type == "DELETED":
                    self._objects[name].pop(item.metadata.uid, None)
                else:
                    self._objects[name][item.metadata.uid] = item
            self._versions += 1
            self._changed.notify_all()

    def wait(self, seen: int, seconds: float) -> int:
        """Wait for a change beyond the version that was seen, at most so long; give the version of now."""
        with self._changed:
            self._changed.wait_for(lambda: self._failure or self._versions != seen, seconds)
            if self._failure:
                raise self._failure
            return self._versions

    def now(self) -> dict[str, list[Any]]:
        """Give the objects of each collection that may be seen, by kubectl's name of the kind."""
        with self._lock:
            return {name: list(objects.values()) for name, objects in self._objects.items()}
