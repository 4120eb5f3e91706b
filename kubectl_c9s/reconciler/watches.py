"""The watches: each on sockets of its own, in a thread, for as long as the process runs."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Final

from kubectl_c9s.cluster.errors import Forbidden
from kubectl_c9s.cluster.patience import CHANCE
from kubectl_c9s.cluster.watching import Watcher
from kubectl_c9s.reconciler.feeds import NEEDED
from kubectl_c9s.reconciler.logs import log
from kubectl_c9s.resources.errors import C9sError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kubectl_c9s.cluster.connection import Connection
    from kubectl_c9s.reconciler.feeds import Feed
    from kubectl_c9s.reconciler.view import View

_AGAIN: Final = (
    5.0  # seconds after which a watch that may not be is tried again: rights and kinds come back
)

_HEAD_START: Final = 5.0  # seconds that kinds of which only diagnoses ask wait for the others


class Watches:
    """Fills a view until it is stopped; ``silence`` is how long a stream may say nothing, in seconds."""

    def __init__(
        self, connection: Connection, wanted: Sequence[Feed], view: View, silence: float
    ) -> None:
        self._connection = connection
        self._feeds = wanted
        self._view = view
        self._silence = silence
        self._stopped = threading.Event()
        self._watchers: dict[str, Watcher] = {}
        self._why: dict[str, str] = {}

        self._waited = {feed.name for feed in wanted} & NEEDED
        self._others = threading.Event()

    def start(self) -> None:
        """Begin; nothing is waited for."""
        for feed in self._feeds:
            name = f"c9s-{feed.resource.plural}"
            threading.Thread(target=self._follow, args=(feed,), daemon=True, name=name).start()

    def stop(self) -> None:
        """Let the threads end with the streams that are open."""
        self._stopped.set()
        self._others.set()
        for watcher in list(self._watchers.values()):
            watcher.end()

    @property
    def breaks(self) -> dict[str, int]:
        """Give how often the stream of each kind has ended, since its watch was last begun anew."""
        return {name: watcher.breaks for name, watcher in list(self._watchers.items())}

    def _follow(self, feed: Feed) -> None:
        if feed.name not in NEEDED:
            # What enforcing waits for comes first: the lists are large, and slow each other down.
            self._others.wait(_HEAD_START)
        while not self._stopped.is_set():
            try:
                self._watch(feed)
            except C9sError as error:
                self._lose(feed, error.message, is_forbidden=isinstance(error, Forbidden))
            except Exception as error:  # noqa: BLE001 - nobody else sees what happens in this thread
                log.exception("a watch has failed", extra={"kind": feed.name})
                self._lose(feed, f"{type(error).__name__}: {error}")

    def _watch(self, feed: Feed) -> None:
        watcher = Watcher(
            self._connection,
            feed.resource,
            feed.item_type,
            namespace=feed.namespace,
            selectors=feed.selectors,
            silence=self._silence,
            sleep=self._pause,
            streamed=True,
        )
        self._watchers[feed.name] = watcher
        # A watch that has just begun was heard of now: it has its time to list.
        begun = time.monotonic()
        self._view.heard(feed.name, lambda: max(watcher.alive_at, begun))
        for event in watcher.events():
            if self._stopped.is_set():
                return
            self._view.take(feed.name, event)
            self._waited.discard(feed.name)
            if not self._waited:
                self._others.set()
            if self._why.pop(feed.name, ""):
                log.info("a kind is watched again", extra={"kind": feed.name})

    def _lose(self, feed: Feed, why: str, *, is_forbidden: bool = False) -> None:
        """Forget what was seen: a watch that begins anew looks alive, and would make old objects look fresh."""
        if self._stopped.is_set():
            return
        if why != self._why.get(feed.name):
            log.warning("a kind cannot be watched", extra={"kind": feed.name, "reason": why})
        self._why[feed.name] = why
        self._view.lost(feed.name, why, is_forbidden=is_forbidden)
        self._pause(_AGAIN * CHANCE.uniform(0.8, 1.2))

    def _pause(self, seconds: float) -> None:
        self._stopped.wait(seconds)
