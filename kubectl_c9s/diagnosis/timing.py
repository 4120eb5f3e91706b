"""Since when something stands, and whether that is slow or stuck (causes.md §2)."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

import msgspec

from kubectl_c9s.resources.moments import seconds_of
from kubectl_c9s.rollout.views import SANDBOX

if TYPE_CHECKING:
    from kubectl_c9s.diagnosis.finding import State
    from kubectl_c9s.diagnosis.world import World
    from kubectl_c9s.resources.observed import ObservedMeta, ObservedNode, ObservedPod
    from kubectl_c9s.rollout.groups import Group


def by_age(world: World, since: float | None, *, progress: bool = False) -> State:
    """Judge by age: quiet, then slow, then stuck unless the batch goes on."""
    age = world.age(since)
    if age < world.settings.slow_after:
        return "quiet"
    if age < world.settings.stalled_after or progress:
        return "slow"
    return "stuck"


def latest(*times: float | None) -> float | None:
    """Give the latest of the times that are known."""
    known = [time for time in times if time is not None]
    return max(known) if known else None


def written_at(meta: ObservedMeta, annotation: str) -> float | None:
    """Say when an annotation was written, by ``managedFields``; None when they do not tell."""
    raw = bytes(meta.managed_fields)
    if annotation.encode() not in raw:
        return None
    entries: list[dict[str, Any]] = msgspec.json.decode(raw)
    found = None
    for entry in entries:
        fields = ((entry.get("fieldsV1") or {}).get("f:metadata") or {}).get("f:annotations") or {}
        if f"f:{annotation}" in fields:
            found = latest(found, seconds_of(entry.get("time")))
    return found


def transition(pod: ObservedPod, kind: str) -> float | None:
    """Say when a condition of a Pod last changed."""
    condition = pod.status.condition(kind)
    return seconds_of(condition.last_transition_time) if condition else None


def _planned_at(node: ObservedNode) -> float | None:
    """Say when a Node got its plan: its Deployment is made at once."""
    conditions = node.status.conditions or ()
    plan = next((one for one in conditions if one.type == "PlanApplied"), None)
    return seconds_of(plan.last_transition_time) if plan and plan.status == "True" else None


class Progress:
    """When the workloads of each batch last went on: a Deployment or Pod was made, or a sandbox became ready.

    With a global limit all admitted workloads are one batch, else those of a Topology, or of a namespace without one.
    """

    def __init__(self, world: World) -> None:
        self._world = world
        # The two latest times of each batch with the UID of the workload: one's own do not count.
        self._latest: defaultdict[str, list[tuple[float, str]]] = defaultdict(list)
        for group in world.grouping.groups:
            for moment in self._moments(group):
                if world.now - moment < world.settings.progress_within:
                    self._latest[self._batch(group)].append((moment, group.primary.uid))

    def goes_on(self, group: Group) -> bool:
        """Tell whether another workload of the same batch went on within the last minute."""
        own = group.primary.uid
        return any(uid != own for _, uid in self._latest[self._batch(group)])

    def _batch(self, group: Group) -> str:
        if self._world.snapshot.batch:
            return ""
        return group.primary.topology or group.primary.namespace

    def _moments(self, group: Group) -> list[float]:
        primary = group.primary
        times: list[float | None] = []
        deployment = self._world.deployments.get((primary.namespace, primary.name))
        if deployment is not None:
            times.append(seconds_of(deployment.metadata.creation_timestamp))
        elif not self._world.has("deployments.apps"):
            times.append(_planned_at(self._world.nodes[primary.uid]))
        view = self._world.newest.get(primary.uid)
        if view is not None:
            times.append(seconds_of(view.created))
            if view.sandbox:
                times.append(transition(self._world.pods[view.uid], SANDBOX))
        return [time for time in times if time is not None]
