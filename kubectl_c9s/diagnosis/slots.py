"""The slots of the hosts: orphans, queued Pods, full hosts (causes.md rows 4, 34, 35, 41, 46 to 48)."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from kubectl_c9s.diagnosis.boot import booting_since, primary
from kubectl_c9s.diagnosis.finding import Evidence, Finding, pod_ref
from kubectl_c9s.diagnosis.timing import by_age
from kubectl_c9s.resources import labels
from kubectl_c9s.resources.moments import seconds_of
from kubectl_c9s.rollout.hosts import is_booting, is_queued
from kubectl_c9s.rollout.views import HOST_GRANT, NODE_UID, PRIMARY_CONTAINER

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from kubectl_c9s.diagnosis.finding import State
    from kubectl_c9s.diagnosis.leader import Leader
    from kubectl_c9s.diagnosis.world import World
    from kubectl_c9s.resources.observed import ObservedPod
    from kubectl_c9s.rollout.views import PodView


class Slots:
    """Who is queued where, and which limits are full there."""

    def __init__(self, world: World) -> None:
        self._world = world
        bound = [view for view in world.snapshot.pods if view.host]
        self.queued = [view for view in bound if is_queued(view) and not view.deleting]
        self.booting: defaultdict[str, list[PodView]] = defaultdict(list)
        for view in bound:
            if is_booting(view):
                self.booting[view.host].append(view)
        self._caps = {one.uid: one.per_host for one in world.snapshot.topologies}

    def holders(self, queued: PodView) -> list[PodView]:
        """Give the Pods whose slots a queued one waits for: all of a full host, or those of its lab there."""
        booting, cap = self.booting[queued.host], self._world.snapshot.per_host
        if cap and len(booting) >= cap:
            return booting
        lab = self._world.lab_of(queued)
        own, limit = (
            [view for view in booting if lab and self._world.lab_of(view) == lab],
            self._caps.get(lab, 0),
        )
        return own if limit and len(own) >= limit else []

    def waiting_for(self) -> dict[str, list[PodView]]:
        """Give the queued Pods by UID of each Pod whose slot they wait for."""
        found: defaultdict[str, list[PodView]] = defaultdict(list)
        for queued in self.queued:
            for holder in self.holders(queued):
                found[holder.uid].append(queued)
        return found

    def over_limit(self, view: PodView) -> bool:
        """Tell whether more Pods boot on its host than a limit allows."""
        booting, cap = self.booting[view.host], self._world.snapshot.per_host
        lab = self._world.lab_of(view)
        own, limit = (
            [one for one in booting if lab and self._world.lab_of(one) == lab],
            self._caps.get(lab, 0),
        )
        return bool((cap and len(booting) > cap) or (limit and len(own) > limit))


def orphan_boots(world: World, slots: Slots) -> Iterator[Finding]:
    """Row 4: nobody is granted a slot while one of these boots."""
    if not world.has("nodes.c9s.run"):
        return
    for view in world.host_gate.orphans:
        pod = world.pods[view.uid]
        meta = pod.metadata
        since = (
            seconds_of(meta.deletion_timestamp)
            or booting_since(pod)
            or seconds_of(meta.creation_timestamp)
        )
        ends = "terminating" if meta.deletion_timestamp else "booting"
        text = f"{view.full_name} is {ends} on {view.host}; {NODE_UID} {view.node_uid or 'is absent and'} is no Node"
        evidence = Evidence(pod_ref(meta), "annotation", text, meta.deletion_timestamp or "")
        state: State = by_age(world, since) if slots.queued else "note"
        yield Finding(
            "orphan-boot", view.uid, (pod_ref(meta),), state, since,
            remedies=("finish-deletion",), evidence=(evidence,),
        )  # fmt: skip


def queued_without_topology(world: World, slots: Slots) -> Iterator[Finding]:
    """Row 34: the manager skips a queued Pod whose Topology it does not know."""
    if not world.has("topologies.c9s.run"):
        return
    for view in slots.queued:
        lab = world.lab_of(view)
        if lab and lab not in world.topologies:
            meta = world.pods[view.uid].metadata
            since = seconds_of(meta.creation_timestamp)
            evidence = Evidence(
                pod_ref(meta),
                "annotation",
                f"its Node belongs to the Topology UID {lab}, which is not there",
            )
            yield Finding(
                "owner-topology-missing", view.node_uid, (pod_ref(meta),), by_age(world, since), since,
                remedies=("restore-object",), evidence=(evidence,),
            )  # fmt: skip


def gates_without_manager(world: World, slots: Slots, leader: Leader) -> Iterator[Finding]:
    """Row 35: no limit is set any more, and only a manager opens the gates that are there."""
    if leader.leads is not False or world.snapshot.per_host:
        return
    if any(one.per_host for one in world.snapshot.topologies):
        return
    for view in slots.queued:
        pod = world.pods[view.uid]
        ref = pod_ref(pod.metadata)
        yield Finding(
            "gate-without-manager", f"extra/{view.uid}", (ref,), "stuck",
            seconds_of(pod.metadata.creation_timestamp), remedies=("restore-manager",),
            evidence=(Evidence(ref, "status", f"{view.full_name} waits at the gate on {view.host}, no limit is set"),),
        )  # fmt: skip


def full_slots(world: World, slots: Slots, blamed: Collection[str]) -> Iterator[Finding]:
    """Row 41: Pods that boot in full slots; ``blamed`` are the UIDs of those with a cause of their own."""
    for uid in slots.waiting_for():
        pod = world.pods[uid]
        ref, view = pod_ref(pod.metadata), world.pod_view[uid]
        if uid in blamed or view.node_uid in blamed:
            continue
        since = booting_since(pod) or seconds_of(pod.metadata.creation_timestamp)
        state: State = "slow" if world.age(since) >= world.settings.slow_after else "waits"
        status = primary(pod)
        said = "has not started yet" if status else "has no status yet"
        evidence = Evidence(ref, "status", f"the primary of {view.full_name} on {view.host} {said}")
        yield Finding(
            "slot-limit",
            view.node_uid or uid,
            (ref,),
            state,
            since,
            remedies=("wait",),
            evidence=(evidence,),
        )


def notes(world: World) -> Iterator[Finding]:
    """Rows 46 to 48."""
    known = world.pod_view
    caps = {one.uid for one in world.snapshot.topologies if one.per_host}
    for pod in world.device_pods():
        meta = pod.metadata
        ref, view = pod_ref(meta), known.get(meta.uid)
        grant = meta.annotation(HOST_GRANT)
        if grant and grant != meta.uid:
            yield _note(
                "grant-stale",
                pod,
                Evidence(ref, "annotation", f"{HOST_GRANT}: {grant} is not its UID"),
            )
        if meta.label(labels.APP) is None or not meta.annotation(NODE_UID):
            missing = labels.APP if meta.label(labels.APP) is None else NODE_UID
            yield _note("unlabelled-workload", pod, Evidence(ref, "spec", f"{missing} is missing"))
        if (
            view is not None
            and (world.snapshot.per_host or world.lab_of(view) in caps)
            and not _has_probe(pod)
        ):
            yield _note(
                "startup-probe-missing",
                pod,
                Evidence(ref, "spec", "the primary has no startupProbe"),
            )


def _has_probe(pod: ObservedPod) -> bool:
    name = pod.metadata.annotation(PRIMARY_CONTAINER)
    return any(
        one.startup_probe is not None for one in pod.spec.containers or () if one.name == name
    )


def _note(code: str, pod: ObservedPod, evidence: Evidence) -> Finding:
    remedies = ("fix-probe",) if code == "startup-probe-missing" else ()
    unit = f"note/{code}/{pod.metadata.uid}"
    return Finding(
        code, unit, (pod_ref(pod.metadata),), "note", remedies=remedies, evidence=(evidence,)
    )
