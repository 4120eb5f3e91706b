"""What is simulated: the objects at the beginning, those that come later, and hosts."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from kubectl_c9s.rollout.groups import group_nodes
from kubectl_c9s.rollout.views import NodeView, Snapshot, TopologyView
from kubectl_c9s.simulation.milestones import CREATED

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kubectl_c9s.rollout.limits import Limits
    from kubectl_c9s.simulation.fromobjects import Present
    from kubectl_c9s.simulation.recording import Record


class Begun(NamedTuple):
    """The milestone that a device has reached, and how many seconds before the beginning."""

    milestone: str = CREATED
    since: float = 0.0


class Coming(NamedTuple):
    """A Node that is made so many seconds after the beginning."""

    seconds: float
    node: NodeView


class Scenario(NamedTuple):
    """A start. ``places`` has the host of a Node's Pod by the Node's UID; others go where the fewest Pods are.

    ``begun`` says by UID how far the devices of the snapshot are; those it does not have are as their Pods say.
    """

    snapshot: Snapshot
    hosts: tuple[str, ...]
    coming: tuple[Coming, ...] = ()
    places: Mapping[str, str] = {}
    begun: Mapping[str, Begun] = {}

    @property
    def workloads(self) -> int:
        """Give the number of devices: Nodes that share a Pod count once."""
        nodes = [*self.snapshot.nodes, *(one.node for one in self.coming)]
        groups = group_nodes(node for node in nodes if not node.deleting).groups
        return len(groups)


class Wish(NamedTuple):
    """A start that is made up: ``devices`` workloads with ``members`` Nodes each on named hosts.

    Nodes come at ``rate`` a second, 0 for all at once. Without ``labs`` they stand alone in one namespace; else they
    are those of as many Topologies with the limits ``lab``, one after another.
    """

    devices: int
    hosts: tuple[str, ...]
    rate: float = 0.0
    labs: int = 0
    lab: Limits | None = None
    members: int = 1


def made_up(wish: Wish) -> Scenario:
    """Give the scenario of a wish; names and UIDs are counted."""
    topologies = [_topology(wish, number) for number in range(wish.labs)]
    coming, born = [], 0
    for number in range(wish.devices):
        lab = topologies[number * len(topologies) // wish.devices] if topologies else None
        primary = f"device-{number:05}"
        for member in range(wish.members):
            seconds = born / wish.rate if wish.rate > 0 else 0.0
            coming.append(Coming(seconds, _node(primary, member, lab, stamp(seconds))))
            born += 1
    return Scenario(Snapshot(0, 0, topologies=tuple(topologies)), wish.hosts, tuple(coming))


def host_names(count: int) -> tuple[str, ...]:
    """Make up names for so many hosts; they sort as they are counted."""
    width = len(str(count))
    return tuple(f"host-{number + 1:0{width}}" for number in range(count))


def from_present(snapshot: Snapshot, found: Present, hosts: Sequence[str]) -> Scenario:
    """Give the scenario of a start that goes on: its rest."""
    return Scenario(snapshot, tuple(hosts), places=found.places, begun=found.begun)


def again(snapshot: Snapshot, found: Present, hosts: Sequence[str], rate: float = 0.0) -> Scenario:
    """Give the scenario of the same devices started anew, on the hosts they were on.

    Their Nodes come when they came then, or at ``rate`` a second.
    """
    nodes = sorted(snapshot.nodes, key=lambda node: (node.created, node.full_name))
    held = {one.uid for one in snapshot.topologies if one.batch > 0}
    first = min((found.created.get(node.uid, 0.0) for node in nodes), default=0.0)
    coming = []
    for number, node in enumerate(nodes):
        seconds = number / rate if rate > 0 else found.created.get(node.uid, first) - first
        hold = node.topology if node.topology in held else ""
        new = replace(node, created=stamp(seconds), mark="", hold=hold, deleting=False)
        coming.append(Coming(seconds, new))
    empty = replace(snapshot, nodes=(), pods=())
    return Scenario(empty, tuple(hosts), tuple(coming), found.places)


def again_from_record(record: Record, hosts: Sequence[str], rate: float = 0.0) -> Scenario:
    """Give the scenario of recorded devices started anew, all as Nodes that stand alone."""
    times = {one.full_name: one.seconds.get(CREATED, 0.0) for one in record.devices}
    first = min(times.values(), default=0.0)
    coming = []
    for number, name in enumerate(sorted(times, key=lambda one: (times[one], one))):
        seconds = number / rate if rate > 0 else times[name] - first
        namespace, _, plain = name.partition("/")
        coming.append(Coming(seconds, NodeView(namespace, plain, name, stamp(seconds))))
    places = {one.full_name: one.host for one in record.devices if one.host}
    return Scenario(Snapshot(0, 0), tuple(hosts), tuple(coming), places)


def stamp(seconds: float) -> str:
    """Give a creation time in simulated time: seconds, as the API's; it sorts behind those of today's objects."""
    return f"9{int(seconds):09}"


def _topology(wish: Wish, number: int) -> TopologyView:
    first = -(-number * wish.devices // wish.labs)
    following = -(-(number + 1) * wish.devices // wish.labs)
    name = f"lab-{number + 1}"
    batch, per_host = (wish.lab.batch, wish.lab.per_host) if wish.lab else (0, 0)
    expected = (following - first) * wish.members
    return TopologyView(name, name, name, batch, per_host, expected)


def _node(primary: str, member: int, lab: TopologyView | None, created: str) -> NodeView:
    namespace = lab.namespace if lab else "lab"
    name = f"{primary}-{member}" if member else primary
    return NodeView(
        namespace,
        name,
        f"{namespace}/{name}",
        created,
        shares=primary if member else None,
        hold=lab.uid if lab and lab.batch else "",
        topology=lab.uid if lab else "",
        owners=(lab.uid,) if lab else (),
    )
