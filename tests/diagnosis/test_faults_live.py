"""Every fault that can be played is brought about for real, named by ``diagnose`` in time, and mended as it says."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import faults_control as control
import faults_global as everybody
import faults_hosts as hosts
import faults_manager as manager
import faults_plans as plans
import faults_pods as pods
import faults_slots as slots
import faults_topologies as topologies
import pytest
from faults_play import play

if TYPE_CHECKING:
    from faults_site import Site


def test_what_keeps_a_lab_from_being_planned_is_named_and_mended(site: Site) -> None:
    play(
        site,
        partial(plans.refused, reason="OCIMetadataResolveManifest", remedy="fix-image"),
        partial(plans.refused, reason="ImagePullSecretMissing", remedy="fix-image"),
        partial(plans.refused, reason="PlanUnsupported", remedy="fix-spec"),
        plans.no_image,
        plans.name_taken,
        plans.deployment_refused,
        plans.deployment_quota,
        plans.interface_taken,
        plans.end_missing,
    )


def test_what_keeps_a_planned_device_from_having_a_pod_is_named_and_mended(site: Site) -> None:
    play(
        site,
        plans.quota,
        plans.pod_security,
        plans.pod_refused,
        plans.webhook_down,
    )


def test_what_keeps_the_batches_of_a_topology_back_is_named_and_mended(site: Site) -> None:
    play(
        site,
        topologies.foreign_hold,
        topologies.orphaned,
        topologies.name_conflict,
        topologies.node_missing,
        topologies.primary_missing,
        topologies.ignored,
    )


def test_what_keeps_pods_from_a_sandbox_is_named_and_mended(site: Site) -> None:
    play(
        site,
        pods.no_such_host,
        pods.gated,
        pods.pacer_down,
        pods.host_lost,
        pods.host_full,
        partial(
            pods.broken,
            how="sandbox",
            cause=("sandbox-failed", "fix-cni"),
            sign="FailedCreatePodSandBox",
        ),
        partial(
            pods.broken, how="mount", cause=("volume-mount", "restore-object"), sign="FailedMount"
        ),
        pods.old_kubelet,
        pods.silent_host,
        pods.never_gone,
    )


def test_what_keeps_a_slot_of_a_host_is_named_and_mended(site: Site) -> None:
    site.limit(maxConcurrentPerHost=1)
    pull, config = ("image-pull", "fix-image"), ("container-config", "restore-object")
    play(
        site,
        partial(slots.failing_host, how="image-pull", cause=pull, says="ImagePullBackOff"),
        partial(slots.failing_host, how="config", cause=config, says="CreateContainerConfigError"),
        slots.links_down,
    )


def test_what_keeps_a_slot_of_a_topology_is_named_and_mended(site: Site) -> None:
    prepare, crash = ("preparation-failed", "fix-workload"), ("primary-crashloop", "fix-workload")
    play(
        site,
        partial(slots.failing, how="preparation", cause=prepare, says="CrashLoopBackOff"),
        partial(slots.failing, how="crash-loop", cause=crash, says="CrashLoopBackOff"),
        slots.probe_fails,
        slots.probe_needs_peer,
    )


def test_a_booting_pod_without_a_node_stops_all_grants_until_it_is_gone(site: Site) -> None:
    play(site, slots.orphan)


def test_what_holds_up_the_whole_installation_is_named_and_mended(site: Site) -> None:
    play(
        site,
        everybody.all_reasons,
        everybody.no_profile,
        everybody.two_profiles,
        everybody.circle,
        everybody.quota,
        everybody.behind,
    )


def test_a_device_without_a_sandbox_holds_up_the_whole_installation(site: Site) -> None:
    play(site, everybody.no_sandbox, everybody.behind)


def test_hosts_that_take_no_pods_are_named_and_mended(site: Site) -> None:
    play(site, hosts.cordoned)
    play(site, hosts.many_pods)


@pytest.mark.full
def test_hosts_that_are_reserved_or_busy_are_named_and_mended(site: Site) -> None:
    play(site, hosts.tainted)
    play(site, hosts.no_cpu)


def test_without_a_leader_nothing_moves_until_one_leads(site: Site) -> None:
    play(site, manager.leaderless)


def test_a_leader_that_hangs_and_a_manager_that_is_not_there_are_told_apart(site: Site) -> None:
    play(site, manager.stale)
    play(site, manager.no_managers)


def test_what_keeps_a_leader_from_planning_is_named_and_mended(site: Site) -> None:
    play(site, manager.no_planners)
    play(site, manager.never_planned)


def test_controllers_that_stand_still_are_named_and_mended(site: Site) -> None:
    play(site, control.no_replica_sets)
    play(site, control.no_pods)
    play(site, control.topology_gone)


def test_a_scheduler_that_says_nothing_is_seen(site: Site) -> None:
    play(site, control.no_scheduler)


def test_a_config_that_nobody_reads_is_named_and_moved(site: Site) -> None:
    play(site, manager.misplaced)
