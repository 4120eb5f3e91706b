"""Components of the control plane stand still: what they would have made is missing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import standin_names as names
from bed_client import JSON_PATCH
from faults_play import Fault, H
from faults_slots import host_labs, is_queued

if TYPE_CHECKING:
    from bed_client import Json
    from faults_lab import Lab
    from faults_site import Site

CONTROLLERS: Final = "kube-controller-manager"
SCHEDULER: Final = "kube-scheduler"


def stop(site: Site, component: str) -> None:
    """End a component of the control plane until the bed is mended."""
    site.bed.kill(component)
    site.undo.append(lambda: site.bed.wait_healthy(component))
    site.undo.append(lambda: site.bed.start(component))


def no_replica_sets(site: Site) -> Fault:
    """Let nobody make ReplicaSets; then let the controllers run."""
    stop(site, CONTROLLERS)
    lab = site.lab("no-replicaset")
    lab.start()
    return Fault(
        "no-pod-unknown",
        lambda: [lab.node_ref()],
        "repair-control-plane",
        lambda: lab.see("apps/v1", "deployments", "a"),
        site.mend,
        says="no ReplicaSet yet",
    )


def no_pods(site: Site) -> Fault:
    """Let nobody make a Pod anew; then let the controllers run."""
    lab = site.lab("no-pod")
    lab.fails("a", "sandbox")
    lab.start()
    lab.wait("a has a Pod", lab.pods)
    stop(site, CONTROLLERS)
    lab.fails("a", None)
    site.client.delete(lab.pod_path("a"), gracePeriodSeconds="0").ok()

    def repair() -> None:
        site.mend()
        lab.wait("a has a Pod", lab.pods)
        lab.heal("a")

    return Fault(
        "no-pod-unknown",
        lambda: [lab.node_ref()],
        "repair-control-plane",
        lambda: not lab.pods(),
        repair,
        says="PlanApplied=True",
    )


def no_scheduler(site: Site) -> Fault:
    """Let nobody look for a host; then let the scheduler run."""
    stop(site, SCHEDULER)
    lab = site.lab("no-scheduler")
    lab.start()
    return Fault(
        "unschedulable",
        lambda: [lab.node_ref()],
        "",  # what is offered is for hosts without room; here the scheduler is what is missing
        lab.pods,
        site.mend,
        says="nothing from the scheduler",
    )


def topology_gone(site: Site) -> Fault:
    """Delete the Topology of a queued Pod while nobody deletes its Nodes; then restore it, and let it own them."""
    site.limit(maxConcurrentPerHost=1)
    first, lab = host_labs(site, "gone", "probe")
    lab.wait("it is queued", lambda: is_queued(lab, "a"))
    spec = lab.see(names.VERSION, "topologies", "t")["spec"]
    stop(site, CONTROLLERS)
    lab.drop(names.VERSION, "topologies", "t", propagationPolicy="Background")

    def restore() -> None:
        lab.make(names.VERSION, "Topology", "t", spec=spec)
        uid = lab.see(names.VERSION, "topologies", "t")["metadata"]["uid"]
        for plural, name in (("nodes", "a"), ("nodeprofiles", "t")):
            _own(lab, plural, name, uid)
        site.mend()
        first.heal("a")

    return Fault(
        "owner-topology-missing",
        lambda: [lab.pod_ref()],
        "restore-object",
        lambda: not lab.see(names.VERSION, "topologies", "t"),
        restore,
        scope=H,
        says="which is not there",
    )


def _own(lab: Lab, plural: str, name: str, uid: str) -> None:
    """Let the one owner of an object have another UID."""
    change: list[Json] = [
        {"op": "replace", "path": "/metadata/ownerReferences/0/uid", "value": uid}
    ]
    lab.client.patch(lab.path(plural, name), change, JSON_PATCH).ok()
