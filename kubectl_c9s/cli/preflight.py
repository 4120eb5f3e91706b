"""What speaks against applying a lab: names a living Topology wants, objects that belong to others (split.md §12)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from kubectl_c9s.cluster import kinds
from kubectl_c9s.cluster.labs import foreign
from kubectl_c9s.cluster.reading import list_objects
from kubectl_c9s.resources.errors import RefusedInput
from kubectl_c9s.resources.findings import Findings
from kubectl_c9s.topology.compile import Options, split_topology
from kubectl_c9s.yamlio.reader import read_documents

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubectl_c9s.cluster.applying import Plan
    from kubectl_c9s.cluster.connection import Connection


def objections(connection: Connection, plan: Plan, manager: str, *, force: bool) -> Iterator[str]:
    """Give a sentence for each object that may not be written."""
    wanted_by = _topology_names(connection, {one.key[1] for one in plan.objects if one.key[1]})
    for one in plan.objects:
        kind, namespace, name = one.key
        reason = one.live and foreign(one.wanted, one.live, manager, force=force)
        if reason:
            yield f"{kind} {name!r} in namespace {namespace!r} is not written: {reason}"
        elif topology := wanted_by.get(one.key):
            yield f"{kind} {name!r} in namespace {namespace!r} is not written: the Topology {topology!r} wants the name"


def _topology_names(
    connection: Connection, namespaces: set[str]
) -> dict[tuple[str, str, str], str]:
    """Map the objects that living Topologies of the namespaces derive to the Topology's name."""
    found: dict[tuple[str, str, str], str] = {}
    for namespace in sorted(namespaces):
        item: type[dict[str, Any]] = dict
        for topology in list_objects(connection, kinds.TOPOLOGIES, item, namespace=namespace).items:
            name = topology["metadata"]["name"]
            for kind, derived in _derived(topology):
                found[kind, namespace, derived] = name
    return found


def _derived(topology: dict[str, Any]) -> list[tuple[str, str]]:
    """Give (kind, name) of what a Topology becomes; nothing if its definition cannot be compiled."""
    text = msgspec.json.encode(
        {**topology, "apiVersion": kinds.TOPOLOGIES.api_version, "kind": "Topology", "status": {}}
    )
    try:
        document = read_documents(text, f"topology {topology['metadata']['name']}")[0]
    except RefusedInput:
        return []
    rendered = split_topology(document, Options(), Findings())
    if rendered is None:
        return []
    return [(obj["kind"], obj["metadata"]["name"]) for obj in rendered.ordered()]
