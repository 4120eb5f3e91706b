"""What is lost or changed without the Topology, for one lab and by name (split.md §§11, 13).

First what this lab says and its objects do not, in the order of paths, then what every lab loses. The code of a
loss that a split also warns about is that of the warning.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from kubectl_c9s.resources import labels as keys
from kubectl_c9s.resources import names, quantity
from kubectl_c9s.topology import data
from kubectl_c9s.topology.definitionlosses import Loss, definition_losses

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kubectl_c9s.topology.manifest import Manifest
    from kubectl_c9s.topology.meaning import Source
    from kubectl_c9s.topology.render import Rendered

__all__ = ["Loss", "losses"]

_PER_NODE: Final = ("filesFromConfigMap", "filesFromSecret", "filesFromURL", "resources")
# Identity is carried; what the API server writes itself belongs to the one object it wrote it to.
_NOT_LOST: Final = frozenset({
    "name", "namespace", "uid", "resourceVersion", "generation", "creationTimestamp", "managedFields", "selfLink",
})  # fmt: skip


def losses(rendered: Rendered, source: Source) -> list[Loss]:
    """List what this lab loses: nothing but this differs between the lab and its objects."""
    own = [*definition_losses(source), *_policy(rendered, source)]
    if source.manifest is not None:
        own += _metadata(source, source.manifest)
    return [
        *sorted(own, key=lambda loss: (loss.path, loss.code, loss.text)),
        *_general(rendered, source),
    ]


def _policy(rendered: Rendered, source: Source) -> Iterator[Loss]:
    spec = source.lab.spec
    deployment = spec.get("deployment", {})
    for key, value in spec.get("rollout", {}).items():
        text = f"{key} {value}, the limit of this lab, is lost; Config.spec.rollout limits the installation"
        yield Loss("lost-rollout", f"spec.rollout.{key}", text)
    for field in _PER_NODE:
        for name in deployment.get(field, {}):
            if name not in source.flats and not (field == "resources" and name == "default"):
                text = f"the entry names {name!r}, which is no node of the definition"
                yield Loss("unused-entry", f"spec.deployment.{field}.{name}", text)
    yield from _resources(rendered, source, deployment.get("resources", {}))
    yield from _displaced_probes(source)
    persistence = deployment.get("persistence", {})
    for key, value in persistence.items() if not persistence.get("enabled") else ():
        if key != "enabled":
            text = f"{key} {value!r} has no effect: persistence is not enabled"
            yield Loss("inactive-persistence", f"spec.deployment.persistence.{key}", text)
    if not rendered.profiles:
        yield Loss(
            "unused-entry", "spec", "the lab has no node, so no NodeProfile holds its policy"
        )


def _resources(rendered: Rendered, source: Source, resources: Mapping[str, Any]) -> Iterator[Loss]:
    """Give entries that were said and make no difference (split.md §10)."""
    if "default" not in resources:
        return
    default = resources["default"]
    if rendered.profiles and rendered.profiles[0]["metadata"]["name"] != source.lab.name:
        text = "every node has resources of its own, so nobody uses the default"
        yield Loss("unused-entry", "spec.deployment.resources.default", text)
    for name, entry in resources.items():
        if name != "default" and name in source.flats and quantity.resources_equal(entry, default):
            text = f"the entry of node {name!r} equals the default, which the node uses"
            yield Loss("redundant-entry", f"spec.deployment.resources.{name}", text)


def _displaced_probes(source: Source) -> Iterator[Loss]:
    """Give entries for no node that another node's new name takes the place of."""
    per_node = source.lab.spec.get("statusProbes", {}).get("nodeProbeConfigurations", {})
    taken = {names.sanitize_name(name) for name in per_node if name in source.flats}
    for name in per_node:
        if name not in source.flats and name in taken:
            text = f"the entry names {name!r}, which is no node of the definition"
            yield Loss("unused-entry", f"spec.statusProbes.nodeProbeConfigurations.{name}", text)


def _metadata(source: Source, manifest: Manifest) -> Iterator[Loss]:
    if manifest.name != source.lab.name:
        text = f"the lab {manifest.name!r} is called {source.lab.name!r}, as are its objects"
        yield Loss("renamed-lab", "metadata.name", text)
    if manifest.namespace != source.lab.namespace:
        text = f"the objects are in namespace {source.lab.namespace!r}, the Topology in {manifest.namespace!r}"
        yield Loss("other-namespace", "metadata.namespace", text)
    node = data.find(manifest.document.root, ("metadata",), exact=True)
    entries = getattr(node, "entries", {})
    for key, (_, value) in entries.items():
        if key in {"labels", "annotations"}:
            for name in getattr(value, "entries", {}):
                text = f"{key[:-1]} {name} of the Topology is on none of its objects"
                yield Loss("topology-metadata", f"metadata.{key}.{name}", text)
        elif key not in _NOT_LOST:
            yield Loss(
                "topology-metadata",
                f"metadata.{key}",
                f"{key} of the Topology is on none of its objects",
            )


def _general(rendered: Rendered, source: Source) -> Iterator[Loss]:
    lab = source.lab
    counts = f"{len(rendered.nodes)} Nodes and {len(rendered.links)} Links"
    yield Loss(
        "definition-text",
        "",
        "comments, order, anchors and inheritance: each Node says everything itself",
    )
    text = f"one place for readiness, state, counts and errors: {counts} report for themselves"
    yield Loss("one-status", "status", text)
    if not lab.spec.get("rollout"):
        text = "batches and a limit per host for this lab alone; Config.spec.rollout limits the installation"
        yield Loss("lab-batches", "spec.rollout", text)
    text = f"creating the whole lab before planning begins: publish its {counts} together"
    yield Loss("joint-creation", "", text)
    text = "correction of drift, pruning, and checks across objects (unknown endpoints, circles, alias clashes)"
    yield Loss("drift-correction", "", text)
    asking = [
        n["metadata"]["name"]
        for n in rendered.nodes
        if n["spec"].get("certificate", {}).get("issue")
    ]
    who = ": " + ", ".join(asking) if asking else ""
    yield Loss(
        "certificate-owner", "", f"certificates belong to each Node, not to the Topology{who}"
    )
    if not lab.owner_label:
        text = f"without {keys.TOPOLOGY_OWNER} the planner takes the name of the namespace for that of the lab"
        yield Loss("planner-lab-name", f"metadata.labels.{keys.TOPOLOGY_OWNER}", text)
