"""Watches of a recording: one for each kind, in threads, whose events all go one way, with the time they came."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from kubectl_c9s.cluster.errors import Forbidden, NotFound
from kubectl_c9s.cluster.watching import Watcher
from kubectl_c9s.resources.errors import C9sError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from kubectl_c9s.cluster.connection import Connection
    from kubectl_c9s.cluster.kinds import Resource
    from kubectl_c9s.cluster.watching import Event

_AGAIN: Final = 2.0  # seconds: a server that comes up may refuse, or not know a kind, for a moment
_TRIES: Final = 15


class Feed(NamedTuple):
    """A collection to watch: the partial struct of its objects, and selectors.

    ``needed`` names the command that cannot do without it, empty when one can. ``selectors`` may have
    ``labelSelector`` and ``fieldSelector``.
    """

    resource: Resource
    item_type: type[Any]
    selectors: Mapping[str, str] = {}
    needed: str = ""


class Traffic(msgspec.Struct):
    """What the watches of a kind have cost so far: bytes of streams, ends of streams, lists after the first."""

    bytes: int = 0
    breaks: int = 0
    relists: int = 0


class Recording:
    """Watches until it is stopped.

    ``take`` gets the kind (as kubectl names it), the event and the seconds since the recording was made; it is called
    by one thread at a time, under ``lock``. ``unseen`` says why kinds are not watched.
    """

    def __init__(
        self,
        connection: Connection,
        feeds: Sequence[Feed],
        namespace: str | None,
        take: Callable[[str, Event, float], None],
    ) -> None:
        self.lock = threading.Lock()
        self.unseen: dict[str, str] = {}
        self.failure: C9sError | None = None
        self._connection = connection
        self._feeds = feeds
        self._namespace = namespace
        self._take = take
        self._begin = time.monotonic()
        self._changed = threading.Condition(self.lock)
        self._listed: set[str] = set()
        self._stopped = threading.Event()
        self._watchers: dict[str, list[Watcher]] = {one.resource.full_name: [] for one in feeds}

    @property
    def elapsed(self) -> float:
        """Give the seconds since the recording was made, by the monotonic clock."""
        return time.monotonic() - self._begin

    @property
    def seen(self) -> list[str]:
        """Name the kinds that are watched."""
        return [name for name in self._watchers if name not in self.unseen]

    def start(self) -> None:
        """Begin; returns when every collection was listed, or may not be. Raises what keeps a list from coming."""
        for one in self._feeds:
            name = f"c9s-{one.resource.plural}"
            threading.Thread(target=self._follow, args=(one,), daemon=True, name=name).start()
        self.wait(lambda: len(self._listed | self.unseen.keys()) == len(self._feeds))

    def wait(self, ready: Callable[[], bool], seconds: float | None = None) -> None:
        """Wait until something is so, asked under ``lock`` after each change, at most so long; raises the failure."""
        with self._changed:
            self._changed.wait_for(lambda: self.failure or ready(), seconds)
            if self.failure:
                raise self.failure

    def stop(self) -> None:
        """Let the threads end: nothing is taken any more, and they are done when their streams are."""
        with self.lock:
            self._stopped.set()
        for watchers in self._watchers.values():
            for one in watchers:
                one.end()

    def traffic(self) -> dict[str, Traffic]:
        """Give what the watches have cost so far, by kind."""
        return {
            name: Traffic(
                sum(one.bytes for one in watchers),
                sum(one.breaks for one in watchers),
                max(sum(one.lists for one in watchers) - 1, 0),
            )
            for name, watchers in self._watchers.items()
        }

    def _follow(self, feed: Feed) -> None:
        name = feed.resource.full_name
        try:
            failures = 0
            while not self._stopped.is_set():
                try:
                    for event in self._watcher(feed).events():
                        failures = 0
                        if not self._feed(name, event):
                            return
                except (Forbidden, NotFound) as error:
                    failures += 1
                    if name not in self._listed or failures > _TRIES:
                        self._do_without(feed, error)
                        return
                    self._stopped.wait(_AGAIN)
        except Exception as error:  # noqa: BLE001 - nobody else sees what happens in this thread
            text = f"cannot watch {name}: {type(error).__name__}: {error}"
            self._fail(error if isinstance(error, C9sError) else C9sError(text))

    def _watcher(self, feed: Feed) -> Watcher:
        watcher = Watcher(
            self._connection,
            feed.resource,
            feed.item_type,
            namespace=self._namespace if feed.resource.namespaced else None,
            selectors=feed.selectors,
            sleep=self._pause,
        )
        self._watchers[feed.resource.full_name].append(watcher)
        return watcher

    def _pause(self, seconds: float) -> None:
        self._stopped.wait(seconds)

    def _feed(self, name: str, event: Event) -> bool:
        """Hand an event on; false when nobody wants any more. The moment is taken before others are waited for."""
        elapsed = self.elapsed
        with self._changed:
            if self._stopped.is_set():
                return False
            self._take(name, event, elapsed)
            self._listed.add(name)
            self._changed.notify_all()
        return True

    def _do_without(self, feed: Feed, error: Forbidden | NotFound) -> None:
        name = feed.resource.full_name
        if feed.needed:
            role = f"'kubectl c9s rights {feed.needed}' prints the Role"
            hint = f"the rights to list and watch {name} are needed: {role}"
            self._fail(C9sError(error.message, hint=hint))
            return
        with self._changed:
            self.unseen[name] = error.message
            self._changed.notify_all()

    def _fail(self, failure: C9sError) -> None:
        with self._changed:
            if not self._stopped.is_set() and self.failure is None:
                self.failure = failure
                self._changed.notify_all()
