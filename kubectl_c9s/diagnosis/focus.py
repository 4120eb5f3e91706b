"""A diagnosis for one Topology or one namespace: what is about its workloads, or holds them up, wherever it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from kubectl_c9s.resources.errors import UsageError

if TYPE_CHECKING:
    from kubectl_c9s.diagnosis.finding import Finding
    from kubectl_c9s.diagnosis.report import Diagnosis, Entry
    from kubectl_c9s.diagnosis.world import World
    from kubectl_c9s.rollout.views import TopologyView

# They concern everybody.
_EVERYBODY: Final = ("manager-no-leader", "config-not-observed")


class _Part(NamedTuple):
    """UIDs of what a part of the installation consists of, its hosts, and whether it waits for the global batch."""

    own: frozenset[str]
    hosts: frozenset[str]
    waits: bool


def focus(diagnosis: Diagnosis, topology: str | None, namespace: str | None) -> Diagnosis:
    """Keep what concerns a Topology, or a namespace; the counts stay those of the installation.

    Raises UsageError when there is no such Topology, or several namespaces have one of this name.
    """
    world = diagnosis.world
    if topology is None:
        uids = {view.uid for view in world.snapshot.nodes if view.namespace == namespace}
        uids |= {view.uid for view in world.snapshot.topologies if view.namespace == namespace}
    else:
        found = _find(world, topology, namespace)
        uids = {node.uid for node in world.topology_gates[found.uid].nodes} | {found.uid}
    part = _part(world, uids)
    return diagnosis.only(lambda entry: _concerns(world, part, entry))


def _find(world: World, name: str, namespace: str | None) -> TopologyView:
    named = [view for view in world.snapshot.topologies if view.name == name]
    found = [view for view in named if namespace in (None, view.namespace)]
    if len(found) == 1:
        return found[0]
    if found:
        places = ", ".join(view.namespace for view in found)
        what = f"several Topologies are called {name!r}: in {places}"
    else:
        what = f"there is no Topology {name!r}" + (f" in {namespace}" if namespace else "")
    raise UsageError(what, hint="say its namespace with -n")


def _part(world: World, uids: set[str]) -> _Part:
    pods = [view for view in world.snapshot.pods if view.node_uid in uids]
    waiting = (*world.global_gate.pending, *world.global_gate.held)
    return _Part(
        frozenset(uids | {view.uid for view in pods}),
        frozenset(view.host for view in pods if view.host),
        any(group.primary.uid in uids for group in waiting),
    )


def _concerns(world: World, part: _Part, entry: Entry) -> bool:
    if entry.state == "note" or entry.code in _EVERYBODY:
        return True
    if any(finding.unit.rpartition("/")[2] in part.own for finding in entry.findings):
        return True
    if "global" in entry.scope and part.waits:
        return True
    return "host" in entry.scope and any(
        bool(_hosts_of(world, finding) & part.hosts) for finding in entry.findings
    )


def _hosts_of(world: World, finding: Finding) -> set[str]:
    """Give the hosts of the Pods that a finding is about."""
    views = list(world.views.get(finding.unit, ()))
    if finding.unit in world.pod_view:
        views.append(world.pod_view[finding.unit])
    return {view.host for view in views if view.host}
