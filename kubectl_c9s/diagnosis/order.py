"""The rules for one workload in the order of the table (causes.md §1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from kubectl_c9s.diagnosis import (
    boot,
    creation,
    failures,
    grants,
    planning,
    pool,
    probes,
    sandbox,
    scheduling,
    volumes,
)
from kubectl_c9s.diagnosis.choice import merge

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubectl_c9s.diagnosis.case import Case
    from kubectl_c9s.diagnosis.finding import Finding
    from kubectl_c9s.diagnosis.peers import Peers
    from kubectl_c9s.resources.observed import ObservedPod


class There(NamedTuple):
    """The Pods of a workload that boot and that are queued; whether it is behind the barrier, and anybody leads."""

    booting: list[ObservedPod]
    queued: list[ObservedPod]
    blocked: bool
    leads: bool


def of_workload(case: Case, peers: Peers, there: There) -> Iterator[Finding]:
    """Give the causes that fit a workload and its newest Pod, and a gate of it that cannot be made."""
    newest, blocked = case.pod, there.blocked
    bound = [newest] if blocked and newest is not None and newest.spec.node_name else []
    silent = (
        sandbox.host_not_ready(case, pod)
        for pod in bound + [pod for pod in there.booting if pod is not newest or not bound]
    )
    yield from _given(merge(one for one in silent if one is not None))
    if blocked:
        yield from (
            _without_pod(case, leads=there.leads) if newest is None else _without_sandbox(case)
        )
    if newest is not None and any(newest is pod for pod in there.booting):
        yield from of_pod(case, newest, peers)
    for pod in there.queued:
        yield from _given(boot.image_pull(case, pod))
        yield from _given(boot.container_config(case, pod))


def of_pod(case: Case, pod: ObservedPod, peers: Peers) -> Iterator[Finding]:
    """Rows 26 to 33: why a Pod keeps its slot."""
    for rule in (
        boot.image_pull, boot.container_config, boot.preparation_failed, boot.connectivity_not_ready,
        boot.primary_crashloop,
    ):  # fmt: skip
        yield from _given(rule(case, pod))
    yield from _given(probes.probe_needs_peer(case, pod, peers))
    yield from _given(probes.probe_failing(case, pod))
    yield from _given(grants.grant_not_projected(case, pod))


def _given(finding: Finding | None) -> Iterator[Finding]:
    if finding is not None:
        yield finding


def _without_pod(case: Case, *, leads: bool) -> Iterator[Finding]:
    """Rows 5 to 19; where Pods were not collected, only what tells by itself that there is none."""
    known = case.world.has("pods")
    no_deployment = case.deployment is None and case.world.has("deployments.apps")
    yield from _given(creation.old_pod_terminating(case))
    yield from _given(planning.network_mode_cycle(case))
    if known or no_deployment:
        yield from _given(planning.profile_unresolved(case))
        yield from _given(planning.plan_failed(case))
    if leads and known:
        yield from _given(planning.plan_waiting_links(case))
        yield from _given(pool.planner_pool_starved(case))
    yield from _given(failures.quota_exceeded(case))
    yield from _given(failures.pod_rejected(case))
    yield from _given(creation.scaled_to_zero(case))
    if leads and known:
        yield from _given(creation.deployment_controller_lag(case))
        yield from _given(creation.no_pod_unknown(case))


def _without_sandbox(case: Case) -> Iterator[Finding]:
    """Rows 2 and 20 to 25."""
    yield from _given(scheduling.pacer_down(case))
    yield from _given(scheduling.scheduling_gated(case))
    yield from _given(scheduling.unschedulable(case))
    if case.pod is not None and case.pod.spec.node_name:
        for rule in (
            sandbox.host_pressure, volumes.volume_mount, sandbox.sandbox_failed, sandbox.condition_unavailable,
        ):  # fmt: skip
            yield from _given(rule(case, case.pod))
