"""Groups that lack their primary, or go with it (causes.md rows 7, 45)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kubectl_c9s.diagnosis.finding import Evidence, Finding, node_ref
from kubectl_c9s.diagnosis.timing import by_age
from kubectl_c9s.resources.moments import seconds_of
from kubectl_c9s.rollout.groups import primary_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubectl_c9s.diagnosis.world import World


def missing_primaries(world: World) -> Iterator[Finding]:
    """Row 7: Nodes that resolve to a name that no Node has; any of them, held or not.

    A primary that is being deleted is still there: it is missing once it is gone.
    """
    if not world.grouping.missing:
        return
    spaces: dict[str, dict[str, str | None]] = {}
    for node in world.snapshot.nodes:
        spaces.setdefault(node.namespace, {})[node.name] = node.shares
    for view in world.snapshot.nodes:
        if view.deleting or view.shares is None:
            continue
        shares = spaces[view.namespace]
        primary = primary_of(view.name, shares)
        if primary in shares:
            continue
        meta = world.nodes[view.uid].metadata
        since = seconds_of(meta.creation_timestamp)
        ref = node_ref(meta)
        text = f"network-mode: container:{view.shares} leads to {primary}, which is no Node of {view.namespace}"
        yield Finding(
            "network-mode-missing-primary", view.uid, (ref,), by_age(world, since), since,
            remedies=("fix-spec",), evidence=(Evidence(ref, "spec", text),),
        )  # fmt: skip


def ignored_primaries(world: World) -> Iterator[Finding]:
    """Row 45: the label keeps the primary out, and its members go with it."""
    for group in world.grouping.groups:
        if group.primary.ignored:
            refs = tuple(node_ref(world.nodes[member.uid].metadata) for member in group.members)
            evidence = Evidence(refs[0], "spec", "label c9s.run/ignoreReconcile")
            yield Finding(
                "ignored-primary", f"note/{group.primary.uid}", refs, "note",
                remedies=("remove-label",), evidence=(evidence,),
            )  # fmt: skip
