"""Keys under ``c9s.run``, and what a standalone object must not carry.

Sources: split.md §§6 and 12, admission.md §1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubectl_c9s.resources.objects import KubeObject

DOMAIN: Final = "c9s.run"
"""Domain of the manager's keys; of node labels under it only directives are taken (split.md §6)."""

APP: Final = "c9s.run/app"
"""Label: the installation; with :data:`TOPOLOGY_OWNER` it hands an object to a Topology."""
APP_VALUE: Final = "clabernetes"
"""Value of :data:`APP` on objects that a Topology generated."""
COMPONENT: Final = "c9s.run/component"
"""Label: what an object of the installation itself is, such as ``manager``."""
NAME: Final = "c9s.run/name"
"""Label: the object's name."""
TOPOLOGY_OWNER: Final = "c9s.run/topologyOwner"
"""Label: name of the lab; alone it makes no Topology adopt the object."""
TOPOLOGY_KIND: Final = "c9s.run/topologyKind"
"""Label: kind of definition; on generated objects only."""
TOPOLOGY_NODE: Final = "c9s.run/topologyNode"
"""Label: name of the Node."""
TOPOLOGY_GROUP: Final = "c9s.run/topologyGroup"
"""Label: the node's group in the definition."""
APP_NAME: Final = "app.kubernetes.io/name"
"""Label the manager sets itself; a definition may not (split.md §6)."""

EXPOSE_PORTS: Final = "c9s.run/exposePorts"
"""Directive among a node's labels: more ports to expose; never becomes metadata."""
APP_PROTOCOLS: Final = "c9s.run/appProtocols"
"""Directive among a node's labels: application protocols of ports; never becomes metadata."""

STARTUP_HOLD: Final = "c9s.run/startup-hold"
"""Annotation: UID of the Topology that holds the Node back."""
STARTUP_ADMITTED: Final = "c9s.run/startup-admitted"
"""Annotation: UID of this Node, once it may be planned."""

_SERVER_FIELDS: Final = ("creationTimestamp", "managedFields", "resourceVersion", "uid")
_LEFTOVERS: Final = {
    TOPOLOGY_KIND: "marks a generated object",
    STARTUP_HOLD: "a hold without its Topology is never lifted",
    STARTUP_ADMITTED: "admission is for the manager to write",
}


def forbidden_metadata(obj: KubeObject) -> list[str]:
    """List what a standalone object must not carry, each as ``<place>: <why>`` (split.md §12).

    A field that is null counts as absent, as on the server. Fields of a wrong type are passed over:
    they are the schema's matter.
    """
    found = list(_forbidden_in_metadata(_mapping(obj.get("metadata"))))
    if obj.get("status") is not None:
        found.append("status: is the manager's to write")
    return found


def is_adopted(obj: KubeObject) -> bool:
    """Tell whether a Topology takes an object for its own: it has the pair of labels (split.md §12)."""
    labels = _mapping(_mapping(obj.get("metadata")).get("labels"))
    return labels.get(APP) == APP_VALUE and labels.get(TOPOLOGY_OWNER) is not None


def _forbidden_in_metadata(metadata: KubeObject) -> Iterator[str]:
    if is_adopted({"metadata": metadata}):
        yield f"metadata.labels.{APP}: with {TOPOLOGY_OWNER} it hands the object to a Topology"
    for part in ("labels", "annotations"):
        present = _mapping(metadata.get(part))
        for key, why in _LEFTOVERS.items():
            if present.get(key) is not None:
                yield f"metadata.{part}.{key}: {why}"
    references = metadata.get("ownerReferences")
    for index, reference in enumerate(references if isinstance(references, list) else []):
        if _is_topology(_mapping(reference)):
            yield f"metadata.ownerReferences[{index}]: the object would go with that Topology"
    for name in _SERVER_FIELDS:
        if metadata.get(name) is not None:
            yield f"metadata.{name}: is the API server's to write"


def _is_topology(reference: KubeObject) -> bool:
    group = str(reference.get("apiVersion", "")).partition("/")[0]
    return group == DOMAIN and reference.get("kind") == "Topology"


def _mapping(value: object) -> KubeObject:
    return value if isinstance(value, dict) else {}
