"""The ``links`` section: what is written, with the endpoints in brief form (split.md §9)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from kubectl_c9s.topology import convert, fields
from kubectl_c9s.topology.context import is_null
from kubectl_c9s.yamlio.nodes import Mapping, Scalar, Sequence
from kubectl_c9s.yamlio.scalars import NotFinite, resolve

if TYPE_CHECKING:
    from kubectl_c9s.topology.context import Context
    from kubectl_c9s.yamlio.nodes import Node


# The forms that a Link object can express; no type means brief.
_ENDS: Final = 2
POINT_TO_POINT: Final = frozenset({"", "brief", "veth"})


class Endpoint(NamedTuple):
    """One end of a link as written: node name and interface, both trimmed; and where it stands."""

    node: str
    interface: str
    at: Node


class LinkDefinition(NamedTuple):
    """One entry of ``links``, the ``place``-th from 0; ``endpoints`` is empty when none are written."""

    place: int
    type: str
    endpoints: tuple[Endpoint, ...]
    mtu: int
    at: Mapping


def read_links(context: Context, node: Node) -> list[LinkDefinition]:
    """Read the section; a malformed link is reported and left out."""
    if is_null(node):
        return []
    if not isinstance(node, Sequence):
        context.wrong_type("topology.links", "a list", node)
        return []
    found: list[LinkDefinition] = []
    for index, item in enumerate(node.items):
        if not isinstance(item, Mapping):
            context.wrong_type(f"topology.links[{index}]", "a mapping", item)
        else:
            found.append(read_link(context, index, item))
    return found


def read_link(context: Context, index: int, item: Mapping) -> LinkDefinition:
    """Read one link that is written with ``endpoints``."""
    entries = item.entries
    kind, mtu = "", 0
    if len(entries) > 1 or "endpoints" not in entries:
        path = f"topology.links[{index}]"
        if (value := item.get("type")) is not None:
            kind = convert.text(context, f"{path}.type", value) or ""
        if (value := item.get("mtu")) is not None:
            mtu = convert.integer(context, f"{path}.mtu", value) or 0
        check_link_keys(context, path, item)
    written = item.get("endpoints")
    endpoints = (
        () if written is None or is_null(written) else _read_endpoints(context, index, written)
    )
    if kind in POINT_TO_POINT and (
        written is None or isinstance(written, Sequence) or is_null(written)
    ):
        _check_count(context, f"topology.links[{index}].endpoints", written, item)
    return LinkDefinition(index, kind, endpoints, mtu, item)


def _check_count(context: Context, path: str, written: Node | None, item: Mapping) -> None:
    count = len(written.items) if isinstance(written, Sequence) else 0
    if count != _ENDS:
        malformed(context, path, f"a link has two endpoints, not {count}", written or item)


def check_link_keys(
    context: Context, path: str, item: Mapping, known: frozenset[str] = fields.LINK_KEYS
) -> None:
    """Report keys of a link that are unknown or that a Link object has no place for."""
    for key, (key_node, value) in item.entries.items():
        if key not in known:
            context.error("unsupported-field", key, f"a link has no field {key!r}", key_node)
        elif key in {"labels", "vars"}:
            convert_map = convert.text_map if key == "labels" else convert.any_map
            if convert_map(context, f"{path}.{key}", value):
                message = f"a Link object has no place for {key}"
                context.error(f"unsupported-link-{key}", f"{path}.{key}", message, key_node)


def _read_endpoints(context: Context, index: int, node: Node) -> tuple[Endpoint, ...]:
    path = f"topology.links[{index}].endpoints"
    if not isinstance(node, Sequence):
        malformed(context, path, "must be a list of two endpoints", node)
        return ()
    found: list[Endpoint] = []
    for place, item in enumerate(node.items):
        if place in node.aliased:
            malformed(context, f"{path}[{place}]", "an endpoint may not be a YAML alias", item)
            continue
        if isinstance(item, Scalar):
            end = _brief(context, f"{path}[{place}]", item.text, item)
        else:
            end = structured(context, f"{path}[{place}]", item)
        if end is not None:
            found.append(end)
    return tuple(found)


def _brief(context: Context, path: str, written: str, item: Node) -> Endpoint | None:
    node_name, colon, interface = written.partition(":")
    node_name, interface = node_name.strip(), interface.strip()
    if not colon or ":" in interface or not node_name or not interface:
        malformed(context, path, f"{written!r} is not of the form node:interface", item)
        return None
    return Endpoint(node_name, interface, item)


def structured(context: Context, path: str, item: Node) -> Endpoint | None:
    """Read an endpoint that is a mapping of ``node`` and ``interface``."""
    if not isinstance(item, Mapping):
        malformed(context, path, "must be node:interface or a mapping of node and interface", item)
        return None
    parts = [_part(context, path, item, key) for key in ("node", "interface")]
    for key, (key_node, _) in item.entries.items():
        if key not in {"node", "interface"}:
            message = f"key {key!r} of an endpoint has no place in a Link and is ignored"
            context.warning("ignored-endpoint-field", f"{path}.{key}", message, key_node)
    return _brief(context, path, f"{parts[0]}:{parts[1]}", item) if all(parts) else None


def _part(context: Context, path: str, item: Mapping, key: str) -> str | None:
    value = item.get(key)
    if isinstance(value, Scalar) and _is_string(value) and value.text.strip():
        return value.text
    malformed(context, f"{path}.{key}", "must be a text that is not empty", value or item)
    return None


def _is_string(value: Scalar) -> bool:
    if not value.plain:
        return True
    try:
        # A number, a date or a null becomes something else than its text.
        return bool(resolve(value.text, "engine") == value.text)
    except NotFinite:
        return False


def malformed(context: Context, path: str, message: str, node: Node) -> None:
    """Report a part of a link that has not the form it needs."""
    context.error("malformed-endpoint", path, message, node)
