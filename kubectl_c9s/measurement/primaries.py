"""How many devices there will be: the primaries among the c9s Nodes (admission.md §2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kubectl_c9s.resources import devicepods

if TYPE_CHECKING:
    from kubectl_c9s.measurement.watched import WatchedNode

Key = tuple[str, str]
"""Namespace and name."""


class Primaries:
    """The Nodes that are there now, and which of them have Pods of their own.

    A Node that runs in another one's Pod is none of them, and neither is one that the manager passes over. In a circle
    of references every Node counts, as it does for the manager: they never start, and the start is never over.
    """

    def __init__(self) -> None:
        self._alone: set[Key] = set()
        self._ignored: set[Key] = set()
        self._shares: dict[Key, Key] = {}
        self._circled: set[Key] = set()
        self._members: set[Key] = set()

    def __len__(self) -> int:
        return len(self._alone) + len(self._circled - self._ignored)

    def is_member(self, key: Key) -> bool:
        """Tell whether a Node runs in another one's Pod, or did so when it was there."""
        return key in self._members and key not in self._circled

    @property
    def nodes(self) -> int:
        """Give the number of all Nodes, those that share a Pod or are passed over included."""
        return len(self._alone | self._ignored | self._shares.keys())

    def put(self, node: WatchedNode) -> None:
        """Take a Node as it is now."""
        key = node.metadata.namespace, node.metadata.name
        mode = node.spec.network_mode or ""
        shares = mode.startswith(devicepods.SHARES)
        other = (key[0], mode.removeprefix(devicepods.SHARES)) if shares else None
        if self._shares.get(key) != other:
            self._share(key, other)
        _set(self._members, key, shares)
        _set(self._ignored, key, node.metadata.label(devicepods.IGNORE) is not None)
        _set(self._alone, key, not shares and key not in self._ignored)

    def drop(self, key: Key) -> None:
        """Forget a Node that is gone."""
        self._alone.discard(key)
        self._ignored.discard(key)
        if key in self._shares:
            self._share(key, None)

    def _share(self, key: Key, other: Key | None) -> None:
        """Take a reference, and keep what is in circles: a new circle goes through the Node that has changed."""
        self._shares.pop(key, None)
        if other is not None:
            self._shares[key] = other
        if key in self._circled:
            self._circled = set().union(*map(self._circle, self._shares))
        else:
            self._circled |= self._circle(key)

    def _circle(self, start: Key) -> set[Key]:
        """Give the Nodes of the circle that a Node is in; none when it is in none."""
        met: set[Key] = set()
        at: Key | None = start
        while at is not None and at not in met:
            met.add(at)
            at = self._shares.get(at)
        return met if at == start else set()


def _set(keys: set[Key], key: Key, there: bool) -> None:  # noqa: FBT001 - what it is set to
    if there:
        keys.add(key)
    else:
        keys.discard(key)
