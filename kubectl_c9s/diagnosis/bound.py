"""A Pod with a host and without a sandbox: since when, and what counts as part of that stage (causes.md §2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kubectl_c9s.diagnosis.finding import pod_ref
from kubectl_c9s.diagnosis.quotes import of_condition, of_pod
from kubectl_c9s.diagnosis.timing import transition
from kubectl_c9s.resources.moments import seconds_of
from kubectl_c9s.rollout.views import SANDBOX

if TYPE_CHECKING:
    from kubectl_c9s.diagnosis.finding import Evidence
    from kubectl_c9s.resources.observed import ObservedContainerStatus, ObservedPod


def since_sandbox(pod: ObservedPod) -> float | None:
    """Say since when a sandbox is waited for."""
    return transition(pod, SANDBOX) or seconds_of(pod.metadata.creation_timestamp)


def stage_began(pod: ObservedPod) -> float | None:
    """Say since when Events are about this stage: a Pod whose containers ran before has lost its sandbox meanwhile."""
    ran = any(
        one.restart_count or one.last_state or not one.in_state("waiting") for one in statuses(pod)
    )
    return since_sandbox(pod) if ran else None


def has_run_unseen(pod: ObservedPod) -> bool:
    """Tell whether containers run while the host does not say whether there is a sandbox.

    Without the condition a container that runs is the only sign that there is one; an init container is as good.
    """
    return pod.status.condition(SANDBOX) is None and any(
        one.started or one.in_state("running") is not None for one in statuses(pod)
    )


def statuses(pod: ObservedPod) -> tuple[ObservedContainerStatus, ...]:
    """Give the statuses of all containers, those of the preparation first."""
    status = pod.status
    return (*(status.init_container_statuses or ()), *(status.container_statuses or ()))


def where(pod: ObservedPod) -> list[Evidence]:
    """Quote the condition of the sandbox, or say that it is missing, with the host; and how a Pod has ended."""
    condition, host = pod.status.condition(SANDBOX), pod.spec.node_name
    if condition is None:
        found = [of_pod(pod, f"no condition {SANDBOX} on host {host}")]
    else:
        evidence = of_condition(pod_ref(pod.metadata), condition)
        found = [evidence._replace(text=f"{evidence.text} (host {host})")]
    if pod.status.phase in ("Failed", "Succeeded"):
        why = f"{pod.status.reason or 'no reason'}: {pod.status.message or ''}"
        found.append(of_pod(pod, f"{pod.status.phase}: {why}"))
    return found
