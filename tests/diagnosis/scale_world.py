"""The same objects as ``diagnose`` reads them and as the reconciler keeps them, and what is said of each."""

from __future__ import annotations

import json
from collections import defaultdict
from typing import TYPE_CHECKING, Any

import msgspec

from kubectl_c9s.cluster.capture import RESOURCES
from kubectl_c9s.cluster.watching import Event
from kubectl_c9s.diagnosis.dump import FIELDS, dump_of
from kubectl_c9s.diagnosis.place import find_place
from kubectl_c9s.diagnosis.present import present
from kubectl_c9s.diagnosis.report import diagnose
from kubectl_c9s.diagnosis.settings import Settings
from kubectl_c9s.reconciler.feeds import feeds
from kubectl_c9s.reconciler.observer import diagnosis_of
from kubectl_c9s.reconciler.seen import dump_in
from kubectl_c9s.reconciler.view import View
from kubectl_c9s.remediation.episodes import episodes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kubectl_c9s.diagnosis.report import Diagnosis
    from kubectl_c9s.reconciler.view import Look

Json = dict[str, Any]
FEEDS = {one.name: one for one in feeds("c9s", "") if one.name in FIELDS}
NAMES = {(one.group, one.kind): one.full_name for one in RESOURCES} | {
    ("events.k8s.io", "Event"): "events"
}


def by_kind(objects: Iterable[Json]) -> dict[str, list[Json]]:
    """Sort objects by the kinds that are watched; a kind without any is there, too."""
    found: defaultdict[str, list[Json]] = defaultdict(list, {name: [] for name in FEEDS})
    for obj in objects:
        name = NAMES.get((obj["apiVersion"].rpartition("/")[0], obj["kind"]))
        if name in FEEDS:
            # A list of a kind does not say what its items are.
            found[name].append({k: v for k, v in obj.items() if k not in ("apiVersion", "kind")})
    return dict(found)


def plain(kinds: dict[str, list[Json]], now: float) -> tuple[Json, Any]:
    """Diagnose objects that were read whole."""
    found = {
        name: msgspec.json.decode(json.dumps(items), type=list[FIELDS[name][1]])  # type: ignore[misc]
        for name, items in kinds.items()
    }
    dump = dump_of(found, None)
    return told(diagnose(dump, find_place(dump, None), now))


def look_at(kinds: dict[str, list[Json]]) -> Look:
    """Give what a view shows that has kept these objects."""
    view = View(90.0, lambda: 0.0)
    for name, items in kinds.items():
        decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(FEEDS[name].item_type)
        kept = [decoder.decode(json.dumps(item)) for item in items]
        view.take(name, Event("LISTED", kept))
    return view.look()


def kept(kinds: dict[str, list[Json]], now: float) -> tuple[Json, Any]:
    """Diagnose the same objects as they are kept."""
    look = look_at(kinds)
    return told(diagnosis_of(look, find_place(dump_in(look), None), now, Settings()))


def told(diagnosis: Diagnosis) -> tuple[Json, Any]:
    """Give all that is said: the report, and the episodes."""
    return present(diagnosis), episodes(diagnosis)
