"""Startup probes and full slots: rows 31, 32 and 41 of the table of causes."""

from __future__ import annotations

from typing import Any

import pytest
from diagnosis_dump import Site
from diagnosis_objects import Json, ago
from diagnosis_report import report
from diagnosis_stages import ALLOWANCE, PROBE, running, waiting

PEER, PROBES = "startup-probe-needs-peer", "startup-probe-failing"


def pod_of(name: str) -> str:
    return f"Pod lab/{name}-5d9f-pod"


def site_of(*booting: str, queued: str = "q", **flags: Any) -> tuple[Site, dict[str, Json]]:
    """Give a host full of devices that boot for longer than their probes allow, and one that is queued."""
    site = Site(per_host=max(len(booting), 1))
    nodes = {name: site.node(f"lab/{name}") for name in (*booting, queued)}
    for name in booting:
        site.boot(nodes[name], runs=flags.get("runs", ALLOWANCE), gate="passed")
    site.queue(nodes[queued], made=5000)
    return site, nodes


@pytest.mark.parametrize(
    ("runs", "restarts", "fails"),
    [(ALLOWANCE - 1, 0, False), (ALLOWANCE, 0, True), (1, 1, True)],
)
@pytest.mark.parametrize("new_api", [False, True])
def test_a_probe_fails_after_its_time_or_a_restart(
    runs: float, restarts: int, *, fails: bool, new_api: bool
) -> None:
    site = Site(per_host=1)
    pod = site.boot(site.node("lab/a"), runs=runs, restarts=restarts, gate="passed", made=2000)
    message = "Startup probe failed: dial tcp 172.30.0.1:22: connect: connection refused"
    site.event(pod, "Unhealthy", message, 1, new_api=new_api)
    site.queue(site.node("lab/q"), made=5000)
    found = report(site)
    if fails:
        found.expect(
            PROBES, "H", pod_of("a"), state="stuck", remedies=["fix-probe"], since=ago(runs)
        )
        assert message in found.text(PROBES)
        assert "worker-1" in found.text(PROBES)
    else:
        found.expect("slot-limit", "I", pod_of("a"), state="slow", remedies=["wait"])
    assert len(found.codes) == 1


@pytest.mark.parametrize(
    ("probe", "allowed"),
    [
        ({}, 30),
        ({"failureThreshold": 5}, 50),
        ({"periodSeconds": 1, "failureThreshold": 100, "initialDelaySeconds": 20}, 120),
    ],
)
def test_the_allowance_is_delay_and_period_times_tries(probe: Json, allowed: float) -> None:
    for runs, code in ((allowed - 1, "slot-limit"), (allowed, PROBES)):
        site, _ = site_of("a", runs=runs)
        pod = next(one for one in site.objects if one["metadata"]["name"] == "a-5d9f-pod")
        pod["spec"]["containers"][0]["startupProbe"] = probe
        assert report(site).codes == [code]


def test_without_a_probe_there_is_nothing_to_fail() -> None:
    site, _ = site_of("a", runs=9000)
    pod = next(one for one in site.objects if one["metadata"]["name"] == "a-5d9f-pod")
    del pod["spec"]["containers"][0]["startupProbe"]
    found = report(site)
    assert found.codes == ["slot-limit", "startup-probe-missing"]


def test_a_probe_that_fails_holds_nothing_without_a_queue() -> None:
    site = Site(per_host=1)
    site.boot(site.node("lab/a"), runs=ALLOWANCE)
    found = report(site)
    found.expect(PROBES, "I", pod_of("a"), state="stuck", blocks=0)
    assert found.verdict == "stalled"


def test_all_that_boot_on_a_host_wait_for_queued_peers() -> None:
    site, nodes = site_of("a", "b")
    site.link(nodes["a"], nodes["q"])
    site.link(nodes["q"], nodes["b"])
    site.boot(site.node("lab/z"), runs=ALLOWANCE, host="worker-2")
    found = report(site)
    found.expect(PEER, "H", {pod_of("a"), pod_of("b")}, state="stuck", remedies=["fix-probe"])
    found.expect(PROBES, "I", pod_of("z"))
    assert "lab/q" in found.text(PEER)


def test_a_device_in_a_chain_waits_for_the_one_that_waits() -> None:
    site, nodes = site_of("a", "b")
    site.link(nodes["a"], nodes["b"])
    site.link(nodes["b"], nodes["q"])
    found = report(site)
    found.expect(PEER, "H", {pod_of("a"), pod_of("b")})
    assert found.text(PEER).count("lab/q") == 2


def test_one_that_waits_for_nobody_makes_it_a_matter_of_probes() -> None:
    site, nodes = site_of("a", "b")
    site.link(nodes["a"], nodes["q"])
    report(site).expect(PROBES, "H", {pod_of("a"), pod_of("b")})


def test_one_that_does_not_run_yet_makes_it_a_matter_of_probes() -> None:
    site, nodes = site_of("a")
    site.config["spec"]["rollout"]["maxConcurrentPerHost"] = 2
    b = site.node("lab/b")
    site.pod(b, 40, gate="passed", primary=waiting("ImagePullBackOff"))
    site.link(nodes["a"], nodes["q"])
    site.link(b, nodes["q"])
    report(site).expect(PROBES, "H", pod_of("a"))


def test_all_of_a_lab_may_wait_while_others_boot_on_the_host() -> None:
    site, nodes = site_of("a")
    site.config["spec"]["rollout"]["maxConcurrentPerHost"] = 2
    site.link(nodes["a"], nodes["q"])
    other = site.topology("lab/other")
    site.boot(site.node("lab/z", other), runs=20, gate="passed")
    found = report(site)
    found.expect(PEER, "H", pod_of("a"))
    found.expect("slot-limit", "I", pod_of("z"), state="waits")


def test_young_ones_wait_for_peers_as_well_and_are_not_stuck_yet() -> None:
    site, nodes = site_of("a")
    site.config["spec"]["rollout"]["maxConcurrentPerHost"] = 2
    b = site.node("lab/b")
    site.boot(b, runs=70, gate="passed")
    site.link(nodes["a"], nodes["q"])
    site.link(b, nodes["q"])
    found = report(site)
    found.expect(PEER, "H", pod_of("a"))
    found.expect("slot-limit", "I", pod_of("b"), state="slow")


def test_peers_that_are_not_queued_are_not_waited_for() -> None:
    site, nodes = site_of("a")
    b = site.node("lab/b")
    site.run(b, host="worker-2")
    site.link(nodes["a"], b)
    report(site).expect(PROBES, "H", pod_of("a"))


def test_without_links_nobody_is_known_to_wait_for_a_peer() -> None:
    site, nodes = site_of("a")
    site.link(nodes["a"], nodes["q"])
    report(site, without=["Link"]).expect(PROBES, "H", pod_of("a"))


@pytest.mark.parametrize(
    ("runs", "state"), [(0, "waits"), (59, "waits"), (60, "slow"), (900, "slow")]
)
def test_full_slots_are_reported_at_any_age_and_slow_after_a_while(runs: float, state: str) -> None:
    site, _ = site_of("a", runs=runs)
    found = report(site)
    found.expect("slot-limit", "I", pod_of("a"), state=state, remedies=["wait"], blocks=0)
    verdict = "healthy" if state == "waits" else "slow"
    assert (found.verdict, found.primary, found.codes) == (verdict, "slot-limit", ["slot-limit"])


def test_slots_are_full_only_with_a_queue_and_at_the_limit() -> None:
    site, _ = site_of("a", runs=70)
    site.config["spec"]["rollout"]["maxConcurrentPerHost"] = 2
    assert report(site).codes == []
    site.config["spec"]["rollout"]["maxConcurrentPerHost"] = 1
    site.remove(*(one for one in site.objects if one["metadata"]["name"].startswith("q")))
    assert report(site).codes == []


def test_a_stuck_holder_is_named_for_its_cause_and_the_others_for_the_limit() -> None:
    site, _ = site_of("a", "b", runs=30)
    site.pod(site.node("lab/c"), 300, gate="passed", primary=waiting("CrashLoopBackOff"))
    found = report(site)
    found.expect("primary-crashloop", "H", pod_of("c"), over=True, blocks=1)
    found.expect("slot-limit", "I", {pod_of("a"), pod_of("b")}, state="waits", over=None)
    assert found.verdict == "stalled"


def test_the_slots_of_a_topology_are_its_own() -> None:
    site = Site()
    lab = site.topology("lab/t", maxConcurrentPerHost=1)
    site.boot(site.node("lab/a", lab), runs=ALLOWANCE, gate="passed")
    site.queue(site.node("lab/b", lab), made=5000)
    site.boot(site.node("lab/alone"), runs=ALLOWANCE)
    found = report(site)
    found.expect(PROBES, "H", {pod_of("a"), pod_of("alone")}, over=None)
    assert found.counts["hosts"]["worker-1"]["limit"] == 0


def test_a_probe_is_that_of_the_primary() -> None:
    site, _ = site_of("a", runs=40)
    pod = next(one for one in site.objects if one["metadata"]["name"] == "a-5d9f-pod")
    pod["spec"]["containers"].insert(
        0, {"name": "side", "startupProbe": PROBE | {"failureThreshold": 1}}
    )
    pod["status"]["containerStatuses"].insert(0, {"name": "side", **running(40, restarts=3)})
    assert report(site).codes == ["slot-limit"]


def test_devices_without_a_topology_are_the_lab_of_their_namespace() -> None:
    site, nodes = site_of("a")
    site.config["spec"]["rollout"]["maxConcurrentPerHost"] = 2
    site.link(nodes["a"], nodes["q"])
    site.boot(site.node("other/z"), runs=ALLOWANCE, gate="passed")
    found = report(site)
    found.expect(PEER, "H", pod_of("a"))
    found.expect(PROBES, "H", "Pod other/z-5d9f-pod")
