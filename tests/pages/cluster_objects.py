"""What the cluster of pages holds: names as the pages have them, in one place."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

import standin_names as names
from bed_client import path_of

if TYPE_CHECKING:
    from bed_client import Json

MANAGER: Final = "c9s"  # the namespace of the manager
HOSTS: Final = ("worker-1", "worker-2", "worker-3")
NODES: Final = ("r1", "r2", "r3", "r4")
LINKS: Final = (("r1:eth1", "r2:eth1"), ("r3:eth1", "r4:eth1"))
# Namespace and name of each lab with its devices and links.
LABS: Final = {("lab", "metro"): (NODES, LINKS), ("other", "west"): (("r9",), ())}
LOGS: Final = """\
apiVersion: kwok.x-k8s.io/v1alpha1
kind: ClusterLogs
metadata: {{name: all}}
spec:
  selector: {{}}
  logs:
    - {{logsFile: {file}, previousLogsFile: {file}, follow: false}}
"""
# Of which kinds a page may leave something behind, owners first.
KINDS: Final = (
    (names.VERSION, "topologies"),
    (names.VERSION, "configs"),
    (names.VERSION, "nodes"),
    (names.VERSION, "links"),
    (names.VERSION, "nodeprofiles"),
    ("apps/v1", "deployments"),
    ("apps/v1", "replicasets"),
    ("v1", "pods"),
    ("v1", "configmaps"),
    ("v1", "secrets"),
    ("v1", "resourcequotas"),
    ("v1", "persistentvolumeclaims"),
    ("coordination.k8s.io/v1", "leases"),
    ("toolkit.c9s.run/v1alpha1", "rolloutpolicies"),
    ("v1", "nodes"),
    ("admissionregistration.k8s.io/v1", "validatingadmissionpolicies"),
    ("admissionregistration.k8s.io/v1", "validatingadmissionpolicybindings"),
    ("v1", "namespaces"),
)


def made(version: str, kind: str, name: str, **parts: Any) -> Json:
    """Make an object; ``parts`` are its other fields, ``labels`` and ``annotations`` those of its metadata."""
    meta = {key: parts.pop(key) for key in ("labels", "annotations") if key in parts}
    return {"apiVersion": version, "kind": kind, "metadata": {"name": name, **meta}, **parts}


def topology(
    name: str, nodes: tuple[str, ...], links: tuple[tuple[str, str], ...] = (), **rollout: int
) -> Json:
    """Make a Topology of devices of one kind."""
    inner = {
        "kinds": {"linux": {"image": "busybox:1.37"}},
        "nodes": {node: {"kind": "linux"} for node in nodes},
        "links": [{"endpoints": list(ends)} for ends in links],
    }
    text = json.dumps({"name": name, "topology": inner})
    spec: Json = {"definition": {"containerlab": text}}
    return made(
        names.VERSION, "Topology", name, spec=spec | ({"rollout": rollout} if rollout else {})
    )


def config_path(namespace: str = MANAGER) -> str:
    """Give the path of a Config."""
    return path_of(names.VERSION, "configs", namespace, names.CONFIG)
