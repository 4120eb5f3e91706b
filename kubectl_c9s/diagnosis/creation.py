"""From a plan to a Pod: why none is made (causes.md rows 5, 15 to 19)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kubectl_c9s.diagnosis.case import of_condition, of_event
from kubectl_c9s.diagnosis.finding import Evidence, Finding, Ref, pod_ref
from kubectl_c9s.resources.moments import seconds_of

if TYPE_CHECKING:
    from kubectl_c9s.diagnosis.case import Case
    from kubectl_c9s.resources.live import Meta
    from kubectl_c9s.resources.surroundings import Workload

_GRACE: Final = 30
_REFUSED: Final = (
    "is forbidden",
    "violates PodSecurity",
    "denied the request",
    "failed calling webhook",
)
_WEBHOOK: Final = "failed calling webhook"


def old_pod_terminating(case: Case) -> Finding | None:
    """Row 5: the strategy is Recreate, so nothing comes while an old Pod is there."""
    if case.view is not None:
        return None
    for view in case.world.views.get(case.group.primary.uid, ()):
        pod = case.world.pods[view.uid]
        meta = pod.metadata
        since = seconds_of(meta.deletion_timestamp)
        grace = (
            _GRACE
            if meta.deletion_grace_period_seconds is None
            else meta.deletion_grace_period_seconds
        )
        if since is None or case.world.age(since) <= grace:
            continue
        ref = pod_ref(meta)
        found = [
            Evidence(
                ref,
                "status",
                f"{ref.full_name} terminates on {view.host or 'no host'}",
                meta.deletion_timestamp or "",
            )
        ]
        if meta.finalizers:
            found.append(Evidence(ref, "spec", f"finalizers: {', '.join(meta.finalizers)}"))
        host = case.world.hosts.get(view.host)
        ready = host.condition("Ready") if host else None
        if ready is not None and ready.status != "True":
            found.append(of_condition(Ref("v1", "Node", "", view.host), ready))
        return case.finding("old-pod-terminating", *found, since=since)
    return None


def quota_exceeded(case: Case) -> Finding | None:
    """Row 15."""
    evidence = _failure(case, ("exceeded quota",))
    return (
        case.finding("quota-exceeded", evidence, since=case.since_without_pod) if evidence else None
    )


def pod_rejected(case: Case) -> Finding | None:
    """Row 16; a webhook that cannot be reached may come back."""
    evidence = _failure(case, _REFUSED)
    if evidence is None:
        return None
    since = case.since_without_pod
    state = case.judge(since) if _WEBHOOK in evidence.text else None
    return case.finding("pod-rejected", evidence, since=since, state=state)


def _failure(case: Case, texts: tuple[str, ...]) -> Evidence | None:
    """Find a failure to make the Pod that says one of the texts: in a condition, or an Event on the ReplicaSet."""
    for owner, kind in ((case.deployment, "Deployment"), (case.replica_set, "ReplicaSet")):
        condition = owner.status.condition("ReplicaFailure") if owner else None
        if owner is None or condition is None or condition.status != "True":
            continue
        if any(text in (condition.message or "") for text in texts):
            return of_condition(_ref(owner.metadata, kind), condition)
    if case.replica_set is None or case.replica_set.status.replicas:
        return None
    meta = case.replica_set.metadata
    for event in case.world.events(meta.uid, meta.creation_timestamp, "FailedCreate"):
        if any(text in event.message for text in texts):
            return of_event(event)
    return None


def _ref(meta: Meta, kind: str) -> Ref:
    return Ref("apps/v1", kind, meta.namespace, meta.name)


def scaled_to_zero(case: Case) -> Finding | None:
    """Row 17."""
    if case.deployment is None or case.deployment.spec.replicas != 0:
        return None
    evidence = Evidence(_ref(case.deployment.metadata, "Deployment"), "spec", "replicas: 0")
    return case.finding("scaled-to-zero", evidence, since=case.since_without_pod)


def deployment_controller_lag(case: Case) -> Finding | None:
    """Row 18: with many Deployments at once, ReplicaSets come late; it is waited for while they come."""
    if not case.planned or case.deployment is None or case.replica_set is not None:
        return None
    if not case.world.has("replicasets.apps"):
        return None
    since = seconds_of(case.deployment.metadata.creation_timestamp)
    if (
        case.world.age(since) >= case.world.settings.slow_after
        and not case.context.replica_sets_come
    ):
        return None
    evidence = _lag(case.deployment)
    return case.finding("deployment-controller-lag", evidence, since=since, state="waits")


def _lag(deployment: Workload) -> Evidence:
    text = (
        "no ReplicaSet yet; --kube-api-qps of kube-controller-manager bounds how fast they are made"
    )
    made = deployment.metadata.creation_timestamp or ""
    return Evidence(_ref(deployment.metadata, "Deployment"), "status", text, made)


def no_pod_unknown(case: Case) -> Finding | None:
    """Row 19: nothing else explains it; the sub names the first thing that is missing."""
    world = case.world
    if not world.has("pods"):
        return None
    remedy = "repair-control-plane"
    if not case.planned:
        sub, remedy = "no-plan", "restore-manager"
    elif case.deployment is None and world.has("deployments.apps"):
        sub, remedy = "no-deployment", "restore-manager"
    elif case.replica_set is None and world.has("replicasets.apps"):
        sub = "no-replicaset"
    else:
        sub = "no-pod"
    condition = case.condition("PlanApplied")
    evidence = (
        of_condition(case.ref, condition)
        if condition
        else Evidence(case.ref, "status", "no PlanApplied condition")
    )
    if sub == "no-replicaset" and case.deployment is not None:
        evidence = _lag(case.deployment)
    return case.finding(
        "no-pod-unknown", evidence, since=case.since_without_pod, sub=sub, remedies=(remedy,)
    )
