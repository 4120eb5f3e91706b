"""Applying a lab: what is there, what would change, writing in the order the manager needs (cli.md, apply).

Profiles come before Links, Links before Nodes, so that no Node is planned with a missing profile or half its wires;
within a kind the writes run side by side.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from kubectl_c9s.cluster import kinds
from kubectl_c9s.cluster.errors import NotFound
from kubectl_c9s.cluster.reading import list_objects, read_object
from kubectl_c9s.cluster.writing import Applied, Options, apply_object, in_parallel
from kubectl_c9s.resources import labels
from kubectl_c9s.resources.ownership import is_applied, owned_fields

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from kubectl_c9s.cluster.connection import Connection
    from kubectl_c9s.cluster.kinds import Resource
    from kubectl_c9s.resources.objects import KubeObject


class Planned(NamedTuple):
    """One object to apply: its resource, what is wanted, what is there (None: nothing), whether they agree."""

    resource: Resource
    wanted: KubeObject
    live: KubeObject | None
    unchanged: bool

    @property
    def key(self) -> tuple[str, str, str]:
        """Kind, namespace and name."""
        metadata = self.wanted["metadata"]
        return self.resource.kind, metadata.get("namespace", ""), metadata["name"]


class Plan(NamedTuple):
    """All objects of a run in the order of kinds, and the live ones of the same labs that are not wanted any more."""

    objects: list[Planned]
    leftovers: list[tuple[Resource, KubeObject]]


def make_plan(
    connection: Connection, wanted: Iterable[tuple[Resource, KubeObject]], manager: str
) -> Plan:
    """Read what is there and compare; nothing is written."""
    wanted = list(wanted)
    live = _read_live(connection, wanted)
    objects = []
    for resource, obj in wanted:
        found = live.pop(_key(resource, obj), None)
        objects.append(
            Planned(resource, obj, found, found is not None and is_applied(obj, found, manager))
        )
    order = {resource: place for place, resource in enumerate(kinds.APPLIED)}
    objects.sort(key=lambda one: order[one.resource])
    labs = {
        (obj["metadata"].get("namespace"), owner)
        for _, obj in wanted
        if (owner := lab_of(obj)) is not None
    }
    by_kind = {resource.kind: resource for resource in kinds.APPLIED}
    leftovers = [
        (by_kind[key[0]], obj)
        for key, obj in live.items()
        if (obj["metadata"].get("namespace"), lab_of(obj)) in labs
        and owned_fields(obj, manager) is not None
    ]
    return Plan(
        objects, sorted(leftovers, key=lambda pair: (-order[pair[0]], pair[1]["metadata"]["name"]))
    )


def lab_of(obj: KubeObject) -> str | None:
    """Give the lab an object belongs to, by its owner label."""
    owner = (obj["metadata"].get("labels") or {}).get(labels.TOPOLOGY_OWNER)
    return owner if isinstance(owner, str) else None


def _key(resource: Resource, obj: KubeObject) -> tuple[str, str, str]:
    metadata = obj["metadata"]
    return resource.kind, metadata.get("namespace") or "", metadata["name"]


def _read_live(
    connection: Connection, wanted: list[tuple[Resource, KubeObject]]
) -> dict[tuple[str, str, str], KubeObject]:
    """Read the collections the objects are in; of ConfigMaps only those of the labs."""
    found: dict[tuple[str, str, str], KubeObject] = {}
    for resource, namespace, lab in sorted(
        {_collection(resource, obj) for resource, obj in wanted}
    ):
        if not resource.namespaced:
            continue
        selectors = {"labelSelector": f"{labels.TOPOLOGY_OWNER}={lab}"} if lab else {}
        item: type[dict[str, Any]] = dict
        listing = list_objects(connection, resource, item, namespace=namespace, selectors=selectors)
        for obj in listing.items:
            obj.setdefault("apiVersion", resource.api_version)
            obj.setdefault("kind", resource.kind)
            found[_key(resource, obj)] = obj
    for resource, obj in wanted:
        if not resource.namespaced and (
            live := _maybe_read(connection, resource, obj["metadata"]["name"])
        ):
            found[_key(resource, obj)] = live
    return found


def _collection(resource: Resource, obj: KubeObject) -> tuple[Resource, str, str]:
    lab = lab_of(obj) if resource is kinds.CONFIG_MAPS else None
    return resource, obj["metadata"].get("namespace") or "", lab or ""


def _maybe_read(connection: Connection, resource: Resource, name: str) -> KubeObject | None:
    try:
        return read_object(connection, resource, None, name)
    except NotFound:
        return None


def foreign(planned: Planned) -> str | None:
    """Say why the live object of this name is not ours to write; None if it is."""
    if planned.live is None:
        return None
    metadata = planned.live["metadata"]
    for reference in metadata.get("ownerReferences") or ():
        if reference.get("controller") or reference.get("kind") == "Topology":
            return f"it belongs to the {reference.get('kind')} {reference.get('name')!r}"
    owner, own = lab_of(planned.live), lab_of(planned.wanted)
    if owner is not None and owner != own:
        return f"it belongs to the lab {owner!r}"
    return None


def write_plan(
    connection: Connection, plan: Plan, options: Options, done: Callable[[Applied], None]
) -> None:
    """Write what differs, kind by kind; ``done`` is told of every object, also of unchanged ones.

    The first error stops what has not begun; what was written stays and is found unchanged by the next run.
    """
    for resource in kinds.APPLIED:
        objects = [one for one in plan.objects if one.resource == resource]
        for one in objects:
            if one.unchanged and one.live is not None:
                metadata = one.wanted["metadata"]
                done(
                    Applied(
                        resource, metadata.get("namespace"), metadata["name"], "unchanged", one.live
                    )
                )
        changed = [one for one in objects if not one.unchanged]
        in_parallel(
            (partial(apply_object, connection, resource, one.wanted, options) for one in changed),
            done,
        )
