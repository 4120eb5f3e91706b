"""Links: written definitions → wires between nodes of the definition (split.md §9)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from kubectl_c9s.topology.linkdefs import POINT_TO_POINT

if TYPE_CHECKING:
    from collections.abc import Container

    from kubectl_c9s.topology.context import Context
    from kubectl_c9s.topology.linkdefs import LinkDefinition

HOST: Final = "host"
_SPECIAL: Final = frozenset({"mgmt-net", "macvlan"})


class Wire(NamedTuple):
    """A point-to-point wire; node names as written, ``mtu`` 0 for none."""

    node_a: str
    interface_a: str
    node_b: str
    interface_b: str
    mtu: int
    definition: LinkDefinition


def compile_links(
    context: Context, links: list[LinkDefinition], nodes: Container[str]
) -> list[Wire]:
    """Give the wires that Link objects can express; everything else is reported."""
    wires: list[Wire] = []
    used: dict[tuple[str, str], int] = {}
    for link in links:
        if link.type not in POINT_TO_POINT:
            _unsupported_type(context, link)
            continue
        if len(link.endpoints) != 2 or not _endpoints_usable(context, link, nodes):  # noqa: PLR2004 - reported when read
            continue
        a, b = link.endpoints
        _warn_used_twice(context, link, used)
        wires.append(Wire(a.node, a.interface, b.node, b.interface, link.mtu, link))
    return wires


def _unsupported_type(context: Context, link: LinkDefinition) -> None:
    advice = "; write the host side as an endpoint host:<interface>" if link.type == HOST else ""
    message = f"link type {link.type!r} has no Link object, only brief and veth links do{advice}"
    at = link.at.get("type") or link.at
    context.error("unsupported-link-type", f"topology.links[{link.place}].type", message, at)


def _endpoints_usable(context: Context, link: LinkDefinition, nodes: Container[str]) -> bool:
    usable = True
    path = f"topology.links[{link.place}].endpoints"
    for index, end in enumerate(link.endpoints):
        # A node that is really called so does not take the reserved meaning away.
        if (end.node in nodes or end.node == HOST) and end.node not in _SPECIAL:
            continue
        if end.node in _SPECIAL:
            message = f"endpoint {end.node!r} needs the network of a container host, which a cluster does not have"
            context.error("unsupported-special-endpoint", f"{path}[{index}]", message, end.at)
        else:
            message = f"endpoint names node {end.node!r}, which is no node of this definition"
            context.error("unknown-link-endpoint", f"{path}[{index}]", message, end.at)
        usable = False
    if all(end.node == HOST for end in link.endpoints):
        context.error("invalid-host-link", path, "a host link needs exactly one real node", link.at)
        return False
    return usable


def _warn_used_twice(
    context: Context, link: LinkDefinition, used: dict[tuple[str, str], int]
) -> None:
    for index, end in enumerate(link.endpoints):
        if end.node == HOST:
            continue
        first = used.setdefault((end.node, end.interface), link.place)
        if first != link.place:
            message = (
                f"interface {end.interface!r} of node {end.node!r} is used by topology.links[{first}] already; "
                "the Link whose name sorts first gets it"
            )
            path = f"topology.links[{link.place}].endpoints[{index}]"
            context.warning("endpoint-used-twice", path, message, end.at)
