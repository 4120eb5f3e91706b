"""Pods that the API server refuses to make (causes.md rows 15, 16)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kubectl_c9s.diagnosis.quotes import of_condition, of_event, workload_ref
from kubectl_c9s.resources.moments import seconds_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubectl_c9s.diagnosis.case import Case
    from kubectl_c9s.diagnosis.finding import Evidence, Finding

_QUOTA: Final = "exceeded quota"
_REFUSED: Final = (
    "is forbidden",
    "violates PodSecurity",
    "denied request",
    "denied the request",
    "failed calling webhook",
)
_WEBHOOK: Final = "failed calling webhook"


def quota_exceeded(case: Case) -> Finding | None:
    """Row 15."""
    evidence = failure(case)
    if evidence is None or _QUOTA not in evidence.text:
        return None
    return case.finding("quota-exceeded", evidence, since=case.since_without_pod)


def pod_rejected(case: Case) -> Finding | None:
    """Row 16; a webhook that cannot be reached may come back."""
    evidence = failure(case)
    if evidence is None or not any(text in evidence.text for text in _REFUSED):
        return None
    since = case.since_without_pod
    state = case.judge(since) if _WEBHOOK in evidence.text else None
    return case.finding("pod-rejected", evidence, since=since, state=state)


def failure(case: Case) -> Evidence | None:
    """Quote the last failure to make the Pod: the conditions tell of the last try, Events of all of them.

    An Event counts only while the ReplicaSet has no Pod: after that it is history.
    """
    found = [*_conditions(case), *_last_event(case)]
    known = (one for one in found if any(text in one.text for text in (_QUOTA, *_REFUSED)))
    return next(known, None) or next(iter(found), None)


def _conditions(case: Case) -> Iterator[Evidence]:
    for owner, kind in ((case.replica_set, "ReplicaSet"), (case.deployment, "Deployment")):
        condition = owner.status.condition("ReplicaFailure") if owner else None
        if owner is not None and condition is not None and condition.status == "True":
            yield of_condition(workload_ref(owner.metadata, kind), condition)


def _last_event(case: Case) -> list[Evidence]:
    if case.replica_set is None or case.replica_set.status.replicas:
        return []
    meta = case.replica_set.metadata
    events = case.world.events(meta.uid, seconds_of(meta.creation_timestamp), "FailedCreate")
    return [of_event(event) for event in events[:1]]
