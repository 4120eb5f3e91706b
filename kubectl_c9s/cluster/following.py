"""Several collections followed at once: what they show together now."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kubectl_c9s.cluster.recording import Recording

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kubectl_c9s.cluster.connection import Connection
    from kubectl_c9s.cluster.recording import Feed
    from kubectl_c9s.cluster.watching import Event


class Follower:
    """Keeps the objects of collections by UID, until it is stopped; their types have ``metadata.uid``."""

    def __init__(
        self, connection: Connection, wanted: Sequence[Feed], namespace: str | None
    ) -> None:
        self._objects: dict[str, dict[str, Any]] = {}
        self._versions = 0
        self._recording = Recording(connection, wanted, namespace, self._take)

    @property
    def unseen(self) -> dict[str, str]:
        """Say of kinds that are not followed why."""
        return self._recording.unseen

    def start(self) -> None:
        """Begin; returns when every collection was listed, or may not be. Raises what keeps a list from coming."""
        self._recording.start()

    def stop(self) -> None:
        """Let the threads end: they ask for nothing more, and are done when their streams are."""
        self._recording.stop()

    def _take(self, name: str, event: Event, elapsed: float) -> None:  # noqa: ARG002 - when it came matters to others
        if event.type == "LISTED":
            self._objects[name] = {item.metadata.uid: item for item in event.items}
        for item in event.items if event.type != "LISTED" else ():
            if event.type == "DELETED":
                self._objects[name].pop(item.metadata.uid, None)
            else:
                self._objects[name][item.metadata.uid] = item
        self._versions += 1

    def wait(self, seen: int, seconds: float) -> int:
        """Wait for a change beyond the version that was seen, at most so long; give the version of now."""
        self._recording.wait(lambda: self._versions != seen, seconds)
        return self._versions

    def now(self) -> dict[str, list[Any]]:
        """Give the objects of each collection that may be seen, by kubectl's name of the kind."""
        with self._recording.lock:
            return {name: list(objects.values()) for name, objects in self._objects.items()}
