"""Staged files that cannot stand side by side: one place in a Pod, one name of two ConfigMaps (staging.md B4, D)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kubectl_c9s.topology import labpaths
from kubectl_c9s.topology.stagingrules import pod_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from kubectl_c9s.topology.flatten import Flat
    from kubectl_c9s.topology.stagedfiles import Entry, StagedMap


def at_one_place(
    entries: Mapping[str, Iterable[Entry]], nodes: Mapping[str, Flat]
) -> Iterator[tuple[Entry, str]]:
    """Give entries that differ in bytes or mode from an earlier one at their place in the Pod, and say why."""
    places: dict[tuple[str, str], Entry] = {}
    for node in sorted(entries):
        pod = pod_of(node, nodes)
        for entry in entries[node]:
            first = places.setdefault((pod, labpaths.in_pod(entry.file_path)), entry)
            if (first.digest, first.mode) != (entry.digest, entry.mode):
                yield entry, _differs(first, entry)


def _differs(first: Entry, entry: Entry) -> str:
    what = "mode" if first.digest == entry.digest else "bytes"
    if first.request.node == entry.request.node:
        return f"{entry.file_path!r} is one place with {first.file_path!r} and has other {what}"
    node = f"node {first.request.node!r}, which shares its Pod"
    return f"{entry.file_path!r} has other {what} than the file at the same place of {node}"


def of_one_name(maps: Iterable[StagedMap]) -> Iterator[tuple[StagedMap, str]]:
    """Give ConfigMaps whose name an earlier one has, and say why that cannot be."""
    names: dict[str, str] = {}
    for staged in maps:
        first = names.setdefault(staged.name, staged.identity)
        if first != staged.identity:
            message = (
                f"{first!r} and {staged.identity!r} both get the ConfigMap name {staged.name!r}"
            )
            yield staged, message
