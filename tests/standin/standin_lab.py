"""A small compiler for the definitions of tests: what a Topology makes of simple Nodes and links.

Nodes may have kind, type, image, group and network-mode, inherited as split.md §4 says; links are ``endpoints`` of two
texts. Anything else is refused: a test that needs more is a test of the product's own compiler.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, Final

import standin_names as names
import yaml

if TYPE_CHECKING:
    from standin_views import Json

FIELDS: Final = ("image", "type", "network-mode")
KNOWN: Final = {"kind", "group", *FIELDS}
ENDS: Final = 2


class Refused(Exception):
    """The definition is wrong, or more than this compiler knows."""


@dataclasses.dataclass(frozen=True)
class Lab:
    """Objects of a Topology in the order of their making, without what the API server adds."""

    profiles: tuple[Json, ...]
    links: tuple[Json, ...]
    nodes: tuple[Json, ...]

    @property
    def objects(self) -> tuple[Json, ...]:
        """Give all of them in order."""
        return self.profiles + self.links + self.nodes


def compile_lab(topology: Json, app: str) -> Lab:
    """Compile the definition of a Topology object; :class:`Refused` says why not."""
    try:
        text = yaml.safe_load(topology["spec"]["definition"]["containerlab"]) or {}
        definition = text["topology"]
        written = dict(definition.get("nodes") or {})
        links = [one["endpoints"] for one in definition.get("links") or []]
    except (yaml.YAMLError, KeyError, TypeError, AttributeError, ValueError) as error:
        raise Refused(f"failed parsing containerlab definition: {error!r}") from None
    owner = _Owner(topology, app)
    specs = {name: _spec(definition, name, node or {}) for name, node in written.items()}
    for spec in specs.values():
        spec["profileRef"] = {"name": owner.name}
    _check_modes({name: spec.get("network-mode", "") for name, spec in specs.items()})
    return Lab(
        (owner.own("NodeProfile", owner.name, {"statusProbes": {"enabled": True}}),),
        tuple(owner.own("Link", *_link(ends, specs)) for ends in links),
        tuple(owner.own("Node", name, specs[name]) for name in sorted(specs)),
    )


def _spec(definition: Json, name: str, node: Json) -> dict[str, Any]:
    if unknown := set(node) - KNOWN:
        raise Refused(f"node {name!r}: the stand-in does not know {', '.join(sorted(unknown))}")
    defaults = definition.get("defaults") or {}
    groups, kinds = definition.get("groups") or {}, definition.get("kinds") or {}
    own = groups.get(node.get("group")) or {}
    kind = node.get("kind") or own.get("kind") or defaults.get("kind")
    group = node.get("group") or (kinds.get(kind) or {}).get("group") or defaults.get("group")
    layers = (node, groups.get(group) or {}, kinds.get(kind) or {}, defaults)
    found = {key: next((one[key] for one in layers if one.get(key)), None) for key in FIELDS}
    spec = {"kind": kind, "group": group} | found
    return {key: value for key, value in spec.items() if value}


def _check_modes(modes: dict[str, str]) -> None:
    """Refuse what split.md §7 refuses: other modes, unknown primaries and circles."""
    for name, mode in modes.items():
        chain = [name]
        while following := modes[chain[-1]]:
            prefix, _, primary = following.partition(":")
            if prefix != "container":
                raise Refused(f"unsupported network-mode {mode!r} of node {name!r}")
            if primary not in modes:
                raise Refused(f"unknown network-mode primary {primary!r} of node {name!r}")
            if primary in chain:
                raise Refused(f"network-mode of node {name!r} runs into a circle")
            chain.append(primary)


def _link(ends: Any, specs: Json) -> tuple[str, Json]:
    if not isinstance(ends, list) or len(ends) != ENDS:
        raise Refused(f"a link has two endpoints, not {ends!r}")
    halves = [str(end).split(":") for end in ends]
    if any(len(half) != ENDS or not all(half) for half in halves):
        raise Refused(f"endpoints are node:interface, not {ends!r}")
    (node_a, if_a), (node_b, if_b) = halves
    for node in (node_a, node_b):
        if node != "host" and node not in specs:
            raise Refused(f"unknown link endpoint {node!r}")
    spec = {
        "endpointA": {"nodeName": node_a, "interfaceName": if_a},
        "endpointB": {"nodeName": node_b, "interfaceName": if_b},
    }
    return names.link_name(node_a, if_a, node_b, if_b), spec


class _Owner:
    """What every object of a Topology has from it (split.md §12)."""

    def __init__(self, topology: Json, app: str) -> None:
        meta = topology["metadata"]
        self.name: str = meta["name"]
        self._namespace: str = meta["namespace"]
        self._app = app
        self._reference = {
            "apiVersion": names.VERSION,
            "kind": "Topology",
            "name": meta["name"],
            "uid": meta["uid"],
            "controller": True,
            "blockOwnerDeletion": True,
        }

    def own(self, kind: str, name: str, spec: Json) -> Json:
        """Make an object with labels and owner reference."""
        labels = {
            names.APP: self._app,
            names.NAME: name,
            names.OWNER: self.name,
            names.OWNER_KIND: "containerlab",
        }
        if kind == "Node":
            labels[names.OWNER_NODE] = name
            if group := spec.get("group"):
                labels[names.OWNER_GROUP] = group
        meta = {
            "name": name,
            "namespace": self._namespace,
            "labels": labels,
            "ownerReferences": [self._reference],
        }
        return {"apiVersion": names.VERSION, "kind": kind, "metadata": meta, "spec": spec}


def is_of(body: Json, topology: str, app: str) -> bool:
    """Tell whether a Topology of this name treats an object as its own (split.md §12)."""
    labels = body["metadata"].get("labels") or {}
    return labels.get(names.APP) == app and labels.get(names.OWNER) == topology
