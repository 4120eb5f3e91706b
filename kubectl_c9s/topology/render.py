"""Rendering: compiled nodes, wires and policy → Node, Link and NodeProfile objects (split.md §§10-13)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from kubectl_c9s.resources import labels, names
from kubectl_c9s.resources.objects import API_VERSION
from kubectl_c9s.topology import fields, profiles
from kubectl_c9s.topology.policy import primary_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kubectl_c9s.resources.objects import KubeObject
    from kubectl_c9s.topology.directives import Directed
    from kubectl_c9s.topology.flatten import Flat
    from kubectl_c9s.topology.links import Wire

_FILES: Final = ("filesFromConfigMap", "filesFromSecret", "filesFromURL")
# Fields that are metadata, or that directives and owned keys replace.
_NOT_PAYLOAD: Final = frozenset({"labels", "ports"})


class Lab(NamedTuple):
    """What rendering needs to know of the lab as a whole; ``owner_label`` False leaves the label out."""

    name: str
    namespace: str | None
    spec: Mapping[str, Any]
    owner_label: bool = True


class Rendered(NamedTuple):
    """The objects of one lab, each list in the order of split.md §13."""

    profiles: list[KubeObject]
    links: list[KubeObject]
    nodes: list[KubeObject]

    def ordered(self) -> list[KubeObject]:
        """Give these objects in the order they are to be applied."""
        return [*self.profiles, *self.links, *self.nodes]


class Renderer:
    """Renders the objects of one lab; equal parts are shared between objects."""

    def __init__(self, lab: Lab, renames: Mapping[str, str]) -> None:
        self._lab = lab
        self._renames = renames
        self._owner = {labels.TOPOLOGY_OWNER: lab.name} if lab.owner_label else {}
        self._specs: dict[tuple[int, str], dict[str, Any]] = {}

    def profiles(self, written: list[str], mgmt: Mapping[str, str] | None) -> list[KubeObject]:
        """Give the shared profile, if a node uses it, then the dedicated ones by node name."""
        spec = self._lab.spec
        shared = profiles.shared_spec(spec, mgmt, self._renames)
        own = sorted(
            (self._renames.get(name, name), name)
            for name in written
            if profiles.has_own_profile(spec, name)
        )
        found = (
            [self._object("NodeProfile", self._lab.name, shared)] if len(own) < len(written) else []
        )
        for node, name in own:
            profile = profiles.own_profile_name(self._lab.name, node)
            found.append(
                self._object("NodeProfile", profile, profiles.own_spec(shared, spec, name))
            )
        return found

    def links(self, wires: list[Wire]) -> list[tuple[Wire, KubeObject]]:
        """Give the links by name, each with the wire it came from."""
        rename = self._renames.get
        found: list[tuple[Wire, KubeObject]] = []
        for wire in wires:
            node_a, node_b = rename(wire.node_a, wire.node_a), rename(wire.node_b, wire.node_b)
            spec: dict[str, Any] = {
                "endpointA": {"nodeName": node_a, "interfaceName": wire.interface_a},
                "endpointB": {"nodeName": node_b, "interfaceName": wire.interface_b},
            }
            if wire.mtu:
                spec["mtu"] = wire.mtu
            name = names.link_name(node_a, wire.interface_a, node_b, wire.interface_b)
            found.append((wire, self._object("Link", name, spec)))
        return sorted(found, key=lambda pair: pair[1]["metadata"]["name"])

    def node(self, written: str, flat: Flat, directed: Directed) -> KubeObject:
        """Give the Node of one flattened node."""
        spec = self._node_spec(written, flat, directed)
        node = self._object("Node", self._renames.get(written, written), spec)
        own = dict(directed.labels)
        if group := flat.values.get("group"):
            own[labels.TOPOLOGY_GROUP] = group
        if own:
            node["metadata"]["labels"] = {**self._owner, **own}
        return node

    def _node_spec(self, written: str, flat: Flat, directed: Directed) -> dict[str, Any]:
        topology = self._lab.name
        own = profiles.has_own_profile(self._lab.spec, written)
        profile = (
            profiles.own_profile_name(topology, self._renames.get(written, written))
            if own
            else topology
        )
        deployment = self._lab.spec.get("deployment", {})
        files = {
            kind: entries for kind in _FILES if (entries := deployment.get(kind, {}).get(written))
        }
        key = (id(flat), profile)
        if not files and (known := self._specs.get(key)) is not None:
            return known
        spec = self._payload(flat, directed)
        spec["profileRef"] = {"name": profile}
        if not files:
            self._specs[key] = spec
        return {**spec, **files}

    def _payload(self, flat: Flat, directed: Directed) -> dict[str, Any]:
        spec = {key: value for key, value in flat.values.items() if key not in _NOT_PAYLOAD}
        for key in ("dns", "healthcheck", "config", "certificate"):
            if key in spec:
                spec[key] = {
                    part: value for part, value in spec[key].items() if value or value is False
                }
                if not spec[key]:
                    del spec[key]
        if (primary := primary_of(spec.get("network-mode", ""))) in self._renames:
            spec["network-mode"] = f"container:{self._renames[primary]}"
        if directed.ports:
            spec["ports"] = directed.ports
        if directed.app_protocols:
            spec["appProtocols"] = directed.app_protocols
        if components := flat.owned.get(fields.COMPONENTS):
            spec[fields.COMPONENTS] = components
        if owned := {key: value for key, value in flat.owned.items() if key != fields.COMPONENTS}:
            spec[fields.WRAPPER] = owned
        return spec

    def _object(self, kind: str, name: str, spec: dict[str, Any]) -> KubeObject:
        metadata: dict[str, Any] = {"name": name}
        if self._lab.namespace:
            metadata["namespace"] = self._lab.namespace
        if self._owner:
            metadata["labels"] = self._owner
        return {"apiVersion": API_VERSION, "kind": kind, "metadata": metadata, "spec": spec}
