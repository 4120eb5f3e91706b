"""Links of a bare containerlab file, brought into brief form as containerlab does (staging.md A4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from kubectl_c9s.topology import convert, linkdefs
from kubectl_c9s.topology.context import is_null
from kubectl_c9s.topology.linkdefs import Endpoint, LinkDefinition
from kubectl_c9s.topology.links import HOST
from kubectl_c9s.yamlio.nodes import Mapping, Scalar, Sequence

if TYPE_CHECKING:
    from kubectl_c9s.topology.context import Context
    from kubectl_c9s.yamlio.nodes import Node

BRIEF_MTU: Final = 9500
_ENDS: Final = 2
_SPECIAL: Final = frozenset({"mgmt-net", "macvlan"})
_HOST_KEYS: Final = frozenset({"type", "endpoint", "host-interface", "mtu", "labels", "vars"})


def read_bare_links(context: Context, node: Node) -> list[LinkDefinition]:
    """Read the ``links`` section of a bare file; every wire comes out as a brief link."""
    if not isinstance(node, Sequence):
        return linkdefs.read_links(context, node)
    found: list[LinkDefinition] = []
    for place, item in enumerate(node.items):
        if not isinstance(item, Mapping):
            context.wrong_type(f"topology.links[{place}]", "a mapping", item)
            continue
        link = _special_type(context, place, item)
        if link is None and _type(item) not in _SPECIAL:
            link = _normalised(context, linkdefs.read_link(context, place, item), item)
        if link is not None:
            found.append(link)
    return found


def _type(item: Mapping) -> str:
    """Give the type as containerlab understands it: in any case, with or without blanks around it."""
    kind = item.get("type")
    return kind.text.strip().lower() if isinstance(kind, Scalar) and not is_null(kind) else ""


def _special_type(context: Context, place: int, item: Mapping) -> LinkDefinition | None:
    """Read ``type: host``; report the types that end in the management network or a host interface."""
    kind = _type(item)
    if kind in _SPECIAL:
        message = f"link type {kind!r} needs the network of a container host, which a cluster does not have"
        path = f"topology.links[{place}].endpoints[1]"
        context.error("unsupported-special-endpoint", path, message, item.get("type") or item)
    if kind != HOST:
        return None
    path = f"topology.links[{place}]"
    linkdefs.check_link_keys(context, path, item, _HOST_KEYS)
    end = _host_end(context, path, item)
    interface = item.get("host-interface")
    name = (
        interface.text.strip() if isinstance(interface, Scalar) and not is_null(interface) else ""
    )
    if not name or ":" in name:
        message = "must be the name of an interface"
        linkdefs.malformed(context, f"{path}.host-interface", message, interface or item)
    if end is None or not name or interface is None:
        return LinkDefinition(place, "", (), 0, item)
    return LinkDefinition(
        place, "", (end, Endpoint(HOST, name, interface)), _mtu(context, path, item), item
    )


def _host_end(context: Context, path: str, item: Mapping) -> Endpoint | None:
    endpoint = item.get("endpoint")
    if not isinstance(endpoint, Mapping):
        linkdefs.malformed(
            context, f"{path}.endpoint", "must be a mapping of node and interface", endpoint or item
        )
        return None
    return linkdefs.structured(context, f"{path}.endpoint", endpoint)


def _mtu(context: Context, path: str, item: Mapping) -> int:
    value = item.get("mtu")
    return (convert.integer(context, f"{path}.mtu", value) or 0) if value is not None else 0


def _normalised(context: Context, link: LinkDefinition, item: Mapping) -> LinkDefinition:
    """Put the special end of a brief link second, as its own spelling, and give the link an MTU.

    A veth link keeps its order; endpoints that are mappings make a link without a type one, too.
    """
    kind = _type(item)
    if kind != link.type and kind in linkdefs.POINT_TO_POINT and len(link.endpoints) != _ENDS:
        # The reader of links counts the endpoints of the types it knows as they are spelt.
        path = f"topology.links[{link.place}].endpoints"
        linkdefs.malformed(context, path, "a link has two endpoints", item.get("endpoints") or item)
    link = link._replace(type=kind)
    if link.type not in {"", "brief"} or not _has_texts(item):
        return link
    ends: tuple[Any, ...] = link.endpoints
    if len(ends) == _ENDS:
        ends = tuple(
            end._replace(node=end.node.lower()) if _is_special(end) else end for end in ends
        )
        if _is_special(ends[0]) and not _is_special(ends[1]):
            ends = (ends[1], ends[0])
    return link._replace(endpoints=ends, mtu=link.mtu or BRIEF_MTU)


def _is_special(end: Endpoint) -> bool:
    return end.node.lower() == HOST or end.node.lower() in _SPECIAL


def _has_texts(item: Mapping) -> bool:
    endpoints = item.get("endpoints")
    return isinstance(endpoints, Sequence) and all(
        isinstance(end, Scalar) for end in endpoints.items
    )
