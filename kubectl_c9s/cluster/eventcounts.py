"""Core Events of the namespaces of a run, counted by who reported them."""

from __future__ import annotations

import functools
import itertools
from typing import TYPE_CHECKING, NamedTuple

from kubectl_c9s.cluster import kinds
from kubectl_c9s.cluster.optional import optional
from kubectl_c9s.cluster.reading import list_objects
from kubectl_c9s.measurement.eventcounts import EventCounts, count_events
from kubectl_c9s.resources.surroundings import RawEvent

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kubectl_c9s.cluster.connection import Connection


class CountedEvents(NamedTuple):
    """The counts of all namespaces that may be read; a note for each that may not."""

    counts: EventCounts
    notes: tuple[str, ...]


def read_event_counts(
    connection: Connection, namespaces: Iterable[str | None], since: float
) -> CountedEvents:
    """List the Events of some namespaces (None for all of them) and count those of ``since`` or later.

    ``since`` is the server's time at which the run began, in seconds since 1970: the stamp of its anchor. The server
    keeps Events for an hour by default: of a longer run the first ones are gone.
    """
    notes: list[str] = []
    lists = [
        optional(
            f"Events{f' in {one}' if one else ''} are not counted",
            functools.partial(_events, connection, one),
            notes,
        )
        for one in dict.fromkeys(namespaces)
    ]
    counts = count_events(itertools.chain.from_iterable(one or () for one in lists), since)
    if counts.earlier:
        notes.append(
            f"Events that had begun before the run ({counts.earlier}) are counted once each"
        )
    return CountedEvents(counts, tuple(notes))


def _events(connection: Connection, namespace: str | None) -> list[RawEvent]:
    return list_objects(connection, kinds.EVENTS, RawEvent, namespace=namespace).items
