"""Volumes that are not mounted (causes.md row 23)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kubectl_c9s.diagnosis.bound import has_run_unseen, since_sandbox, stage_began, where
from kubectl_c9s.diagnosis.quotes import of_event
from kubectl_c9s.resources.moments import seconds_of

if TYPE_CHECKING:
    from kubectl_c9s.diagnosis.case import Case
    from kubectl_c9s.diagnosis.finding import Finding
    from kubectl_c9s.resources.observed import ObservedPod
    from kubectl_c9s.resources.surroundings import Event

_MOUNT: Final = ("FailedMount", "FailedAttachVolume")
# In the order of the table.
_GRAVITY: Final = ("not-found", "attach", "cache-sync", "other")
_REMEDIES: Final = {"attach": "repair-host", "cache-sync": "wait"}
# A kubelet tries a volume again after at most 2 min 2 s: what is older than that was mended.
_AGAIN: Final = 150.0


def volume_mount(case: Case, pod: ObservedPod) -> Finding | None:
    """Row 23: of the Events of the last round of tries the gravest counts.

    Beside the Event that names what is missing a kubelet writes others that only say that it took too long, and these
    may be the latest.
    """
    events = _last_round(case, pod)
    if not events or has_run_unseen(pod):
        return None
    shown = min(events, key=lambda event: _GRAVITY.index(_why(event)))
    sub, since = _why(shown), since_sandbox(pod)
    state = "stuck" if sub == "not-found" else case.judge(since)
    remedy = _REMEDIES.get(sub, "restore-object")
    if sub == "cache-sync" and state == "stuck":
        remedy = "repair-host"
    found = [of_event(shown), *where(pod)]
    return case.finding(
        "volume-mount", *found, since=since, state=state, sub=sub, remedies=(remedy,)
    )


def _last_round(case: Case, pod: ObservedPod) -> list[Event]:
    events = case.events_of(pod, *_MOUNT, since=stage_began(pod))
    if not events:
        return []
    last = seconds_of(events[0].last) or 0.0
    return [event for event in events if last - (seconds_of(event.last) or 0.0) <= _AGAIN]


def _why(event: Event) -> str:
    if "not found" in event.message:
        return "not-found"
    if event.reason == "FailedAttachVolume":
        return "attach"
    if "failed to sync" in event.message and "cache" in event.message:
        return "cache-sync"
    return "other"
