"""The Topologies of a recording, if there are any: how large, whether ready, and where time begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from kubectl_c9s.measurement import run as runs
from kubectl_c9s.measurement.reached import created
from kubectl_c9s.measurement.run import Anchor
from kubectl_c9s.resources.moments import seconds_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kubectl_c9s.measurement.run import Device
    from kubectl_c9s.measurement.watched import WatchedTopology

_READY = "TopologyReady"
_NODE = "Node"
_POD = "Pod"


class _Lab(msgspec.Struct):
    name: str
    created: float
    nodes: int
    ready: bool
    since: float | None


class Labs:
    """The Topologies that are there, by UID, and the anchor among all that were."""

    def __init__(self) -> None:
        self._labs: dict[str, _Lab] = {}
        self._first: Anchor | None = None

    def put(self, topology: WatchedTopology) -> None:
        """Take a Topology as it is now."""
        meta, status = topology.metadata, topology.status
        conditions = status.conditions or ()
        said = next(
            (one for one in conditions if one.type == _READY and one.status == "True"), None
        )
        since = seconds_of(said.last_transition_time) if said else None
        name = f"{meta.namespace}/{meta.name}"
        lab = _Lab(name, created(meta), status.node_count or 0, said is not None, since)
        self._labs[meta.uid] = lab
        if lab.created and (self._first is None or lab.created < self._first.at):
            self._first = Anchor("Topology", lab.name, lab.created)

    def drop(self, uid: str) -> None:
        """Forget a Topology that is gone."""
        self._labs.pop(uid, None)

    @property
    def ready(self) -> bool:
        """Tell whether there are Topologies, and all say that they are ready."""
        return bool(self._labs) and all(one.ready for one in self._labs.values())

    @property
    def ready_at(self) -> float | None:
        """Give the stamp at which the last Topology said that it is ready; None when one is not, or does not say."""
        stamps = [one.since for one in self._labs.values() if one.since is not None]
        return max(stamps) if self.ready and len(stamps) == len(self._labs) else None

    def complete(self, nodes: int) -> bool:
        """Tell whether so many Nodes are all of them: the manager has counted those of each definition."""
        counts = [one.nodes for one in self._labs.values()]
        return bool(counts) and all(counts) and nodes >= sum(counts)

    def anchor(self, devices: Sequence[Device]) -> Anchor | None:
        """Give the first Topology, or for labs without one the first Node, or, when none may be seen, the first Pod."""
        if self._first is not None:
            return self._first
        for kind, milestone in ((_NODE, runs.CREATED), (_POD, runs.POD)):
            stamped = [
                (one.stamps[milestone], one.full_name) for one in devices if milestone in one.stamps
            ]
            if stamped:
                at, name = min(stamped)
                return Anchor(kind, name, at)
        return None
