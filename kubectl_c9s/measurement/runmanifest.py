"""Under which conditions a run took place: what is worked out of objects that were read (measurement.md §2)."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, Final

import msgspec

from kubectl_c9s.measurement.run import Limits
from kubectl_c9s.resources import labels
from kubectl_c9s.resources.live import Meta, Rollout

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from kubectl_c9s.measurement.run import Manifest

_TOPOLOGY: Final = "Topology"
_ROLLOUT: Final = "rollout"


class Asked(msgspec.Struct):
    """An object of a lab with its whole spec."""

    metadata: Meta
    spec: dict[str, Any] = {}


def definition_digest(objects: Iterable[tuple[str, Asked]]) -> str:
    """Give ``sha256:…`` of what was asked for, from (kind, object); empty for nothing.

    Counted are the specs of Topologies, and kind, name and spec of Nodes, Links and NodeProfiles that no Topology
    makes. A Topology's name is not, nor is its ``rollout``: limits have their own place in a manifest, and the same
    lab under other limits is to be seen as the same. The order of objects and keys and other metadata do not matter.
    """
    asked = list(objects)
    topologies = {
        (one.metadata.namespace, one.metadata.name) for kind, one in asked if kind == _TOPOLOGY
    }
    lines = sorted(
        _digest({"kind": kind, "name": _name(kind, one), "spec": _spec(kind, one)})
        for kind, one in asked
        if not _is_made(one.metadata, topologies)
    )
    return f"sha256:{_digest(lines)}" if lines else ""


def limits_of(policy: Rollout | None) -> Limits:
    """Give the limits of a policy; absent ones are off."""
    policy = policy or Rollout()
    return Limits(max(policy.batch_size or 0, 0), max(policy.max_concurrent_per_host or 0, 0))


def changed_between(before: Manifest, after: Manifest) -> Iterator[str]:
    """Say which conditions were not the same at the end of a run as at its beginning; unknown ones are passed over."""
    if before.limits and after.limits and before.limits != after.limits:
        yield f"the limits of the Config changed during the run: {_words(before.limits)}, then {_words(after.limits)}"
    for name in sorted(before.topology_limits.keys() & after.topology_limits.keys()):
        old, new = before.topology_limits[name], after.topology_limits[name]
        if old != new:
            yield f"the limits of Topology {name} changed during the run: {_words(old)}, then {_words(new)}"
    pools = (before.planner_replicas, after.planner_replicas)
    if None not in pools and pools[0] != pools[1]:
        yield f"the planner pool changed during the run: {pools[0]} replicas, then {pools[1]}"
    managers = (before.manager_images, after.manager_images)
    if all(managers) and managers[0] != managers[1]:
        yield "the image of the manager changed during the run"


def _words(limits: Limits) -> str:
    return f"batchSize={limits.batch_size} maxConcurrentPerHost={limits.max_concurrent_per_host}"


def _digest(value: object) -> str:
    return hashlib.sha256(msgspec.json.encode(value, order="sorted")).hexdigest()


def _is_made(metadata: Meta, topologies: Collection[tuple[str, str | None]]) -> bool:
    """Tell whether a Topology makes an object: the labels alone are also those of a lab that never had one."""
    owned = labels.is_adopted({"metadata": {"labels": metadata.labels or {}}})
    return owned and (metadata.namespace, metadata.label(labels.TOPOLOGY_OWNER)) in topologies


def _name(kind: str, one: Asked) -> str:
    return "" if kind == _TOPOLOGY else one.metadata.name


def _spec(kind: str, one: Asked) -> dict[str, Any]:
    if kind != _TOPOLOGY:
        return one.spec
    return {key: value for key, value in one.spec.items() if key != _ROLLOUT}
