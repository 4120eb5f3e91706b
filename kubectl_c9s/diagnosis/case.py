"""One workload under examination."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from kubectl_c9s.diagnosis.finding import Evidence, Finding, Ref, node_ref
from kubectl_c9s.diagnosis.timing import by_age, latest, written_at
from kubectl_c9s.resources.causes import CAUSES
from kubectl_c9s.resources.labels import STARTUP_ADMITTED
from kubectl_c9s.resources.moments import seconds_of

if TYPE_CHECKING:
    from kubectl_c9s.diagnosis.finding import State
    from kubectl_c9s.diagnosis.grants import Starts
    from kubectl_c9s.diagnosis.pool import Pool
    from kubectl_c9s.diagnosis.timing import Progress
    from kubectl_c9s.diagnosis.world import World
    from kubectl_c9s.resources.observed import ObservedCondition, ObservedNode, ObservedPod
    from kubectl_c9s.resources.surroundings import Event, Host, Workload
    from kubectl_c9s.rollout.groups import Group


class Context(NamedTuple):
    """What is known of all workloads together.

    ``unplanned`` counts those past the gates that wait for the planner; ``replica_sets_come`` tells whether one was
    made lately.
    """

    progress: Progress
    starts: Starts
    pool: Pool
    unplanned: int
    replica_sets_come: bool


class Case:
    """A group with its primary's Node and newest Pod, and how findings about it are made."""

    def __init__(self, world: World, group: Group, context: Context) -> None:
        self.world = world
        self.group = group
        self.context = context
        self.node: ObservedNode = world.nodes[group.primary.uid]
        view = world.newest.get(group.primary.uid)
        self.view = view
        self.pod: ObservedPod | None = world.pods[view.uid] if view else None

    @cached_property
    def ref(self) -> Ref:
        """Name the Node of the primary."""
        return node_ref(self.node.metadata)

    @property
    def host(self) -> Host | None:
        """The host of the newest Pod."""
        return self.world.hosts.get(self.view.host) if self.view else None

    @cached_property
    def deployment(self) -> Workload | None:
        """The Deployment of the primary: it has the Node's name."""
        primary = self.group.primary
        return self.world.deployments.get((primary.namespace, primary.name))

    @cached_property
    def replica_set(self) -> Workload | None:
        """The newest ReplicaSet of the Deployment; by its label where Deployments were not collected."""
        if self.deployment is not None:
            found = self.world.replica_sets.get(self.deployment.metadata.uid, [])
        elif self.world.has("deployments.apps"):
            return None
        else:
            primary = self.group.primary
            found = self.world.labelled_sets.get((primary.namespace, primary.name), [])
        return max(found, key=lambda one: one.metadata.creation_timestamp or "", default=None)

    def condition(self, kind: str) -> ObservedCondition | None:
        """Give a condition of the Node if it speaks of the present spec (diagnosis.md §3)."""
        return condition_of(self.node, kind)

    @cached_property
    def planned(self) -> bool:
        """Tell whether the present spec has a plan."""
        return is_planned(self.node)

    @cached_property
    def since_without_pod(self) -> float | None:
        """Say since when a Pod is waited for (causes.md §2).

        The times named there are those of a first start. A Deployment that was available for a while says itself
        when it ceased to be: a Pod that was deleted a second ago is not missing since the first start.
        """
        condition = self.condition("PlanApplied")
        return latest(
            written_at(self.node.metadata, STARTUP_ADMITTED),
            seconds_of(self.node.metadata.creation_timestamp),
            seconds_of(condition.last_transition_time) if condition else None,
            self._deployed,
        )

    @property
    def _deployed(self) -> float | None:
        if self.deployment is None:
            return None
        made = seconds_of(self.deployment.metadata.creation_timestamp)
        available = self.deployment.status.condition("Available")
        ceased = seconds_of(available.last_transition_time) if available else None
        if made is None or available is None or ceased is None or available.status != "False":
            return made
        return ceased if ceased > made + self.world.settings.slow_after else made

    def events_of(self, pod: ObservedPod, *reasons: str, since: float | None = None) -> list[Event]:
        """Give the Warnings about a Pod of this workload, since its creation or later, the latest first."""
        born = latest(seconds_of(pod.metadata.creation_timestamp), since)
        return self.world.events(pod.metadata.uid, born, *reasons)

    def judge(self, since: float | None) -> State:
        """Judge by age."""
        return by_age(self.world, since, progress=self.context.progress.goes_on(self.group))

    def finding(self, code: str, *evidence: Evidence, since: float | None, **more: Any) -> Finding:
        """Make a finding; state and remedies are those of the table unless given, objects the primary's Node."""
        cause = CAUSES[code]
        state = more.pop("state", None) or self._state(cause.kind, since)
        unit = more.pop("unit", self.group.primary.uid)
        values: dict[str, Any] = {"objects": (self.ref,), "remedies": cause.remedies[:1]} | more
        return Finding(code, unit, state=state, since=since, evidence=evidence, **values)

    def _state(self, kind: str, since: float | None) -> State:
        if kind == "end":
            return "stuck"
        return "note" if kind == "note" else self.judge(since)


def condition_of(node: ObservedNode, kind: str) -> ObservedCondition | None:
    """Give a condition of a Node if it speaks of the present spec."""
    generation = node.metadata.generation
    for one in node.status.conditions or ():
        if one.type == kind and (one.observed_generation or 0) == generation:
            return one
    return None


def is_planned(node: ObservedNode) -> bool:
    """Tell whether the present spec of a Node has a plan."""
    condition = condition_of(node, "PlanApplied")
    return condition is not None and condition.status == "True"
