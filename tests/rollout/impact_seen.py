"""What stands on the API server, read at one time, and what has become different between two readings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import standin_gates as gates
import standin_names as names
import standin_plan as plans
from bed_client import path_of
from standin_views import (
    NodeView,
    PodView,
    Snapshot,
    TopologyView,
    view_node,
    view_pod,
    view_topology,
)

if TYPE_CHECKING:
    from collections.abc import Collection

    from bed_client import ApiClient
    from standin_views import Group, Json

Thing = TypeVar("Thing")


@dataclass(frozen=True)
class Seen:
    """Views as the stand-in takes them, and bodies, by ``namespace/name``.

    ``deployments`` are those of devices. ``asleep`` are Topologies that the manager does not reconcile.
    """

    nodes: dict[str, NodeView]
    pods: dict[str, PodView]
    labs: dict[str, TopologyView]
    bodies: dict[str, Json]  # of Nodes
    topologies: dict[str, Json]
    profiles: dict[str, Json]
    deployments: dict[str, Json]
    asleep: frozenset[str]

    @property
    def groups(self) -> list[Group]:
        """Give the groups with a primary, those in circles too."""
        return gates.whole_groups(self.nodes.values())[0]

    def within(self, spaces: Collection[str]) -> Seen:
        """Give what of it stands in some namespaces."""

        def here(things: dict[str, Thing]) -> dict[str, Thing]:
            return {key: one for key, one in things.items() if key.partition("/")[0] in spaces}

        return Seen(
            here(self.nodes),
            here(self.pods),
            here(self.labs),
            here(self.bodies),
            here(self.topologies),
            here(self.profiles),
            here(self.deployments),
            self.asleep,
        )

    def snapshot(self, config: tuple[int, int]) -> Snapshot:
        """Give what the queue of an installation would see under these limits."""
        nodes, pods, labs = ([*self.nodes.values()], [*self.pods.values()], [*self.labs.values()])
        return Snapshot(*config, nodes, pods, labs)


def read(client: ApiClient, app: str) -> Seen:
    """Read all namespaces."""

    def listed(version: str, plural: str) -> dict[str, Json]:
        items = client.get(path_of(version, plural)).ok()["items"]
        return {"{namespace}/{name}".format_map(one["metadata"]): one for one in items}

    nodes, topologies = (listed(names.VERSION, plural) for plural in ("nodes", "topologies"))
    pods, deployments = listed("v1", "pods"), listed("apps/v1", "deployments")
    return Seen(
        {key: view_node(one) for key, one in nodes.items()},
        {key: view_pod(one, app) for key, one in pods.items()},
        {key: view_topology(one) for key, one in topologies.items()},
        nodes,
        topologies,
        listed(names.VERSION, "nodeprofiles"),
        {key: one for key, one in deployments.items() if names.WORKLOAD in _labels(one)},
        frozenset(key for key, one in topologies.items() if names.IGNORE in _labels(one)),
    )


def _labels(body: Json) -> Json:
    labels: Json = body["metadata"].get("labels") or {}
    return labels


@dataclass(frozen=True)
class Done:
    """What was done between two readings, as ``namespace/name``: Nodes marked and released, Pods granted.

    ``planned`` are Deployments that have appeared, and whether their Pods have the gate. ``odd`` is what no manager
    does.
    """

    marked: frozenset[str]
    lifted: frozenset[str]
    granted: frozenset[str]
    planned: dict[str, bool]
    odd: tuple[str, ...]


def done(before: Seen, after: Seen) -> Done:
    """Compare two readings between which no Node and no Pod has come or gone."""
    nodes = [(one, after.nodes[key]) for key, one in before.nodes.items() if key in after.nodes]
    pods = [(one, after.pods[key]) for key, one in before.pods.items() if key in after.pods]
    odd = [f"{key} has come or gone" for key in before.nodes.keys() ^ after.nodes.keys()]
    odd += [f"Pod {key} has come or gone" for key in before.pods.keys() ^ after.pods.keys()]
    odd += [new.full_name for old, new in nodes if _is_odd(old.mark, new.mark, new.uid)]
    odd += [new.full_name for old, new in nodes if old.hold != new.hold and new.hold]
    odd += [new.full_name for old, new in pods if _is_odd(old.grant, new.grant, new.uid)]
    planned = after.deployments.keys() - before.deployments.keys()
    for key, body in before.deployments.items():
        there = after.deployments.get(key)
        if there is None or plans.is_gated(there) != plans.is_gated(body):
            odd.append(f"Deployment {key}")
    return Done(
        frozenset(new.full_name for old, new in nodes if old.mark != new.mark),
        frozenset(new.full_name for old, new in nodes if old.hold and not new.hold),
        frozenset(new.full_name for old, new in pods if old.grant != new.grant),
        {key: plans.is_gated(after.deployments[key]) for key in planned},
        tuple(odd),
    )


def _is_odd(old: str, new: str, uid: str) -> bool:
    return new not in {old, uid}
