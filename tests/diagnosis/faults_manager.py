"""Faults of the installation itself: nobody leads, nobody plans, nobody reads the Config."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Final

import standin_names as names
from bed_client import path_of
from faults_play import INFO, Fault, H

if TYPE_CHECKING:
    from collections.abc import Callable

    from faults_lab import Lab
    from faults_site import Site

LEADS: Final = f"{names.CONFIG}-manager"


def holding_lab(site: Site) -> Lab:
    """Start a lab whose first device is well and whose second is held, because nobody leads any more."""
    lab = site.lab("holding")
    lab.fails("a", "sandbox")
    lab.start()
    lab.wait("a has a Pod", lab.pods)
    return lab


def stale(site: Site) -> Fault:
    """Let the leader hang; then let it go on."""
    lab = holding_lab(site)
    site.faults(stale_lease=True)
    lab.heal("a")
    return _nobody(site, "was renewed", lambda: site.faults(stale_lease=None))


def no_managers(site: Site) -> Fault:
    """Scale the manager to 0; then back."""
    lab = holding_lab(site)
    path = path_of("apps/v1", "deployments", site.standin.namespace, LEADS)

    def scale(replicas: int) -> None:
        site.client.patch(path, {"spec": {"replicas": replicas}}).ok()

    scale(0)
    site.undo.append(functools.partial(scale, 3))
    lab.wait("nobody leads", lambda: not site.standin.state()["leading"])
    lab.heal("a")
    return _nobody(site, "has no holder", site.mend)


def _nobody(site: Site, says: str, cure: Callable[[], object], *more: str) -> Fault:
    return Fault(
        "manager-no-leader",
        lambda: [("Lease", site.standin.namespace, LEADS)],
        "restore-manager",
        lambda: not site.standin.state()["leading"],
        cure,
        scope=("global", "topology", *more),
        says=says,
    )


def leaderless(site: Site) -> list[Fault]:
    """Let nobody lead while a lab is held, a Deployment is scaled to 0, and a Pod waits at a gate for no limit."""
    site.limit(maxConcurrentPerHost=1)
    held, scaled = holding_lab(site), holding_lab(site)
    host = site.host("gate")
    first, second = site.lab("first", host=host), site.lab("second", host=host)
    first.fails("a", "probe")
    first.start("a")
    first.wait("a has the slot", lambda: any(pod.grant for pod in first.pods().values()))
    second.start("a")
    second.wait("it is queued", lambda: any(pod.sandbox for pod in second.pods().values()))
    site.faults(no_leader=True)
    held.wait("nobody leads", lambda: not site.standin.state()["leading"])
    site.write_limits(batchSize=0, maxConcurrentPerHost=0)
    held.heal("a")
    scaled.fails("a", None)
    scaled.client.patch(scaled.at("apps/v1", "deployments", "a"), {"spec": {"replicas": 0}}).ok()

    def lead() -> None:
        site.faults(no_leader=None)
        first.heal("a")

    return [
        _nobody(site, "has no holder", lead, "host"),
        Fault(
            "scaled-to-zero",
            lambda: [scaled.node_ref()],
            "fix-spec",
            lambda: not scaled.pods(),
            lambda: None,  # a manager that leads scales it back
            says="replicas: 0",
        ),
        Fault(
            "gate-without-manager",
            lambda: [second.pod_ref()],
            "restore-manager",
            lambda: True,
            lambda: None,
            scope=H,
            says="no limit is set",
        ),
    ]


def no_planners(site: Site) -> list[Fault]:
    """Let the planner pool have no worker; then all of them."""
    site.faults(planner_starved=True)
    return [_unplanned(site) for _ in range(2)]


def _unplanned(site: Site) -> Fault:
    lab = site.lab("starved")
    lab.start()
    name = f"{names.CONFIG}-planner-pool"
    path = path_of("apps/v1", "deployments", site.standin.namespace, name)
    return Fault(
        "planner-pool-starved",
        lambda: [lab.node_ref()],
        "fix-pool",
        lambda: not site.client.get(path).ok()["status"].get("availableReplicas"),
        lambda: site.faults(planner_starved=None),
        says=f"0 of 4 workers of {name}",
    )


def never_planned(site: Site) -> Fault:
    """Let a leader not come to planning; then let another one lead."""
    site.faults(slow_planning=100_000.0)
    lab = site.lab("unplanned")
    lab.start()

    def restart() -> None:
        site.standin.stop()
        site.wrong.clear()
        site.standin.start()

    return Fault(
        "no-pod-unknown",
        lambda: [lab.node_ref()],
        "restore-manager",
        lambda: lab.released("a"),
        restart,
        says="no PlanApplied condition",
    )


def misplaced(site: Site) -> Fault:
    """Write a Config beside the manager's namespace; then move it there."""
    lab = site.lab("misplaced")
    lab.make(names.VERSION, "Config", names.CONFIG, spec={"rollout": {"batchSize": 3}})

    def move() -> None:
        lab.drop(names.VERSION, "configs", names.CONFIG)
        site.limit(batchSize=3)

    return Fault(
        "config-misplaced",
        lambda: [lab.ref("Config", names.CONFIG)],
        "move-config",
        lambda: True,
        move,
        scope=INFO,
        says=f"the manager's namespace is {site.standin.namespace}",
        state="config",
    )
