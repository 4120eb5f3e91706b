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
            link = _normalised(linkdefs.read_link(context, place, item), item)
        if link is not None:
            found.append(link)
    return found


def _type(item: Mapping) -> str:
    kind = item.get("type")
    return kind.text if isinstance(kind, Scalar) and not is_null(kind) else ""


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
    name = interface.text.strip() if isinstance(interface, Scalar) and not is_null(interface) else ""
    if not name:
        linkdefs.malformed(context, f"{path}.host-interface", "is required", interface or item)
    if end is None or not name or interface is None:
        return LinkDefinition(place, "", (), 0, item)
    return LinkDefinition(place, "", (end, Endpoint(HOST, name, interface)), _mtu(context, path, item), item)


def _host_end(context: Context, path: str, item: Mapping) -> Endpoint | None:
    endpoint = item.get("endpoint")
    if not isinstance(endpoint, Mapping):
        linkdefs.malformed(context, f"{path}.endpoint", "must be a mapping of node and interface", endpoint or item)
        return None
    return linkdefs.structured(context, f"{path}.endpoint", endpoint)


def _mtu(context: Context, path: str, item: Mapping) -> int:
    value = item.get("mtu")
    return (convert.integer(context, f"{path}.mtu", value) or 0) if value is not None else 0


def _normalised(link: LinkDefinition, item: Mapping) -> LinkDefinition:
    """Put the special end second, as its own spelling; a brief link without an MTU gets one."""
    ends: tuple[Any, ...] = link.endpoints
    if len(ends) == 2:  # noqa: PLR2004 - a wire has two ends
        ends = tuple(end._replace(node=end.node.lower()) if _is_special(end) else end for end in ends)
        if _is_special(ends[0]) and not _is_special(ends[1]):
            ends = (ends[1], ends[0])
    mtu = link.mtu or (BRIEF_MTU if _is_brief(link, item) else 0)
    return link._replace(endpoints=ends, mtu=mtu)


def _is_special(end: Endpoint) -> bool:
    return end.node.lower() == HOST or end.node.lower() in _SPECIAL


def _is_brief(link: LinkDefinition, item: Mapping) -> bool:
    """A brief link has endpoints that are texts; mappings make it the form of a veth link."""
    endpoints = item.get("endpoints")
    texts = isinstance(endpoints, Sequence) and all(isinstance(end, Scalar) for end in endpoints.items)
    return link.type in {"", "brief"} and texts
