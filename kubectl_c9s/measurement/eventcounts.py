"""Core Events of a run: how many things were reported by whom, and whether images had to be pulled.

An Event stands for all its repetitions, so occurrences are counted: ``series.count``, else ``count``, else one. What
had begun before the run and went on in it is counted once: that its last occurrence lies in the run is all it says.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from kubectl_c9s.resources.moments import seconds_of
from kubectl_c9s.resources.surroundings import event_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kubectl_c9s.resources.surroundings import RawEvent

ImageState = Literal["warm", "cold", "mixed", ""]
NOBODY: Final = "unknown"
"""Reporter of Events that name none."""

_IMAGE: Final = re.compile(r'image "([^"]+)"')
_HAD: Final = "already present"


class EventCounts(NamedTuple):
    """Occurrences by reporting component, and what the images were like.

    ``earlier`` is the number of Events that had begun before, each counted once. ``images`` is ``warm`` when no image
    was pulled, ``cold`` when every image was on every host that ran it, ``mixed`` otherwise, empty when no Event of a
    kubelet tells. An image that is looked up at each start (pull policy Always) counts as pulled.
    """

    reporters: dict[str, int]
    earlier: int = 0
    images: ImageState = ""


def count_events(events: Iterable[RawEvent], since: float) -> EventCounts:
    """Count the Events whose last occurrence is at ``since`` (server's time, seconds since 1970) or later."""
    reporters: dict[str, int] = {}
    pulled: dict[tuple[str, str], bool] = {}
    earlier = 0
    for raw in events:
        event = event_of(raw)
        last = seconds_of(event.last)
        if last is None or last < since:
            continue
        began_before = _first(raw) < since
        earlier += began_before
        reporter = event.reporter or NOBODY
        reporters[reporter] = reporters.get(reporter, 0) + (
            1 if began_before else max(event.count, 1)
        )
        if event.about.kind == "Pod" and (pull := _pull(raw, event.reason, event.message)):
            key, needed = pull
            pulled[key] = pulled.get(key, False) or needed
    return EventCounts(dict(sorted(reporters.items())), earlier, _state(pulled.values()))


def _first(raw: RawEvent) -> float:
    """Give when an Event began; its creation if it says no more."""
    times = (raw.first_timestamp, raw.event_time, raw.metadata.creation_timestamp)
    found = [moment for time in times if (moment := seconds_of(time)) is not None]
    return found[0] if found else 0.0


def _pull(raw: RawEvent, reason: str, message: str) -> tuple[tuple[str, str], bool] | None:
    """Give host and image of a kubelet's Event, and whether the image had to be pulled."""
    image = _IMAGE.search(message)
    if reason not in {"Pulling", "Pulled"} or image is None:
        return None
    return (str((raw.source or {}).get("host") or ""), image[1]), _HAD not in message


def _state(pulled: Iterable[bool]) -> ImageState:
    seen = set(pulled)
    if len(seen) > 1:
        return "mixed"
    return "" if not seen else "cold" if seen.pop() else "warm"
