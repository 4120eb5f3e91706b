"""What one leader has in memory, and nothing else has: stores, controllers, the Config as it has seen it.

A new leader begins with a new session, so a restart has no memory (admission.md §4.6).
"""

from __future__ import annotations

import dataclasses
import fnmatch
import logging
from typing import TYPE_CHECKING, Final

import standin_names as names
from standin_admission import Admission
from standin_api import Api
from standin_index import GroupIndex, LinkIndex, ends
from standin_links import Links
from standin_nodes import Nodes
from standin_store import Kind, Store
from standin_topologies import Topologies
from standin_views import (
    NodeView,
    PodView,
    TopologyView,
    limits,
    view_node,
    view_pod,
    view_topology,
)

if TYPE_CHECKING:
    from bed_client import Access
    from standin_faults import Chance, FaultBoard
    from standin_views import Json

log = logging.getLogger("standin")

SYNC_WITHIN: Final = 60.0  # seconds for the first lists


@dataclasses.dataclass(frozen=True)
class Settings:
    """What does not change while the stand-in runs.

    ``scope`` is a pattern of namespaces: Nodes elsewhere are not of this installation. ``workers`` plan at once.
    """

    namespace: str
    app: str
    chance: Chance
    scope: str = "*"
    workers: int = 16


class NotSynced(Exception):
    """The first lists did not come; the leader gives up."""


class Session:
    """The memory of a leader; :meth:`start` gives when all is read, :meth:`stop` when nobody writes any more."""

    def __init__(self, access: Access, settings: Settings, faults: FaultBoard) -> None:
        self.api = Api(access)
        self.settings, self.faults = settings, faults
        self.groups, self.wires = GroupIndex(), LinkIndex()
        self._seen_limits = (0, 0)
        self._make_stores()
        self.admission = Admission(self)
        self.topologies = Topologies(self)
        self.nodes = Nodes(self)
        self.links = Links(self)

    def _make_stores(self) -> None:
        app = f"{names.APP}={self.settings.app}"
        api, wanted = self.api, self._in_scope

        def ours(plural: str) -> Kind:
            return Kind(names.VERSION, plural)

        self.config_store: Store[Json] = Store(
            api, ours("configs"), dict, self._on_config, self.settings.namespace.__eq__
        )
        self.topology_store = Store(
            api, ours("topologies"), view_topology, self._on_topology, wanted
        )
        self.node_store = Store(api, ours("nodes"), view_node, self._on_node, wanted)
        self.link_store: Store[Json] = Store(api, ours("links"), dict, self._on_link, wanted)
        self.profile_store: Store[Json] = Store(
            api, ours("nodeprofiles"), dict, self._on_profile, wanted
        )
        self.pod_store = Store(
            api, Kind("v1", "pods", app), self._view_pod, self._on_pod, self._has_pods
        )
        self.deployment_store: Store[Json] = Store(
            api, Kind("apps/v1", "deployments", app), dict, self._on_deployment, wanted
        )

    @property
    def stores(self) -> list[Store[Json] | Store[NodeView] | Store[PodView] | Store[TopologyView]]:
        """Give all stores."""
        return [
            self.config_store,
            self.topology_store,
            self.node_store,
            self.link_store,
            self.profile_store,
            self.pod_store,
            self.deployment_store,
        ]

    def start(self) -> None:
        """Read everything, then let the controllers begin; :class:`NotSynced` when the lists do not come."""
        for store in self.stores:
            store.start()
        if not all(store.wait_synced(SYNC_WITHIN) for store in self.stores):
            raise NotSynced
        self.look_at_config(first=True)
        for controller in (self.admission, self.topologies, self.nodes, self.links):
            controller.start()
        self.faults.listen(self._on_faults)

    def stop(self) -> None:
        """Let nobody write any more, and end all threads."""
        self.api.stop()
        self.faults.forget(self._on_faults)
        for controller in (self.admission, self.topologies, self.nodes, self.links):
            controller.stop()
        for store in self.stores:
            store.stop()

    @property
    def limits(self) -> tuple[int, int]:
        """Give batch and cap per host of the Config as the leader has seen them."""
        return self._seen_limits

    def look_at_config(self, *, first: bool = False) -> None:
        """Take over the Config's limits, unless the watch is deaf; a leader always loads it once."""
        if first or not self.faults.now.config_deaf:
            body = self.config_store.body(self.settings.namespace, names.CONFIG)
            self._seen_limits = limits((body or {}).get("spec") or {})

    def _in_scope(self, namespace: str) -> bool:
        return fnmatch.fnmatchcase(namespace, self.settings.scope)

    def _has_pods(self, namespace: str) -> bool:
        return namespace == self.settings.namespace or self._in_scope(namespace)

    def _view_pod(self, body: Json) -> PodView:
        return view_pod(body, self.settings.app)

    def _on_config(self, _old: Json | None, _new: Json | None) -> None:
        self.look_at_config()
        self._wake_all()

    def _on_topology(self, old: TopologyView | None, new: TopologyView | None) -> None:
        self.admission.wake()
        if one := new or old:
            self.topologies.look(one.namespace, one.name)

    def _on_node(self, old: NodeView | None, new: NodeView | None) -> None:
        self.admission.wake()
        for key in self.groups.changed(old, new):
            self.nodes.look(*key)
        if one := new or old:
            self.topologies.node_changed(one)
            if old is None or new is None or old.uid != new.uid or old.shares != new.shares:
                self.links.look_at_node(one.namespace, one.name)

    def _on_link(self, old: Json | None, new: Json | None) -> None:
        for key in self.wires.changed(old, new):
            self.links.look(*key)
        for body in filter(None, (old, new)):
            self.nodes.link_changed(body["metadata"]["namespace"], [node for node, _ in ends(body)])

    def _on_profile(self, old: Json | None, new: Json | None) -> None:
        meta = (new or old or {})["metadata"]
        self.nodes.profile_changed(meta["namespace"], meta["name"])

    def _on_pod(self, old: PodView | None, new: PodView | None) -> None:
        self.admission.pod_changed(old, new)
        for view in filter(None, (old, new)):
            self.nodes.pod_changed(view, gone=new is None)
            self.topologies.pod_changed(view)

    def _on_deployment(self, old: Json | None, new: Json | None) -> None:
        meta = (new or old or {})["metadata"]
        self.nodes.look(meta["namespace"], meta["name"])

    def _on_faults(self) -> None:
        self.look_at_config()
        self._wake_all()

    def _wake_all(self) -> None:
        self.admission.wake()
        for node in self.node_store.views():
            self.nodes.look(node.namespace, node.name)
