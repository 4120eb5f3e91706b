"""One record for each stuck start, from when it is first seen to its end (remediation.md §9.1).

An episode is that of a Node and of the Pod it has: a replacement is an episode of its own, and so is the time before
there is a Pod. It is known by UIDs alone and its beginning comes from the stamps of the server, so a process that
starts anew finds the same ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from kubectl_c9s.diagnosis.report import Diagnosis
    from kubectl_c9s.diagnosis.world import World
    from kubectl_c9s.rollout.views import NodeView

Outcome: TypeAlias = Literal["started", "replaced", "gone", "recovered"]


class Key(NamedTuple):
    """UIDs of the primary Node and of its newest Pod, empty before there is one."""

    node: str
    pod: str = ""


class Episode(NamedTuple):
    """A start that is stuck: the workload, its cause as it is now, since when (seconds since 1970; None: unknown)."""

    key: Key
    workload: str
    code: str
    sub: str
    since: float | None


class Closed(NamedTuple):
    """An episode that has ended: ``started`` by itself, Pod ``replaced``, Node ``gone``, or no cause any more."""

    episode: Episode
    outcome: Outcome


class Changes(NamedTuple):
    """The episodes that are open now, those that were opened, and those that have ended."""

    open: dict[Key, Episode]
    opened: tuple[Episode, ...]
    closed: tuple[Closed, ...]


def episodes(diagnosis: Diagnosis) -> dict[Key, Episode]:
    """Give the episodes that a diagnosis shows: one for each stuck workload, by its first cause."""
    world = diagnosis.world
    found: dict[Key, Episode] = {}
    for entry in diagnosis.entries:
        if entry.state != "stuck":
            continue
        for finding in entry.findings:
            view = world.node_view.get(finding.unit)
            if view is None:
                continue
            key = _key(view, world)
            if key not in found:
                found[key] = Episode(key, view.full_name, entry.code, finding.sub, finding.since)
    return found


def advance(
    before: Mapping[Key, Episode], diagnosis: Diagnosis, seen: Iterable[str] = ()
) -> Changes:
    """Compare with what was open; an episode keeps its beginning for as long as it is open.

    ``seen`` are kinds that could not be watched: while there are any, nothing is closed for not being seen.
    """
    now = episodes(diagnosis)
    kept = {
        key: one._replace(since=before[key].since if key in before else one.since)
        for key, one in now.items()
    }
    opened = tuple(one for key, one in kept.items() if key not in before)
    if list(seen):
        rest = {key: one for key, one in before.items() if key not in now}
        return Changes(kept | rest, opened, ())
    closed = tuple(
        Closed(one, _outcome(key, diagnosis.world)) for key, one in before.items() if key not in now
    )
    return Changes(kept, opened, closed)


def _key(view: NodeView, world: World) -> Key:
    pod = world.newest.get(view.uid)
    return Key(view.uid, pod.uid if pod else "")


def _outcome(key: Key, world: World) -> Outcome:
    view = world.node_view.get(key.node)
    if view is None or view.deleting:
        return "gone"
    pod = world.newest.get(key.node)
    if (pod.uid if pod else "") != key.pod:
        return "started" if pod is not None and pod.started else "replaced"
    return "started" if pod is not None and pod.started else "recovered"
