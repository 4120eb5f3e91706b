"""Blockers that ran before: a restart in an old lab holds everybody up (causes.md row 39)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kubectl_c9s.diagnosis.finding import Evidence, Finding, node_ref
from kubectl_c9s.resources.moments import seconds_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kubectl_c9s.diagnosis.world import World


def replacements(world: World, findings: Iterable[Finding]) -> Iterator[Finding]:
    """Mark the stuck blockers whose workload has run before."""
    stuck = {one.unit: one for one in findings if one.state == "stuck"}
    blocking = {group.primary.uid for group in world.global_gate.blocking}
    for gate in world.topology_gates.values():
        blocking |= {group.primary.uid for group in gate.blocking}
    for uid in sorted(blocking & stuck.keys()):
        text = _ran_before(world, uid)
        if text:
            node = world.nodes[uid].metadata
            ref = node_ref(node)
            yield Finding(
                "replacement-blocks", f"extra/replacement/{uid}", (ref,), "stuck", stuck[uid].since,
                evidence=(Evidence(ref, "status", f"{ref.full_name} {text}"),),
            )  # fmt: skip


def _ran_before(world: World, uid: str) -> str:
    if any(view.deleting for view in world.views.get(uid, ())):
        return "has a Pod that terminates"
    view, meta = world.newest.get(uid), world.nodes[uid].metadata
    deployment = world.deployments.get((meta.namespace, meta.name))
    if view is None or deployment is None:
        return ""
    made = seconds_of(deployment.metadata.creation_timestamp)
    born = seconds_of(view.created)
    if made is None or born is None or born - made <= world.settings.ran_before_after:
        return ""
    return f"was first started {born - made:.0f} s before its present Pod: this is a restart, not part of a new lab"
