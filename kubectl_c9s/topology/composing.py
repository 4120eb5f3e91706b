"""Composing: Node, Link and NodeProfile objects back into one Topology that says the same (split.md §§4-12).

The way back of ``render``, and sharing no code with it: it is one half of the proof that a split lost nothing. Each
node of the composed definition is flat and stands for itself; there are no kinds or groups, and defaults only for
what nothing else can express.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from kubectl_c9s.resources import labels as keys
from kubectl_c9s.resources.objects import API_VERSION
from kubectl_c9s.yamlio import writer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kubectl_c9s.resources.objects import KubeObject
    from kubectl_c9s.topology.render import Rendered

_FILES: Final = ("filesFromConfigMap", "filesFromSecret", "filesFromURL")
_NOT_VOCABULARY: Final = frozenset({"appProtocols", "profileRef", *_FILES})
_CONTAINER: Final = "container:"
# As names of nodes a definition (or deployment.resources) would take these for something else (split.md §§9, 10).
_RESERVED: Final = frozenset({"default", "host", "macvlan", "mgmt-net"})


def compose(rendered: Rendered, lab_name: str, namespace: str | None) -> KubeObject:
    """Build the Topology whose split gives these objects; without namespace it has none.

    What the objects cannot hold (split.md §13) is not in it. ValueError for texts that no YAML can carry.
    """
    metadata = {"name": lab_name} | ({"namespace": namespace} if namespace else {})
    spec = _Composer(rendered, lab_name).spec()
    return {"apiVersion": API_VERSION, "kind": "Topology", "metadata": metadata, "spec": spec}


def written_names(rendered: Rendered) -> dict[str, str]:
    """Give each Node the name it gets in the definition: its own, or one that is sanitized to it (split.md §8).

    A Node may be called like an alias, ``host`` or ``default``, because it was written otherwise; then ``_`` is
    appended, which sanitizing takes away and no alias can have.
    """
    taken = set(_RESERVED)
    for node in rendered.nodes:
        taken.update(node["spec"].get("aliases", ()))
    unused = set(_probed_names(rendered))
    found: dict[str, str] = {}
    for node in rendered.nodes:
        name = written = node["metadata"]["name"]
        while written in taken or (written != name and written in unused):
            written += "_"
        found[name] = written
    return found


def _probed_names(rendered: Rendered) -> list[str]:
    probes = [profile["spec"].get("statusProbes", {}) for profile in rendered.profiles]
    return [
        name
        for one in probes
        for name in (*one.get("nodeProbeConfigurations", ()), *one.get("excludedNodes", ()))
    ]


class _Composer:
    """Composes the objects of one lab; ``_base`` is the policy that all its profiles share."""

    def __init__(self, rendered: Rendered, lab_name: str) -> None:
        self._rendered = rendered
        self._lab = lab_name
        self._written = written_names(rendered)
        self._profiles = {
            profile["metadata"]["name"]: profile["spec"] for profile in rendered.profiles
        }
        # Dedicated profiles are full copies of the shared one, which is not written when nobody uses it (§10).
        first: dict[str, Any] = next(iter(self._profiles.values()), {})
        self._base: dict[str, Any] = self._profiles.get(lab_name, first)

    def spec(self) -> dict[str, Any]:
        """Give the spec of the Topology."""
        base = self._base
        definition = writer.dump(self._definition())
        spec: dict[str, Any] = {"definition": {"containerlab": definition}}
        expose = base.get("expose", {})
        if (
            "exposeType" in expose
        ):  # without it there was no expose block, which would get one by default
            spec["expose"] = expose
        if "imagePull" in base:
            spec["imagePull"] = base["imagePull"]
        if "statusProbes" in base:
            spec["statusProbes"] = self._probes(base["statusProbes"])
        if base.get("mgmt", {}).get("disabled"):
            spec["disableManagement"] = True
        if deployment := self._deployment():
            spec["deployment"] = deployment
        return spec

    def _probes(self, probes: Mapping[str, Any]) -> dict[str, Any]:
        rename = self._written.get
        found = dict(probes)
        if per_node := probes.get("nodeProbeConfigurations"):
            found["nodeProbeConfigurations"] = {
                rename(node, node): value for node, value in per_node.items()
            }
        if excluded := probes.get("excludedNodes"):
            found["excludedNodes"] = [rename(node, node) for node in excluded]
        return found

    def _deployment(self) -> dict[str, Any]:
        found: dict[str, Any] = dict(self._base.get("deployment", {}))
        if "scheduling" in self._base:
            # An empty block in a profile tells that one of its parts was given, and empty.
            found["scheduling"] = self._base["scheduling"] or {"nodeSelector": {}}
        if resources := self._resources():
            found["resources"] = resources
        for kind in _FILES:
            per_node = {
                self._written[node["metadata"]["name"]]: node["spec"][kind]
                for node in self._rendered.nodes
                if kind in node["spec"]
            }
            if per_node:
                found[kind] = per_node
        return found

    def _resources(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        shared = self._profiles.get(self._lab, {})
        if "resources" in shared:
            found["default"] = shared["resources"]
        for node in self._rendered.nodes:
            profile = node["spec"].get("profileRef", {}).get("name")
            if profile != self._lab and profile in self._profiles:
                name = self._written[node["metadata"]["name"]]
                found[name] = self._profiles[profile].get("resources", {})
        return found

    def _definition(self) -> dict[str, Any]:
        topology: dict[str, Any] = {
            "nodes": {
                self._written[node["metadata"]["name"]]: self._body(node)
                for node in self._rendered.nodes
            }
        }
        if blanks := self._type_with_blanks():
            topology["defaults"] = {"type": blanks}
        if links := [self._link(link["spec"]) for link in self._rendered.links]:
            topology["links"] = links
        found: dict[str, Any] = {"name": self._lab, "topology": topology}
        mgmt = self._base.get("mgmt")
        if mgmt is not None and not mgmt.get("disabled"):
            found["mgmt"] = mgmt
        return found

    def _type_with_blanks(self) -> str:
        """Give the type that only ``defaults`` can give: elsewhere it is trimmed (split.md §4)."""
        types = (node["spec"].get("type", "") for node in self._rendered.nodes)
        return next((text for text in types if text != text.strip()), "")

    def _body(self, node: KubeObject) -> dict[str, Any]:
        spec = node["spec"]
        body = {key: value for key, value in spec.items() if key not in _NOT_VOCABULARY}
        if "type" in body and body["type"] != body["type"].strip():
            del body["type"]
        mode = spec.get("network-mode", "")
        if mode.startswith(_CONTAINER):
            primary = mode.removeprefix(_CONTAINER)
            body["network-mode"] = _CONTAINER + self._written.get(primary, primary)
        if labels := _labels(node):
            body["labels"] = labels
        return body

    def _link(self, spec: Mapping[str, Any]) -> dict[str, Any]:
        ends = (spec["endpointA"], spec["endpointB"])
        rename = self._written.get
        found: dict[str, Any] = {
            "endpoints": [
                f"{rename(end['nodeName'], end['nodeName'])}:{end['interfaceName']}" for end in ends
            ]
        }
        if "mtu" in spec:
            found["mtu"] = spec["mtu"]
        return found


def _labels(node: KubeObject) -> dict[str, str]:
    """Give the labels a definition had: ours are left out, protocol hints are a directive again (split.md §6)."""
    found = {
        key: value
        for key, value in node["metadata"].get("labels", {}).items()
        if not key.startswith(f"{keys.DOMAIN}/")
    }
    if protocols := node["spec"].get("appProtocols"):
        hints = (f"{hint.get('port', '')}={hint.get('appProtocol', '')}" for hint in protocols)
        found[keys.APP_PROTOCOLS] = ",".join(hints)
    return found
