"""Collects under which conditions a run takes place (measurement.md §2): a few lists, none of which has to succeed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from kubectl_c9s import __version__
from kubectl_c9s.cluster.runreader import Reader, Scope
from kubectl_c9s.measurement.run import Manifest

if TYPE_CHECKING:
    from kubectl_c9s.cluster.connection import Connection
    from kubectl_c9s.measurement.eventcounts import ImageState

__all__ = ["Collected", "Scope", "collect", "collect_plain"]


class Collected(NamedTuple):
    """The manifest, and what is missing in it and why."""

    manifest: Manifest
    notes: tuple[str, ...]


def collect(connection: Connection, scope: Scope, images: ImageState = "") -> Collected:
    """Read what a run of a lab was like, as it is now: best once before it and once when all is ready.

    ``images`` is what the Events said of images (:class:`EventCounts`).
    """
    reader = Reader(connection, scope)
    topologies = reader.topology_limits()
    installation = reader.installation()
    pods = reader.pods(scope.devices)
    manifest = Manifest(
        tool=__version__,
        server=reader.server(),
        namespace=scope.namespace,
        lab=scope.lab,
        definition=reader.definition(),
        images=pods.images,
        manager_images=reader.manager_images(installation),
        limits=reader.config_limits(installation),
        topology_limits=topologies,
        planner_replicas=reader.planners(installation),
        image_state=images,
        families=pods.families,
        hosts=pods.hosts,
        local_start=scope.local_start,
    )
    return Collected(manifest, tuple(dict.fromkeys(reader.notes)))


def collect_plain(
    connection: Connection, scope: Scope, images: ImageState = "", definition: str = ""
) -> Collected:
    """Read what a run of plain Pods, all those of the namespace, was like; ``definition`` is that of its schedule."""
    reader = Reader(connection, scope)
    pods = reader.pods({})
    manifest = Manifest(
        tool=__version__,
        workload="plain-pods",
        server=reader.server(),
        namespace=scope.namespace,
        definition=definition,
        images=pods.images,
        image_state=images,
        families=pods.families,
        hosts=pods.hosts,
        local_start=scope.local_start,
    )
    return Collected(manifest, tuple(reader.notes))
