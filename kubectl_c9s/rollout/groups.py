"""Groups of Nodes that share a Pod, and the newest Pod of each (admission.md §§2, 4.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from kubectl_c9s.rollout.views import NodeView, PodView


class Group(NamedTuple):
    """One workload: ``members`` are all Nodes of its Pod, the primary first, the others by name."""

    primary: NodeView
    members: tuple[NodeView, ...]

    @property
    def full_name(self) -> str:
        """Give ``namespace/name`` of the primary."""
        return self.primary.full_name


class Grouping(NamedTuple):
    """The groups by name, and ``namespace/name`` of primaries that Nodes name and that do not exist."""

    groups: tuple[Group, ...]
    missing: tuple[str, ...]


def primary_of(name: str, shares: Mapping[str, str | None]) -> str:
    """Follow ``container:`` references within a namespace; ``shares`` has every Node of it.

    The answer may be a name that no Node has. In a circle it is the last name before one that was met already,
    so two Nodes that name each other each have the *other* one as primary.
    """
    met = {name}
    while True:
        following = shares.get(name)
        if following is None or following in met:
            return name
        met.add(following)
        name = following


def _end_of(name: str, shares: Mapping[str, str | None], ends: dict[str, str]) -> str:
    """Give ``primary_of`` in time that stays linear for long chains; ``ends`` has what is known of others."""
    chain = [name]
    met = {name}
    while (following := shares.get(chain[-1])) is not None and following not in ends:
        if following in met:
            # Where a circle stops depends on where one begins: nothing to remember.
            return chain[-1]
        met.add(following)
        chain.append(following)
    end = chain[-1] if following is None else ends[following]
    ends.update(dict.fromkeys(chain, end))
    return end


def group_nodes(nodes: Iterable[NodeView]) -> Grouping:
    """Sort Nodes into groups, each namespace for itself."""
    spaces: dict[str, list[NodeView]] = {}
    for node in nodes:
        spaces.setdefault(node.namespace, []).append(node)
    groups: list[Group] = []
    missing: list[str] = []
    for namespace in sorted(spaces):
        _group_namespace(namespace, spaces[namespace], groups, missing)
    return Grouping(tuple(groups), tuple(missing))


def _group_namespace(
    namespace: str, nodes: list[NodeView], groups: list[Group], missing: list[str]
) -> None:
    known = {node.name: node for node in nodes}
    shares = {node.name: node.shares for node in nodes if node.shares is not None}
    if not shares and len(known) == len(nodes):
        # Nobody shares a Pod, as in nearly every lab.
        groups.extend(Group(known[name], (known[name],)) for name in sorted(known))
        return
    found: dict[str, list[NodeView]] = {}
    ends: dict[str, str] = {}
    for node in nodes:
        name = node.name if node.shares is None else _end_of(node.name, shares, ends)
        found.setdefault(name, []).append(node)
    for name in sorted(found):
        primary = known.get(name)
        if primary is None:
            missing.append(f"{namespace}/{name}")
            continue
        # A primary in a circle counts itself to another one's group and still leads its own.
        others = sorted((node for node in found[name] if node is not primary), key=_by_name)
        groups.append(Group(primary, (primary, *others)))


def _by_name(node: NodeView) -> str:
    return node.name


def newest_pods(pods: Iterable[PodView]) -> dict[str, PodView]:
    """Give the newest Pod of each Node UID among those that are not terminating; of equally old ones the first."""
    newest: dict[str, PodView] = {}
    for pod in pods:
        if pod.deleting or not pod.node_uid:
            continue
        known = newest.get(pod.node_uid)
        if known is None or pod.created > known.created:
            newest[pod.node_uid] = pod
    return newest


def is_behind_barrier(group: Group, newest: Mapping[str, PodView]) -> bool:
    """Tell whether an admitted group still blocks: its newest Pod is missing or has no sandbox."""
    pod = newest.get(group.primary.uid)
    return pod is None or not pod.sandbox
