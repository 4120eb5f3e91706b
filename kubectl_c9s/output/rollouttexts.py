"""Changes of rollout limits in words: the difference, what it does, what stands against it."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any

from kubectl_c9s.output.safe_text import safe_text
from kubectl_c9s.resources.listing import some

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubectl_c9s.rollout.impact import Effect
    from kubectl_c9s.rollout.proposal import Proposal


def difference(name: str, before: list[str], after: list[str]) -> Iterator[str]:
    """Give the unified diff of two blocks, line by line, each made harmless for a terminal."""
    old, new = ([f"{safe_text(line)}\n" for line in lines] for lines in (before, after))
    return difflib.unified_diff(old, new, f"LIVE/{name}", f"MERGED/{name}")


def effect_lines(effect: Effect, kind: str) -> Iterator[str]:
    """Say what one field's change does."""
    if effect.turn == "same":
        yield f"{effect.field}: off before and after, nothing changes"
        return
    if effect.field == "maxConcurrentPerHost":
        lines = _cap_lines(effect)
    elif kind == "Config":
        lines = _global_lines(effect)
    else:
        lines = _topology_lines(effect)
    for line in lines:
        yield f"{effect.field}: {line}"


def _global_lines(effect: Effect) -> Iterator[str]:
    if effect.turn == "off":
        yield _released(effect, "workload(s)")
        return
    if effect.turn == "first" or effect.adopted:
        yield f"{len(effect.adopted)} existing workload(s) are adopted"
    if effect.turn == "lowered":
        yield "later batches only: what is admitted stays"
    yield from _next_batch(effect, "admits")


def _topology_lines(effect: Effect) -> Iterator[str]:
    if effect.turn == "off":
        yield _released(effect, "held workload(s)")
        if effect.holdup:
            yield f"{_so_far(effect)} before this is over: {effect.holdup}"
        return
    if effect.turn == "first":
        yield "only Nodes that are created from now on are held"
    if effect.turn == "lowered":
        yield "later batches only: what is released stays"
    if effect.holdup and not effect.blocking:
        yield f"{_so_far(effect)} before this is over: {effect.holdup}"
    else:
        yield from _next_batch(effect, "releases")


def _so_far(effect: Effect) -> str:
    """Name those who are released although something stands in the way of the others."""
    return f"no more than {some(effect.starts)}" if effect.starts else "nobody is released"


def _next_batch(effect: Effect, verb: str) -> Iterator[str]:
    waiting = len(effect.waiting)
    if effect.blocking:
        count = len(effect.blocking)
        yield f"{count} workload(s) without a sandbox block {waiting} waiting: {some(effect.blocking)}"
    elif waiting:
        starts = some(effect.starts) or "none"
        yield f"the next pass {verb} {len(effect.starts)} of {waiting} waiting workload(s): {starts}"
    else:
        yield "nobody waits"


def _released(effect: Effect, what: str) -> str:
    if not effect.released:
        return "nobody waits, nothing is released"
    count, when = len(effect.released), "now" if effect.starts else "later"
    hosts = f" on {len(effect.hosts)} host(s)" if effect.hosts else ""
    return f"releases {count} waiting {what}{hosts} {when}: {some(effect.released)}"


def _cap_lines(effect: Effect) -> Iterator[str]:
    if effect.turn == "off":
        yield _released(effect, "Pod(s)")
    elif effect.turn == "first":
        booting = len(effect.booting)
        yield f"only Deployments created from now on are gated; {booting} Pod(s) that boot now count"
    elif effect.turn == "lowered":
        yield "nothing is stopped; hosts above the limit get no grant until they are below it"
    if effect.orphans:
        yield f"nobody is granted a slot while Pods of unknown Nodes boot: {some(effect.orphans)}"
    elif effect.turn != "off" and effect.waiting:
        starts = f"{len(effect.starts)} of {len(effect.waiting)}"
        per_host = some(f"{host} {count}" for host, count in effect.hosts) or "none"
        yield f"the next pass grants {starts} queued Pod(s): {per_host}"
    elif effect.turn == "raised":
        yield "nobody waits"


def impact_lines(proposal: Proposal) -> Iterator[str]:
    """Say what a change does. Names are made harmless for a terminal, and none of them can begin a line."""
    for effect in proposal.effects:
        for line in effect_lines(effect, proposal.obj["kind"]):
            yield f"impact: {safe_text(line)}"


def finding_lines(proposal: Proposal) -> Iterator[str]:
    """Say what is to be known about a change, and what stands against it; only hints have several lines."""
    for warned in proposal.warnings:
        yield f"warning: {safe_text(warned.message)} [{warned.code}]"
    if proposal.advice:
        yield f"note: {safe_text(proposal.advice)}"
    for guard in proposal.guards:
        yield f"refused: {safe_text(guard.message)} [{guard.code}]"
        if guard.hint:
            yield f"hint: {safe_text(guard.hint, multiline=True)}"


def proposal_json(proposal: Proposal) -> dict[str, Any]:
    """Give a change as JSON data; absent blocks are null."""
    meta = proposal.obj["metadata"]
    return {
        "kind": proposal.obj["kind"],
        "namespace": meta["namespace"],
        "name": meta["name"],
        "resourceVersion": meta["resourceVersion"],
        "before": proposal.before,
        "after": proposal.after,
        "changes": proposal.changes,
        "impact": [effect.as_json() for effect in proposal.effects],
        "warnings": [warned._asdict() for warned in proposal.warnings],
        "guards": [guard._asdict() for guard in proposal.guards],
        "advice": proposal.advice,
    }
