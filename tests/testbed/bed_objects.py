"""What every bed has in its API server: the definitions of our kinds, fake hosts, and the rights of KWOK."""

from __future__ import annotations

import functools
import time
from typing import TYPE_CHECKING, Final

from bed_client import path_of
from bed_state import BedBroken

from kubectl_c9s.resources.crd import crd
from kubectl_c9s.resources.schema_source import KINDS

if TYPE_CHECKING:
    from collections.abc import Callable

    from bed_client import ApiClient, Json

CRDS: Final = "apiextensions.k8s.io/v1", "customresourcedefinitions"
READY_WITHIN: Final = 120.0  # seconds; a busy machine needs a few


def load_crds(client: ApiClient) -> None:
    """Load our five kinds and wait until they are served; changes nothing when they are there."""
    load(client, [dict(crd(kind)) for kind in KINDS])


def load_door(client: ApiClient) -> None:
    """Let KWOK do its work, and load the kind that tells it where port-forwards go."""
    binding = {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "ClusterRoleBinding",
        "metadata": {"name": "testbed-kwok"},
        "roleRef": {
            "apiGroup": "rbac.authorization.k8s.io",
            "kind": "ClusterRole",
            "name": "cluster-admin",
        },
        "subjects": [{"kind": "User", "apiGroup": "rbac.authorization.k8s.io", "name": "kwok"}],
    }
    version = str(binding["apiVersion"])
    path = path_of(version, "clusterrolebindings", name="testbed-kwok")
    client.apply(path, binding).ok()
    load(client, [_port_forwards()])


def _port_forwards() -> Json:
    free = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    names = {"kind": "ClusterPortForward", "plural": "clusterportforwards"}
    version = {"name": "v1alpha1", "served": True, "storage": True}
    return {
        "apiVersion": CRDS[0],
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "clusterportforwards.kwok.x-k8s.io"},
        "spec": {
            "group": "kwok.x-k8s.io",
            "scope": "Cluster",
            "names": names,
            "versions": [version | {"schema": {"openAPIV3Schema": free}}],
        },
    }


def load(client: ApiClient, definitions: list[Json]) -> None:
    """Load definitions of kinds and wait until they are served."""
    paths = [path_of(*CRDS, name=one["metadata"]["name"]) for one in definitions]
    for path, one in zip(paths, definitions, strict=True):
        client.apply(path, one).ok()
    for path in paths:
        until(f"{path} is served", functools.partial(_is, client, path, "Established"))


def make_nodes(client: ApiClient, count: int) -> None:
    """Create fake hosts ``testbed-node-…`` up to a number; those that are there stay as they are."""
    for name in _node_names(count):
        labels = {
            "kubernetes.io/hostname": name,
            "kubernetes.io/arch": "amd64",
            "kubernetes.io/os": "linux",
        }
        body = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name, "labels": labels}}
        path = path_of("v1", "nodes", name=name)
        if client.get(path).status == 404:
            client.create(path_of("v1", "nodes"), body).ok()


def wait_nodes(client: ApiClient, count: int) -> None:
    """Wait until the fake hosts take Pods: Ready, and the taint they were born with is gone."""
    for name in _node_names(count):
        path = path_of("v1", "nodes", name=name)
        until(f"{name} takes Pods", functools.partial(_takes_pods, client, path))


def _node_names(count: int) -> list[str]:
    return [f"testbed-node-{number}" for number in range(count)]


def _takes_pods(client: ApiClient, path: str) -> bool:
    return _is(client, path, "Ready") and not client.get(path).ok()["spec"].get("taints")


def _is(client: ApiClient, path: str, condition: str) -> bool:
    status = client.get(path).ok().get("status", {})
    found = {one["type"]: one["status"] for one in status.get("conditions") or []}
    return found.get(condition) == "True"


def until(what: str, holds: Callable[[], bool], within: float = READY_WITHIN) -> None:
    """Wait until something holds; :class:`BedBroken` with its name when it does not come true."""
    end = time.monotonic() + within
    while not holds():
        if time.monotonic() > end:
            raise BedBroken(f"waited {within:.0f} s in vain: {what}")
        time.sleep(0.05)
