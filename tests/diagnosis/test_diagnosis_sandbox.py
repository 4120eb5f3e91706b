"""Volumes, sandboxes and the condition that tells of them: rows 23 to 25 of the table of causes."""

from __future__ import annotations

import pytest
from diagnosis_dump import Site
from diagnosis_faults import ATTACH, CACHE, CNI, MISSING, SLOW
from diagnosis_objects import ago
from diagnosis_report import report
from diagnosis_stages import running, waiting

TAINT = "node.kubernetes.io/network-unavailable"


@pytest.mark.parametrize(
    ("age", "state", "remedy"),
    [(60, "slow", "wait"), (299, "slow", "wait"), (300, "stuck", "repair-host")],
)
def test_a_cache_is_waited_for_until_it_is_late(age: float, state: str, remedy: str) -> None:
    site = Site(batch=1)
    site.event(site.blocked(site.node("lab/a"), since=age), "FailedMount", CACHE)
    found = report(site)
    scope = "I" if state == "slow" else "G"
    found.expect(
        "volume-mount", scope, "Node lab/a", sub="cache-sync", state=state, remedies=[remedy]
    )
    assert CACHE in found.text("volume-mount")


@pytest.mark.parametrize(
    ("events", "sub"),
    [
        ([("FailedMount", MISSING, 30), ("FailedMount", SLOW, 5)], "not-found"),
        ([("FailedMount", SLOW, 5), ("FailedAttachVolume", ATTACH, 100)], "attach"),
        ([("FailedMount", CACHE, 5), ("FailedMount", MISSING, 5)], "not-found"),
        ([("FailedMount", MISSING, 400), ("FailedMount", CACHE, 5)], "cache-sync"),
        ([("FailedAttachVolume", "volume vol-1 not found", 5)], "not-found"),
    ],
)
def test_the_gravest_of_the_last_round_of_tries_counts(
    events: list[tuple[str, str, float]], sub: str
) -> None:
    site = Site(batch=1)
    pod = site.blocked(site.node("lab/a"), since=900)
    for reason, message, last in events:
        site.event(pod, reason, message, last)
    report(site).expect("volume-mount", "G", "Node lab/a", sub=sub, state="stuck")


def test_a_volume_goes_before_the_sandbox() -> None:
    site = Site(batch=1)
    pod = site.blocked(site.node("lab/a"), since=900)
    site.event(pod, "FailedCreatePodSandBox", CNI)
    site.event(pod, "FailedMount", MISSING)
    assert report(site).codes == ["volume-mount"]


def test_events_of_another_pod_or_of_before_it_do_not_count() -> None:
    site = Site(batch=1)
    pod = site.blocked(site.node("lab/a"), since=500)
    site.event(pod, "FailedMount", MISSING, 501)
    older = {**pod, "metadata": {**pod["metadata"], "uid": "older"}}
    site.event(older, "FailedMount", MISSING, 5)
    report(site).expect("sandbox-failed", "G", "Node lab/a", sub="unexplained")


def test_a_normal_event_does_not_count() -> None:
    site = Site(batch=1)
    pod = site.blocked(site.node("lab/a"))
    site.event(pod, "FailedCreatePodSandBox", CNI)["type"] = "Normal"
    report(site).expect("sandbox-failed", "G", "Node lab/a", sub="unexplained")


def test_a_device_with_its_sandbox_is_not_blamed_for_old_warnings() -> None:
    site = Site(batch=1)
    pod = site.run(site.node("lab/a"))
    site.event(pod, "FailedMount", MISSING)
    site.event(pod, "FailedCreatePodSandBox", CNI)
    site.event(pod, "FailedScheduling", "0/2 nodes are available: 2 Too many pods.")
    assert report(site).codes == []


def test_a_sandbox_that_is_lost_has_nothing_to_do_with_the_first_start() -> None:
    site = Site(batch=1)
    pod = site.blocked(site.node("lab/a"), since=400, made=9000, primary=running(8000))
    site.event(pod, "FailedMount", MISSING, 500)
    site.event(pod, "FailedCreatePodSandBox", CNI, 401)
    report(site).expect("sandbox-failed", "G", "Node lab/a", sub="unexplained", since=ago(400))
    site.event(pod, "FailedCreatePodSandBox", f"{CNI} again", 20)
    report(site).expect("sandbox-failed", "G", "Node lab/a", sub=None, remedies=["fix-cni"])


def test_an_unexplained_sandbox_says_host_and_condition() -> None:
    site = Site(batch=1)
    site.blocked(site.node("lab/a"))
    text = report(site).text("sandbox-failed")
    assert "no pod sandbox exists" in text
    assert "worker-1" in text


def test_a_taint_of_the_network_plugin_is_shown_and_offers_its_repair() -> None:
    site = Site(batch=1)
    taint = {"key": TAINT, "effect": "NoSchedule", "timeAdded": ago(900)}
    site.hosts["worker-1"]["spec"]["taints"] = [taint]
    site.blocked(site.node("lab/a"), since=299)
    found = report(site)
    remedies = ["repair-host", "fix-cni"]
    found.expect(
        "sandbox-failed", "I", "Node lab/a", state="slow", sub="unexplained", remedies=remedies
    )
    assert TAINT in found.text("sandbox-failed")


def test_a_pod_without_a_sandbox_keeps_its_slot() -> None:
    site = Site(batch=9, per_host=1)
    pod = site.blocked(site.node("lab/a"))
    site.event(pod, "FailedCreatePodSandBox", CNI)
    site.queue(site.node("lab/b"))
    report(site).expect("sandbox-failed", "GH", "Node lab/a", blocks=1)


def test_an_absent_condition_is_only_blamed_when_containers_run() -> None:
    site = Site(batch=1)
    node = site.node("lab/a")
    site.pod(node, 500, sandbox=None)
    report(site).expect("sandbox-failed", "G", "Node lab/a", sub="unexplained", since=ago(500))


@pytest.mark.parametrize("primary", [running(10), running(10, started=True)])
def test_a_container_that_runs_without_the_condition_is_row_25(primary: dict[str, object]) -> None:
    site = Site(batch=1)
    pod = site.pod(site.node("lab/a"), 20, sandbox=None, primary=primary)
    site.event(pod, "FailedMount", MISSING)
    site.event(pod, "FailedCreatePodSandBox", CNI)
    found = report(site)
    found.expect(
        "condition-unavailable", "G", "Node lab/a", state="stuck", remedies=["upgrade-kubelet"]
    )
    assert "PodReadyToStartContainers" in found.text("condition-unavailable")


def test_an_init_container_that_runs_is_as_good_a_sign() -> None:
    site = Site(batch=1)
    site.pod(
        site.node("lab/a"),
        20,
        sandbox=None,
        planner=running(10),
        primary=waiting("PodInitializing"),
    )
    report(site).expect("condition-unavailable", "G", "Node lab/a", state="stuck")


@pytest.mark.parametrize(
    "ran", [{"restartCount": 1}, {"lastState": {"terminated": {"exitCode": 0}}}]
)
def test_a_pod_that_ran_before_may_wait_to_run_again(ran: dict[str, object]) -> None:
    site = Site(batch=1)
    primary = waiting("ContainerCreating") | ran
    pod = site.blocked(site.node("lab/a"), since=400, made=9000, primary=primary)
    site.event(pod, "FailedCreatePodSandBox", CNI, 500)
    report(site).expect("sandbox-failed", "G", "Node lab/a", sub="unexplained")
