"""A proposed change of one object's limits: what it does, what stands against it, what is to be said about it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from kubectl_c9s.resources.listing import some
from kubectl_c9s.rollout import guards
from kubectl_c9s.rollout.guards import Guard, Warned
from kubectl_c9s.rollout.impact import Effect, config_effects, topology_effects
from kubectl_c9s.rollout.limits import FIELDS, Block, Limits, limits_of
from kubectl_c9s.rollout.owners import GUARDED, gitops_owner
from kubectl_c9s.rollout.patches import block_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubectl_c9s.resources.objects import KubeObject
    from kubectl_c9s.rollout.probes import ProbeGaps
    from kubectl_c9s.rollout.views import Snapshot, TopologyView


class Rules(NamedTuple):
    """What a change may do: release waiting workloads, what is allowed by name, which managers are yielded to."""

    release: bool = False
    allowed: frozenset[str] = frozenset()
    yield_to: tuple[str, ...] = GUARDED


class Surroundings(NamedTuple):
    """What is known around the object: the snapshot, the Config's limits (None if not seen), gaps in probes."""

    snapshot: Snapshot
    config: Limits | None
    gaps: ProbeGaps


class Proposal(NamedTuple):
    """The object as it was read, the block it is to have, and what follows from that."""

    obj: KubeObject
    after: Block
    effects: tuple[Effect, ...]
    guards: tuple[Guard, ...]
    warnings: tuple[Warned, ...]
    advice: str | None

    @property
    def before(self) -> Block:
        """Give the block that was read."""
        return block_of(self.obj)

    @property
    def changes(self) -> bool:
        """Tell whether anything would be written; 0 where the field is absent is a write."""
        return self.before != self.after


def propose(obj: KubeObject, after: Block, around: Surroundings, rules: Rules) -> Proposal:
    """Work out a change of a Config or Topology."""
    before, wanted = limits_of(block_of(obj)), limits_of(after)
    if obj["kind"] == "Config":
        effects = config_effects(around.snapshot, before, wanted)
    else:
        effects = topology_effects(around.snapshot, _view_of(obj, around), before, wanted)
    proposal = Proposal(obj, after, tuple(effects), (), (), guards.helm_advice(obj))
    if not proposal.changes:
        return proposal._replace(advice=None)
    against = tuple(
        guard
        for guard in _guards(proposal, wanted, around, rules)
        if guard.code not in rules.allowed
    )
    warnings = tuple(_warnings(proposal, wanted, around))
    return proposal._replace(guards=against, warnings=warnings)


def _view_of(obj: KubeObject, around: Surroundings) -> TopologyView:
    """Find the Topology among those listed just after it was read; raises GuardRefusal when it has gone since."""
    meta = obj["metadata"]
    for one in around.snapshot.topologies:
        if one.uid == meta["uid"]:
            return one
    raise guards.guard_refusal(
        "changed-since-read",
        f"Topology {meta['name']} has been deleted since it was read: nothing written",
        "look at it again, then repeat the command",
    )


def _guards(
    proposal: Proposal, wanted: Limits, around: Surroundings, rules: Rules
) -> Iterator[Guard]:
    obj, touched = proposal.obj, {effect.field for effect in proposal.effects}
    if not rules.release:
        yield from guards.release_guards(proposal.effects)
    yield from guards.block_guards(proposal.effects)
    owner = gitops_owner(obj, rules.yield_to, touched or FIELDS)
    yield from guards.gitops_guards(owner, manifest(obj, proposal.after))
    if obj["kind"] == "Topology" and "maxConcurrentPerHost" in touched:
        yield from guards.useless_guards(wanted.max_concurrent_per_host, around.config)


def _warnings(proposal: Proposal, wanted: Limits, around: Surroundings) -> Iterator[Warned]:
    cap = next((one for one in proposal.effects if one.field == "maxConcurrentPerHost"), None)
    if cap is None or not wanted.per_host:
        return
    yield from guards.probe_warnings(around.gaps)
    if proposal.obj["kind"] == "Config":
        labs = [one for one in around.snapshot.topologies if one.per_host > wanted.per_host]
        if labs:
            names = some(one.full_name for one in labs)
            message = f"limits per host of {len(labs)} Topology(s) are above this and never count: {names}"
            yield Warned("useless-topology-limit", message)


def manifest(obj: KubeObject, after: Block) -> str:
    """Give the part of a manifest that has the wanted block, as YAML."""
    meta = obj["metadata"]
    lines = [f"apiVersion: {obj['apiVersion']}", f"kind: {obj['kind']}", "metadata:"]
    lines += [f"  name: {meta['name']}", f"  namespace: {meta['namespace']}"]
    return "\n".join([*lines, *block_lines(after)]) + "\n"


def block_lines(block: Block) -> list[str]:
    """Give the lines of a block in its place as YAML; none for an absent one."""
    if block is None:
        return []
    if not block:
        return ["spec:", "  rollout: {}"]
    return ["spec:", "  rollout:", *(f"    {key}: {value}" for key, value in sorted(block.items()))]
