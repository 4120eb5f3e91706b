"""Faults of workloads that hold up the whole installation, and the labs that wait behind them."""

from __future__ import annotations

import functools
import time
from typing import TYPE_CHECKING, Final

import standin_names as names
from faults_play import Fault, G, T

if TYPE_CHECKING:
    from faults_lab import Lab
    from faults_site import Site

_PLAN: Final = (
    "PlanInvalidInput", "PlanMissingInput", "PlanUnsupported", "PlanInvariant", "PlanSideEffect",
    "PlanSerialization", "PlanRejected", "PlanArtifactConflict",
)  # fmt: skip
_IMAGE: Final = (
    "InvalidRequest", "InvalidAuthentication", "InvalidTrust", "ResolveManifest", "UnsupportedMediaType",
    "SelectPlatform", "InspectManifest", "ConfigTooLarge", "FetchConfig", "InvalidConfig", "PlatformMismatch",
    "CanonicalMetadata",
)  # fmt: skip
_SECRET: Final = ("ImagePullSecretMissing", "ImagePullSecretUnreadable")
_DEPLOYMENT: Final = ("DeploymentInvalid", "DeploymentApplyFailed")
REASONS: Final = {
    **dict.fromkeys(_PLAN, "fix-spec"),
    **dict.fromkeys([f"OCIMetadata{reason}" for reason in _IMAGE], "fix-image"),
    **dict.fromkeys(_SECRET, "fix-image"),
    **dict.fromkeys(_DEPLOYMENT, "fix-policy"),
}
"""Every reason of PlanApplied for which a plan is refused (diagnosis.md §3), and what mends it."""


def all_reasons(site: Site) -> list[Fault]:
    """Let a plan be refused for each reason there is; then for none."""
    lab = site.lab("reasons")
    return [_refused(site, lab, reason, remedy) for reason, remedy in REASONS.items()]


def _refused(site: Site, lab: Lab, reason: str, remedy: str) -> Fault:
    node = reason.lower()
    change = functools.partial(site.node_faults, "plan_refused")
    change({f"{lab.namespace}/{node}": reason})
    lab.device(node)
    return Fault(
        "plan-failed",
        lambda: [lab.node_ref(node)],
        remedy,
        lambda: lab.planned(node, reason),
        lambda: change({f"{lab.namespace}/{node}": None}),
        scope=G,
        says=reason,
    )


def no_profile(site: Site) -> Fault:
    """Name a profile that is not there; then make it."""
    lab = site.lab("profile")
    lab.device("a", {"profileRef": {"name": "gone"}})
    return Fault(
        "profile-unresolved",
        lambda: [lab.node_ref()],
        "fix-spec",
        lambda: lab.reason("a", "NodeProfileResolved") == "NodeProfileNotFound",
        lambda: lab.make(names.VERSION, "NodeProfile", "gone", spec={}),
        scope=G,
        says="NodeProfileNotFound",
    )


def two_profiles(site: Site) -> Fault:
    """Let two devices of one Pod name different profiles; then the same."""
    lab = site.lab("profiles")
    for name in ("one", "two"):
        lab.make(names.VERSION, "NodeProfile", name, spec={})
    # The primary comes last: before the other one is there it would get its Pod.
    lab.device("b", {"profileRef": {"name": "two"}, "network-mode": "container:a"})
    lab.device("a", {"profileRef": {"name": "one"}})
    change = {"spec": {"profileRef": {"name": "one"}}}
    return Fault(
        "profile-unresolved",
        lambda: [lab.node_ref()],
        "fix-spec",
        lambda: lab.reason("a", "NodeProfileResolved") == "NodeProfileConflict",
        lambda: lab.client.patch(lab.path("nodes", "b"), change).ok(),
        scope=G,
        says="NodeProfileConflict",
    )


def circle(site: Site) -> Fault:
    """Let two devices each run in the Pod of the other one; then give one a Pod of its own."""
    lab = site.lab("circle")
    for name, other in ("ab", "ba"):
        lab.device(name, {"network-mode": f"container:{other}"})
    change = {"spec": {"network-mode": None}}
    return Fault(
        "network-mode-cycle",
        lambda: [lab.node_ref("a"), lab.node_ref("b")],
        "fix-spec",
        lambda: set(lab.nodes()) == {"a", "b"},
        lambda: lab.client.patch(lab.path("nodes", "a"), change).ok(),
        scope=G,
        says="a -> b -> a",
    )


def quota(site: Site) -> Fault:
    """Allow no Pods in a namespace; then allow ten."""
    lab = site.lab("quota")
    lab.quota("pods", 0)
    lab.device("a")
    return Fault(
        "quota-exceeded",
        lambda: [lab.node_ref()],
        "raise-quota",
        lambda: lab.says("a", "exceeded quota"),
        lambda: lab.quota("pods", 10),
        scope=G,
        says="exceeded quota",
    )


def no_sandbox(site: Site) -> Fault:
    """Let a device get no sandbox; then let it."""
    lab = site.lab("sandbox")
    lab.device("a", fail="sandbox", fail_delay="500ms")
    return Fault(
        "sandbox-failed",
        lambda: [lab.node_ref()],
        "fix-cni",
        lambda: lab.event("FailedCreatePodSandBox"),
        lambda: lab.heal("a"),
        scope=G,
        says="FailedCreatePodSandBox",
    )


def behind(site: Site) -> list[Fault]:
    """Limit the installation to one batch, that of all who are there; then let two labs come that are well."""
    there = list(site.labs)
    site.wait(
        "nothing moves", lambda: _stands_still(there)
    )  # a conflict would end the pass half-way
    site.limit(batchSize=100)
    site.wait("all are admitted", lambda: all(_admitted(lab) for lab in there))
    waiting, holding = site.lab("waiting"), site.lab("holding")
    waiting.start("ab", batchSize=0)
    holding.start("ab", batchSize=1)
    return [
        _waits("blocked-by-other-lab", waiting, G),
        _waits("topology-stalled-behind-global", holding, T),
    ]


def _stands_still(labs: list[Lab]) -> bool:
    before = [lab.nodes() for lab in labs]
    time.sleep(1.0)
    return [lab.nodes() for lab in labs] == before


def _admitted(lab: Lab) -> bool:
    return all(node.mark for node in lab.nodes().values())


def _waits(code: str, lab: Lab, scope: tuple[str, ...]) -> Fault:
    return Fault(
        code,
        lambda: [lab.ref("Topology", "t")],
        "",
        lambda: lab.released("a"),
        lambda: None,
        scope=scope,
        says=f"of {lab.namespace}/t wait in the global batch behind",
    )
