"""What a recording keeps besides the devices: conditions, the API server's counters, Events, what hosts use."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import msgspec

from kubectl_c9s.cluster.eventcounts import read_event_counts
from kubectl_c9s.cluster.pressure import take
from kubectl_c9s.cluster.runmanifest import Scope, collect
from kubectl_c9s.cluster.usage import HostUsage
from kubectl_c9s.measurement.pressure import pressure
from kubectl_c9s.measurement.run import Churn, Manifest
from kubectl_c9s.measurement.runmanifest import changed_between

if TYPE_CHECKING:
    from kubectl_c9s.cluster.connection import Connection
    from kubectl_c9s.measurement.eventcounts import ImageState
    from kubectl_c9s.measurement.pressure import PressureSnapshot
    from kubectl_c9s.measurement.run import Anchor, Usage


class Surroundings:
    """``manifest`` and ``churn`` as far as they are known by now, and ``notes`` about what is not."""

    def __init__(
        self, connection: Connection, namespace: str | None, lab: str | None, local_start: str
    ) -> None:
        self.churn = Churn()
        self.notes: list[str] = []
        self._connection = connection
        self._namespace = namespace
        self._scope = Scope(namespace or "", lab or "", local_start=local_start)
        self.manifest = Manifest(
            namespace=self._scope.namespace, lab=self._scope.lab, local_start=local_start
        )
        self._before: PressureSnapshot | None = None
        self._hosts = _Hosts(HostUsage(connection))

    def begin(self, manager_namespace: str | None) -> None:
        """Look around before the start."""
        self._scope = self._scope._replace(manager_namespace=manager_namespace)
        self._hosts.ask()
        self._before = take(self._connection)
        self.manifest, self.notes = self._collected("")

    def end(self, anchor: Anchor | None) -> None:
        """Look around after it; Events are those since the anchor."""
        risen = pressure(self._before, take(self._connection)) if self._before else None
        if risen:
            self.churn = risen.churn
        events = (
            read_event_counts(self._connection, [self._namespace], anchor.at) if anchor else None
        )
        manifest, notes = self._collected(events.counts.images if events else "")
        self.notes = [
            *notes,
            *changed_between(self.manifest, manifest),
            *(risen.notes if risen else ()),
            *(events.notes if events else ()),
            *self._hosts.note,
        ]
        self.manifest = manifest
        if events:
            self.churn = msgspec.structs.replace(self.churn, events=events.counts.reporters)

    def usage(self) -> dict[str, Usage] | None:
        """Give what hosts used when that was last known, and let it be asked anew; nobody waits for the answer."""
        return self._hosts.ask()

    def _collected(self, images: ImageState) -> tuple[Manifest, list[str]]:
        found = collect(self._connection, self._scope, images)
        return found.manifest, list(found.notes)


class _Hosts:
    """Asks in the background: a metrics API that hangs must not keep the end of a start from being noticed."""

    def __init__(self, reader: HostUsage) -> None:
        self._reader = reader
        self._last: dict[str, Usage] | None = None
        self._thread: threading.Thread | None = None

    @property
    def note(self) -> list[str]:
        return [self._reader.note] if self._reader.note else []

    def ask(self) -> dict[str, Usage] | None:
        """Give the last answer, each once, and begin to ask anew unless somebody still does."""
        if self._thread is not None and self._thread.is_alive():
            return None
        found, self._last = self._last, None
        self._thread = threading.Thread(target=self._read, daemon=True, name="c9s-usage")
        self._thread.start()
        return found

    def _read(self) -> None:
        self._last = self._reader.read()
