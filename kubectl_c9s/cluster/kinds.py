"""The kinds we read and write, and where the API serves them."""

from __future__ import annotations

from typing import Final, NamedTuple
from urllib.parse import quote


class Resource(NamedTuple):
    """A kind as the API serves it; ``group`` is empty for the core group."""

    group: str
    version: str
    plural: str
    kind: str
    namespaced: bool = True

    @property
    def api_version(self) -> str:
        """``apiVersion`` of its objects."""
        return f"{self.group}/{self.version}" if self.group else self.version

    @property
    def full_name(self) -> str:
        """``plural.group``, as kubectl wants it: ``nodes.c9s.run`` is not ``nodes``."""
        return f"{self.plural}.{self.group}" if self.group else self.plural

    def path(self, namespace: str | None = None, name: str | None = None) -> str:
        """Path of the collection (all namespaces without one) or of one object."""
        base = f"/apis/{self.group}/{self.version}" if self.group else f"/api/{self.version}"
        if self.namespaced and namespace:
            base += f"/namespaces/{quote(namespace, safe='')}"
        base += f"/{self.plural}"
        return f"{base}/{quote(name, safe='')}" if name else base


_C9S: Final = ("c9s.run", "v1alpha1")
CONFIGS: Final = Resource(*_C9S, "configs", "Config")
TOPOLOGIES: Final = Resource(*_C9S, "topologies", "Topology")
NODES: Final = Resource(*_C9S, "nodes", "Node")
LINKS: Final = Resource(*_C9S, "links", "Link")
NODE_PROFILES: Final = Resource(*_C9S, "nodeprofiles", "NodeProfile")
CONFIG_MAPS: Final = Resource("", "v1", "configmaps", "ConfigMap")
NAMESPACES: Final = Resource("", "v1", "namespaces", "Namespace", namespaced=False)
PODS: Final = Resource("", "v1", "pods", "Pod")
EVENTS: Final = Resource("", "v1", "events", "Event")
CORE_NODES: Final = Resource("", "v1", "nodes", "Node", namespaced=False)
DEPLOYMENTS: Final = Resource("apps", "v1", "deployments", "Deployment")
REPLICA_SETS: Final = Resource("apps", "v1", "replicasets", "ReplicaSet")
LEASES: Final = Resource("coordination.k8s.io", "v1", "leases", "Lease")
CRDS: Final = Resource(
    "apiextensions.k8s.io",
    "v1",
    "customresourcedefinitions",
    "CustomResourceDefinition",
    namespaced=False,
)
PRIORITY_LEVELS: Final = Resource(
    "flowcontrol.apiserver.k8s.io",
    "v1",
    "prioritylevelconfigurations",
    "PriorityLevelConfiguration",
    namespaced=False,
)
ACCESS_REVIEWS: Final = Resource(
    "authorization.k8s.io",
    "v1",
    "selfsubjectaccessreviews",
    "SelfSubjectAccessReview",
    namespaced=False,
)

# What a split lab consists of, in the order it is applied; later kinds need the earlier ones.
APPLIED: Final = (NAMESPACES, CONFIG_MAPS, NODE_PROFILES, LINKS, NODES)


def applied_resource(api_version: str, kind: str) -> Resource | None:
    """Find the resource of an object that ``apply`` takes."""
    for resource in APPLIED:
        if (resource.api_version, resource.kind) == (api_version, kind):
            return resource
    return None
