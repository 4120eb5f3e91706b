"""Which milestones an object has reached, and by which stamps (measurement.md §2).

A stamp of None is "it is so, and nobody says since when": marks, plans and grants have none, and neither has a primary
with a startup probe, because ``startedAt`` is when its container ran and not when the probe passed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kubectl_c9s.measurement import run as runs
from kubectl_c9s.resources import devicepods
from kubectl_c9s.resources.labels import STARTUP_ADMITTED
from kubectl_c9s.resources.moments import seconds_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kubectl_c9s.measurement.watched import WatchedNode, WatchedPod
    from kubectl_c9s.resources.live import Meta
    from kubectl_c9s.resources.observed import ObservedContainerStatus

Step = tuple[str, float | None]
"""A milestone and its stamp in seconds since 1970."""

_CONDITIONS: Final = {
    "PodScheduled": runs.SCHEDULED,
    devicepods.SANDBOX: runs.SANDBOX,
    "Ready": runs.READY,
}
_PLAN: Final = "PlanApplied"


def by_node(node: WatchedNode) -> Iterator[Step]:
    """Give the milestones of a c9s Node; a plan counts when it is of the present spec (diagnosis.md §3)."""
    meta = node.metadata
    yield runs.CREATED, seconds_of(meta.creation_timestamp)
    if meta.annotation(STARTUP_ADMITTED) == meta.uid:
        yield runs.ADMITTED, None
    for one in node.status.conditions or ():
        if one.type == _PLAN:
            if one.status == "True" and one.observed_generation == meta.generation:
                yield runs.PLANNED, None
            return


def by_pod(pod: WatchedPod, primary: str) -> Iterator[Step]:
    """Give the milestones of a Pod; ``primary`` is the name of the container that counts."""
    yield runs.POD, seconds_of(pod.metadata.creation_timestamp)
    for one in pod.status.conditions or ():
        milestone = _CONDITIONS.get(one.type)
        if milestone and one.status == "True":
            yield milestone, seconds_of(one.last_transition_time)
    for status in pod.status.init_container_statuses or ():
        if status.name == devicepods.PLANNER:
            yield from _prepared(status)
        elif status.name == devicepods.GATE and _ended_well(status):
            yield runs.PASSED, _time(status, "terminated", "finishedAt")
    if is_granted(pod):
        yield runs.GRANTED, None
    main = primary_status(pod, primary)
    if main is not None and main.started is True:
        probed = is_probed(pod, primary)
        yield runs.STARTED, None if probed else _time(main, "running", "startedAt")


def is_granted(pod: WatchedPod) -> bool:
    """Tell whether a Pod has a grant of its own: that of another Pod is none (admission.md §1)."""
    return pod.metadata.annotation(devicepods.HOST_GRANT) == pod.metadata.uid


def is_gated(pod: WatchedPod) -> bool:
    """Tell whether a Pod waits for a grant before it boots."""
    return any(one.name == devicepods.GATE for one in pod.spec.init_containers or ())


def is_ready(pod: WatchedPod) -> bool:
    """Tell whether a Pod is Ready now."""
    ready = pod.status.condition("Ready")
    return ready is not None and ready.status == "True"


def is_probed(pod: WatchedPod, primary: str) -> bool:
    """Tell whether the primary has a startup probe."""
    return any(one.name == primary and one.startup_probe for one in pod.spec.containers or ())


def primary_status(pod: WatchedPod, primary: str) -> ObservedContainerStatus | None:
    """Give the status of the primary container, if there is one."""
    statuses: Sequence[ObservedContainerStatus] = pod.status.container_statuses or ()
    return next((one for one in statuses if one.name == primary), None) if primary else None


def created(meta: Meta) -> float:
    """Give the stamp of an object's creation, 0 for none."""
    return seconds_of(meta.creation_timestamp) or 0.0


def _prepared(status: ObservedContainerStatus) -> Iterator[Step]:
    """Give both ends of the preparation: one that failed is begun again, and counts when it succeeds."""
    if status.in_state("running") is not None:
        yield runs.PREPARING, _time(status, "running", "startedAt")
    elif status.in_state("terminated") is not None:
        yield runs.PREPARING, _time(status, "terminated", "startedAt")
        if _ended_well(status):
            yield runs.PREPARED, _time(status, "terminated", "finishedAt")


def _ended_well(status: ObservedContainerStatus) -> bool:
    terminated = status.in_state("terminated")
    return terminated is not None and terminated.get("exitCode", 0) == 0


def _time(status: ObservedContainerStatus, state: str, field: str) -> float | None:
    stamp = (status.in_state(state) or {}).get(field)
    return seconds_of(stamp) if isinstance(stamp, str) else None
