"""The serial queue of an installation: host slots, then the global batch, pass after pass (admission.md §4.2)."""

from __future__ import annotations

import dataclasses
import logging
from typing import TYPE_CHECKING, Final

import standin_gates as gates
import standin_names as names
from standin_queue import Controller
from standin_views import Snapshot

if TYPE_CHECKING:
    from standin_session import Session
    from standin_views import NodeView, PodView

log = logging.getLogger("standin")

COALESCE: Final = 0.25  # seconds from an event to the pass
AGAIN: Final = 1.0
MATTERS: Final = ("sandbox", "host", "started", "phase", "rest")


@dataclasses.dataclass(frozen=True)
class Tally:
    """What the queue has done since the leader began, and who blocked and waited in the last pass."""

    passes: int = 0
    marks: int = 0
    grants: int = 0
    blocked: tuple[str, ...] = ()
    pending: tuple[str, ...] = ()
    orphans: tuple[str, ...] = ()


class Admission:
    """One worker and one key: nobody else writes marks and grants."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._controller: Controller[str] = Controller("admission", self._pass, 1)
        self.tally = Tally()

    def start(self) -> None:
        """Make the first pass."""
        self._controller.start()
        self.wake()

    def stop(self) -> None:
        """Make no more passes."""
        self._controller.stop()

    def wake(self) -> None:
        """Make a pass when more events may have come."""
        self._controller.queue.add("queue", COALESCE)

    def pod_changed(self, old: PodView | None, new: PodView | None) -> None:
        """Wake for the changes of a device Pod that matter."""
        pod = new or old
        if pod is None or not pod.device or not pod.node_uid:
            return
        if old is None or new is None or any(getattr(old, f) != getattr(new, f) for f in MATTERS):
            self.wake()

    def _pass(self, _key: str) -> float | None:
        self.tally = dataclasses.replace(self.tally, passes=self.tally.passes + 1)
        hosts = gates.host_pass(self._snapshot())
        self.tally = dataclasses.replace(self.tally, orphans=hosts.orphans)
        for pod in hosts.grants:
            self._grant(pod)
        queue = gates.global_pass(self._snapshot())
        self.tally = dataclasses.replace(self.tally, blocked=queue.blocked, pending=queue.pending)
        for node in queue.marks:
            self._mark(node)
        return None if queue.rests else AGAIN

    def _snapshot(self) -> Snapshot:
        session = self._session
        batch, per_host = session.limits
        return Snapshot(
            batch,
            per_host,
            session.node_store.views(),
            session.pod_store.views(),
            session.topology_store.views(),
        )

    def _grant(self, pod: PodView) -> None:
        store = self._session.pod_store
        path = store.kind.path(pod.namespace, pod.name)
        store.put(self._session.api.annotate(path, pod.version, names.GRANT, pod.uid))
        self.tally = dataclasses.replace(self.tally, grants=self.tally.grants + 1)
        log.info("granted %s on %s", pod.full_name, pod.host)

    def _mark(self, node: NodeView) -> None:
        store = self._session.node_store
        path = store.kind.path(node.namespace, node.name)
        store.put(self._session.api.annotate(path, node.version, names.ADMITTED, node.uid))
        self.tally = dataclasses.replace(self.tally, marks=self.tally.marks + 1)
        log.info("admitted %s", node.full_name)
