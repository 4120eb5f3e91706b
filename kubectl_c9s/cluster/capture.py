"""The objects a diagnosis wants to see, page by page as they came (diagnosis.md §1); Secrets are never asked for."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from kubectl_c9s.cluster import kinds
from kubectl_c9s.cluster.connection import Request
from kubectl_c9s.cluster.errors import Forbidden, Gone, NotFound
from kubectl_c9s.cluster.kinds import Resource
from kubectl_c9s.cluster.reading import PAGE, ListMeta

if TYPE_CHECKING:
    from kubectl_c9s.cluster.connection import Connection

_DEPLOYMENTS: Final = Resource("apps", "v1", "deployments", "Deployment")
_REPLICA_SETS: Final = Resource("apps", "v1", "replicasets", "ReplicaSet")
_EVENTS: Final = Resource("", "v1", "events", "Event")
# In this order: what changes most is read last, so that what it refers to was seen before.
RESOURCES: Final = (
    kinds.CONFIGS, kinds.LEASES, kinds.CORE_NODES, kinds.TOPOLOGIES, kinds.NODE_PROFILES, kinds.LINKS,
    kinds.NODES, _DEPLOYMENTS, _REPLICA_SETS, kinds.PODS, _EVENTS,
)  # fmt: skip
_WORKERS: Final = 4


class Collection(NamedTuple):
    """One kind: its pages as the server sent them; ``unseen`` says why there are none."""

    resource: Resource
    pages: tuple[bytes, ...]
    resource_version: str = ""
    unseen: str = ""


class Captured(NamedTuple):
    """All collections, and the server's time when the last one was asked for (seconds since 1970, None if unknown)."""

    collections: tuple[Collection, ...]
    date: str


class _Head(msgspec.Struct):
    metadata: ListMeta = msgspec.field(default_factory=ListMeta)


def capture(
    connection: Connection, namespace: str | None, manager_namespace: str | None
) -> Captured:
    """List each kind once, in one namespace or in all; a kind that may not be read is named, not an error.

    With a namespace, kinds without one are still read whole, and the Leases and the Config of the manager's, too.
    """
    dates: list[str] = []

    def one(resource: Resource) -> Collection:
        return _collect(connection, resource, namespace if resource.namespaced else None, dates)

    with ThreadPoolExecutor(_WORKERS, thread_name_prefix="c9s-read") as pool:
        found = list(pool.map(one, RESOURCES))
    if namespace and manager_namespace and manager_namespace != namespace:
        for resource in (kinds.CONFIGS, kinds.LEASES, kinds.PODS, _DEPLOYMENTS):
            more = _collect(connection, resource, manager_namespace, dates)
            if not more.unseen:
                found.append(more)
    return Captured(tuple(found), dates[-1] if dates else "")


def _collect(
    connection: Connection, resource: Resource, namespace: str | None, dates: list[str]
) -> Collection:
    query: dict[str, Any] = {"limit": PAGE}
    try:
        try:
            return _pages(connection, resource, namespace, query, dates)
        except Gone:
            return _pages(connection, resource, namespace, {}, dates)
    except (Forbidden, NotFound) as error:
        return Collection(resource, (), unseen=error.message)


def _pages(
    connection: Connection,
    resource: Resource,
    namespace: str | None,
    query: dict[str, Any],
    dates: list[str],
) -> Collection:
    what = f"list {resource.full_name}" + (f" in {namespace}" if namespace else "")
    pages: list[bytes] = []
    more, version = "", ""
    while True:
        asked = {**query, "continue": more} if more else query
        reply = connection.call(Request("GET", resource.path(namespace), what, asked))
        head = msgspec.json.decode(reply.body, type=_Head)
        pages.append(reply.body)
        version = version or head.metadata.resource_version
        more = head.metadata.more
        if date := reply.headers.get("Date"):
            dates.append(date)
        if not more:
            return Collection(resource, tuple(pages), version)
