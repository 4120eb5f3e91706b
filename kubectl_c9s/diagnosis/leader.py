"""Whether a manager leads, and which Pod it is (config-and-chart.md §4; causes.md rows 1, 35)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from kubectl_c9s.diagnosis.finding import Evidence, Finding, lease_ref
from kubectl_c9s.diagnosis.pool import pods_of_component
from kubectl_c9s.diagnosis.quotes import of_pod, workload_ref
from kubectl_c9s.resources.leases import MANAGER, is_holder
from kubectl_c9s.resources.moments import seconds_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubectl_c9s.diagnosis.world import World
    from kubectl_c9s.resources.observed import ObservedPod

_LEASES: Final = "leases.coordination.k8s.io"


class Leader(NamedTuple):
    """``leads`` is None when nothing can be said; ``pod`` is the active manager's, ``evidence`` why nobody leads."""

    leads: bool | None
    pod: ObservedPod | None = None
    evidence: tuple[Evidence, ...] = ()
    since: float | None = None


def find_leader(world: World) -> Leader:
    """Look at the Lease, and at the manager's Pods as far as they were collected."""
    namespace, name = world.place.namespace, f"{world.place.app}{MANAGER}"
    if not world.has(_LEASES) or not world.sees_home:
        return Leader(leads=None)
    ref = lease_ref(namespace, name)
    lease = world.leases.get((namespace, name))
    if lease is None:
        return Leader(leads=False, evidence=(Evidence(ref, "status", f"there is no Lease {name}"),))
    holder, renewed = lease.spec.holder_identity or "", lease.spec.renew_time or ""
    since = seconds_of(renewed)
    if not holder:
        said = Evidence(ref, "spec", f"Lease {name} has no holder", renewed)
        return Leader(leads=False, evidence=(said,), since=since)
    if not lease.is_held(world.now):
        text = f"Lease {name} of {holder} was renewed {world.age(since):.0f} s ago, and holds for {lease.duration} s"
        return Leader(leads=False, evidence=(Evidence(ref, "spec", text, renewed),), since=since)
    held = Evidence(ref, "spec", f"Lease {name} is held by {holder}", renewed)
    return _check_pods(world, holder, held)._replace(since=since)


def _check_pods(world: World, holder: str, held: Evidence) -> Leader:
    home = world.place.namespace
    if not any(pod.metadata.namespace == home for pod in world.dump.pods):
        return _check_deployment(world, held)
    managers = pods_of_component(world, "manager")
    active = [pod for pod in managers if is_holder(holder, pod.metadata.name)]
    if not any(_is_ready(pod) for pod in managers):
        said = [of_pod(pod, f"manager Pod is {pod.status.phase}, not Ready") for pod in managers]
        return Leader(leads=False, evidence=(held, *said))
    running = [pod for pod in active if pod.status.phase == "Running"]
    if running:
        return Leader(leads=True, pod=running[0] if len(active) == 1 else None)
    why = "which does not run" if active else "which is no manager Pod"
    return Leader(leads=False, evidence=(held._replace(text=f"{held.text}, {why}"),))


def _check_deployment(world: World, held: Evidence) -> Leader:
    """Judge by the Deployment where no Pod of the manager's namespace was looked at."""
    name = f"{world.place.app}{MANAGER}"
    manager = world.deployments.get((world.place.namespace, name))
    if manager is None or manager.status.available_replicas:
        return Leader(leads=True)
    said = Evidence(
        workload_ref(manager.metadata, "Deployment"), "status", f"no Pod of {name} is available"
    )
    return Leader(leads=False, evidence=(held, said))


def _is_ready(pod: ObservedPod) -> bool:
    condition = pod.status.condition("Ready")
    return condition is not None and condition.status == "True"


def no_leader(world: World, leader: Leader) -> Iterator[Finding]:
    """Row 1."""
    if leader.leads is False:
        ref = lease_ref(world.place.namespace, f"{world.place.app}{MANAGER}")
        yield Finding(
            "manager-no-leader", "manager", (ref,), "stuck", leader.since,
            remedies=("restore-manager",), evidence=leader.evidence,
        )  # fmt: skip
