"""Faults of devices that boot: each keeps the only slot its Topology has on a host, and another device waits for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, TypeAlias

from bed_client import MERGE_PATCH
from faults_play import Fault, H

if TYPE_CHECKING:
    from faults_lab import Lab
    from faults_site import Site

FINALIZER: Final = "testbed.example/keep"
Waits: TypeAlias = Callable[[], bool]
"""Tells whether somebody waits for the slot."""


def slot_lab(site: Site, what: str, how: str, *links: list[str]) -> tuple[Lab, Waits]:
    """Start two devices on one host that may boot one at a time; the first fails, the second is queued."""
    lab = site.lab(what)
    lab.fails("a", how)
    lab.start("ab", *links, batchSize=1, maxConcurrentPerHost=1)
    return lab, lambda: is_queued(lab, "b")


def host_labs(site: Site, what: str, how: str) -> tuple[Lab, Lab]:
    """Start a device that fails on a host of its own that lets one boot, then a device of another lab there.

    What goes on in the other lab is no progress of the first one, so that it is stuck as soon as it is old enough.
    """
    host = site.host(what)
    lab, other = site.lab(what, host=host), site.lab(f"{what}-next", host=host)
    lab.fails("a", how)
    lab.start("a")
    lab.wait("a has the slot", lambda: any(pod.grant for pod in lab.pods().values()))
    other.start("a")
    return lab, other


def is_queued(lab: Lab, node: str) -> bool:
    """Tell whether a device waits at its gate."""
    pod = lab.pods().get(node)
    return pod is not None and pod.sandbox and not pod.grant


def failing(site: Site, *, how: str, cause: tuple[str, str], says: str) -> Fault:
    """Let a container of a device wait for a reason; then let it run. ``cause`` are code and remedy."""
    lab, waits = slot_lab(site, how, how)
    return _keeps_slot(lab, cause, says, lambda: waits() and lab.waits_for("a") == says)


def failing_host(site: Site, *, how: str, cause: tuple[str, str], says: str) -> Fault:
    """Do the same with the limit of the Config."""
    lab, other = host_labs(site, how, how)
    visible = lambda: is_queued(other, "a") and lab.waits_for("a") == says  # noqa: E731 - of one line
    return _keeps_slot(lab, cause, says, visible)


def _keeps_slot(
    lab: Lab, cause: tuple[str, str], says: str, visible: Callable[[], object]
) -> Fault:
    code, remedy = cause
    return Fault(
        code,
        lambda: [lab.pod_ref()],
        remedy,
        visible,
        lambda: lab.heal("a"),
        scope=H,
        says=says,
    )


def links_down(site: Site) -> Fault:
    """Let the links of a device not come up; then let them."""
    lab, other = host_labs(site, "links", "connectivity")
    cause = ("connectivity-not-ready", "repair-host")
    visible = lambda: is_queued(other, "a") and _runs(lab, "clabwire")  # noqa: E731 - of one line
    return _keeps_slot(lab, cause, "clabwire", visible)


def _runs(lab: Lab, container: str) -> bool:
    status = lab.pod("a").get("status") or {}
    found = [*status.get("initContainerStatuses", []), *status.get("containerStatuses", [])]
    return any(one["name"] == container and "running" in one["state"] for one in found)


def probe_fails(site: Site) -> Fault:
    """Let a startup probe fail until the device was restarted; then let it pass."""
    lab, waits = slot_lab(site, "probe", "crash-loop")
    _restart(lab)
    cause = ("startup-probe-failing", "fix-probe")
    return _keeps_slot(lab, cause, "restarts", lambda: waits() and _again(lab))


def probe_needs_peer(site: Site) -> Fault:
    """Let a startup probe ask a device that waits for the same slot; then let it ask its own."""
    lab, waits = slot_lab(site, "peer", "crash-loop", ["a:eth1", "b:eth1"])
    _restart(lab)
    cause = ("startup-probe-needs-peer", "fix-probe")
    return _keeps_slot(lab, cause, f"{lab.namespace}/b", lambda: waits() and _again(lab))


def _restart(lab: Lab) -> None:
    """Let the first device crash once, as a kubelet restarts one whose probe has failed; its probe fails, too."""
    lab.wait("it has crashed", lambda: lab.waits_for("a") == "CrashLoopBackOff")
    lab.fail("a", "probe")


def _again(lab: Lab) -> bool:
    found = (lab.pod("a").get("status") or {}).get("containerStatuses") or [{}]
    return bool(found[0].get("restartCount")) and "running" in found[0]["state"]


def orphan(site: Site) -> Fault:
    """Delete the Node of a device that boots, and let its Pod not go; then let it go."""
    lab = site.lab("orphan")
    lab.node("a", fail="probe")
    lab.wait("a boots", lambda: (lab.pod("a").get("status") or {}).get("phase") == "Running")
    ref, path = lab.pod_ref(), lab.pod_path("a")
    site.client.patch(path, {"metadata": {"finalizers": [FINALIZER]}}).ok()
    lab.drop("c9s.run/v1alpha1", "nodes", "a")
    lab.wait("its Pod is to go", lambda: "a" not in lab.pods())
    site.client.delete(path, gracePeriodSeconds="1").ok()
    others = site.lab("others", host=None)
    others.start("ab", maxConcurrentPerHost=1)
    others.wait("they wait", lambda: all(others.pods().get(one, ref) != ref for one in "ab"))
    change = {"metadata": {"finalizers": None}}
    return Fault(
        "orphan-boot",
        lambda: [ref],
        "finish-deletion",
        lambda: True,
        lambda: site.client.patch(path, change, MERGE_PATCH).ok(),
        scope=H,
        says="is no Node",
    )
