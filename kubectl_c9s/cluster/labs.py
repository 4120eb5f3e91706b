"""The live objects that a lab's objects would meet, and whose they are (cli.md, apply; split.md §12)."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

from kubectl_c9s.cluster import kinds
from kubectl_c9s.cluster.errors import NotFound
from kubectl_c9s.cluster.reading import list_objects, read_object
from kubectl_c9s.resources import labels
from kubectl_c9s.resources.ownership import owned_fields

if TYPE_CHECKING:
    from kubectl_c9s.cluster.connection import Connection
    from kubectl_c9s.cluster.kinds import Resource
    from kubectl_c9s.resources.objects import KubeObject

Key = tuple[str, str, str]


def key_of(resource: Resource, obj: KubeObject) -> Key:
    """Give kind, namespace and name of an object."""
    metadata = obj["metadata"]
    return resource.kind, metadata.get("namespace") or "", metadata["name"]


def lab_of(obj: KubeObject) -> str | None:
    """Give the lab an object belongs to, by its owner label."""
    owner = (obj["metadata"].get("labels") or {}).get(labels.TOPOLOGY_OWNER)
    return owner if isinstance(owner, str) else None


def labs_of(wanted: list[tuple[Resource, KubeObject]]) -> set[tuple[str, str]]:
    """Give (namespace, lab) of all labs the objects are of."""
    return {
        (obj["metadata"].get("namespace") or "", lab)
        for resource, obj in wanted
        if resource.namespaced and (lab := lab_of(obj))
    }


def controller(obj: KubeObject) -> str | None:
    """Name the controller of an object, or the Topology it would go with; None if it stands on its own."""
    for reference in obj["metadata"].get("ownerReferences") or ():
        if reference.get("controller") or reference.get("kind") == "Topology":
            return f"{reference.get('kind')} {reference.get('name')!r}"
    if labels.is_adopted(obj):
        return f"Topology {lab_of(obj)!r}"
    return None


def foreign(wanted: KubeObject, live: KubeObject, manager: str, *, force: bool) -> str | None:
    """Say why a live object of this name is not to be written; None if it may be.

    ``force`` takes over what stands there without a lab.
    """
    if live["metadata"].get("deletionTimestamp"):
        return "it is being deleted; try again when it is gone"
    if owner := controller(live):
        return f"it belongs to the {owner}"
    theirs, ours = lab_of(live), lab_of(wanted)
    if theirs == ours or (live.get("kind") == kinds.NAMESPACES.kind and theirs is None):
        return None
    if theirs is not None:
        return f"it belongs to the lab {theirs!r}"
    if not force and owned_fields(live, manager) is None:
        return f"it is not of the lab {ours!r}; --force-conflicts takes it over"
    return None


def read_live(
    connection: Connection, wanted: list[tuple[Resource, KubeObject]], *, prune: bool
) -> dict[Key, KubeObject]:
    """Read the collections the objects are in, to ``prune`` all those in which a lab may have left something.

    Of ConfigMaps only those of the labs are read whole: others may be large and are nobody's business.
    """
    collections = {_collection(resource, obj) for resource, obj in wanted if resource.namespaced}
    if prune:
        for namespace, lab in labs_of(wanted):
            collections |= {
                (resource, namespace, lab if resource is kinds.CONFIG_MAPS else "")
                for resource in kinds.APPLIED
                if resource.namespaced
            }
    found: dict[Key, KubeObject] = {}
    for resource, namespace, lab in sorted(collections):
        selectors = {"labelSelector": f"{labels.TOPOLOGY_OWNER}={lab}"} if lab else {}
        found |= _listed(connection, resource, namespace, selectors)
    missing = [key_of(resource, obj) for resource, obj in wanted]
    missing = [key for key in missing if key not in found]
    for namespace in {key[1] for key in missing if key[0] == kinds.CONFIG_MAPS.kind}:
        # One of this name may be there without the label. Its content does not matter then: it is foreign, or new.
        others = _listed(connection, kinds.CONFIG_MAPS, namespace, {}, metadata_only=True)
        found = others | found
    for key in missing:
        if key[0] == kinds.NAMESPACES.kind:
            with contextlib.suppress(NotFound):
                found[key] = read_object(connection, kinds.NAMESPACES, None, key[2])
    return found


def _listed(
    connection: Connection,
    resource: Resource,
    namespace: str,
    selectors: dict[str, str],
    *,
    metadata_only: bool = False,
) -> dict[Key, KubeObject]:
    item: type[dict[str, Any]] = dict
    listing = list_objects(
        connection,
        resource,
        item,
        namespace=namespace,
        selectors=selectors,
        metadata_only=metadata_only,
    )
    found = {}
    for obj in listing.items:
        obj |= {"apiVersion": resource.api_version, "kind": resource.kind}
        found[key_of(resource, obj)] = obj
    return found


def _collection(resource: Resource, obj: KubeObject) -> tuple[Resource, str, str]:
    lab = lab_of(obj) if resource is kinds.CONFIG_MAPS else None
    return resource, obj["metadata"].get("namespace") or "", lab or ""
