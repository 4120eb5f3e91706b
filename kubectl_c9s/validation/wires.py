"""Rule for interfaces: one Link each (split.md §9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kubectl_c9s.topology.links import HOST
from kubectl_c9s.validation.world import ends_of

if TYPE_CHECKING:
    from kubectl_c9s.validation.world import Member, World


def check_interfaces(world: World) -> None:
    """Warn about Links that use an interface of another: the one whose name sorts first gets it.

    Two Links of one lab are the compiler's matter; so is one Link that is there twice the matter of names.
    """
    used: dict[tuple[str, str, str], Member] = {}
    for link in sorted(world.of("Link"), key=lambda one: one.name):
        for field, node, interface in ends_of(link):
            if node == HOST:
                continue
            first = used.setdefault((link.namespace, node, interface), link)
            if first.name == link.name or (link.derived and first.thing is link.thing):
                continue
            message = (
                f"interface {interface!r} of Node {node!r} is used by the Link {first.name!r} already; the Link whose "
                "name sorts first gets it, this one is never accepted"
            )
            link.warning("endpoint-used-twice", ("spec", field), message)
