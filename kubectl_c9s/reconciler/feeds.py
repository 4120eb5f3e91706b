"""What is watched: what enforcing needs, what a diagnosis wants besides, and how much of each object is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from kubectl_c9s.cluster import kinds
from kubectl_c9s.cluster.capture import RESOURCES
from kubectl_c9s.cluster.kinds import Resource
from kubectl_c9s.diagnosis.dump import FIELDS, let_go
from kubectl_c9s.reconciler.kept import KeptNode, KeptPod
from kubectl_c9s.reconciler.keptowners import KeptDeployment, KeptLink, KeptReplicaSet, seen_event
from kubectl_c9s.resources.objects import TOOLKIT_API_VERSION
from kubectl_c9s.resources.surroundings import RawEvent

if TYPE_CHECKING:
    from collections.abc import Mapping

_GROUP, _VERSION = TOOLKIT_API_VERSION.split("/")
POLICIES: Final = Resource(_GROUP, _VERSION, "rolloutpolicies", "RolloutPolicy")
WHOLE: Final = (kinds.CONFIGS, kinds.TOPOLOGIES)
"""Kinds that are written: kept as they are, but for definitions and status."""
MANAGER_PODS: Final = f"{kinds.PODS.full_name}@manager"
"""The Pods of the manager's namespace, where only those of devices are watched elsewhere."""
NEEDED: Final = frozenset(
    one.full_name for one in (POLICIES, *WHOLE, kinds.NODES, kinds.PODS, kinds.LEASES)
)
"""Without any of these nothing is written; the others only make a diagnosis better."""
_FOR_DIAGNOSES: Final = tuple(one for one in RESOURCES if one is not kinds.NODE_PROFILES)
"""What a diagnosis asks for: no rule does for NodeProfiles."""
WATCHED: Final = frozenset(one.full_name for one in _FOR_DIAGNOSES)
KEPT: Final[dict[str, type[Any]]] = {
    kinds.NODES.full_name: KeptNode,
    kinds.PODS.full_name: KeptPod,
    kinds.DEPLOYMENTS.full_name: KeptDeployment,
    kinds.REPLICA_SETS.full_name: KeptReplicaSet,
    kinds.LINKS.full_name: KeptLink,
}
"""Types of the kinds of which there are many."""


class Feed(NamedTuple):
    """A collection: the type of its items (dict for whole objects), its namespace (None: all), selectors."""

    resource: Resource
    item_type: type[Any]
    namespace: str | None = None
    selectors: Mapping[str, str] = {}
    besides: str = ""

    @property
    def name(self) -> str:
        """Give kubectl's name of the kind; for what is watched of it ``besides``, with a mark behind it."""
        mark = f"@{self.besides}" if self.besides else ""
        return f"{self.resource.full_name}{mark}"


def feeds(manager_namespace: str, pod_selector: str) -> list[Feed]:
    """Give all feeds; policies are obeyed in the manager's namespace alone."""
    found = [Feed(POLICIES, dict, manager_namespace)]
    for resource in _FOR_DIAGNOSES:
        feed = Feed(resource, _type_of(resource))
        if resource is kinds.LEASES:
            feed = feed._replace(namespace=manager_namespace)
        elif resource is kinds.EVENTS:
            # What went well is no evidence; of a large start that is nearly all of them.
            feed = feed._replace(selectors={"fieldSelector": "type=Warning"})
        elif resource is kinds.PODS and pod_selector:
            feed = feed._replace(selectors={"labelSelector": pod_selector})
        found.append(feed)
    if pod_selector:
        # A diagnosis asks for the Pods of the installation itself, which are no devices.
        found.append(Feed(kinds.PODS, KeptPod, manager_namespace, besides="manager"))
    return found


def _type_of(resource: Resource) -> type[Any]:
    if resource in WHOLE:
        return dict
    name = resource.full_name
    return KEPT.get(name) or FIELDS[name][1]


def slim(name: str, item: Any) -> Any:
    """Leave out of an object what nobody asks for; what is left holds on to no text."""
    if isinstance(item, RawEvent):
        return seen_event(item)
    if not isinstance(item, dict):
        if not isinstance(item, tuple(KEPT.values())):
            let_go(item)
        return item
    if name == POLICIES.full_name:
        return item
    spec = {key: value for key, value in (item.get("spec") or {}).items() if key == "rollout"}
    kept = {**item, "spec": spec} if "spec" in item else dict(item)
    if isinstance(status := kept.get("status"), dict):
        kept["status"] = {key: value for key, value in status.items() if key in _STATUS}
    return kept


_STATUS: Final = frozenset({"conditions", "error", "topologyState", "nodeCount"})
