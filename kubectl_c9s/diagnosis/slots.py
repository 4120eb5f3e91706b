"""The slots of the hosts: who is queued for which, and full ones (causes.md row 41)."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from kubectl_c9s.diagnosis.boot import booting_since, primary
from kubectl_c9s.diagnosis.bound import since_sandbox
from kubectl_c9s.diagnosis.finding import Evidence, Finding, pod_ref
from kubectl_c9s.rollout.hosts import is_booting, is_queued

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from kubectl_c9s.diagnosis.finding import State
    from kubectl_c9s.diagnosis.world import World
    from kubectl_c9s.rollout.views import PodView


class Slots:
    """Who is queued where, and which limits are full there."""

    def __init__(self, world: World) -> None:
        self._world = world
        bound = [view for view in world.snapshot.pods if view.host]
        self.queued = [view for view in bound if is_queued(view) and not view.deleting]
        self.booting: defaultdict[str, list[PodView]] = defaultdict(list)
        self._labs: defaultdict[tuple[str, str], list[PodView]] = defaultdict(list)
        for view in bound:
            if is_booting(view):
                self.booting[view.host].append(view)
                self._labs[world.lab_of(view), view.host].append(view)
        self._caps = {one.uid: one.per_host for one in world.snapshot.topologies}

    def _own(self, view: PodView) -> tuple[list[PodView], int]:
        """Give the Pods of its Topology that boot on its host, and the limit for them, 0 for none."""
        lab = self._world.lab_of(view)
        return (self._labs[lab, view.host], self._caps.get(lab, 0)) if lab else ([], 0)

    def holders(self, queued: PodView) -> list[PodView]:
        """Give the Pods whose slots a queued one waits for: all of a full host, or those of its lab there."""
        booting, cap = self.booting[queued.host], self._world.snapshot.per_host
        if cap and len(booting) >= cap:
            return booting
        own, limit = self._own(queued)
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
        own, limit = self._own(view)
        return bool((cap and len(booting) > cap) or (limit and len(own) > limit))


def full_slots(world: World, slots: Slots, blamed: Collection[str]) -> Iterator[Finding]:
    """Row 41: Pods that boot in full slots; ``blamed`` are the UIDs of those with a cause of their own."""
    for uid in slots.waiting_for():
        pod = world.pods[uid]
        ref, view = pod_ref(pod.metadata), world.pod_view[uid]
        if uid in blamed or view.node_uid in blamed:
            continue
        since = booting_since(pod) or since_sandbox(pod)
        state: State = "slow" if world.age(since) >= world.settings.slow_after else "waits"
        status = primary(pod)
        said = "has not started yet" if status else "has no status yet"
        evidence = Evidence(ref, "status", f"the primary of {view.full_name} on {view.host} {said}")
        yield Finding(
            "slot-limit", view.node_uid or uid, (ref,), state, since, remedies=("wait",), evidence=(evidence,)
        )  # fmt: skip
