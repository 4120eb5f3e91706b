"""The objects a diagnosis wants to see, page by page as they came (diagnosis.md §1); Secrets are never asked for."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from kubectl_c9s.cluster import kinds
from kubectl_c9s.cluster.connection import Request
from kubectl_c9s.cluster.errors import ApiError, Forbidden, Gone, NotFound
from kubectl_c9s.cluster.reading import PAGE, ListMeta

if TYPE_CHECKING:
    from collections.abc import Callable

    from kubectl_c9s.cluster.connection import Connection
    from kubectl_c9s.cluster.kinds import Resource

# In this order: what changes most is read last, so that what it refers to was seen before.
RESOURCES: Final = (
    kinds.CONFIGS, kinds.LEASES, kinds.CORE_NODES, kinds.TOPOLOGIES, kinds.NODE_PROFILES, kinds.LINKS,
    kinds.NODES, kinds.DEPLOYMENTS, kinds.REPLICA_SETS, kinds.PODS, kinds.EVENTS,
)  # fmt: skip
_OF_MANAGER: Final = (kinds.CONFIGS, kinds.LEASES, kinds.PODS, kinds.DEPLOYMENTS)
_WORKERS: Final = 4


class Collection(NamedTuple):
    """One kind: its pages as the server sent them; ``unseen`` says why there are none.

    ``namespace`` is set for what was read of the manager's besides.
    """

    resource: Resource
    pages: tuple[bytes, ...]
    resource_version: str = ""
    unseen: str = ""
    namespace: str = ""

    @property
    def label(self) -> str:
        """Give ``kind`` or ``kind@namespace``."""
        place = f"@{self.namespace}" if self.namespace else ""
        return f"{self.resource.full_name}{place}"


class Captured(NamedTuple):
    """All collections, and the server's time when it last answered, in seconds since 1970; None if it did not say."""

    collections: tuple[Collection, ...]
    at: float | None

    @property
    def seen(self) -> tuple[Collection, ...]:
        """Give the collections that could be read."""
        return tuple(one for one in self.collections if not one.unseen)


class _Head(msgspec.Struct):
    metadata: ListMeta = msgspec.field(default_factory=ListMeta)


def capture(
    connection: Connection,
    namespace: str | None,
    manager_namespace: str | None,
    on_page: Callable[[Resource, int], None] | None = None,
) -> Captured:
    """List each kind once, in one namespace or in all; a kind that may not be read is named, not an error.

    With a namespace, kinds without one are still read whole, and what a diagnosis needs of the manager's, too. All
    pages of a kind show the same moment, two kinds need not. ``on_page`` is told of each page, by several threads.
    """
    asked = [(one, namespace if one.namespaced else None, "") for one in RESOURCES]
    if namespace and manager_namespace and manager_namespace != namespace:
        asked += [(one, manager_namespace, manager_namespace) for one in _OF_MANAGER]
    lists = _Lists(connection, on_page)
    pool = ThreadPoolExecutor(_WORKERS, thread_name_prefix="c9s-read")
    try:
        found = tuple(pool.map(lambda one: lists.read(*one), asked))
    finally:
        # After Ctrl-C nobody waits for what has been asked: a silent server would take its time limit.
        pool.shutdown(wait=False, cancel_futures=True)
    return Captured(found, max(lists.moments, default=None))


class _Lists:
    """Lists of one capture; ``moments`` are the times at which the server answered."""

    def __init__(
        self, connection: Connection, on_page: Callable[[Resource, int], None] | None
    ) -> None:
        self._connection = connection
        self._on_page = on_page
        self.moments: list[float] = []

    def read(self, resource: Resource, namespace: str | None, place: str) -> Collection:
        """Read a kind page by page; begins anew, in one piece, when the pages are too old to go on."""
        try:
            try:
                found = self._pages(resource, namespace, {"limit": PAGE})
            except Gone:
                found = self._pages(resource, namespace, {})
        except (Forbidden, NotFound) as error:
            found = Collection(resource, (), unseen=error.message)
        return found._replace(namespace=place)

    def _pages(
        self, resource: Resource, namespace: str | None, query: dict[str, Any]
    ) -> Collection:
        what = f"list {resource.full_name}" + (f" in {namespace}" if namespace else "")
        pages: list[bytes] = []
        more, version = "", ""
        while True:
            asked = {**query, "continue": more} if more else query
            reply = self._connection.call(Request("GET", resource.path(namespace), what, asked))
            head = msgspec.json.decode(reply.body, type=_Head)
            pages.append(reply.body)
            version = version or head.metadata.resource_version
            more = head.metadata.more
            if reply.at is not None:
                self.moments.append(reply.at)
            if self._on_page:
                self._on_page(resource, len(pages))
            if not more:
                return Collection(resource, tuple(pages), version)


def server_version(connection: Connection) -> str | None:
    """Ask which Kubernetes this is; None where that may not be known."""
    try:
        found = msgspec.json.decode(connection.get("/version", "ask for the version"))
    except (ApiError, msgspec.DecodeError):
        return None
    version = found.get("gitVersion") if isinstance(found, dict) else None
    return version if isinstance(version, str) else None
