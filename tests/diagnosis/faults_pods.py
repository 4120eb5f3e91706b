"""Faults from a Pod to its sandbox, each in a lab of its own that it holds up: scheduler, hosts, volumes, network."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Final

import standin_names as names
from bed_client import path_of
from faults_play import Fault, G
from faults_policies import FOREIGN_GATE, OUR_GATE
from standin_lab_tools import LINUX
from standin_run import fail_host, heal_host

if TYPE_CHECKING:
    from bed_client import Json
    from faults_lab import Lab
    from faults_site import Site

PACER: Final = "c9s-reconciler"


def no_such_host(site: Site) -> Fault:
    """Let Pods want a host that is not there; then add it."""
    lab = site.lab("nowhere", host=f"{site.prefix}late")
    lab.start()
    return Fault(
        "unschedulable",
        lambda: [lab.node_ref()],
        "add-capacity",
        lambda: _condition(lab, "PodScheduled") == "False",
        lambda: site.host("late"),
        says="node affinity/selector",
    )


def _condition(lab: Lab, kind: str) -> str | None:
    return lab.pod_condition("a", kind) if "a" in lab.pods() else None


def gated(site: Site) -> Fault:
    """Let somebody keep the Pods back by a gate; then let them lift it."""
    lab = site.lab("gated", gate="foreign")
    lab.start()

    def lift() -> None:
        lab.label(gate=None)
        lab.lift_gates("a")

    return Fault(
        "scheduling-gated",
        lambda: [lab.node_ref()],
        "lift-gate",
        lambda: "a" in lab.pods(),
        lift,
        says=FOREIGN_GATE,
    )


def pacer_down(site: Site) -> Fault:
    """Let Pods wait for a pacer that is not there; then let one lead and lift its gates."""
    lab = site.lab("paced", gate="ours")
    lab.start()
    own = site.standin.namespace

    def restore() -> None:
        lab.label(gate=None)
        site.take_lease(PACER)
        assert "pacer-down" not in {one["code"] for one in site.report()["causes"]}
        lab.lift_gates("a")

    return Fault(
        "pacer-down",
        lambda: [("Lease", own, PACER)],
        "restore-pacer",
        lambda: "a" in lab.pods(),
        restore,
        scope=G,
        says=OUR_GATE,
    )


def host_lost(site: Site) -> Fault:
    """Lose the host of a Pod that has no sandbox yet; then let the host come back."""
    host = site.host("lost")
    lab = site.lab("lost", host=host)
    lab.fails("a", "sandbox")
    lab.start()
    lab.wait("a is on its host", lambda: _condition(lab, "PodScheduled") == "True")
    fail_host(site.client, host)
    lab.heal("a")
    return Fault(
        "host-not-ready",
        lambda: [lab.node_ref(), ("Node", "", host)],
        "repair-host",
        lambda: _host_condition(site, host, "Ready") == "False",
        lambda: heal_host(site.client, host),
        says="Ready=False",
    )


def _host_condition(site: Site, host: str, kind: str) -> str | None:
    status: Json = site.client.get(path_of("v1", "nodes", name=host)).ok().get("status") or {}
    found = {one["type"]: one["status"] for one in status.get("conditions") or []}
    return found.get(kind)


def host_full(site: Site) -> Fault:
    """Let the disk of a host run full while a Pod waits there; then free it."""
    host = site.host("full")
    lab = site.lab("full", host=host)
    lab.fails("a", "sandbox")
    lab.start()
    lab.wait("a is on its host", lambda: _condition(lab, "PodScheduled") == "True")
    site.pressure(host, "True")

    def free() -> None:
        site.pressure(host, "False")
        lab.heal("a")

    return Fault(
        "host-pressure",
        lambda: [lab.node_ref(), ("Node", "", host)],
        "repair-host",
        lambda: _host_condition(site, host, "DiskPressure") == "True",
        free,
        says="DiskPressure=True",
    )


def broken(site: Site, *, how: str, cause: tuple[str, str], sign: str) -> Fault:
    """Let a device fail before it has a sandbox, in a way whose sign is an Event; then let it be well.

    ``cause`` are code and remedy.
    """
    code, remedy = cause
    lab = site.lab(how)
    lab.fails("a", how)
    lab.start()
    return Fault(
        code,
        lambda: [lab.node_ref()],
        remedy,
        lambda: lab.event(sign),
        lambda: lab.heal("a"),
        says=sign,
    )


def old_kubelet(site: Site) -> Fault:
    """Let a host not know the condition of the sandbox; then let it know."""
    lab = site.lab("old-kubelet")
    lab.fails("a", "no-condition")
    lab.start()

    def upgrade() -> None:
        lab.heal("a")
        known = {"type": names.SANDBOX, "status": "True"}
        lab.set_pod_status("a", conditions=[known])

    return Fault(
        "condition-unavailable",
        lambda: [lab.node_ref()],
        "upgrade-kubelet",
        lambda: _condition(lab, "Ready") == "True",
        upgrade,
        says=names.SANDBOX,
    )


def silent_host(site: Site) -> Fault:
    """Let a host say nothing at all of a Pod, which holds nobody up; then let it work."""
    lab = site.lab("silent")
    lab.device("a", frozen="true")
    path = f"{names.TEST}frozen"
    return Fault(
        "sandbox-failed",
        lambda: [lab.node_ref()],
        "repair-host",
        lambda: _condition(lab, "PodScheduled") == "True",
        lambda: lab.say(lab.pod_path("a"), annotations={path: None}),
        scope=(),
        says=f"no condition {names.SANDBOX}",
    )


def never_gone(site: Site) -> list[Fault]:
    """Keep the old Pod of a changed device by a finalizer; then take that away."""
    lab = site.lab("never-gone")
    lab.fails("a", "sandbox")
    lab.start()
    lab.wait("a has a Pod", lab.pods)
    old = lab.pod_path("a")
    site.client.patch(old, {"metadata": {"finalizers": ["testbed.example/keep"]}}).ok()
    lab.fails("a", None)
    lab.redefine({"a": {"kind": "linux", "image": "busybox:1.38"}, "b": LINUX})
    lab.wait("the old Pod is to go", lambda: "a" not in lab.pods())
    site.client.delete(old, gracePeriodSeconds="1").ok()

    def finish() -> None:
        site.client.patch(old, {"metadata": {"finalizers": None}}).ok()

    named = Fault(
        "old-pod-terminating",
        lambda: [lab.node_ref()],
        "finish-deletion",
        lambda: True,
        finish,
        says="keep",
    )
    blocks = dataclasses.replace(
        named, code="replacement-blocks", remedy="", cure=lambda: None, says=""
    )
    return [named, blocks]
