"""The installation as a whole: Configs, limits, bursts (causes.md rows 36, 40, 42 to 44)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kubectl_c9s.diagnosis.boot import statuses
from kubectl_c9s.diagnosis.case import is_planned
from kubectl_c9s.diagnosis.finding import Evidence, Finding, config_ref, topology_ref
from kubectl_c9s.diagnosis.timing import latest
from kubectl_c9s.resources.moments import seconds_of, text_of
from kubectl_c9s.rollout.groups import is_behind_barrier
from kubectl_c9s.rollout.hosts import is_booting
from kubectl_c9s.rollout.owners import rollout_owners

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubectl_c9s.diagnosis.leader import Leader
    from kubectl_c9s.diagnosis.world import World

_CONFIGS: Final = "configs.c9s.run"
_MANY: Final = 100
_SEVERAL: Final = 2


def misplaced_configs(world: World) -> Iterator[Finding]:
    """Rows 40 and 42."""
    if not world.has(_CONFIGS):
        return
    home = world.place.namespace
    for config in world.dump.configs:
        if config.metadata.namespace != home and world.dump.namespace is None:
            ref = config_ref(config.metadata)
            text = f"a Config in {ref.namespace} is not read: the manager's namespace is {home}"
            yield Finding(
                "config-misplaced", f"config/{ref.namespace}", (ref,), "config",
                seconds_of(config.metadata.creation_timestamp), remedies=("move-config",),
                evidence=(Evidence(ref, "status", text),),
            )  # fmt: skip
    if world.config is None and world.dump.namespace in (None, home):
        yield Finding("config-missing", "config", (), "note", remedies=("create-config",))


def unobserved_config(world: World, leader: Leader) -> tuple[Finding, frozenset[str]] | None:
    """Row 36: the limits were edited since the leader began, and it acts as if they were not; with what it holds up.

    A manager may take minutes over a change that concerns every lab, so it gets two of them before this is said.
    """
    config = world.config
    if config is None or leader.leads is not True or leader.pod is None:
        return None
    edited = latest(
        *(seconds_of(owner.time) for owner in rollout_owners(config.metadata.managed_fields))
    )
    begun = latest(*(_running_since(status.in_state("running")) for status in statuses(leader.pod)))
    begun = begun or seconds_of(leader.pod.metadata.creation_timestamp)
    if edited is None or begun is None or edited <= begun:
        return None
    waits = {scope: since for scope, since in _waits(world) if since is not None}
    late = {
        scope
        for scope, since in waits.items()
        if world.age(max(since, edited)) > world.settings.config_after
    }
    if not late:
        return None
    ref = config_ref(config.metadata)
    since = min(max(waits[scope], edited) for scope in late)
    text = f"spec.rollout was edited at {text_of(edited)}, the leader runs since {text_of(begun)}"
    text += ", and what the limits allow does not happen"
    finding = Finding(
        "config-not-observed", "config", (ref,), "stuck", since, remedies=("restore-manager",),
        evidence=(Evidence(ref, "status", text, text_of(edited)),),
    )  # fmt: skip
    return finding, frozenset(late)


def _running_since(state: object) -> float | None:
    return seconds_of(str(state.get("startedAt") or "")) if isinstance(state, dict) else None


def _waits(world: World) -> Iterator[tuple[str, float | None]]:
    """Give since when the limits of the object would let somebody through who is not: by scope."""
    gate = world.global_gate
    if gate.limit and gate.next_batch:
        yield "global", seconds_of(gate.next_batch[0].primary.created)
    if not gate.limit:
        unplanned = [
            seconds_of(group.primary.created)
            for group in world.grouping.groups
            if not group.primary.hold
            and not group.primary.ignored
            and group.primary.mark != group.primary.uid
            and group.primary.uid not in world.newest
            and not is_planned(world.nodes[group.primary.uid])
            and not world.nodes[group.primary.uid].status.conditions
        ]
        if unplanned:
            yield "global", min(time for time in unplanned if time is not None)
    if world.host_gate.grants:
        yield "host", seconds_of(world.host_gate.grants[0].created)


def unlimited(world: World) -> Iterator[Finding]:
    """Row 43: many devices start at once, and nothing bounds them."""
    snapshot = world.snapshot
    if snapshot.batch or snapshot.per_host or not world.has(_CONFIGS):
        return
    if any(one.batch or one.per_host for one in snapshot.topologies):
        return
    starting = [pod for pod in snapshot.pods if not pod.sandbox or (pod.host and is_booting(pod))]
    if len(starting) > _MANY:
        yield Finding("limit-disabled", "limits", (), "note", remedies=("set-limit",))


def combined_bursts(world: World) -> Iterator[Finding]:
    """Row 44: batches of several labs add up, because no global batch holds them together."""
    if world.snapshot.batch:
        return
    starting: dict[str, int] = {}
    limits = {one.uid: one.batch for one in world.snapshot.topologies if one.batch}
    for group in world.grouping.groups:
        lab = group.primary.topology
        if lab in limits and not group.primary.hold and is_behind_barrier(group, world.newest):
            starting[lab] = starting.get(lab, 0) + 1
    if len(starting) < _SEVERAL or sum(starting.values()) <= max(limits[lab] for lab in starting):
        return
    refs = tuple(topology_ref(world.topologies[lab].metadata) for lab in starting)
    found = tuple(
        Evidence(
            ref, "status", f"{count} workload(s) without a sandbox, its batch is {limits[lab]}"
        )
        for ref, (lab, count) in zip(refs, starting.items(), strict=True)
    )
    yield Finding("combined-burst", "limits", refs, "note", remedies=("set-limit",), evidence=found)
