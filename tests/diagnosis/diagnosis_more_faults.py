"""Faults that keep slots of hosts, and faults of Topologies (rows 7 to 10 and 26 to 33)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from diagnosis_objects import ago, condition, reference
from diagnosis_stages import ALLOWANCE, ended, running, waiting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from diagnosis_dump import Site
    from diagnosis_objects import Json

QUIET = "worker-2"


def holders(site: Site, **flags: Any) -> Iterator[Json]:
    """Fill the slots of a host, at least one, with devices that have the same trouble; somebody is queued there."""
    limit = site.config["spec"]["rollout"].get("maxConcurrentPerHost", 1)
    for number in range(limit):
        yield site.pod(
            site.node(f"alone/h{number}", made=9000), 2000, QUIET, gate="passed", **flags
        )
    site.queue(site.node("alone/queued", made=9000), made=1900, host=QUIET)


def names(pods: Iterator[Json]) -> set[str]:
    return {f"Pod alone/{pod['metadata']['name']}" for pod in pods}


def with_status(**flags: Any) -> Callable[[Site], set[str]]:
    return lambda site: names(holders(site, **flags))


def waits_for_peer(site: Site) -> set[str]:
    found = names(holders(site, primary=running(ALLOWANCE)))
    nodes = [
        one
        for one in site.objects
        if one["kind"] == "Node" and one["metadata"].get("namespace") == "alone"
    ]
    for node in nodes[:-1]:
        site.link(node, nodes[-1])
    return found


def not_projected(site: Site) -> set[str]:
    pods = list(holders(site))
    for pod in pods:
        pod["status"]["initContainerStatuses"] = [{"name": "startup-gate", **running(1500)}]
    return names(iter(pods))


SLOTS: dict[str, Callable[[Site], set[str]]] = {
    "image-pull": with_status(primary=waiting("InvalidImageName")),
    "container-config": with_status(primary=waiting("CreateContainerConfigError")),
    "preparation-failed": with_status(planner=ended(30, code=1)),
    "connectivity-not-ready": with_status(planner=ended(1400), clabwire=running(1300)),
    "primary-crashloop": with_status(primary=waiting("CrashLoopBackOff", restarts=3)),
    "startup-probe-needs-peer": waits_for_peer,
    "startup-probe-failing": with_status(primary=running(ALLOWANCE)),
    "grant-not-projected": not_projected,
}
"""By code; what is blamed are the Pods in the slots."""


def _held(site: Site, lab: Json) -> str:
    namespace = lab["metadata"]["namespace"]
    site.node(f"{namespace}/held", lab, hold=True, made=9000)
    return str(namespace)


def missing_primary(site: Site, lab: Json) -> set[str]:
    namespace = _held(site, lab)
    site.node(f"{namespace}/bad", lab, shares="nobody", made=9000, hold=True)
    return {f"Node {namespace}/bad"}


def foreign_hold(site: Site, lab: Json) -> set[str]:
    namespace = _held(site, lab)
    site.node(f"{namespace}/bad", lab, hold="old", made=9000)
    return {f"Node {namespace}/bad"}


def conflict(site: Site, lab: Json) -> set[str]:
    namespace = _held(site, lab)
    lab["status"]["conditions"] = [
        condition("TopologyReady", "False", 500, "ChildResourceConflict")
    ]
    return {f"Topology {namespace}/t"}


def left_out(site: Site, lab: Json) -> set[str]:
    lab["metadata"]["labels"]["c9s.run/ignoreReconcile"] = ""
    return {f"Topology {_held(site, lab)}/t"}


LABS: dict[str, Callable[[Site, Json], set[str]]] = {
    "network-mode-missing-primary": missing_primary,
    "hold-foreign-topology": foreign_hold,
    "inventory-incomplete": conflict,
    "topology-ignored": left_out,
}
"""By code, for a Topology."""


def orphan(site: Site) -> set[str]:
    """Let a device without a Node boot while somebody is queued."""
    node = site.node("alone/gone", made=9000)
    pod = site.boot(node, runs=500, host=QUIET)
    site.remove(node)
    site.queue(site.node("alone/queued", made=9000), made=1900, host=QUIET)
    return {f"Pod alone/{pod['metadata']['name']}"}


def lost_topology(site: Site) -> set[str]:
    """Let a queued device belong to a Topology that is gone."""
    site.topology("alone/there", made=90000)
    node = site.node("alone/queued", made=9000)
    gone = {
        "apiVersion": "c9s.run/v1alpha1",
        "kind": "Topology",
        "metadata": {"name": "gone", "uid": ago(7)},
    }
    node["metadata"]["ownerReferences"] = [reference(gone)]
    return {f"Pod alone/{site.queue(node, made=1900, host=QUIET)['metadata']['name']}"}
