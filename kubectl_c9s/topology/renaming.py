"""Node names that Kubernetes cannot carry get new ones (split.md §8)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kubectl_c9s.resources import names
from kubectl_c9s.topology.links import HOST

if TYPE_CHECKING:
    from kubectl_c9s.topology.context import Context
    from kubectl_c9s.yamlio.nodes import Mapping

_PATH = "topology.nodes"


def rename_nodes(context: Context, written: list[str], section: Mapping | None) -> dict[str, str]:
    """Map written names to object names where they differ; reports renames, empty and colliding names."""
    renames: dict[str, str] = {}
    origins: dict[str, str] = {}
    for name in sorted(written):
        new = names.sanitize_name(name)
        at = section.entries[name][0] if section and name in section.entries else None
        if not new:
            message = f"node name {name!r} has no character that an object name can be made of"
            context.error("colliding-node-names", _PATH, message, at)
        elif new in origins:
            message = f"nodes {origins[new]!r} and {name!r} both become the object name {new!r}; rename one of them"
            context.error("colliding-node-names", _PATH, message, at)
        elif new != name:
            renames[name] = new
            message = f"node {name!r} becomes {new!r}, because Kubernetes cannot carry the name as written"
            context.warning("renamed-nodes", _PATH, message, at)
        if new == HOST:
            message = f"node {name!r} becomes {HOST!r}, which in a Link means the host: no link can reach the node"
            context.warning("reserved-node-name", _PATH, message, at)
        origins.setdefault(new, name)
    return renames
