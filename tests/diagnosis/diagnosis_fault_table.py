"""The faults that block a batch, with what the table of causes says of each (causes.md §1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import diagnosis_faults as plants

if TYPE_CHECKING:
    from diagnosis_faults import Plant


class Fault(NamedTuple):
    """A fault: its code, sub and remedies, how it is planted, and whether it is stuck at any age."""

    code: str
    sub: str | None
    remedies: list[str]
    plant: Plant
    end: bool = False


def _ends(code: str, remedy: str, plant: Plant, sub: str | None = None) -> Fault:
    return Fault(code, sub, [remedy], plant, end=True)


def _timed(code: str, remedy: str, plant: Plant, sub: str | None = None) -> Fault:
    return Fault(code, sub, [remedy], plant)


def _plan(reason: str, remedy: str) -> Fault:
    return _ends("plan-failed", remedy, plants.planning("PlanApplied", reason), reason)


def _profile(reason: str) -> Fault:
    plant = plants.planning("NodeProfileResolved", reason)
    return _ends("profile-unresolved", "fix-spec", plant, reason)


def _link(sub: str) -> Fault:
    plant = plants.links("" if sub == "no-tunnel-id" else sub)
    return _timed("plan-waiting-links", "fix-spec", plant, sub)


def _pressed(kind: str) -> Fault:
    return _timed("host-pressure", "repair-host", plants.pressure(kind), kind)


def _volume(reason: str, message: str, remedy: str, sub: str) -> Fault:
    return _timed("volume-mount", remedy, plants.warned(reason, message), sub)


_GATES = ("toolkit.c9s.run/startup", "acme.example/hold", "b")
_CNI = ("FailedCreatePodSandBox", plants.CNI)
# fmt: off
FAULTS = {
    "silent host": _timed("host-not-ready", "repair-host", plants.silent_host),
    "old Pod": _timed("old-pod-terminating", "finish-deletion", plants.old_pod),
    "circle": _ends("network-mode-cycle", "fix-spec", plants.circle),
    "no profile": _profile("NodeProfileNotFound"),
    "two profiles": _profile("NodeProfileConflict"),
    "image metadata": _plan("OCIMetadataFetchConfig", "fix-image"),
    "pull secret": _plan("ImagePullSecretMissing", "fix-image"),
    "bad plan": _plan("PlanInvalidInput", "fix-spec"),
    "missing input": _plan("PlanMissingInput", "fix-spec"),
    "artifact": _plan("PlanArtifactConflict", "fix-spec"),
    "refused Deployment": _plan("DeploymentApplyFailed", "fix-policy"),
    "unresolved Link": _link("EndpointsUnresolved"),
    "invalid Link": _link("InvalidSpec"),
    "claimed endpoint": _link("EndpointConflict"),
    "no tunnel": _link("no-tunnel-id"),
    "no workers": _timed("planner-pool-starved", "fix-pool", plants.pool),
    "quota": _ends("quota-exceeded", "raise-quota", plants.refused(plants.QUOTA)),
    "security": _ends("pod-rejected", "fix-policy", plants.refused(plants.SECURITY)),
    "denied": _ends("pod-rejected", "fix-policy", plants.refused(plants.DENIED)),
    "webhook": _timed("pod-rejected", "fix-policy", plants.refused(plants.WEBHOOK)),
    "no replicas": _timed("scaled-to-zero", "fix-spec", plants.no_replicas),
    "no plan": _timed("no-pod-unknown", "restore-manager", plants.no_plan, "no-plan"),
    "no Deployment": _timed("no-pod-unknown", "restore-manager", plants.no_deployment, "no-deployment"),
    "no Pod": _timed("no-pod-unknown", "repair-control-plane", plants.no_pod, "no-pod"),
    "no Pod again": _timed("no-pod-unknown", "repair-control-plane", plants.unavailable, "no-pod"),
    "pacer": _ends("pacer-down", "restore-pacer", plants.gated(_GATES[0])),
    "gate": _timed("scheduling-gated", "lift-gate", plants.gated(*_GATES), _GATES[1]),
    "full hosts": _timed("unschedulable", "add-capacity", plants.unbound(plants.FULL), "too-many-pods"),
    "disk": _pressed("DiskPressure"),
    "memory": _pressed("MemoryPressure"),
    "PIDs": _pressed("PIDPressure"),
    "evicted": _timed("host-pressure", "repair-host", plants.evicted, "Evicted"),
    "missing object": _volume("FailedMount", plants.MISSING, "restore-object", "not-found")._replace(end=True),
    "attached elsewhere": _volume("FailedAttachVolume", plants.ATTACH, "repair-host", "attach"),
    "slow mount": _volume("FailedMount", plants.SLOW, "restore-object", "other"),
    "network plugin": _timed("sandbox-failed", "fix-cni", plants.warned(*_CNI)),
    "network plugin, new Events": _timed("sandbox-failed", "fix-cni", plants.warned(*_CNI, new_api=True)),
    "no sandbox": _timed("sandbox-failed", "repair-host", plants.warned("", ""), "unexplained"),
    "old kubelet": _ends("condition-unavailable", "upgrade-kubelet", plants.unreported),
}
# fmt: on
"""By name; the cache that a kubelet waits for is left out: its remedy changes with its age."""
