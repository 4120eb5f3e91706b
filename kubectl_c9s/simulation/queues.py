"""The manager's queues in simulated time: when a pass is made, and what it writes (admission.md §§3.7, 4.2).

Decisions come from the gate functions alone. A gate is not asked where its answer is known from the last one: while a
group that blocked still has no sandbox, nobody is admitted; while no Pod has joined the queue and no slot was freed,
nobody is granted.
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, Final, NamedTuple

from kubectl_c9s.rollout.gates import global_gate, topology_gate
from kubectl_c9s.rollout.hosts import host_gate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from kubectl_c9s.rollout.groups import Group
    from kubectl_c9s.rollout.views import TopologyView
    from kubectl_c9s.simulation.eventloop import EventLoop
    from kubectl_c9s.simulation.state import State

COALESCE: Final = 0.25
"""Seconds from an event to the pass; so long events are gathered. For T it is not known: taken to be the same."""
AGAIN: Final = 1.0
"""Seconds after which a pass is made again while somebody waits."""


class Batch(NamedTuple):
    """A batch: when it was released, by which gate (a Topology's full name, empty for G), UIDs of its primaries."""

    seconds: float
    gate: str
    primaries: tuple[str, ...]


class Writer(NamedTuple):
    """How the queues carry out what they decided; each is called with a UID when the write is done.

    ``seconds`` gives how long the next write takes.
    """

    seconds: Callable[[], float]
    grant: Callable[[str], None]
    mark: Callable[[str], None]
    lift: Callable[[str], None]


class Queue:
    """One worker and one key: passes one after another, 250 ms after the first event, and each second while one waits.

    A look that no event comes before would see what the last one saw: only its time counts, it is not made.
    """

    def __init__(self, loop: EventLoop, state: State, writer: Writer) -> None:
        self._loop, self._state, self._writer = loop, state, writer
        self._due: float | None = None
        self._looks_from: float | None = None
        self._busy_until = 0.0
        self._blocker = ""
        self._waiting = True
        self.nodes_changed = True
        self.batches: list[Batch] = []

    def wake(self) -> None:
        """Make a pass when more events may have come, or with the next look if that is earlier."""
        due = self._loop.now + COALESCE
        if self._looks_from is not None:
            looks = max(ceil((self._loop.now - self._looks_from) / AGAIN), 1)
            due = min(due, self._looks_from + looks * AGAIN)
        self._plan(due)

    def _plan(self, due: float) -> None:
        if self._due is None or due < self._due:
            self._due = due
            self._loop.at(due, self._try, due)

    def _try(self, due: float) -> None:
        if self._due != due:  # an earlier one was made
            return
        self._due = None
        if self._loop.now < self._busy_until:
            self._plan(self._busy_until)
            return
        self._busy_until = self._loop.now
        self._pass()
        self._looks_from = self._busy_until if self._waiting else None

    def _pass(self) -> None:
        """Decide and write; say in ``_waiting`` whether somebody still waits."""
        raise NotImplementedError

    def _is_as_before(self) -> bool:
        """Tell whether a batch gate would say what it said last."""
        if self.nodes_changed:
            return False
        return not self._blocker or not self._state.has_sandbox(self._blocker)

    def _blocked_by(self, blocking: Sequence[Group], released: Sequence[Group]) -> None:
        """Remember one group without a sandbox. The last are the likeliest to get it last."""
        last = blocking or released
        self._blocker = last[-1].primary.uid if last else ""

    def _write(self, action: Callable[[str], None], uids: Iterable[str]) -> None:
        for uid in uids:
            self._busy_until += self._writer.seconds()
            self._loop.at(self._busy_until, action, uid)

    def _released(self, gate: str, groups: Sequence[Group]) -> None:
        """Keep a batch; it begins when its first write is done."""
        if groups:
            uids = tuple(group.primary.uid for group in groups)
            self.batches.append(Batch(self._loop.now, gate, uids))


class Admission(Queue):
    """The serial queue of the installation: H, then G."""

    def __init__(self, loop: EventLoop, state: State, writer: Writer) -> None:
        super().__init__(loop, state, writer)
        self.hosts_changed: set[str] = set()

    def _pass(self) -> None:
        if self.hosts_changed:
            grants = host_gate(self._state.for_hosts(self.hosts_changed)).grants
            self.hosts_changed = set()
            self._write(self._writer.grant, (pod.uid for pod in grants))
        if self._state.batch > 0 and not self._is_as_before():
            self.nodes_changed = False
            found = global_gate(self._state.for_batches())
            self._write(self._writer.mark, (node.uid for node in found.marks))
            self._released("", found.next_batch)
            self._blocked_by(found.blocking, found.next_batch)
            self._waiting = bool(found.blocking or found.pending)


class TopologyQueue(Queue):
    """The passes of one Topology's batches."""

    def __init__(
        self, loop: EventLoop, state: State, writer: Writer, topology: TopologyView
    ) -> None:
        super().__init__(loop, state, writer)
        self._topology = topology

    def _pass(self) -> None:
        if self._topology.ignored or self._is_as_before():
            return
        self.nodes_changed = False
        found = topology_gate(self._topology, *self._state.for_topology(self._topology))
        self._write(self._writer.lift, (node.uid for node in found.lifts))
        self._released(self._topology.full_name, found.released)
        self._blocked_by(found.blocking, found.released)
        self._waiting = bool(found.held)
