"""The three gates of a startup as pure functions over a snapshot: a second reading of admission.md.

A pass gives what is to be written, in this order; who carries it out stops at the first write that fails. Section
numbers are those of admission.md. No code is shared with the product's own gates.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Final

from standin_views import GlobalPass, Group, HostPass, TopologyPass

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from standin_views import NodeView, PodView, Snapshot, TopologyView

FINISHED: Final = ("Succeeded", "Failed")


def primary_name(name: str, shares: Mapping[str, str | None]) -> str:
    """Follow ``container:`` references inside one namespace (§2); ``shares`` has every Node there.

    The answer may name a Node that does not exist; in a circle it is the one before the first seen again.
    """
    seen = {name}
    while (following := shares.get(name)) is not None and following not in seen:
        seen.add(following)
        name = following
    return name


def groups(nodes: Iterable[NodeView]) -> dict[tuple[str, str], list[NodeView]]:
    """Give the Nodes by namespace and name of their primary, which may be missing among them."""
    spaces: defaultdict[str, list[NodeView]] = defaultdict(list)
    for node in nodes:
        spaces[node.namespace].append(node)
    found: defaultdict[tuple[str, str], list[NodeView]] = defaultdict(list)
    for space, members in spaces.items():
        shares = {node.name: node.shares for node in members}
        for node in members:
            found[space, primary_name(node.name, shares)].append(node)
    return found


def whole_groups(nodes: Iterable[NodeView]) -> tuple[list[Group], list[str]]:
    """Give the groups whose primary is there, and ``namespace/name`` of the primaries that are not."""
    nodes = list(nodes)
    known = {(node.namespace, node.name): node for node in nodes}
    whole, missing = [], []
    for key, members in sorted(groups(nodes).items()):
        if (primary := known.get(key)) is None:
            missing.append("/".join(key))
            continue
        # In a circle the primary of a group resolves to another one; it leads its group all the same.
        others = sorted((one for one in members if one is not primary), key=lambda one: one.name)
        whole.append(Group(primary, (primary, *others)))
    return whole, missing


def newest_pods(pods: Iterable[PodView]) -> dict[str, PodView]:
    """Give the newest device Pod of each Node UID; Pods that are going do not count (§4.4)."""
    newest: dict[str, PodView] = {}
    for pod in pods:
        if not pod.device or pod.deleting or not pod.node_uid:
            continue
        known = newest.get(pod.node_uid)
        if known is None or pod.created > known.created:
            newest[pod.node_uid] = pod
    return newest


def _stands(node: NodeView, pods: Mapping[str, PodView]) -> bool:
    """Tell whether the barrier is satisfied: the newest Pod is there and has its sandbox."""
    pod = pods.get(node.uid)
    return pod is not None and pod.sandbox


def topology_pass(
    topology: TopologyView,
    expected: Collection[str],
    nodes: Iterable[NodeView],
    pods: Iterable[PodView],
) -> TopologyPass:
    """Decide which holds a Topology lifts (§3); ``expected`` has the names of the Nodes it defines."""
    own = [
        node
        for node in nodes
        if node.namespace == topology.namespace
        and node.name in expected
        and any(owner.uid == topology.uid for owner in node.owners)
    ]
    if not any(node.hold for node in own):
        return TopologyPass()
    if len(own) < len(expected):
        return TopologyPass(waits=f"{len(own)} of {len(expected)} Nodes are there")
    whole, missing = whole_groups(own)
    if missing:
        return TopologyPass(waits=f"primary {missing[0]} is not among the Nodes")
    admitted = [group for group in whole if not group.primary.hold]
    pending = [group for group in whole if group.primary.hold]
    finished = _release(topology, admitted)
    if finished.failure:
        return finished
    here = newest_pods(pod for pod in pods if pod.namespace == topology.namespace)
    if topology.batch > 0:
        unsteady = [one.primary.name for one in admitted if not _stands(one.primary, here)]
        if unsteady:
            waits = f"{unsteady[0]} has no Pod with a sandbox"
            return TopologyPass(finished.releases, waits=waits)
        pending = pending[: topology.batch]
    batch = _release(topology, pending)
    return TopologyPass(_once(finished.releases + batch.releases), batch.failure)


def _release(topology: TopologyView, released: list[Group]) -> TopologyPass:
    """Lift the holds of groups in order, up to the first that belongs to another Topology (§3.5)."""
    done: list[NodeView] = []
    for group in released:
        for node in group.members:
            if node.hold == topology.uid:
                done.append(node)
            elif node.hold:
                failure = "startup admission belongs to a different Topology UID: Node"
                return TopologyPass(tuple(done), f"{failure} {node.full_name}")
    return TopologyPass(tuple(done))


def global_pass(snapshot: Snapshot) -> GlobalPass:
    """Decide who is admitted in the whole installation (§4.3)."""
    if snapshot.batch <= 0:
        return GlobalPass()
    whole, _ = whole_groups(node for node in snapshot.nodes if not node.deleting)
    newest = newest_pods(snapshot.pods)
    marks: list[NodeView] = []
    blocked: list[str] = []
    pending: list[Group] = []
    for group in whole:
        primary = group.primary
        if primary.ignored:
            continue
        if primary.mark == primary.uid or primary.uid in newest:
            marks += _unmarked(group)
            if not _stands(primary, newest):
                blocked.append(primary.full_name)
        elif not primary.hold:
            pending.append(group)
    pending.sort(key=lambda group: (group.primary.created, group.primary.full_name))
    if not blocked:
        for group in pending[: snapshot.batch]:
            marks += _unmarked(group)
    waiting = tuple(group.primary.full_name for group in pending)
    return GlobalPass(_once(marks), tuple(blocked), waiting, rests=not blocked and not pending)


def _unmarked(group: Group) -> list[NodeView]:
    return [node for node in group.members if node.mark != node.uid]


def _once(nodes: Iterable[NodeView]) -> tuple[NodeView, ...]:
    """Leave out repetitions: Nodes in a circle are in each other's groups."""
    return tuple(dict.fromkeys(nodes))


def host_pass(snapshot: Snapshot) -> HostPass:
    """Decide who may boot on the hosts (§5.2)."""
    pods = [pod for pod in snapshot.pods if pod.device]
    if not any(pod.gated for pod in pods):
        return HostPass()
    bound = [pod for pod in pods if pod.host]
    owners = {node.uid: node.topology for node in snapshot.nodes}
    caps = {topology.uid: topology.per_host for topology in snapshot.topologies}
    booting = [pod for pod in bound if not _queues(pod) and _boots(pod)]
    hosts = Counter(pod.host for pod in booting)
    orphans = tuple(pod.full_name for pod in booting if pod.node_uid not in owners)
    if orphans:
        return HostPass(booting=hosts, orphans=orphans)
    before, labs = Counter(hosts), Counter((owners[pod.node_uid], pod.host) for pod in booting)
    grants = []
    for pod in sorted(filter(_queues, bound), key=lambda pod: (pod.created, pod.full_name)):
        owner = owners.get(pod.node_uid)
        if pod.deleting or pod.node_uid not in owners or (owner is not None and owner not in caps):
            continue
        cap = caps[owner] if owner is not None else 0
        fits = not snapshot.per_host or hosts[pod.host] < snapshot.per_host
        if fits and (not cap or labs[owner, pod.host] < cap):
            grants.append(pod)
            hosts[pod.host] += 1
            labs[owner, pod.host] += 1
    return HostPass(tuple(grants), before)


def _queues(pod: PodView) -> bool:
    return pod.gated and pod.grant != pod.uid


def _boots(pod: PodView) -> bool:
    return not pod.started and pod.phase not in FINISHED


def is_gated(per_host: int, primary: NodeView, topologies: Iterable[TopologyView]) -> bool:
    """Tell whether a Deployment that is made now gets the gate (§5.1)."""
    caps = {topology.uid: topology.per_host for topology in topologies}
    return per_host > 0 or caps.get(primary.topology or "", 0) > 0
