"""Rules for names that lead from one object to another (split.md §§9, 11, 13)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kubectl_c9s.topology.links import HOST
from kubectl_c9s.validation.things import listed, mapping
from kubectl_c9s.validation.world import ends_of, files_of, profile_of

if TYPE_CHECKING:
    from kubectl_c9s.validation.world import Member, World

_SHOWN: Final = 5


def check_profiles(world: World) -> None:
    """Report Nodes whose NodeProfile is not in the input: such a Node is never realized."""
    for node in world.of("Node", derived=False):
        name = profile_of(node)
        if name and (node.namespace, name) not in world.profiles:
            where = _in(node.namespace)
            message = f"the Node names the NodeProfile {name!r}, which is not in the input{where}"
            node.error("missing-profile", ("spec", "profileRef", "name"), message)


def check_endpoints(world: World) -> None:
    """Report Links that end at no Node, where the input has Nodes of the Link's lab."""
    labs = {(node.namespace, node.owner) for node in world.of("Node")}
    with_nodes = {namespace for namespace, _ in labs}
    for link in world.of("Link", derived=False):
        known = (link.namespace, link.owner) in labs if link.owner else link.namespace in with_nodes
        for field, node, _ in ends_of(link) if known else ():
            if node != HOST and (link.namespace, node) not in world.nodes:
                message = f"{field} names the Node {node!r}, which is not in the input{_in(link.namespace)}"
                link.error("unknown-link-endpoint", ("spec", field, "nodeName"), message)


def check_aliases(world: World) -> None:
    """Report aliases that are the name of a Node, or an alias, in the same namespace (split.md §13)."""
    owners = {key: f"Node {key[1]!r}" for key in world.nodes}
    for node in world.of("Node", derived=False):
        for index, alias in enumerate(listed(node.spec.get("aliases"))):
            if not isinstance(alias, str):
                continue
            key = (node.namespace, alias)
            if key in owners:
                message = (
                    f"the alias {alias!r} is taken by {owners[key]}: both would name one Service"
                )
                node.error("duplicate-alias", ("spec", "aliases", index), message)
            else:
                owners[key] = f"an alias of Node {node.name!r}"


def check_files(world: World) -> None:
    """Warn about files from a ConfigMap that is not there, where the input has ConfigMaps of that lab."""
    labs = {(one.namespace, one.owner) for one in world.of("ConfigMap") if one.owner}
    for node in world.of("Node"):
        for index, name, key in files_of(node):
            path = ("spec", "filesFromConfigMap", index)
            found = world.config_maps.get((node.namespace, name))
            if found is not None:
                _check_key(node, path, found, key)
            elif (node.namespace, node.owner) in labs and not _brings_its_own(node):
                message = f"a file is taken from the ConfigMap {name!r}, which is not in the input{_in(node.namespace)}"
                node.warning("missing-config-map", (*path, "configMapName"), message)


def _check_key(node: Member, path: tuple[str | int, ...], found: Member, key: str) -> None:
    keys = (*mapping(found.obj.get("data")), *mapping(found.obj.get("binaryData")))
    if key and key not in keys:
        has = ", ".join(sorted(keys)[:_SHOWN]) or "none"
        message = f"a file is taken from the key {key!r} of the ConfigMap {found.name!r}, which has: {has}"
        node.warning("missing-config-map", (*path, "configMapPath"), message)


def _brings_its_own(node: Member) -> bool:
    """Tell whether the node's lab is a containerlab file, whose ConfigMaps are staged with it."""
    return node.derived and not node.thing.ours


def _in(namespace: str) -> str:
    return f" in namespace {namespace!r}" if namespace else ""
