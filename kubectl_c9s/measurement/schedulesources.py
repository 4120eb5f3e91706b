"""From recorded Pods to a schedule: lists of Pods as they are saved, or a recorded start (measurement.md §4)."""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from kubectl_c9s.measurement import run as runs
from kubectl_c9s.measurement.savedpods import (
    Saved,
    SavedPod,
    full_name,
    nothing_saved,
    take,
)
from kubectl_c9s.measurement.schedule import (
    Entry,
    Origin,
    Schedule,
    Unusable,
    in_order,
    problems_of,
)
from kubectl_c9s.resources.devicepods import WORKLOAD
from kubectl_c9s.resources.errors import RefusedInput
from kubectl_c9s.resources.moments import seconds_of
from kubectl_c9s.resources.names import safe_concat, sanitize_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

_DIGITS: Final = 8
_LONGEST_STEM: Final = 50


def topology_origin(data: bytes, name: str) -> Origin:
    """Read the one Topology of a file; raises RefusedInput when there is none, another, or one without a stamp."""
    saved = nothing_saved()
    take(saved, data, name)
    if len(saved.topologies) != 1:
        many = f"{len(saved.topologies)} Topologies" if saved.topologies else "no Topology"
        raise RefusedInput(f"{name} has {many}", hint="kubectl get topologies.c9s.run NAME -o json")
    meta = saved.topologies[0].metadata
    at = seconds_of(meta.creation_timestamp)
    if at is None:
        raise RefusedInput(
            f"{name}: the Topology {meta.name!r} does not say when it was created",
            hint="save it from the cluster; a manifest has no creationTimestamp",
        )
    return Origin("Topology", full_name(meta), at)


def from_pods(
    saved: Saved, origin: Origin | None, image: str, source: str
) -> tuple[Schedule, list[str]]:
    """Make a schedule of the devices among saved Pods; give it with notes.

    Without an origin, second 0 is the creation of the first of their c9s Nodes, or else of the first of the Pods.
    ``image`` replaces that of all, if there is one. Raises Unusable with all that is wrong.
    """
    devices = [one for one in saved.pods if one.workload]
    going = [one for one in devices if one.metadata.deletion_timestamp]
    staying = [one for one in devices if not one.metadata.deletion_timestamp]
    notes = []
    if others := len(saved.pods) - len(devices):
        notes.append(f"{others} Pod(s) without the label {WORKLOAD} are passed over")
    if going:
        notes.append(f"{len(going)} Pod(s) that are being deleted are passed over")
    problems = list(_pod_problems(staying))
    if not staying:
        raise Unusable("no schedule can be made", [f"there is no Pod with the label {WORKLOAD}"])
    if problems:
        raise Unusable("no schedule can be made of these Pods", problems)
    origin = origin or _first(saved, staying)
    rows = [
        _Row(
            one.metadata.namespace,
            one.workload,
            one.spec.node_name or "",
            _created(one),
            image or one.image,
        )
        for one in staying
    ]
    return _schedule(rows, origin, source), notes


def _pod_problems(pods: Iterable[SavedPod]) -> Iterator[str]:
    seen: Counter[tuple[str, str]] = Counter()
    for one in pods:
        name = full_name(one.metadata)
        if not one.spec.node_name:
            yield f"Pod {name} has no host: it was not scheduled when it was saved"
        if seconds_of(one.metadata.creation_timestamp) is None:
            yield f"Pod {name} does not say when it was created"
        seen[one.metadata.namespace, one.workload] += 1
    for (namespace, workload), count in seen.items():
        if count > 1:
            yield f"{count} Pods are of the one device {namespace}/{workload}"


def _first(saved: Saved, pods: Sequence[SavedPod]) -> Origin:
    """Give the first Node of the devices, or else the first Pod."""
    devices = {(one.metadata.namespace, one.workload) for one in pods}
    nodes = [
        ("Node", one.metadata, at)
        for one in saved.nodes
        if (one.metadata.namespace, one.metadata.name) in devices
        and (at := seconds_of(one.metadata.creation_timestamp)) is not None
    ]
    found = nodes or [("Pod", one.metadata, _created(one)) for one in pods]
    kind, meta, at = min(found, key=lambda one: (one[2], full_name(one[1])))
    return Origin(kind, full_name(meta), at)


def from_run(run: runs.Run, image: str, source: str) -> Schedule:
    """Make a schedule of a recorded start; raises Unusable with all that is wrong."""
    problems = [f"{one.full_name} has no host" for one in run.devices if not one.host]
    problems += [
        f"{one.full_name}: nothing says when its Pod was created"
        for one in run.devices
        if runs.POD not in one.stamps
    ]
    if not run.devices:
        problems.append("the recorded start has no device")
    if problems:
        raise Unusable("no schedule can be made of this recorded start", problems)
    rows = [
        _Row(one.namespace, one.name, one.host, one.stamps[runs.POD], image or one.image)
        for one in run.devices
    ]
    if run.anchor is not None:
        origin = Origin(run.anchor.kind, run.anchor.name, run.anchor.at)
    else:
        first = min(rows, key=lambda one: (one.created, one.namespace, one.name))
        origin = Origin("Pod", f"{first.namespace}/{first.name}", first.created)
    return _schedule(rows, origin, source)


class _Row(NamedTuple):
    namespace: str
    name: str
    host: str
    created: float
    image: str


def _schedule(rows: Sequence[_Row], origin: Origin, source: str) -> Schedule:
    early = [
        f"{one.namespace}/{one.name} is older than {origin.kind} {origin.name} by {origin.at - one.created:.0f} s"
        for one in rows
        if one.created < origin.at
    ]
    names = pod_names([(one.namespace, one.name) for one in rows])
    entries = in_order(
        Entry(
            names[one.namespace, one.name],
            one.host,
            one.created - origin.at,
            one.image,
            one.namespace,
        )
        for one in rows
    )
    problems = early or list(problems_of(entries))
    if problems:
        raise Unusable("no schedule can be made", problems)
    return Schedule(source=source, origin=origin, entries=entries)


def pod_names(devices: Sequence[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """Give devices, as (namespace, name), names that Pods of one namespace can have: valid and distinct.

    A device keeps its name where it can; those of one name in several namespaces take the namespace's behind it.
    """
    names = {one: sanitize_name(one[1]) for one in devices}
    renamed: set[tuple[str, str]] = set()
    step = 0
    while clashing := _clashing(names):
        # One that kept its name keeps it; who got that very name must look for another.
        renamed = (clashing & renamed) or clashing
        names |= {one: _other_name(one, step) for one in renamed}
        step += 1
    return names


def _clashing(names: Mapping[tuple[str, str], str]) -> set[tuple[str, str]]:
    counts = Counter(names.values())
    return {one for one, name in names.items() if counts[name] > 1 or not name}


def _other_name(device: tuple[str, str], step: int) -> str:
    namespace, name = device
    stem = sanitize_name(name)
    if stem and not step:
        return sanitize_name(safe_concat(stem, namespace))
    text = f"{namespace}/{name}/{step}"
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]
    return f"{(stem or 'pod')[:_LONGEST_STEM].rstrip('-')}-{digest}"


def _created(pod: SavedPod) -> float:
    return seconds_of(pod.metadata.creation_timestamp) or 0.0
