"""One process of the reconciler without its threads: each of its parts moves when it is told to."""

from __future__ import annotations

import itertools
import json
from typing import TYPE_CHECKING, Any, cast

import msgspec
from reconcile_sim_wire import SimWire

from kubectl_c9s.cluster.election import Election
from kubectl_c9s.cluster.watching import Event
from kubectl_c9s.reconciler.feeds import NEEDED, Feed, feeds
from kubectl_c9s.reconciler.loop import Loop, Parts, Settings
from kubectl_c9s.reconciler.observer import Observer
from kubectl_c9s.reconciler.pacing import Allowance
from kubectl_c9s.reconciler.telling import Teller
from kubectl_c9s.reconciler.view import View
from kubectl_c9s.reconciler.writer import Task, Writer

if TYPE_CHECKING:
    from collections.abc import Callable

    from reconcile_sim_server import Json, Key, SimServer
    from reconcile_sim_world import World

SPACE = "c9s"
SILENCE = 90.0
PATIENCE = 100.0
_NUMBERS = itertools.count(1)


class SimWatch:
    """The watch of one kind: where it stands in what has happened, and what it has shown, to judge by."""

    def __init__(
        self, feed: Feed, view: View, server: SimServer, clock: Callable[[], float]
    ) -> None:
        self.feed, self._view, self._server, self._clock = feed, view, server, clock
        self.alive_at = clock()
        self.position = 0
        self.is_listed = False  # its view has objects
        self.lists_next = True
        self.forbidden = False
        self.silent_until = 0.0
        self.retry_at = 0.0
        self.known: dict[Key, Json] = {}
        self.changed_at: dict[Key, float] = {}
        view.heard(feed.name, lambda: self.alive_at)

    @property
    def behind(self) -> int:
        """Give how many changes were not shown yet."""
        return len(self._server.logs.get(self.feed.resource.full_name, ())) - self.position

    def begin_anew(self) -> None:
        """Lose the thread: it lists next, and what was seen stays until then."""
        self.lists_next = True

    def move(self, most: int, chance: Any) -> bool:
        """Show what has happened, so many changes at most; tell whether anything was shown."""
        name, now = self.feed.resource.full_name, self._clock()
        if now < self.silent_until or now < self.retry_at:
            return False
        if self.forbidden or name in self._server.gone:
            self.is_listed, self.lists_next, self.retry_at = False, True, now + 5.0
            self.known.clear()
            self._view.lost(self.feed.name, "planted: it may not be watched")
            return True
        self.alive_at = now
        if self.lists_next:
            self._list(chance)
            return True
        changes = self._server.logs.get(name, [])[self.position : self.position + most]
        for change in changes:
            self.position += 1
            self._show(change.type, change.obj)
        return bool(changes)

    def _list(self, chance: Any) -> None:
        name = self.feed.resource.full_name
        found = [one for one in self._server.objects.get(name, {}).values() if self._is_ours(one)]
        chance.shuffle(found)
        self.position = len(self._server.logs.get(name, ()))
        self.is_listed, self.lists_next = True, False
        fresh = {self._key(one): one for one in found}
        for key, one in fresh.items():
            if self.known.get(key) != one:
                self._note_changed(key)
        self.known = fresh
        self._view.take(self.feed.name, Event("LISTED", [self._typed(one) for one in found]))

    def _note_changed(self, key: Key) -> None:
        if key in self.known:
            self.changed_at[key] = self._clock()

    def _show(self, kind: str, obj: Json) -> None:
        if not self._is_ours(obj):
            return
        self._note_changed(self._key(obj))
        if kind == "DELETED":
            self.known.pop(self._key(obj), None)
        else:
            self.known[self._key(obj)] = obj
        self._view.take(self.feed.name, Event(kind, [self._typed(obj)]))

    def _is_ours(self, obj: Json) -> bool:
        here = not self.feed.namespace or obj["metadata"]["namespace"] == self.feed.namespace
        return here and not self.feed.besides

    def _key(self, obj: Json) -> Key:
        return obj["metadata"]["namespace"], obj["metadata"]["name"]

    def _typed(self, obj: Json) -> Any:
        return msgspec.json.decode(json.dumps(obj), type=self.feed.item_type)


class SimWriter(Writer):
    """Keeps tasks until they are told to run."""

    def __init__(
        self, *given: Any, sent: Callable[[Task], None], ended: Callable[[Task], None]
    ) -> None:
        super().__init__(*given)
        self._ended = ended
        self.waiting: list[Task] = []
        self._sent = sent

    def send(self, task: Task) -> None:
        """Keep a task."""
        self._sent(task)
        self.waiting.append(task)

    def run(self, number: int) -> None:
        """Carry one out."""
        task = self.waiting.pop(number)
        self._run(task)
        self._ended(task)


class Quiet:
    """Takes the place of the metrics, which nobody reads here."""

    def __getattr__(self, name: str) -> Quiet:
        return self

    def __call__(self, *_: object) -> Quiet:
        return self


class Blind:
    """Diagnoses nothing: what a diagnosis says is the matter of other tests."""

    reading = None

    def look(self, *_: Any) -> float:
        """Say that there is time."""
        return 60.0


class SteadyServerClock:
    """The clock of the server."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock

    def now(self) -> float:
        """Give the seconds since 1970."""
        return 1_800_000_000.0 + self._clock()


class Replica:
    """A process from its start to its end; it may be paused, and dies without a word."""

    def __init__(self, world: World, *, diagnosing: bool) -> None:
        self.world = world
        self.name = f"replica-{next(_NUMBERS)}"
        clock = world.clock
        self.paused_until = 0.0
        self.looked_at = -1e9
        wires = [SimWire(world.server, world.faults, self.name, clock) for _ in range(2)]
        self.wires, self.wire = wires, wires[0]
        self.wire.asked = lambda request: world.judge.asked(self, request)
        for wire in wires:
            wire.on_the_way = lambda: world.meanwhile(self)
        self.election = Election(
            cast("Any", wires[1]), SPACE, "c9s-reconciler", self.name, clock=clock
        )
        view = View(PATIENCE, clock)
        self.writer = SimWriter(
            self.wire, 1, self.election.leads, view.wake, Allowance(0, 0),
            sent=lambda task: world.judge.sent(self, task), ended=self._ended,
        )  # fmt: skip
        teller = Teller(0.25, events=True, identity=self.name)
        quiet: Any = Quiet()
        observer: Any = Observer(0.25, quiet, clock) if diagnosing else Blind()
        server_clock: Any = SteadyServerClock(clock)
        settings = Settings(SPACE)
        self.loop = Loop(
            settings,
            Parts(view, self.writer, self.election, teller, observer, quiet, clock, server_clock),
        )
        wanted = feeds(SPACE, "c9s.run/direct-workload")
        self.watches = {one.name: SimWatch(one, view, world.server, clock) for one in wanted}
        self.needed = [self.watches[name] for name in sorted(NEEDED)]

    def _ended(self, task: Task) -> None:
        self.world.judge.ended(self, task, self.wire.outcome, self.wire.version)
        self.wire.outcome = "none"

    @property
    def is_paused(self) -> bool:
        """Tell whether it does nothing now."""
        return self.world.clock() < self.paused_until

    def look(self) -> None:
        """Look at the Lease if it is time to."""
        if self.world.clock() - self.looked_at >= 2.0:
            self.looked_at = self.world.clock()
            self.election.look()

    def end(self) -> None:
        """End in order: what waits is not sent, and the Lease is given back."""
        self.writer.waiting.clear()
        self.election.release()
