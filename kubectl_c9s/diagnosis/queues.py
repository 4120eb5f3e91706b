"""What keeps queued Pods from a slot though slots are free (causes.md rows 4, 34, 35)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kubectl_c9s.diagnosis.boot import booting_since
from kubectl_c9s.diagnosis.bound import since_sandbox
from kubectl_c9s.diagnosis.finding import Evidence, Finding, pod_ref
from kubectl_c9s.diagnosis.quotes import of_host
from kubectl_c9s.diagnosis.timing import by_age
from kubectl_c9s.resources.moments import seconds_of
from kubectl_c9s.rollout.views import NODE_UID

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubectl_c9s.diagnosis.finding import State
    from kubectl_c9s.diagnosis.leader import Leader
    from kubectl_c9s.diagnosis.slots import Slots
    from kubectl_c9s.diagnosis.timing import Progress
    from kubectl_c9s.diagnosis.world import World
    from kubectl_c9s.rollout.views import PodView


def orphan_boots(world: World, slots: Slots) -> Iterator[Finding]:
    """Row 4: nobody is granted a slot while one of these boots."""
    for view in world.host_gate.orphans:
        pod = world.pods[view.uid]
        meta = pod.metadata
        running = booting_since(pod) or since_sandbox(pod)
        since = seconds_of(meta.deletion_timestamp) or running
        ends = "terminating" if meta.deletion_timestamp else "booting"
        text = f"{view.full_name} is {ends} on {view.host}; {NODE_UID} {view.node_uid or 'is absent and'} is no Node"
        found = [Evidence(pod_ref(meta), "annotation", text, meta.deletion_timestamp or "")]
        if meta.finalizers:
            found.append(
                Evidence(pod_ref(meta), "spec", f"finalizers: {', '.join(meta.finalizers)}")
            )
        found += of_host(world.hosts.get(view.host))
        state: State = by_age(world, since) if slots.queued else "note"
        yield Finding(
            "orphan-boot", view.uid, (pod_ref(meta),), state, since,
            remedies=("finish-deletion",), evidence=tuple(found),
        )  # fmt: skip


def queued_without_topology(world: World, slots: Slots, progress: Progress) -> Iterator[Finding]:
    """Row 34: the manager skips a queued Pod whose Topology it does not know."""
    if not world.has("topologies.c9s.run"):
        return
    for view in slots.queued:
        lab = world.lab_of(view)
        if not lab or lab in world.topologies:
            continue
        meta, node = world.pods[view.uid].metadata, world.node_view[view.node_uid]
        group = world.group_of.get((node.namespace, node.name))
        since = seconds_of(meta.creation_timestamp)
        state = by_age(world, since, progress=group is not None and progress.goes_on(group))
        text = f"its Node {node.full_name} belongs to the Topology UID {lab}, which is not there"
        yield Finding(
            "owner-topology-missing", view.node_uid, (pod_ref(meta),), state, since,
            remedies=("restore-object",), evidence=(Evidence(pod_ref(meta), "annotation", text),),
        )  # fmt: skip


def gates_without_manager(world: World, slots: Slots, leader: Leader) -> Iterator[Finding]:
    """Row 35: no limit is set any more, and only a manager opens the gates that are there.

    That no limit is set is known of a Config and of Topologies that were collected; a standalone Node has none.
    """
    if leader.leads is not False or world.snapshot.per_host or not world.knows_limits:
        return
    if any(one.per_host for one in world.snapshot.topologies):
        return
    for view in slots.queued:
        if world.lab_of(view) and not world.has("topologies.c9s.run"):
            continue
        yield _gated(world, view)


def _gated(world: World, view: PodView) -> Finding:
    meta = world.pods[view.uid].metadata
    text = f"{view.full_name} waits at the gate on {view.host}, no limit is set"
    return Finding(
        "gate-without-manager", f"extra/{view.uid}", (pod_ref(meta),), "stuck",
        seconds_of(meta.creation_timestamp), remedies=("restore-manager",),
        evidence=(Evidence(pod_ref(meta), "status", text),),
    )  # fmt: skip
