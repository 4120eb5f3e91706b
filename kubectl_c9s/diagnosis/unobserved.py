"""Limits that the leader does not act upon (causes.md row 36)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from kubectl_c9s.diagnosis.boot import primary
from kubectl_c9s.diagnosis.bound import statuses
from kubectl_c9s.diagnosis.finding import Evidence, Finding, config_ref
from kubectl_c9s.diagnosis.probes import allowance
from kubectl_c9s.diagnosis.timing import latest, transition
from kubectl_c9s.resources.moments import seconds_of, text_of
from kubectl_c9s.rollout.owners import rollout_owners
from kubectl_c9s.rollout.views import SANDBOX

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from kubectl_c9s.diagnosis.leader import Leader
    from kubectl_c9s.diagnosis.world import World
    from kubectl_c9s.resources.observed import ObservedContainerStatus
    from kubectl_c9s.rollout.groups import Group


class Wait(NamedTuple):
    """What the limits of the object would let through: the scope, UID of the workload, since when."""

    scope: str
    uid: str
    since: float


class Unobserved(NamedTuple):
    """The finding, the scopes that wait, and the UIDs of the workloads that wait for their batch."""

    finding: Finding
    scopes: frozenset[str]
    waiting: frozenset[str]


def unobserved_config(world: World, leader: Leader, found: Iterable[Finding]) -> Unobserved | None:
    """Row 36: the limits were edited since the leader began, and it acts as if they were not.

    It gets two minutes from the moment it could have acted. Nobody is waited for whose start has another reason.
    """
    edited, begun = _edited(world), _begun(leader)
    config = world.config
    if config is None or edited is None or begun is None or edited <= begun:
        return None
    explained = {one.unit for one in found if one.code != "no-pod-unknown"}
    waits = [one._replace(since=max(one.since, edited)) for one in _waits(world, explained)]
    late = [one for one in waits if world.age(one.since) >= world.settings.config_after]
    if not late:
        return None
    ref = config_ref(config.metadata)
    text = f"spec.rollout was edited at {text_of(edited)}, the leader runs since {text_of(begun)}"
    text += f", and {len(late)} workload(s) that the limits allow are not let through"
    finding = Finding(
        "config-not-observed", "config", (ref,), "stuck", min(one.since for one in late),
        remedies=("restore-manager",), evidence=(Evidence(ref, "status", text, text_of(edited)),),
    )  # fmt: skip
    waiting = frozenset(one.uid for one in waits if one.scope == "global")
    return Unobserved(finding, frozenset(one.scope for one in late), waiting)


def _edited(world: World) -> float | None:
    fields = world.config.metadata.managed_fields if world.config else None
    return latest(*(seconds_of(owner.time) for owner in rollout_owners(fields)))


def _begun(leader: Leader) -> float | None:
    """Say since when the leader runs: its last container to start."""
    if leader.leads is not True or leader.pod is None:
        return None
    starts = (_started_at(status) for status in statuses(leader.pod))
    return latest(*starts) or seconds_of(leader.pod.metadata.creation_timestamp)


def _started_at(status: ObservedContainerStatus) -> float | None:
    return seconds_of(str((status.in_state("running") or {}).get("startedAt") or ""))


def _waits(world: World, explained: Collection[str]) -> Iterator[Wait]:
    """Give what waits though the limits allow it; who blocks in namespaces that were not looked at is not known."""
    whole = world.dump.namespace is None
    gate = world.global_gate
    if not gate.limit:
        opened = _opened(world)
        for group in world.grouping.groups:
            if _is_unplanned(world, group) and group.primary.uid not in explained:
                created = seconds_of(group.primary.created)
                since = latest(created, opened.get(group.primary.topology)) or 0.0
                yield Wait("global", group.primary.uid, since)
    elif gate.next_batch and whole:
        last = latest(*(_sandbox(world, uid) for uid in world.newest), 0.0) or 0.0
        for group in gate.next_batch:
            since = max(seconds_of(group.primary.created) or 0.0, last)
            yield Wait("global", group.primary.uid, since)
    for view in world.host_gate.grants if whole else ():
        since = latest(seconds_of(view.created), _freed(world, view.host)) or 0.0
        yield Wait("host", view.node_uid, since)


def _is_unplanned(world: World, group: Group) -> bool:
    primary_node = group.primary
    if primary_node.hold or primary_node.ignored or primary_node.mark == primary_node.uid:
        return False
    seen = primary_node.uid in world.newest or world.nodes[primary_node.uid].status.conditions
    return not seen and world.has("pods")


def _opened(world: World) -> dict[str, float]:
    """Say when each Topology with batches last had a new sandbox, by UID: until then it may have held the others."""
    limited = {one.uid for one in world.snapshot.topologies if one.batch}
    found: dict[str, float] = {}
    for uid in world.newest:
        view = world.node_view.get(uid)
        if view is not None and view.topology in limited:
            found[view.topology] = latest(found.get(view.topology), _sandbox(world, uid)) or 0.0
    return found


def _sandbox(world: World, uid: str) -> float | None:
    view = world.newest[uid]
    return transition(world.pods[view.uid], SANDBOX) if view.sandbox else None


def _freed(world: World, host: str) -> float | None:
    """Say when a slot of a host was free at the latest: a primary starts within the time its probe allows."""
    moments = []
    for view in world.host_gate.hosts[host].started:
        pod = world.pods[view.uid]
        status = primary(pod)
        ready = pod.status.condition("Ready")
        if ready is not None and ready.status == "True":
            moments.append(seconds_of(ready.last_transition_time))
        elif status is not None:
            moments.append((_started_at(status) or 0.0) + (allowance(pod) or 0.0))
    known = latest(*moments)
    return None if known is None else min(known, world.now)
