"""Rules for Nodes that share a Pod: who is the primary, and whether the members agree (admission.md §2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kubectl_c9s.topology.policy import primary_of
from kubectl_c9s.validation.things import text
from kubectl_c9s.validation.world import profile_of

if TYPE_CHECKING:
    from kubectl_c9s.validation.world import Key, Member, World

_MODE = ("spec", "network-mode")


def check_groups(world: World) -> None:
    """Report primaries that are not there, circles, and members that name another NodeProfile than the primary.

    What the compiler says of the Nodes of a lab is not said again; profiles it does not compare.
    """
    primaries = _Primaries(world.nodes)
    for node in world.of("Node"):
        named = primary_of(text(node.spec.get("network-mode")))
        if not named:
            continue
        primary = primaries.of(node.key)
        if not node.derived:
            if (node.namespace, named) not in world.nodes:
                message = f"network-mode names the Node {named!r}, which is not in the input"
                node.error("unknown-network-mode-primary", _MODE, message)
            elif primary is None and primaries.in_circle(node.key):
                message = f"network-mode leads from Node {named!r} in a circle: no device of it ever starts"
                node.error("network-mode-cycle", _MODE, message)
        if primary is not None:
            _check_profile(node, world.nodes[primary])


def _check_profile(node: Member, primary: Member) -> None:
    own, theirs = profile_of(node), profile_of(primary)
    if own and theirs and own != theirs:
        message = (
            f"the Node is under two policies: it names the NodeProfile {own!r}, but Node {primary.name!r}, in whose "
            f"Pod it runs, names {theirs!r}; members of one Pod have to agree, or none of them starts"
        )
        node.warning("profile-conflict", ("spec", "profileRef", "name"), message)


class _Primaries:
    """Follows network-modes; every chain is walked once."""

    def __init__(self, nodes: dict[Key, Member]) -> None:
        self._nodes = nodes
        self._known: dict[Key, Key | None] = {}
        self._circular: set[Key] = set()

    def of(self, key: Key) -> Key | None:
        """Give the Node at the end of a chain; None for a chain that ends nowhere."""
        chain: dict[Key, None] = {}
        found: Key | None = key
        while found is not None and found not in self._known:
            if found in chain:
                self._circular.update(chain)
                found = None
                break
            chain[found] = None
            following = self._next(found)
            if following == found:
                break
            found = following
        if found is not None and found in self._known:
            if found in self._circular:
                self._circular.update(chain)
            found = self._known[found]
        self._known.update(dict.fromkeys(chain, found))
        return found

    def in_circle(self, key: Key) -> bool:
        """Tell whether a chain that was followed leads into a circle."""
        return key in self._circular

    def _next(self, key: Key) -> Key | None:
        """Give what a Node names, itself if it names nothing, None if that Node is not there."""
        mode = text(self._nodes[key].spec.get("network-mode"))
        named = primary_of(mode)
        if not named:
            return key
        following = (key[0], named)
        if following == key:
            self._circular.add(key)
            return None
        return following if following in self._nodes else None
