"""Who shares a Pod with whom, and which Links end where: kept up with every change of a Node or a Link."""

from __future__ import annotations

import threading
from collections import defaultdict
from typing import TYPE_CHECKING

from standin_gates import primary_name

if TYPE_CHECKING:
    from standin_views import Json, NodeView

Key = tuple[str, str]


class GroupIndex:
    """Primaries and members by namespace; a change is told by the store of Nodes, under its lock."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._shares: defaultdict[str, dict[str, str | None]] = defaultdict(dict)

    def changed(self, old: NodeView | None, new: NodeView | None) -> set[Key]:
        """Take in a change; give the primaries whose groups it may concern."""
        node = new or old
        assert node is not None, "a change has an old or a new side"
        with self._lock:
            shares, key = self._shares[node.namespace], (node.namespace, node.name)
            concerned = {key, self.primary(*key)}
            if new is None:
                shares.pop(node.name, None)
            else:
                shares[node.name] = new.shares
            return concerned | {self.primary(*key)}

    def primary(self, namespace: str, name: str) -> Key:
        """Give the primary of a Node; it may not exist."""
        with self._lock:
            return namespace, primary_name(name, self._shares[namespace])

    def secondaries(self, namespace: str, primary: str) -> list[str]:
        """Name the others in a primary's Pod, in order."""
        with self._lock:
            shares = dict(self._shares[namespace])
        others = [name for name, shared in shares.items() if shared is not None and name != primary]
        return sorted(name for name in others if primary_name(name, shares) == primary)


class LinkIndex:
    """Links by their ends."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._by_node: defaultdict[Key, set[str]] = defaultdict(set)
        self._by_end: defaultdict[tuple[str, str, str], set[str]] = defaultdict(set)

    def changed(self, old: Json | None, new: Json | None) -> set[Key]:
        """Take in a change; give the Links that it may concern."""
        concerned: set[Key] = set()
        with self._lock:
            for body in filter(None, (old, new)):
                meta = body["metadata"]
                for node, interface in ends(body):
                    here, end = (meta["namespace"], node), (meta["namespace"], node, interface)
                    for names in (self._by_node[here], self._by_end[end]):
                        (names.add if body is new else names.discard)(meta["name"])
                    concerned |= {(meta["namespace"], name) for name in self._by_end[end]}
                concerned.add((meta["namespace"], meta["name"]))
        return concerned

    def of_node(self, namespace: str, node: str) -> list[str]:
        """Name the Links that end at a Node."""
        with self._lock:
            return sorted(self._by_node.get((namespace, node), ()))

    def winner(self, namespace: str, node: str, interface: str) -> str | None:
        """Name the Link that has an interface: of several the first by name (split.md §9)."""
        with self._lock:
            return min(self._by_end.get((namespace, node, interface), ()), default=None)


def ends(link: Json) -> list[tuple[str, str]]:
    """Give node and interface of both ends of a Link."""
    spec = link.get("spec") or {}
    return [
        (end["nodeName"], end["interfaceName"]) for end in (spec["endpointA"], spec["endpointB"])
    ]
