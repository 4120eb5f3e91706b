"""Remarks on device Pods (causes.md rows 46 to 48)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kubectl_c9s.diagnosis.finding import Evidence, Finding, pod_ref
from kubectl_c9s.resources import labels
from kubectl_c9s.rollout.views import HOST_GRANT, NODE_UID, PRIMARY_CONTAINER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubectl_c9s.diagnosis.world import World
    from kubectl_c9s.resources.observed import ObservedPod


def notes(world: World) -> Iterator[Finding]:
    """Rows 46 to 48; a missing probe only matters where a limit counts boots."""
    known = world.pod_view
    caps = {one.uid for one in world.snapshot.topologies if one.per_host}
    for pod in world.device_pods():
        meta = pod.metadata
        ref, view = pod_ref(meta), known.get(meta.uid)
        grant = meta.annotation(HOST_GRANT)
        if grant and grant != meta.uid:
            yield _note(
                "grant-stale",
                pod,
                Evidence(ref, "annotation", f"{HOST_GRANT}: {grant} is not its UID"),
            )
        if meta.label(labels.APP) is None or not meta.annotation(NODE_UID):
            missing = labels.APP if meta.label(labels.APP) is None else NODE_UID
            yield _note("unlabelled-workload", pod, Evidence(ref, "spec", f"{missing} is missing"))
        counted = view is not None and (world.snapshot.per_host or world.lab_of(view) in caps)
        if counted and not _has_probe(pod):
            yield _note(
                "startup-probe-missing",
                pod,
                Evidence(ref, "spec", "the primary has no startupProbe"),
            )


def _has_probe(pod: ObservedPod) -> bool:
    name = pod.metadata.annotation(PRIMARY_CONTAINER)
    return not name or any(
        one.startup_probe is not None for one in pod.spec.containers or () if one.name == name
    )


def _note(code: str, pod: ObservedPod, evidence: Evidence) -> Finding:
    remedies = ("fix-probe",) if code == "startup-probe-missing" else ()
    unit = f"note/{code}/{pod.metadata.uid}"
    return Finding(
        code, unit, (pod_ref(pod.metadata),), "note", remedies=remedies, evidence=(evidence,)
    )
