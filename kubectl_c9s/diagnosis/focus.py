"""A diagnosis for one Topology: what concerns its workloads, wherever it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kubectl_c9s.resources.errors import UsageError

if TYPE_CHECKING:
    from kubectl_c9s.diagnosis.report import Diagnosis, Entry


def focus(diagnosis: Diagnosis, name: str, namespace: str | None) -> Diagnosis:
    """Keep what is about the Topology or holds it up; the counts stay those of the installation.

    Raises UsageError when there is no such Topology, or several namespaces have one of this name.
    """
    world = diagnosis.world
    found = [
        view
        for view in world.snapshot.topologies
        if view.name == name and namespace in (None, view.namespace)
    ]
    if len(found) != 1:
        where = f" in {namespace}" if namespace else ""
        places = ", ".join(view.namespace for view in found)
        what = (
            f"several Topologies are called {name!r}: in {places}"
            if found
            else f"there is no Topology {name!r}{where}"
        )
        raise UsageError(what, hint="say its namespace with -n")
    (topology,) = found
    gate = world.topology_gates[topology.uid]
    own = {node.uid for node in gate.nodes} | {topology.uid}
    own |= {view.uid for view in world.snapshot.pods if view.node_uid in own}
    hosts = {view.host for view in world.snapshot.pods if view.node_uid in own and view.host}
    waits = any(group.primary.uid in own for group in world.global_gate.pending)

    def concerns(entry: Entry) -> bool:
        if entry.state == "note" or entry.code in ("manager-no-leader", "config-not-observed"):
            return True
        if any(finding.unit.rpartition("/")[2] in own for finding in entry.findings):
            return True
        if "global" in entry.scope and (waits or gate.held):
            return True
        return "host" in entry.scope and any(
            view.host in hosts
            for finding in entry.findings
            for view in (
                *world.views.get(finding.unit, ()),
                *((world.pod_view[finding.unit],) if finding.unit in world.pod_view else ()),
            )
        )

    return diagnosis.only(concerns)
