"""How far the starts are: labs, their workloads with stage and age, progress and forecast, as JSON data."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from kubectl_c9s.diagnosis.stages import ORDER, Progressed, Stage, stages
from kubectl_c9s.resources import labels
from kubectl_c9s.resources.moments import seconds_of, text_of
from kubectl_c9s.resources.objects import API_VERSION

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kubectl_c9s.diagnosis.report import Diagnosis
    from kubectl_c9s.diagnosis.world import World

GOALS: Final[Mapping[str, frozenset[Stage]]] = {
    "admitted": frozenset(
        {"admitted", "unscheduled", "sandbox", "gated", "booting", "started", "ready"}
    ),
    "sandbox": frozenset({"gated", "booting", "started", "ready"}),
    "started": frozenset({"started", "ready"}),
    "ready": frozenset({"ready"}),
}
"""Goals, and the stages that satisfy them."""
_WINDOW: Final = 60.0


class Lab(NamedTuple):
    """A Topology, or standalone Nodes by owner label (``kind`` Lab) or by namespace (``kind`` Namespace)."""

    kind: str
    namespace: str
    name: str


def status(
    diagnosis: Diagnosis, wanted: str | None, goal: str = "ready", namespace: str | None = None
) -> dict[str, Any]:
    """Give the tree; ``wanted`` is the name of a lab, ``goal`` what the forecast is about."""
    world = diagnosis.world
    causes = {finding.unit: entry.code for entry in diagnosis.entries for finding in entry.findings}
    labs: dict[Lab, list[Progressed]] = {}
    for one in stages(world):
        lab = lab_of(world, one)
        if wanted in (None, lab.name) and namespace in (None, lab.namespace):
            labs.setdefault(lab, []).append(one)
    everything = [one for found in labs.values() for one in found]
    return {
        "version": 1,
        "at": text_of(world.now),
        "verdict": diagnosis.verdict,
        "primaryCause": diagnosis.primary,
        "goal": goal,
        "reached": is_reached(everything, goal),
        "progress": _progress(world, everything, goal),
        "labs": [_lab(world, lab, labs[lab], causes, goal) for lab in sorted(labs)],
        "notCollected": list(diagnosis.not_collected),
    }


def lab_of(world: World, one: Progressed) -> Lab:
    """Say which lab a workload is of."""
    primary = one.group.primary
    topology = world.topologies.get(primary.topology)
    if topology is not None:
        return Lab("Topology", primary.namespace, topology.metadata.name)
    owner = world.nodes[primary.uid].metadata.label(labels.TOPOLOGY_OWNER)
    return (
        Lab("Lab", primary.namespace, owner)
        if owner
        else Lab("Namespace", primary.namespace, primary.namespace)
    )


def is_reached(found: list[Progressed], goal: str) -> bool:
    """Tell whether everybody that can start is where the goal wants them."""
    return all(one.stage in GOALS[goal] for one in found if one.stage != "ignored")


def _progress(world: World, found: list[Progressed], goal: str) -> dict[str, Any]:
    """Count stages and give a forecast by what was reached within the last minute; null when nothing tells."""
    counted = [one for one in found if one.stage != "ignored"]
    done = sum(one.stage in GOALS[goal] for one in counted)
    left = len(counted) - done
    recent = [
        one for one in counted
        if one.stage in GOALS[goal] and one.since is not None and world.now - one.since < _WINDOW
    ]  # fmt: skip
    rate = len(recent) / _WINDOW
    stages_now = Counter(one.stage for one in found)
    return {
        "workloads": len(counted),
        "done": done,
        "stages": {stage: stages_now[stage] for stage in ORDER if stages_now[stage]},
        "perMinute": len(recent),
        "secondsLeft": round(left / rate) if rate and left else 0 if not left else None,
    }


def _lab(
    world: World, lab: Lab, found: list[Progressed], causes: dict[str, str], goal: str
) -> dict[str, Any]:
    rows = [_workload(world, one, causes) for one in sorted(found, key=_rank)]
    return {**lab._asdict(), "progress": _progress(world, found, goal), "workloads": rows}


def _rank(one: Progressed) -> tuple[int, str]:
    return ORDER.index(one.stage), one.group.full_name


def _workload(world: World, one: Progressed, causes: dict[str, str]) -> dict[str, Any]:
    primary, pod = one.group.primary, one.pod
    since = one.since if one.since is not None else seconds_of(primary.created)
    return {
        "apiVersion": API_VERSION,
        "name": primary.name,
        "members": [member.name for member in one.group.members[1:]],
        "stage": one.stage,
        "since": text_of(since) if since is not None else None,
        "age": round(world.age(since)),
        "pod": pod.name if pod else None,
        "host": pod.host or None if pod else None,
        "cause": causes.get(primary.uid),
    }
