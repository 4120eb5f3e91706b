"""A record from the objects of a start that has ended or goes on: the API server's stamps, in whole seconds.

No stamp tells when a mark, a grant or ``started`` was written. So a device counts as started when its Pod is Ready, or,
without a startup probe, when its container runs: no earlier than it was.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from kubectl_c9s.resources import labels
from kubectl_c9s.resources.moments import seconds_of
from kubectl_c9s.rollout.assemble import assemble
from kubectl_c9s.rollout.groups import group_nodes
from kubectl_c9s.rollout.limits import Limits
from kubectl_c9s.rollout.views import (
    GATE,
    HOST_GRANT,
    NODE_UID,
    PRIMARY_CONTAINER,
    SANDBOX,
    WORKLOAD,
)
from kubectl_c9s.simulation import milestones as ms
from kubectl_c9s.simulation.recording import DeviceTimes, LimitsThen, Record
from kubectl_c9s.simulation.scenario import Begun

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from kubectl_c9s.resources.live import ContainerStatus, LabNode, Meta, Pod, Topology
    from kubectl_c9s.rollout.views import NodeView, Snapshot

_STAMPED = {"PodScheduled": ms.SCHEDULED, SANDBOX: ms.SANDBOX, "Ready": ms.READY}


class Owned(Protocol):
    """A Deployment or a ReplicaSet: its metadata is enough."""

    @property
    def metadata(self) -> Meta:
        """Give its metadata."""


class Objects(NamedTuple):
    """The objects that the starts of an installation are about, and the present in seconds since 1970.

    ``hosts`` are the names of core Nodes that take devices.
    """

    config: Limits = Limits()
    topologies: Sequence[Topology] = ()
    nodes: Sequence[LabNode] = ()
    deployments: Sequence[Owned] = ()
    replica_sets: Sequence[Owned] = ()
    pods: Sequence[Pod] = ()
    hosts: Sequence[str] = ()
    app: str = labels.APP_VALUE
    now: float = 0.0

    @property
    def snapshot(self) -> Snapshot:
        """Give what the gates see."""
        return assemble(self.config, self.topologies, self.nodes, self.pods, self.app)


class Present(NamedTuple):
    """A start as it is: its record so far; by the UID of a primary how far it is and where its Pod lies.

    ``created`` has the seconds of every Node's creation by UID.
    """

    record: Record
    begun: dict[str, Begun]
    places: dict[str, str]
    created: dict[str, float]

    @property
    def unready(self) -> int:
        """Give the number of devices that are not ready yet."""
        return sum(one.milestone != ms.READY for one in self.begun.values())


def present(objects: Objects) -> Present:
    """Read how far each device is."""
    snapshot = objects.snapshot
    pods, replica_sets = _newest(objects.pods), _by_workload(objects.replica_sets)
    deployments = {(one.metadata.namespace, one.metadata.name): one for one in objects.deployments}
    found: list[tuple[NodeView, Pod | None, dict[str, float]]] = []
    for node in (group.primary for group in group_nodes(snapshot.nodes).groups):
        key, pod = (node.namespace, node.name), pods.get(node.uid)
        made = [(ms.DEPLOYMENT, deployments.get(key)), (ms.REPLICA_SET, replica_sets.get(key))]
        found.append((node, pod, _stamps(node, made, pod)))
    first = min((stamp for _, _, times in found for stamp in times.values()), default=0.0)
    devices = tuple(_device(node, pod, times, first) for node, pod, times in found)
    limits = LimitsThen(objects.config.batch, objects.config.per_host)
    begun = {
        node.uid: _begun(node, pod, times, objects.now)
        for node, pod, times in found
        if not node.deleting
    }
    places = {node.uid: pod.spec.node_name for node, pod, _ in found if pod and pod.spec.node_name}
    created = {node.uid: _seconds(node.created) for node in snapshot.nodes}
    record = Record(resolution=1.0, rollout=limits, devices=devices)
    return Present(record, begun, places, created)


def _newest(pods: Sequence[Pod]) -> dict[str, Pod]:
    found: dict[str, Pod] = {}
    for pod in pods:
        meta, uid = pod.metadata, pod.metadata.annotation(NODE_UID)
        if not uid or meta.deletion_timestamp or meta.label(WORKLOAD) is None:
            continue
        known = found.get(uid)
        if known is None or _seconds(pod.metadata.creation_timestamp) > _seconds(
            known.metadata.creation_timestamp
        ):
            found[uid] = pod
    return found


def _by_workload(replica_sets: Iterable[Owned]) -> dict[tuple[str, str], Owned]:
    """Give the newest ReplicaSet of each device."""
    found: dict[tuple[str, str], Owned] = {}
    for one in sorted(replica_sets, key=lambda each: each.metadata.creation_timestamp or ""):
        workload = one.metadata.label(WORKLOAD)
        if workload is not None:
            found[one.metadata.namespace, workload] = one
    return found


def _seconds(text: str | None) -> float:
    """Give a stamp in seconds, 0 for none."""
    return seconds_of(text) or 0.0


def _stamps(
    node: NodeView, made: list[tuple[str, Owned | None]], pod: Pod | None
) -> dict[str, float]:
    """Give the stamps of a device in seconds; a Deployment that is older than its Node is another one's."""
    times = {ms.CREATED: _seconds(node.created)}
    for milestone, one in made:
        stamp = _seconds(one.metadata.creation_timestamp) if one else 0.0
        if stamp >= times[ms.CREATED]:
            times[milestone] = stamp
    if pod is not None:
        times[ms.POD] = _seconds(pod.metadata.creation_timestamp)
        for condition in pod.status.conditions or ():
            if condition.type in _STAMPED and condition.status == "True":
                times[_STAMPED[condition.type]] = _seconds(condition.last_transition_time)
        times |= _containers(pod, times.get(ms.READY))
    return {milestone: stamp for milestone, stamp in times.items() if stamp}


def _containers(pod: Pod, ready: float | None) -> dict[str, float]:
    times: dict[str, float] = {}
    for one in pod.status.init_container_statuses or ():
        if one.name == GATE:
            times[ms.PASSED] = _state(one, "terminated", "finishedAt")
    primary = pod.metadata.annotation(PRIMARY_CONTAINER)
    probed = {one.name for one in pod.spec.containers or () if one.startup_probe}
    for one in pod.status.container_statuses or ():
        if one.name == primary and one.started:
            running = _state(one, "running", "startedAt")
            times[ms.STARTED] = (ready or 0.0) if primary in probed else running
    return times


def _state(status: ContainerStatus, state: str, field: str) -> float:
    stamp = ((status.state or {}).get(state) or {}).get(field)
    return _seconds(stamp) if isinstance(stamp, str) else 0.0


def _device(node: NodeView, pod: Pod | None, times: dict[str, float], first: float) -> DeviceTimes:
    seconds: dict[str, float] = {one: times[one] - first for one in ms.MILESTONES if one in times}
    return DeviceTimes(node.namespace, node.name, (pod and pod.spec.node_name) or "", seconds)


def _begun(node: NodeView, pod: Pod | None, times: dict[str, float], now: float) -> Begun:
    """Give the milestone that a device is at, and since when; without a stamp since now."""
    if pod is not None and (state := _unstamped(pod, times)):
        return Begun(state)
    last = max(times, key=ms.MILESTONES.index, default=ms.CREATED)
    if last == ms.CREATED and node.mark == node.uid:
        return Begun(ms.ADMITTED)
    return Begun(last, max(now - times.get(last, now), 0.0))


def _unstamped(pod: Pod, times: dict[str, float]) -> str:
    """Name a state that a Pod is in and no stamp tells of."""
    if ms.READY in times:
        return ""
    primary = pod.metadata.annotation(PRIMARY_CONTAINER)
    if any(one.started and one.name == primary for one in pod.status.container_statuses or ()):
        return "" if ms.STARTED in times else ms.STARTED
    granted = pod.metadata.annotation(HOST_GRANT) == pod.metadata.uid
    return ms.GRANTED if granted and ms.SANDBOX in times and ms.PASSED not in times else ""
