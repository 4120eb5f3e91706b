"""No host takes a Pod, each time for another reason that all hosts have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bed_client import path_of
from faults_play import Fault

if TYPE_CHECKING:
    from bed_client import Json
    from faults_site import Site

RESERVED = {"key": "testbed.c9s.run/reserved", "effect": "NoSchedule"}


def tainted(site: Site) -> Fault:
    """Reserve all hosts; then free them."""
    _all_hosts(site, {"spec": {"taints": [RESERVED]}})
    return _unschedulable(site, "untolerated taint", {"spec": {"taints": None}})


def cordoned(site: Site) -> Fault:
    """Cordon all hosts; then uncordon them."""
    _all_hosts(site, {"spec": {"unschedulable": True}})
    return _unschedulable(site, "were unschedulable", {"spec": {"unschedulable": None}})


def many_pods(site: Site) -> Fault:
    """Let every host have as many Pods as it may; then let it have more."""
    _all_hosts(site, _room(pods="0"), sub="status")
    return _unschedulable(site, "Too many pods", _room(pods="220"), sub="status")


def no_cpu(site: Site) -> Fault:
    """Let no host have a processor left; then let them have some."""
    _all_hosts(site, _room(cpu="0"), sub="status")
    return _unschedulable(site, "Insufficient cpu", _room(cpu="64"), sub="status")


def _room(**room: str) -> Json:
    return {"status": {"allocatable": room}}


def _all_hosts(site: Site, change: Json, sub: str = "") -> None:
    for host in site.client.get(path_of("v1", "nodes")).ok()["items"]:
        path = path_of("v1", "nodes", name=host["metadata"]["name"], sub=sub)
        site.client.patch(path, change).ok()


def _unschedulable(site: Site, says: str, undo: Json, sub: str = "") -> Fault:
    site.undo.append(lambda: _all_hosts(site, undo, sub=sub))
    lab = site.lab("no-host", host=None)
    lab.start()
    return Fault(
        "unschedulable",
        lambda: [lab.node_ref()],
        "add-capacity",
        lambda: "a" in lab.pods() and lab.pod_condition("a", "PodScheduled") == "False",
        site.mend,
        says=says,
    )
