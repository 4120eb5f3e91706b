"""Lists from the API server: paged, raw bytes into partial structs (conventions.md §10)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

import msgspec

from kubectl_c9s.cluster.connection import Request
from kubectl_c9s.cluster.errors import Gone

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kubectl_c9s.cluster.connection import Connection
    from kubectl_c9s.cluster.kinds import Resource

T = TypeVar("T")
PAGE: Final = 500
_WHOLE: Final = "application/json"
_METADATA: Final = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"


class ListMeta(msgspec.Struct, rename={"resource_version": "resourceVersion", "more": "continue"}):
    """Metadata of a list: the version it shows, and the token of the next page."""

    resource_version: str = ""
    more: str = ""


class Page(msgspec.Struct, Generic[T]):
    """One page of a list; a list without items may have ``null`` there."""

    metadata: ListMeta = msgspec.field(default_factory=ListMeta)
    items: list[T] | None = None


class Listing(msgspec.Struct, Generic[T]):
    """A whole list and the resource version from which a watch may go on."""

    items: list[T]
    resource_version: str


def list_objects(
    connection: Connection,
    resource: Resource,
    item_type: type[T],
    *,
    namespace: str | None = None,
    selectors: Mapping[str, str] | None = None,
    metadata_only: bool = False,
) -> Listing[T]:
    """Read a collection page by page; begins anew, in one piece, when the pages are too old to go on.

    ``selectors`` may have ``labelSelector`` and ``fieldSelector``. ``item_type`` is a partial struct, or dict.
    """
    what = f"list {resource.full_name}" + (f" in {namespace}" if namespace else "")
    accept = _METADATA if metadata_only else _WHOLE
    query = {**(selectors or {}), "limit": PAGE}
    request = Request("GET", resource.path(namespace), what, query, accept=accept)
    decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(Page[item_type])  # type: ignore[valid-type]
    try:
        return _pages(connection, request, query, decoder)
    except Gone:
        return _pages(connection, request, {**(selectors or {})}, decoder)


def _pages(
    connection: Connection,
    request: Request,
    query: Mapping[str, Any],
    decoder: msgspec.json.Decoder[Any],
) -> Listing[T]:
    items: list[T] = []
    more = ""
    while True:
        asked = {**query, "continue": more} if more else query
        page = decoder.decode(connection.call(request._replace(query=asked)).body)
        items.extend(page.items or [])
        more = page.metadata.more
        if not more:
            return Listing(items, page.metadata.resource_version)


class _Meta(msgspec.Struct):
    name: str = ""
    labels: dict[str, str] | None = None


class _Named(msgspec.Struct):
    metadata: _Meta


def list_names(
    connection: Connection,
    resource: Resource,
    namespace: str | None,
    size: int,
    pages: int,
    *,
    label: str | None = None,
) -> Iterator[str]:
    """Read names, or the values of a label, as they come: at most so many pages of so many objects."""
    what = f"list {resource.full_name}" + (f" in {namespace}" if namespace else "")
    decoder = msgspec.json.Decoder(Page[_Named])
    query = {"limit": size, "labelSelector": label}
    for _ in range(pages):
        request = Request("GET", resource.path(namespace), what, query, accept=_METADATA)
        page = decoder.decode(connection.call(request).body)
        for one in page.items or ():
            yield (one.metadata.labels or {}).get(label, "") if label else one.metadata.name
        if not page.metadata.more:
            return
        query = {**query, "continue": page.metadata.more}


def read_object(
    connection: Connection, resource: Resource, namespace: str | None, name: str
) -> dict[str, Any]:
    """Read one object whole; raises NotFound."""
    what = f"get {resource.full_name} {name}"
    found: dict[str, Any] = msgspec.json.decode(
        connection.get(resource.path(namespace, name), what)
    )
    return found
