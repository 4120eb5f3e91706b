"""Checks of flattened nodes: policy values, binds, aliases, network-mode, labels (split.md §§6, 7, 15)."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING, Any, Final

from kubectl_c9s.resources import names
from kubectl_c9s.topology.flatten import bind_destination
from kubectl_c9s.yamlio.nodes import Scalar, Sequence

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Mapping as MappingType

    from kubectl_c9s.topology.context import Context
    from kubectl_c9s.topology.flatten import Flat, Flattener
    from kubectl_c9s.yamlio.nodes import Node

_ALLOWED: Final[dict[str, tuple[str, ...]]] = {
    "restart-policy": ("always", "Always", "unless-stopped", "Unless-stopped"),
    "image-pull-policy": ("always", "Always", "never", "Never", "ifnotpresent", "IfNotPresent"),
    "link-apply-mode": ("live", "restart", "recreate"),
}
_KUBELET_FILES: Final = frozenset(
    {"/etc/hosts", "/etc/hostname", "/etc/resolv.conf", "/dev/termination-log"}
)
_RUNTIME_DIRECTORIES: Final = (
    "/var/lib/clabernetes", "/var/run/clabernetes", "/var/run/secrets/kubernetes.io/serviceaccount",
)  # fmt: skip
_CONTAINER: Final = "container:"


class PolicyChecker:
    """Reports what flattened nodes may not say; results shared by nodes are looked at once."""

    def __init__(self, context: Context, flattener: Flattener) -> None:
        self._context = context
        self._flattener = flattener
        self._seen: dict[int, list[tuple[str, str, str, str, str]]] = {}
        self._circular: dict[str, bool] = {}

    def check(self, nodes: MappingType[str, Flat]) -> None:
        """Check all nodes, in name order."""
        owners = {name: f"node {name!r}" for name in nodes}
        for name in sorted(nodes):
            flat = nodes[name]
            issues = self._seen.get(id(flat))
            if issues is None:
                issues = self._seen[id(flat)] = list(_issues(flat.values))
            for code, suffix, message, field, item in issues:
                self.report(code, name, suffix, message, (field, item))
            if "network-mode" in flat.values:
                self._network_mode(name, nodes)
            if "aliases" in flat.values:
                self._aliases(name, flat.values["aliases"], owners)

    def report(
        self, code: str, name: str, suffix: str, message: str, origin: tuple[str, str]
    ) -> None:
        """Report an error of one node at the place its value was written."""
        at = origin_of(self._flattener, name, *origin)
        self._context.error(
            code, f"topology.nodes.{name}.{suffix}", f"node {name!r}: {message}", at
        )

    def _network_mode(self, name: str, nodes: MappingType[str, Flat]) -> None:
        mode = nodes[name].values["network-mode"]
        primary = primary_of(mode)
        origin = ("network-mode", mode)
        if not primary or not names.sanitize_name(primary):
            message = f"network-mode {mode!r} is not possible, only container:<node>"
            self.report("unsupported-network-mode", name, "network-mode", message, origin)
        elif primary not in nodes:
            message = f"network-mode names {primary!r}, which is no node of this definition"
            self.report("unknown-network-mode-primary", name, "network-mode", message, origin)
        elif self._runs_in_circle(name, nodes):
            message = f"network-mode {mode!r} leads into a circle"
            self.report("network-mode-cycle", name, "network-mode", message, origin)

    def _runs_in_circle(self, name: str, nodes: MappingType[str, Flat]) -> bool:
        """Follow the chain until it ends, repeats, or meets a node whose answer is known."""
        chain: dict[str, None] = {}
        current = name
        while current and current not in chain and current not in self._circular:
            chain[current] = None
            flat = nodes.get(current)
            current = primary_of(flat.values.get("network-mode", "")) if flat else ""
        answer = self._circular.get(current, bool(current))
        self._circular.update(dict.fromkeys(chain, answer))
        return answer

    def _aliases(self, name: str, aliases: list[str], owners: dict[str, str]) -> None:
        for index, alias in enumerate(aliases):
            if not names.is_dns1035_label(alias):
                message = f"alias {alias!r} cannot become the name of a Service (a-z, 0-9 and -, at most 63)"
                self.report("invalid-alias", name, f"aliases[{index}]", message, ("aliases", alias))
            elif alias in owners:
                message = f"alias {alias!r} is taken by {owners[alias]}"
                self.report(
                    "duplicate-alias", name, f"aliases[{index}]", message, ("aliases", alias)
                )
            else:
                owners[alias] = f"an alias of node {name!r}"


def primary_of(mode: str) -> str:
    """Give the node that a network-mode names, or the empty text."""
    return mode[len(_CONTAINER) :] if mode.startswith(_CONTAINER) else ""


def _issues(values: dict[str, Any]) -> Iterator[tuple[str, str, str, str, str]]:
    """Give (code, path suffix, message, field, item) of what one flattened node may not say."""
    for field, allowed in _ALLOWED.items():
        value = values.get(field)
        if value is not None and value not in allowed:
            yield (
                f"unsupported-{field}",
                field,
                f"{field} {value!r} is none of {', '.join(allowed)}",
                field,
                value,
            )
    for index, bind in enumerate(values.get("binds", ())):
        if bind_destination(bind) is None:
            yield (
                "malformed-bind",
                f"binds[{index}]",
                f"bind {bind!r} is not src:dst or src:dst:mode",
                "binds",
                bind,
            )
        elif (
            half := next((half for half in bind.split(":")[:2] if _is_reserved(half)), None)
        ) is not None:
            message = f"bind {bind!r} uses {half!r}, which the kubelet or the device runtime owns"
            yield "reserved-bind-path", f"binds[{index}]", message, "binds", bind


def _is_reserved(path: str) -> bool:
    clean = clean_path(path)
    return clean in _KUBELET_FILES or any(
        clean == top or clean.startswith(top + "/") for top in _RUNTIME_DIRECTORIES
    )


def clean_path(path: str) -> str:
    """Shorten a path as Go's ``path.Clean`` does: one leading slash, no ``.``, ``..`` or doubled slashes."""
    clean = posixpath.normpath(path)
    return clean[1:] if clean.startswith("//") else clean


def origin_of(flattener: Flattener, name: str, field: str, item: str | None = None) -> Node | None:
    """Find where the value of a field of a node was written: the node, its group, kind or defaults.

    With ``item`` the list item or map key of that text, where it can be found.
    """
    fallback: Node | None = None
    for layer in flattener.layers(name):
        block = layer.node
        if block is None or (entry := block.entries.get(field)) is None:
            continue
        fallback = fallback or (
            entry[1] if isinstance(entry[1], Scalar) and entry[1].text else entry[0]
        )
        found = _item_in(flattener, entry[1], item)
        if found is None and field == "binds" and isinstance(entry[1], Sequence):
            # Staging replaced variables of the source; the destination still tells which bind it was.
            found = _bind_to(entry[1], bind_destination(item or ""))
        if found is not None:
            return found
    return fallback


def _bind_to(binds: Sequence, destination: str | None) -> Node | None:
    for bind in binds.items:
        if destination and isinstance(bind, Scalar) and bind_destination(bind.text) == destination:
            return bind
    return None


def _item_in(flattener: Flattener, value: Node, item: str | None) -> Node | None:
    if isinstance(value, Scalar):
        return value if item is None or value.text == item else None
    if isinstance(value, Sequence):
        return flattener.texts_of(value).get(item or "")
    return value.entries[item][0] if item in value.entries else None
