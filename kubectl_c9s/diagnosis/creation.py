"""From a plan to a Pod: why none is made (causes.md rows 5, 17 to 19)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kubectl_c9s.diagnosis.failures import failure
from kubectl_c9s.diagnosis.finding import Evidence, Finding, pod_ref
from kubectl_c9s.diagnosis.quotes import of_condition, of_host, workload_ref
from kubectl_c9s.resources.moments import seconds_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubectl_c9s.diagnosis.case import Case
    from kubectl_c9s.resources.observed import ObservedPod
    from kubectl_c9s.resources.surroundings import Workload

_GRACE: Final = 30


def old_pod_terminating(case: Case) -> Finding | None:
    """Row 5: the strategy is Recreate, so nothing comes while an old Pod is there.

    Within its grace it explains the missing Pod, and is no cause yet. The host of a Pod that had started is quoted
    only: row 3 is for Pods that block or boot, and one that is terminating does not block.
    """
    if case.view is not None:
        return None
    pods = [case.world.pods[one.uid] for one in case.world.views.get(case.group.primary.uid, ())]
    old = [pod for pod in pods if pod.metadata.deletion_timestamp]
    if not old:
        return None
    pod = min(old, key=lambda one: one.metadata.deletion_timestamp or "")
    since = seconds_of(pod.metadata.deletion_timestamp)
    grace = pod.metadata.deletion_grace_period_seconds
    late = case.world.age(since) > (_GRACE if grace is None else grace)
    state = None if late else "quiet"
    return case.finding("old-pod-terminating", *_ending(case, pod), since=since, state=state)


def _ending(case: Case, pod: ObservedPod) -> Iterator[Evidence]:
    meta, host = pod.metadata, pod.spec.node_name or ""
    ref = pod_ref(meta)
    text = f"{ref.full_name} terminates on {host or 'no host'}"
    yield Evidence(ref, "status", text, meta.deletion_timestamp or "")
    if meta.finalizers:
        yield Evidence(ref, "spec", f"finalizers: {', '.join(meta.finalizers)}")
    yield from of_host(case.world.hosts.get(host))


def scaled_to_zero(case: Case) -> Finding | None:
    """Row 17."""
    if case.deployment is None or case.deployment.spec.replicas != 0:
        return None
    ref = workload_ref(case.deployment.metadata, "Deployment")
    evidence = Evidence(ref, "spec", "replicas: 0")
    return case.finding("scaled-to-zero", evidence, since=case.since_without_pod)


def deployment_controller_lag(case: Case) -> Finding | None:
    """Row 18: with many Deployments at once, ReplicaSets come late; it is waited for while they come.

    "Age below the limits of section 5" (diagnosis.md §4.2) are two limits: below the first it is normal, below the
    second as long as others are served. What waits longer is row 19, judged by its age.
    """
    world = case.world
    if not case.planned or case.deployment is None or failure(case) is not None:
        return None
    if not _lacks_set(case, case.deployment):
        return None
    since = seconds_of(case.deployment.metadata.creation_timestamp)
    served = case.context.replica_sets_come
    limit = world.settings.stalled_after if served else world.settings.slow_after
    if world.age(since) >= limit:
        return None
    evidence = _lag(case.deployment)
    return case.finding("deployment-controller-lag", evidence, since=since, state="waits")


def _lacks_set(case: Case, deployment: Workload) -> bool:
    """Tell whether there is no ReplicaSet: where none was collected, the Deployment says that nothing was done yet."""
    if case.replica_set is not None:
        return False
    return case.world.has("replicasets.apps") or not deployment.status.conditions


def _lag(deployment: Workload) -> Evidence:
    text = (
        "no ReplicaSet yet; --kube-api-qps of kube-controller-manager bounds how fast they are made"
    )
    made = deployment.metadata.creation_timestamp or ""
    return Evidence(workload_ref(deployment.metadata, "Deployment"), "status", text, made)


def no_pod_unknown(case: Case) -> Finding | None:
    """Row 19: nothing else explains it; the sub names the first thing that is missing, of what was looked for."""
    world, since = case.world, case.since_without_pod
    seen = world.has("deployments.apps")
    remedy = "repair-control-plane"
    if not case.planned:
        sub, remedy = "no-plan", "restore-manager"
    elif case.deployment is None and seen:
        sub, remedy = "no-deployment", "restore-manager"
    elif case.deployment is not None and _lacks_set(case, case.deployment):
        sub = "no-replicaset"
    else:
        sub = "no-pod"
    found = tuple(_missing(case, sub))
    return case.finding("no-pod-unknown", *found, since=since, sub=sub, remedies=(remedy,))


def _missing(case: Case, sub: str) -> Iterator[Evidence]:
    """Quote how far it came, and a failure that no row knows."""
    condition = case.condition("PlanApplied")
    if sub == "no-replicaset" and case.deployment is not None:
        yield _lag(case.deployment)
    elif condition is not None:
        yield of_condition(case.ref, condition)
    else:
        yield Evidence(case.ref, "status", "no PlanApplied condition of the present generation")
    failed = failure(case)
    if failed is not None:
        yield failed
