"""Grants that do not reach the gate in the Pod (causes.md row 33)."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from kubectl_c9s.diagnosis.boot import about, primary, status_of
from kubectl_c9s.diagnosis.quotes import of_pod
from kubectl_c9s.diagnosis.timing import latest, written_at
from kubectl_c9s.resources.moments import seconds_of
from kubectl_c9s.rollout.views import GATE, HOST_GRANT

if TYPE_CHECKING:
    from kubectl_c9s.diagnosis.case import Case
    from kubectl_c9s.diagnosis.finding import Finding
    from kubectl_c9s.diagnosis.world import World
    from kubectl_c9s.resources.observed import ObservedPod


class Starts:
    """When primaries started."""

    def __init__(self, world: World) -> None:
        self._world = world

    @cached_property
    def last(self) -> dict[str, float]:
        """The last start of a primary by host: the slot it left may be the one that was granted next."""
        found: dict[str, float] = {}
        for view in self._world.snapshot.pods:
            status = primary(self._world.pods[view.uid]) if view.host and view.started else None
            running = (status.in_state("running") if status else None) or {}
            began = seconds_of(str(running.get("startedAt") or ""))
            if began is not None:
                found[view.host] = max(began, found.get(view.host, began))
        return found


def grant_not_projected(case: Case, pod: ObservedPod) -> Finding | None:
    """Row 33: the grant is on the Pod, and the gate inside does not see it.

    Without ``managedFields`` nothing tells when it was granted: not before the gate ran, and not before the slot was
    free, which the last primary that started on the host may have left (causes.md §2).
    """
    gate = status_of(pod, GATE)
    running = gate.in_state("running") if gate else None
    if running is None or pod.metadata.annotation(HOST_GRANT) != pod.metadata.uid:
        return None
    since = written_at(pod.metadata, HOST_GRANT) or latest(
        seconds_of(str(running.get("startedAt") or "")),
        case.context.starts.last.get(pod.spec.node_name or ""),
    )
    age = case.world.age(since)
    text = f"granted, and {GATE} still runs on {pod.spec.node_name} after {age:.0f} s"
    state = "stuck" if age >= case.world.settings.grant_after else "quiet"
    said = of_pod(pod, text)
    return case.finding("grant-not-projected", said, since=since, state=state, **about(pod))
