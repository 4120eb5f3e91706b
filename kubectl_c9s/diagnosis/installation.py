"""The installation as a whole: Configs, limits, bursts (causes.md rows 40, 42 to 44)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kubectl_c9s.diagnosis.finding import Evidence, Finding, config_ref, topology_ref
from kubectl_c9s.resources.moments import seconds_of
from kubectl_c9s.rollout.groups import is_behind_barrier
from kubectl_c9s.rollout.hosts import is_booting

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubectl_c9s.diagnosis.world import World

_MANY: Final = 100
_SEVERAL: Final = 2


def misplaced_configs(world: World) -> Iterator[Finding]:
    """Rows 40 and 42."""
    home = world.place.namespace
    for config in world.dump.configs:
        if config.metadata.namespace != home:
            ref = config_ref(config.metadata)
            text = f"a Config in {ref.namespace} is not read: the manager's namespace is {home}"
            yield Finding(
                "config-misplaced", f"config/{ref.namespace}", (ref,), "config",
                seconds_of(config.metadata.creation_timestamp), remedies=("move-config",),
                evidence=(Evidence(ref, "status", text),),
            )  # fmt: skip
    if world.config is None and world.knows_limits:
        yield Finding("config-missing", "config", (), "note", remedies=("create-config",))


def unlimited(world: World) -> Iterator[Finding]:
    """Row 43: many devices start at once, and nothing bounds them."""
    snapshot = world.snapshot
    if snapshot.batch or snapshot.per_host or not world.knows_limits:
        return
    if not world.has("topologies.c9s.run") and any(node.topology for node in snapshot.nodes):
        return
    if any(one.batch or one.per_host for one in snapshot.topologies):
        return
    starting = [pod for pod in snapshot.pods if not pod.sandbox or (pod.host and is_booting(pod))]
    if len(starting) > _MANY:
        yield Finding("limit-disabled", "limits", (), "note", remedies=("set-limit",))


def combined_bursts(world: World) -> Iterator[Finding]:
    """Row 44: batches of several labs add up, because no global batch holds them together."""
    if world.snapshot.batch or not world.knows_limits or not world.has("pods"):
        return
    starting: dict[str, int] = {}
    limits = {one.uid: one.batch for one in world.snapshot.topologies if one.batch}
    for group in world.grouping.groups:
        lab = group.primary.topology
        free = not group.primary.hold and not group.primary.ignored
        if lab in limits and free and is_behind_barrier(group, world.newest):
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
