"""Applying a lab: what is there, what would change, writing in the order the manager needs (cli.md, apply).

Profiles come before Links, Links before Nodes, so that no Node is planned with a missing profile or half its wires;
within a kind the writes run side by side.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from kubectl_c9s.cluster import kinds
from kubectl_c9s.cluster.labs import controller, key_of, lab_of, labs_of, read_live
from kubectl_c9s.cluster.writing import WORKERS, Applied, Options, apply_object, in_parallel
from kubectl_c9s.resources.ownership import is_applied, owned_fields

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from kubectl_c9s.cluster.connection import Connection
    from kubectl_c9s.cluster.kinds import Resource
    from kubectl_c9s.resources.objects import KubeObject


_ORDER: Final = {resource: place for place, resource in enumerate(kinds.APPLIED)}


class Planned(NamedTuple):
    """One object to apply: its resource, what is wanted, what is there (None: nothing), whether they agree."""

    resource: Resource
    wanted: KubeObject
    live: KubeObject | None
    unchanged: bool

    @property
    def key(self) -> tuple[str, str, str]:
        """Kind, namespace and name."""
        return key_of(self.resource, self.wanted)


class Plan(NamedTuple):
    """All objects of a run in the order of kinds, and what earlier runs left of the same labs."""

    objects: list[Planned]
    leftovers: list[tuple[Resource, KubeObject]]


def make_plan(
    connection: Connection,
    wanted: Iterable[tuple[Resource, KubeObject]],
    manager: str,
    *,
    prune: bool = False,
) -> Plan:
    """Read what is there and compare; nothing is written. Leftovers are looked for only to ``prune``."""
    wanted = list(wanted)
    live = read_live(connection, wanted, prune=prune)
    objects = []
    for resource, obj in wanted:
        found = live.pop(key_of(resource, obj), None)
        same = found is not None and is_applied(obj, found, manager)
        objects.append(Planned(resource, obj, found, same))
    objects.sort(key=lambda one: _ORDER[one.resource])
    leftovers = _leftovers(wanted, live, manager) if prune else []
    return Plan(objects, leftovers)


def _leftovers(
    wanted: list[tuple[Resource, KubeObject]],
    live: dict[tuple[str, str, str], KubeObject],
    manager: str,
) -> list[tuple[Resource, KubeObject]]:
    """Give what this manager applied for the labs before and nobody controls, Nodes first."""
    labs = labs_of(wanted)
    by_kind = {resource.kind: resource for resource in kinds.APPLIED}
    found = [
        (by_kind[key[0]], obj)
        for key, obj in live.items()
        if by_kind[key[0]].namespaced
        and (obj["metadata"].get("namespace") or "", lab_of(obj)) in labs
        and owned_fields(obj, manager) is not None
        and controller(obj) is None
        and not obj["metadata"].get("deletionTimestamp")
    ]
    return sorted(found, key=lambda pair: (-_ORDER[pair[0]], pair[1]["metadata"]["name"]))


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


def preview_plan(
    connection: Connection, plan: Plan, options: Options
) -> Iterator[tuple[Planned, KubeObject]]:
    """Ask the server what each object that differs would become, in the order of the plan."""
    changed = [one for one in plan.objects if not one.unchanged]
    dry = options._replace(dry_run=True, whole=True)
    pool = ThreadPoolExecutor(WORKERS, thread_name_prefix="c9s-preview")
    try:
        asked = [
            pool.submit(apply_object, connection, one.resource, one.wanted, dry) for one in changed
        ]
        for one, future in zip(changed, asked, strict=True):
            yield one, future.result().live
    finally:
        # Nothing is written: nobody waits for what has been asked when the rest is not wanted any more.
        pool.shutdown(wait=False, cancel_futures=True)
