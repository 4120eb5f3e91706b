"""The grammar of a containerlab definition: positioned nodes → blocks and links (split.md §2).

Findings of every block are collected, also of blocks that no node uses. A wrong type or a malformed part makes
the definition unusable; the compiler then stops after this step with everything it has found.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from kubectl_c9s.topology import convert, fields
from kubectl_c9s.topology.context import is_null
from kubectl_c9s.topology.kindconfig import owned_keys
from kubectl_c9s.topology.linkdefs import LinkDefinition, read_links
from kubectl_c9s.yamlio.nodes import Mapping, Scalar, Sequence

if TYPE_CHECKING:
    from collections.abc import Callable

    from kubectl_c9s.topology.context import Context
    from kubectl_c9s.yamlio.nodes import Node

LinkReader: TypeAlias = "Callable[[Context, Node], list[LinkDefinition]]"
_NO_TOPOLOGY: Final = "the definition has no topology section"


@dataclass(slots=True)
class Block:
    """One node, kind, group or defaults block.

    ``values`` holds typed fields by containerlab name, empty ones left out; ``owned`` the kind-owned keys with
    JSON values; ``node`` the block as written, None for an empty body.
    """

    values: dict[str, Any] = field(default_factory=dict)
    owned: dict[str, Any] = field(default_factory=dict)
    node: Mapping | None = None


@dataclass(slots=True)
class Definition:
    """A parsed definition; ``nodes`` maps written names to blocks, None for an empty body."""

    defaults: Block = field(default_factory=Block)
    kinds: dict[str, Block] = field(default_factory=dict)
    groups: dict[str, Block] = field(default_factory=dict)
    nodes: dict[str, Block | None] = field(default_factory=dict)
    links: list[LinkDefinition] = field(default_factory=list)
    mgmt: dict[str, str] | None = None
    root: Mapping | None = None

    def section(self, name: str) -> Mapping | None:
        """Give a section of ``topology`` as written, for positions."""
        topology = self.root.get("topology") if self.root else None
        found = topology.get(name) if isinstance(topology, Mapping) else None
        return found if isinstance(found, Mapping) else None


def parse_definition(
    context: Context, root: Node | None, link_reader: LinkReader = read_links
) -> Definition:
    """Parse the root of a definition; what is wrong is in the context's findings."""
    definition = Definition()
    if root is None or is_null(root):
        context.error("no-topology-section", "topology", _NO_TOPOLOGY, None)
        return definition
    if not isinstance(root, Mapping):
        context.wrong_type("definition", "a mapping", root)
        return definition
    definition.root = root
    _refuse_unknown(context, root, fields.TOP_LEVEL, "a definition")
    _check_unused(context, root)
    _read_mgmt(context, definition, root.get("mgmt"))
    topology = root.get("topology")
    if topology is None or is_null(topology):
        context.error("no-topology-section", "topology", _NO_TOPOLOGY, topology)
    elif not isinstance(topology, Mapping):
        context.wrong_type("topology", "a mapping", topology)
    else:
        _read_topology(context, definition, topology, link_reader)
    return definition


def _refuse_unknown(context: Context, node: Mapping, known: frozenset[str], where: str) -> None:
    for key, (key_node, _) in node.entries.items():
        if key not in known:
            context.error("unsupported-field", key, f"{where} has no field {key!r}", key_node)


def _check_unused(context: Context, root: Mapping) -> None:
    """``name``, ``prefix`` and ``debug`` are read and not used; their types count all the same."""
    for key, converter in (
        ("name", convert.text),
        ("prefix", convert.text),
        ("debug", convert.boolean),
    ):
        if (value := root.get(key)) is not None:
            converter(context, key, value)


def _read_topology(
    context: Context, definition: Definition, topology: Mapping, link_reader: LinkReader
) -> None:
    _refuse_unknown(context, topology, fields.TOPOLOGY_SECTIONS, "topology")
    if (node := topology.get("defaults")) is not None:
        definition.defaults = read_block(context, "defaults", node) or Block()
    for name in ("kinds", "groups"):
        blocks: dict[str, Block] = getattr(definition, name)
        for key, block in _named_blocks(context, topology, name):
            blocks[key] = block or Block()
    definition.nodes = dict(_named_blocks(context, topology, "nodes"))
    if (links := topology.get("links")) is not None:
        definition.links = link_reader(context, links)


def _named_blocks(
    context: Context, topology: Mapping, section: str
) -> list[tuple[str, Block | None]]:
    node = topology.get(section)
    if node is None or is_null(node):
        return []
    if not isinstance(node, Mapping):
        context.wrong_type(f"topology.{section}", "a mapping", node)
        return []
    return [
        (key, read_block(context, f"{section}.{key}", value))
        for key, (_, value) in node.entries.items()
    ]


def read_block(context: Context, name: str, node: Node) -> Block | None:
    """Read one block; ``name`` is ``defaults`` or ``kinds.x``, ``groups.x``, ``nodes.x``. None: empty body."""
    if is_null(node):
        return None
    if not isinstance(node, Mapping):
        context.wrong_type(f"topology.{name}", "a mapping", node)
        return None
    block = Block(node=node)
    types, values, path = fields.FIELD_TYPES, block.values, f"topology.{name}."
    owned = False
    for key, (key_node, value) in node.entries.items():
        kind = types.get(key)
        if kind == "text" and value.__class__ is Scalar and not is_null(value):
            if value.text:
                values[key] = value.text
        elif kind is not None:
            converted = convert.CONVERTERS[kind](context, path + key, value)
            if (
                converted
                or converted is False
                or (converted is not None and kind in fields.OBJECTS)
            ):
                values[key] = converted
        else:
            owned = _odd_key(context, name, key_node, value) or owned
    if owned:
        block.owned = owned_keys(context, name, node)
    return block


def _odd_key(context: Context, name: str, key_node: Scalar, value: Node) -> bool:
    """Report a refused or dropped field; tell whether the key is owned by the kind."""
    key = key_node.text
    if reason := fields.REFUSED.get(key):
        context.error(
            "unsupported-field", key, f"field {key!r} in {name} is refused: {reason}", key_node
        )
        return False
    if key in fields.DROPPED:
        if (kind := fields.DROPPED[key]) is not None:
            convert.CONVERTERS[kind](context, f"topology.{name}.{key}", value)
        message = f"field {key!r} has no place in a Node and is left out"
        context.warning("dropped-field", f"topology.{name}.{key}", message, key_node)
        return False
    return True


def _read_mgmt(context: Context, definition: Definition, node: Node | None) -> None:
    if node is None or is_null(node):
        return
    if isinstance(node, Sequence):
        networks = node.items
        if len(networks) > 1:
            message = f"one management network is supported, {len(networks)} are declared"
            context.error("multiple-management-networks", "mgmt", message, networks[1])
            return
        if not networks or is_null(networks[0]):
            return
        node = networks[0]
    if not isinstance(node, Mapping):
        context.wrong_type("mgmt", "a mapping or a list of one mapping", node)
        return
    definition.mgmt = _mgmt_fields(context, node)


def _mgmt_fields(context: Context, node: Mapping) -> dict[str, str]:
    found: dict[str, str] = {}
    for key, (key_node, value) in node.entries.items():
        if key in fields.MGMT_CARRIED:
            if content := convert.text(context, f"mgmt.{key}", value):
                found[key] = content
        elif reason := fields.MGMT_IGNORED.get(key):
            if kind := fields.MGMT_IGNORED_TYPES.get(key):
                convert.CONVERTERS[kind](context, f"mgmt.{key}", value)
            context.warning(
                "ignored-management-field", f"mgmt.{key}", f"ignored: {reason}", key_node
            )
        else:
            context.error("unsupported-field", key, f"mgmt has no field {key!r}", key_node)
    return found
