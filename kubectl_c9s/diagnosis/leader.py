"""Whether a manager leads, and which Pod it is (config-and-chart.md §4; causes.md rows 1, 35)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from kubectl_c9s.diagnosis.finding import Evidence, Finding, lease_ref, pod_ref
from kubectl_c9s.resources import labels
from kubectl_c9s.resources.leases import is_holder
from kubectl_c9s.resources.moments import seconds_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubectl_c9s.diagnosis.world import World
    from kubectl_c9s.resources.observed import ObservedPod
    from kubectl_c9s.resources.surroundings import Lease

_LEASES: Final = "leases.coordination.k8s.io"
_COMPONENT: Final = "c9s.run/component"
_DURATION: Final = 60


class Leader(NamedTuple):
    """``leads`` is None when nothing can be said; ``pod`` is the active manager's, ``evidence`` why nobody leads."""

    leads: bool | None
    pod: ObservedPod | None = None
    evidence: tuple[Evidence, ...] = ()
    since: float | None = None


def is_fresh(lease: Lease, now: float) -> bool:
    """Tell whether somebody holds a Lease at a moment."""
    renewed = seconds_of(lease.spec.renew_time)
    duration = lease.spec.lease_duration_seconds or _DURATION
    return bool(lease.spec.holder_identity) and renewed is not None and now - renewed <= duration


def find_leader(world: World) -> Leader:
    """Look at the Lease, and at the manager's Pods as far as they were collected."""
    namespace, name = world.place.namespace, f"{world.place.app}-manager"
    if not world.has(_LEASES) or (world.dump.namespace not in (None, namespace)):
        return Leader(leads=None)
    ref = lease_ref(namespace, name)
    lease = world.leases.get((namespace, name))
    if lease is None:
        return Leader(leads=False, evidence=(Evidence(ref, "status", f"there is no Lease {name}"),))
    holder, renewed = lease.spec.holder_identity or "", lease.spec.renew_time or ""
    if not holder:
        said = Evidence(ref, "spec", f"Lease {name} has no holder", renewed)
        return Leader(leads=False, evidence=(said,), since=seconds_of(renewed))
    if not is_fresh(lease, world.now):
        age = world.age(seconds_of(renewed))
        duration = lease.spec.lease_duration_seconds or _DURATION
        text = f"Lease {name} of {holder} was renewed {age:.0f} s ago, and holds for {duration} s"
        return Leader(
            leads=False, evidence=(Evidence(ref, "spec", text, renewed),), since=seconds_of(renewed)
        )
    return _check_pods(
        world, holder, Evidence(ref, "spec", f"Lease {name} is held by {holder}", renewed)
    )


def _check_pods(world: World, holder: str, held: Evidence) -> Leader:
    here = [pod for pod in world.dump.pods if pod.metadata.namespace == world.place.namespace]
    if not here:
        return Leader(leads=True)  # the manager's namespace was not looked at
    managers = [
        pod
        for pod in here
        if pod.metadata.label(_COMPONENT) == "manager"
        and pod.metadata.label(labels.APP) == world.place.app
    ]
    active = [pod for pod in managers if is_holder(holder, pod.metadata.name)]
    if not any(_is_ready(pod) for pod in managers):
        said = [
            Evidence(
                pod_ref(pod.metadata), "status", f"manager Pod is {pod.status.phase}, not Ready"
            )
            for pod in managers
        ]
        return Leader(leads=False, evidence=(held, *said))
    if len(active) == 1 and active[0].status.phase == "Running":
        return Leader(leads=True, pod=active[0])
    if active:
        running = any(pod.status.phase == "Running" for pod in active)
        return Leader(leads=running, evidence=() if running else (held,))
    return Leader(
        leads=False, evidence=(held._replace(text=f"{held.text}, which is no manager Pod"),)
    )


def _is_ready(pod: ObservedPod) -> bool:
    condition = pod.status.condition("Ready")
    return condition is not None and condition.status == "True"


def no_leader(world: World, leader: Leader) -> Iterator[Finding]:
    """Row 1."""
    if leader.leads is False:
        ref = lease_ref(world.place.namespace, f"{world.place.app}-manager")
        yield Finding(
            "manager-no-leader", "manager", (ref,), "stuck", leader.since,
            remedies=("restore-manager",), evidence=leader.evidence,
        )  # fmt: skip
