"""The collections that a recording of a lab watches, and where they are read once for what is over already."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from kubectl_c9s.cluster import kinds
from kubectl_c9s.cluster.errors import Forbidden, NotFound
from kubectl_c9s.cluster.reading import list_objects
from kubectl_c9s.cluster.recording import Feed
from kubectl_c9s.cluster.serverclock import ServerClock
from kubectl_c9s.measurement.watched import TYPES
from kubectl_c9s.resources import devicepods, labels

if TYPE_CHECKING:
    from kubectl_c9s.cluster.connection import Connection
    from kubectl_c9s.cluster.kinds import Resource


class Present(NamedTuple):
    """The objects of each kind that may be seen, why others may not, and the server's time in seconds since 1970."""

    objects: dict[str, list[Any]]
    unseen: dict[str, str]
    now: float


def lab_feeds(lab: str | None) -> list[Feed]:
    """Give what belongs to all devices of a namespace, or to those of a lab; without Pods nothing can be recorded."""
    device, owner = devicepods.WORKLOAD, f"{labels.TOPOLOGY_OWNER}={lab}"
    of_lab = {"labelSelector": owner} if lab else {}
    return [
        _feed(kinds.TOPOLOGIES, {"fieldSelector": f"metadata.name={lab}"} if lab else {}),
        _feed(kinds.NODES, of_lab),
        # Deployments of devices carry no owner label (admission.md §1); those of others are not counted.
        _feed(kinds.DEPLOYMENTS, {"labelSelector": device}),
        _feed(kinds.REPLICA_SETS, {"labelSelector": device}),
        _feed(
            kinds.PODS,
            {"labelSelector": f"{device},{owner}" if lab else device},
            needed="measure watch",
        ),
    ]


def _feed(resource: Resource, selectors: dict[str, str], *, needed: str = "") -> Feed:
    return Feed(resource, TYPES[resource.full_name], selectors, needed)


def read_once(connection: Connection, namespace: str | None, lab: str | None) -> Present:
    """List everything once; raises Forbidden when Pods may not be seen."""
    objects: dict[str, list[Any]] = {}
    unseen: dict[str, str] = {}
    for feed in lab_feeds(lab):
        name = feed.resource.full_name
        try:
            objects[name] = list_objects(
                connection,
                feed.resource,
                feed.item_type,
                namespace=namespace,
                selectors=feed.selectors,
            ).items
        except (Forbidden, NotFound) as error:
            if feed.needed:
                raise
            unseen[name] = error.message
    return Present(objects, unseen, ServerClock(connection).now())
