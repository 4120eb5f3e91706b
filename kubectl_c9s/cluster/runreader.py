"""Reads what the manifest of a run is made of, part by part; none of the reads has to succeed."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

import msgspec

from kubectl_c9s.cluster import kinds
from kubectl_c9s.cluster.capture import server_version
from kubectl_c9s.cluster.installation import find_installation
from kubectl_c9s.cluster.optional import Reads
from kubectl_c9s.cluster.reading import list_objects
from kubectl_c9s.measurement import runmanifest
from kubectl_c9s.measurement.runmanifest import Asked
from kubectl_c9s.measurement.runpods import OfPods, RunPod, of_pods
from kubectl_c9s.resources import devicepods, labels
from kubectl_c9s.resources.live import Meta, Rollout, Topology

if TYPE_CHECKING:
    from kubectl_c9s.cluster.connection import Connection
    from kubectl_c9s.cluster.installation import Installation
    from kubectl_c9s.cluster.kinds import Resource
    from kubectl_c9s.measurement.run import Limits

T = TypeVar("T")
DEVICES: Final = {"labelSelector": devicepods.WORKLOAD}
"""Of Pods: those of devices."""

_OF_LAB: Final = (kinds.TOPOLOGIES, kinds.NODES, kinds.LINKS, kinds.NODE_PROFILES)
_POOL: Final = {"labelSelector": f"{labels.COMPONENT}=planner-pool"}
_MANAGERS: Final = {"labelSelector": f"{labels.COMPONENT}=manager"}


class Scope(NamedTuple):
    """Of which run: all devices of a namespace (empty for all of them), or those of one ``lab``.

    ``manager_namespace`` is None to look for the manager. ``local_start`` is this machine's clock, RFC 3339, when the
    recording began.
    """

    namespace: str
    lab: str = ""
    manager_namespace: str | None = None
    local_start: str = ""

    @property
    def owned(self) -> dict[str, str]:
        """Give the selector of the lab's objects, empty for all."""
        return {"labelSelector": f"{labels.TOPOLOGY_OWNER}={self.lab}"} if self.lab else {}

    @property
    def devices(self) -> dict[str, str]:
        """Give the selector of the lab's device Pods."""
        return {"labelSelector": ",".join([*DEVICES.values(), *self.owned.values()])}


class _Replicas(msgspec.Struct):
    replicas: int | None = None


class _Deployment(msgspec.Struct):
    metadata: Meta
    spec: _Replicas = msgspec.field(default_factory=_Replicas)


class Reader:
    """Reads the parts; ``notes`` say which could not be read and why."""

    def __init__(self, connection: Connection, scope: Scope) -> None:
        self._connection = connection
        self._scope = scope
        self._reads = Reads()

    @property
    def notes(self) -> list[str]:
        """Give the notes of all parts."""
        return self._reads.notes

    def definition(self) -> str:
        """Give the digest of what was asked for; empty unless all of it could be read."""
        found: list[tuple[str, Asked]] = []
        for kind in _OF_LAB:
            one = kind is kinds.TOPOLOGIES and self._scope.lab
            selectors = {"fieldSelector": f"metadata.name={one}"} if one else self._scope.owned
            listed = self._list("the definition has no digest", kind, Asked, selectors)
            if listed is None:
                return ""
            found += [(kind.kind, item) for item in listed]
        return runmanifest.definition_digest(found)

    def pods(self, selectors: dict[str, str]) -> OfPods:
        """Read the Pods of the run."""
        what = "images, address families and hosts are not known"
        return of_pods(self._list(what, kinds.PODS, RunPod, selectors) or ())

    def topology_limits(self) -> dict[str, Limits]:
        """Give the limits of every Topology of the namespace by its full name: all of them share the hosts."""
        found = self._list("limits of Topologies are not known", kinds.TOPOLOGIES, Topology, {})
        return {
            f"{one.metadata.namespace}/{one.metadata.name}": runmanifest.limits_of(one.spec.rollout)
            for one in found or ()
        }

    def installation(self) -> Installation | None:
        """Find the manager."""
        wanted = self._scope.manager_namespace
        return self._reads.read(
            "limits of the Config, planners and images of the manager are not known",
            functools.partial(find_installation, self._connection, wanted),
        )

    def config_limits(self, place: Installation | None) -> Limits | None:
        """Give the limits of the Config: all off when there is none, None when that is not known."""
        if place is None:
            return None
        block = ((place.config or {}).get("spec") or {}).get("rollout") or {}
        read = functools.partial(msgspec.convert, block, Rollout)
        policy = self._reads.read("limits of the Config are not known", read)
        return None if policy is None else runmanifest.limits_of(policy)

    def server(self) -> str:
        """Give the version of the server; empty where it is not known."""
        read = functools.partial(server_version, self._connection)
        return self._reads.read("the version of the server is not known", read) or ""

    def manager_images(self, place: Installation | None) -> tuple[str, ...]:
        """Name the images of the manager's Pods by their identity, or as they were asked for without one."""
        if place is None:
            return ()
        what = "images of the manager are not known"
        pods = self._list(what, kinds.PODS, RunPod, _MANAGERS, place.namespace) or []
        return tuple(identity or image for image, identity in of_pods(pods).images.items())

    def planners(self, place: Installation | None) -> int | None:
        """Give how many planners there are to be; None without a pool."""
        if place is None:
            return None
        what = "the planner pool is not known"
        pools = self._list(what, kinds.DEPLOYMENTS, _Deployment, _POOL, place.namespace)
        replicas = [1 if one.spec.replicas is None else one.spec.replicas for one in pools or ()]
        return sum(replicas) if replicas else None

    def _list(
        self,
        what: str,
        kind: Resource,
        item: type[T],
        selectors: dict[str, str],
        namespace: str | None = None,
    ) -> list[T] | None:
        read = functools.partial(
            list_objects,
            self._connection,
            kind,
            item,
            namespace=namespace or self._scope.namespace,
            selectors=selectors,
        )
        found = self._reads.read(what, read)
        return None if found is None else found.items
