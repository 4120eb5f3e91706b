"""What a containerlab definition says and standalone objects do not (split.md §§1, 4, 6, 8-10)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from kubectl_c9s.resources import names
from kubectl_c9s.topology import fields
from kubectl_c9s.topology.context import is_null
from kubectl_c9s.yamlio.nodes import Mapping, Scalar, Sequence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubectl_c9s.topology.definition import Block, Definition
    from kubectl_c9s.topology.linkdefs import Endpoint, LinkDefinition
    from kubectl_c9s.topology.meaning import Source
    from kubectl_c9s.yamlio.nodes import Node

_CARRIED_OF_AN_ENDPOINT: Final = frozenset({"node", "interface"})
_LONGEST_SHOWN: Final = 60


class Loss(NamedTuple):
    """Something that is said and is not in the objects, or not as it was; ``path`` is empty for a lab as a whole."""

    code: str
    path: str
    text: str


def definition_losses(source: Source) -> Iterator[Loss]:
    """Give what the definition of this lab loses."""
    yield from _unused_keys(source)
    yield from _management(source)
    yield from _fields(source.definition)
    yield from _unused_blocks(source)
    yield from _host_ports(source)
    yield from _renamed(source)
    yield from _endpoint_keys(source.definition)


def _unused_keys(source: Source) -> Iterator[Loss]:
    root, lab = source.definition.root, source.lab.name
    for key in ("name", "prefix", "debug"):
        node = root.get(key) if root else None
        if node is None or is_null(node) or (key == "name" and _text(node) == lab):
            continue
        if key == "name" and source.manifest is None:  # a bare lab takes its name from here
            yield Loss("renamed-lab", key, f"the lab {_shown(node)} is called {lab!r}")
        else:
            why = f"; the lab is called {lab!r}" if key == "name" else ""
            text = f"{key} {_shown(node)} of the definition is not used{why}"
            yield Loss("unused-definition-key", key, text)


def _management(source: Source) -> Iterator[Loss]:
    node = source.definition.root.get("mgmt") if source.definition.root else None
    if isinstance(node, Sequence):
        node = node.items[0] if node.items else None
    for key, (_, value) in node.entries.items() if isinstance(node, Mapping) else ():
        if key not in fields.MGMT_CARRIED:
            text = f"{key} {_shown(value)} is ignored: {fields.MGMT_IGNORED.get(key, 'unknown')}"
            yield Loss("ignored-management-field", f"mgmt.{key}", text)
        elif source.lab.spec.get("disableManagement") and not is_null(value):
            text = f"{key} {_shown(value)} has no effect: the management network is disabled"
            yield Loss("replaced-management", f"mgmt.{key}", text)


def _blocks(definition: Definition) -> Iterator[tuple[str, Block]]:
    yield "defaults", definition.defaults
    for section, blocks in (("kinds", definition.kinds), ("groups", definition.groups)):
        for name, block in blocks.items():
            yield f"{section}.{name}", block
    for name, body in definition.nodes.items():
        if body is not None:
            yield f"nodes.{name}", body


def _fields(definition: Definition) -> Iterator[Loss]:
    for name, block in _blocks(definition):
        path = f"topology.{name}"
        for key, (_, value) in block.node.entries.items() if block.node else ():
            if key in fields.DROPPED:
                text = f"{key} {_shown(value)} of {name} has no place in a Node"
                yield Loss("dropped-field", f"{path}.{key}", text)
            elif key in fields.NEVER_INHERITED and not name.startswith("nodes."):
                text = (
                    f"{key} {_shown(value)} of {name} has no effect: only nodes have it themselves"
                )
                yield Loss("not-inherited", f"{path}.{key}", text)


def _unused_blocks(source: Source) -> Iterator[Loss]:
    definition = source.definition
    kinds = {flat.values.get("kind", "") for flat in source.flats.values()}
    groups = {flat.values.get("group", "") for flat in source.flats.values()} | _asked(definition)
    for section, blocks, used in (
        ("kinds", definition.kinds, kinds),
        ("groups", definition.groups, groups),
    ):
        for name in sorted(blocks.keys() - used):
            text = f"{section[:-1]} {name!r} is used by no node"
            yield Loss("unused-block", f"topology.{section}.{name}", text)


def _asked(definition: Definition) -> set[str]:
    """Give the group that only told a node its kind, if there is one (split.md §4)."""
    default = definition.defaults.values.get("group", "")
    for block in definition.nodes.values():
        values = block.values if block else {}
        own = definition.groups.get(values.get("group", ""))
        if not values.get("kind") and not (own and own.values.get("kind")):
            return {default}
    return set()


def _host_ports(source: Source) -> Iterator[Loss]:
    for name, flat in source.flats.items():
        for index, port in enumerate(flat.values.get("ports", ())):
            _, colon, kept = port.rpartition(":")
            if colon:
                text = f"node {name!r}: the host side of port {port!r} is lost, {kept!r} stays"
                yield Loss("host-port-pinning", f"topology.nodes.{name}.ports[{index}]", text)


def _renamed(source: Source) -> Iterator[Loss]:
    for name in source.flats:
        if (new := names.sanitize_name(name)) != name:
            text = f"node {name!r} is called {new!r}"
            yield Loss("renamed-nodes", f"topology.nodes.{name}", text)


def _endpoint_keys(definition: Definition) -> Iterator[Loss]:
    for link in definition.links:
        for end in link.endpoints:
            for key, (_, value) in end.at.entries.items() if isinstance(end.at, Mapping) else ():
                if key not in _CARRIED_OF_AN_ENDPOINT:
                    path = f"topology.links[{link.place}].{_place(link, end)}.{key}"
                    text = (
                        f"{key} {_shown(value)} of endpoint {end.node}:{end.interface} is ignored"
                    )
                    yield Loss("ignored-endpoint-field", path, text)


def _place(link: LinkDefinition, end: Endpoint) -> str:
    """Tell where an endpoint was written: in a list, maybe at the other place, or alone (``type: host``)."""
    written = link.at.get("endpoints")
    items = written.items if isinstance(written, Sequence) else []
    return next((f"endpoints[{i}]" for i, item in enumerate(items) if item is end.at), "endpoint")


def _text(node: Node) -> str | None:
    return node.text if isinstance(node, Scalar) else None


def _shown(node: Node) -> str:
    text = _text(node)
    if text is None:
        return "(a mapping)" if isinstance(node, Mapping) else "(a list)"
    return repr(text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "…")
