"""The stage of every workload, from held to ready (admission.md §7)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias

from kubectl_c9s.diagnosis.boot import booting_since
from kubectl_c9s.diagnosis.timing import latest, transition, written_at
from kubectl_c9s.resources.labels import STARTUP_ADMITTED
from kubectl_c9s.resources.moments import seconds_of
from kubectl_c9s.rollout.hosts import is_queued
from kubectl_c9s.rollout.views import SANDBOX

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubectl_c9s.diagnosis.world import World
    from kubectl_c9s.rollout.groups import Group
    from kubectl_c9s.rollout.views import PodView

Stage: TypeAlias = Literal[
    "held",
    "queued",
    "admitted",
    "unscheduled",
    "sandbox",
    "gated",
    "booting",
    "started",
    "ready",
    "ended",
    "ignored",
]
ORDER: Final[tuple[Stage, ...]] = (
    "ignored", "held", "queued", "admitted", "unscheduled", "sandbox", "gated", "booting", "ended", "started", "ready"
)  # fmt: skip
"""From nothing to ready: ``held`` by its Topology, ``queued`` for the global batch, ``admitted`` without a Pod,
``unscheduled``, ``sandbox`` waited for, ``gated`` until its host has a slot, ``booting``, ``started``, ``ready``."""


class Progressed(NamedTuple):
    """A workload and how far it is; ``since`` in seconds since 1970, None when nothing tells."""

    group: Group
    stage: Stage
    since: float | None
    pod: PodView | None


def stages(world: World) -> Iterator[Progressed]:
    """Give every workload whose primary is there."""
    pending = {group.primary.uid for group in world.global_gate.pending}
    for group in world.grouping.groups:
        view = world.newest.get(group.primary.uid)
        if view is not None:
            yield Progressed(group, *_of_pod(world, view), view)
        else:
            yield Progressed(group, *_without_pod(world, group, pending), None)


def _without_pod(world: World, group: Group, pending: set[str]) -> tuple[Stage, float | None]:
    meta = world.nodes[group.primary.uid].metadata
    created = seconds_of(meta.creation_timestamp)
    if group.primary.ignored:
        return "ignored", created
    if group.primary.uid in pending:
        return "queued", created
    if group.primary.hold and group.primary.mark != group.primary.uid:
        return "held", created
    return "admitted", latest(created, written_at(meta, STARTUP_ADMITTED))


def _of_pod(world: World, view: PodView) -> tuple[Stage, float | None]:  # noqa: PLR0911 - one line a stage
    pod = world.pods[view.uid]
    created = seconds_of(view.created)
    if view.phase in ("Succeeded", "Failed"):
        return "ended", created
    if not view.host:
        return "unscheduled", latest(created, transition(pod, "PodScheduled"))
    if not view.sandbox:
        return "sandbox", latest(created, transition(pod, SANDBOX))
    if is_queued(view):
        return "gated", latest(created, transition(pod, SANDBOX))
    ready = pod.status.condition("Ready")
    if ready is not None and ready.status == "True":
        return "ready", seconds_of(ready.last_transition_time)
    if view.started:
        return "started", created
    return "booting", booting_since(pod) or latest(created, transition(pod, SANDBOX))
