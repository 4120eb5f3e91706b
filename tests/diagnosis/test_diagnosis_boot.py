"""Why a Pod keeps its slot: rows 26 to 30 and 33 of the table of causes."""

from __future__ import annotations

from typing import Any

import pytest
from diagnosis_dump import Site
from diagnosis_objects import Json, ago, condition, put, written
from diagnosis_report import report
from diagnosis_stages import GRANT, ended, running, terminate, waiting

POD = "Pod lab/a-5d9f-pod"
PULLS = ("ErrImagePull", "ImagePullBackOff")
CONFIGS = {
    "CreateContainerConfigError": "restore-object",
    "CreateContainerError": "fix-workload",
    "RunContainerError": "fix-workload",
}


def site_of(age: float, *, per_host: int = 1, **flags: Any) -> tuple[Site, Json]:
    """Give a host with one slot, its holder of some age, and somebody who waits."""
    site = Site(per_host=per_host)
    pod = site.pod(site.node("lab/a", made=age + 9), age, gate="passed", **flags)
    # That the containers are not ready is known since a little after the Pod was made; here since then.
    for one in pod["status"]["conditions"]:
        one["lastTransitionTime"] = ago(age)
    site.queue(site.node("lab/b"), made=5000)
    return site, pod


def check(site: Site, code: str, state: str | None, **more: Any) -> None:
    """Expect a holder with a cause of its own, or none but that the slots are full."""
    found = report(site)
    if state is None:
        assert found.codes == ["slot-limit"]
        return
    scope = "H" if state == "stuck" else "I"
    found.expect(code, scope, POD, state=state, **more)
    assert found.codes == [code]
    assert found.verdict == {"slow": "slow", "stuck": "stalled"}[state]


AGES = {59: None, 60: "slow", 299: "slow", 300: "stuck"}


@pytest.mark.parametrize(("age", "state"), AGES.items())
@pytest.mark.parametrize("reason", PULLS)
def test_an_image_that_may_yet_come(reason: str, age: float, state: str | None) -> None:
    site, pod = site_of(age, primary=waiting(reason, "Back-off pulling image x"))
    site.event(pod, "Failed", "Failed to pull image x: not there", min(age, 10))
    check(site, "image-pull", state, sub=reason, remedies=["fix-image"])


@pytest.mark.parametrize("where", ["primary", "planner", "clabwire"])
@pytest.mark.parametrize("reason", ["InvalidImageName", "ErrImageNeverPull"])
def test_an_image_that_never_comes_in_any_container(reason: str, where: str) -> None:
    flags: Json = {where: waiting(reason)}
    site, _ = site_of(1, **flags)
    check(site, "image-pull", "stuck", sub=reason, remedies=["fix-image"])


@pytest.mark.parametrize("reason", [*PULLS, "CreateContainerError"])
def test_a_gate_that_cannot_be_made_holds_no_slot(reason: str) -> None:
    site = Site(per_host=1)
    flags: Json = {"startup-gate": waiting(reason)}
    pod = site.queue(site.node("lab/a"), made=900, **flags)
    assert pod["metadata"]["annotations"].get(GRANT) is None
    code = "image-pull" if reason in PULLS else "container-config"
    found = report(site)
    found.expect(code, "I", POD, state="stuck", sub=reason)
    assert found.verdict == "stalled"


@pytest.mark.parametrize(("age", "state"), AGES.items())
@pytest.mark.parametrize("reason", CONFIGS)
def test_a_container_that_cannot_be_made(reason: str, age: float, state: str | None) -> None:
    site, _ = site_of(age, primary=waiting(reason, 'secret "x" not found'))
    check(site, "container-config", state, sub=reason, remedies=[CONFIGS[reason]])


@pytest.mark.parametrize(
    "status",
    [
        ended(1, code=2),
        waiting("CrashLoopBackOff", restarts=1),
        running(1) | {"lastState": {"terminated": {"exitCode": 1, "finishedAt": ago(2)}}},
    ],
)
def test_a_preparation_that_fails(status: Json) -> None:
    site, _ = site_of(20, planner=status)
    check(site, "preparation-failed", "stuck", remedies=["fix-workload"])


def test_a_preparation_that_failed_once_and_then_was_done_is_done() -> None:
    last = {"lastState": {"terminated": {"exitCode": 1, "finishedAt": ago(9)}}, "restartCount": 1}
    site, _ = site_of(900, planner=ended(5) | last, clabwire=running(3))
    check(site, "connectivity-not-ready", None)


@pytest.mark.parametrize(("age", "state"), AGES.items())
def test_connectivity_that_does_not_come(age: float, state: str | None) -> None:
    site, _ = site_of(900, planner=ended(800), clabwire=running(age))
    if state is None:
        assert "connectivity-not-ready" not in report(site).codes
    else:
        check(site, "connectivity-not-ready", state, remedies=["repair-host"], since=ago(age))


@pytest.mark.parametrize("now", [running(4, restarts=1), waiting("CrashLoopBackOff", restarts=1)])
def test_connectivity_counts_since_it_first_ran_in_vain(now: Json) -> None:
    last = {"lastState": {"terminated": {"exitCode": 1, "startedAt": ago(310)}}}
    site, _ = site_of(900, planner=ended(800), clabwire=now | last)
    check(site, "connectivity-not-ready", "stuck", since=ago(310))


def test_a_primary_that_crashes() -> None:
    last = {"lastState": {"terminated": {"exitCode": 139}}}
    site, pod = site_of(20, primary=waiting("CrashLoopBackOff", restarts=7) | last)
    site.event(pod, "BackOff", "Back-off restarting failed container")
    check(site, "primary-crashloop", "stuck", remedies=["fix-workload"])
    text = report(site).text("primary-crashloop")
    assert "CrashLoopBackOff" in text
    assert "139" in text


def test_a_crash_of_another_container_is_not_that_of_the_primary() -> None:
    site, pod = site_of(900, primary=running(100))
    pod["status"]["containerStatuses"].append({"name": "side", **waiting("CrashLoopBackOff")})
    check(site, "primary-crashloop", None)


def test_a_device_that_has_started_boots_no_more_whatever_its_containers_do() -> None:
    site = Site(per_host=1)
    pod = site.run(site.node("lab/a"), gate="passed")
    pod["status"]["containerStatuses"].append({"name": "side", **waiting("ImagePullBackOff")})
    assert report(site).codes == []


@pytest.mark.parametrize(("age", "state"), [(119, None), (120, "stuck")])
@pytest.mark.parametrize("fields", [True, False])
def test_a_grant_that_does_not_arrive(age: float, state: str | None, *, fields: bool) -> None:
    site = Site(per_host=1)
    pod = site.pod(site.node("lab/a"), 600, gate="granted", primary=waiting("PodInitializing"))
    gate = pod["status"]["initContainerStatuses"][0]
    gate["state"]["running"]["startedAt"] = ago(500 if fields else age)
    if fields:
        pod["metadata"]["managedFields"] = [written(GRANT, age)]
    site.queue(site.node("lab/b"), made=5000)
    check(site, "grant-not-projected", state, remedies=["repair-host"], since=ago(age))


def test_a_grant_is_not_older_than_the_last_start_on_its_host() -> None:
    site = Site(per_host=1)
    site.pod(site.node("lab/a"), 600, gate="granted")
    site.run(site.node("lab/started"), made=105)
    site.run(site.node("lab/elsewhere"), made=50, host="worker-2")
    assert report(site).codes == []
    site.run(site.node("lab/later"), made=135, host="worker-2")
    site.remove(*(one for one in site.objects if one["metadata"]["name"].startswith("started-")))
    report(site).expect("grant-not-projected", "I", POD, state="stuck")


def test_an_older_pod_that_still_boots_has_a_cause_of_its_own() -> None:
    site = Site(batch=1, per_host=1)
    node = site.node("lab/a")
    old = site.pod(node, 900, primary=waiting("CrashLoopBackOff"), host="worker-2")
    terminate(old, 500)
    site.pod(node, 600, again="new", sandbox="False")
    site.queue(site.node("lab/b"), host="worker-2")
    found = report(site)
    found.expect("sandbox-failed", "GH", "Node lab/a")
    found.expect("primary-crashloop", "H", POD)
    assert found.codes == ["sandbox-failed", "replacement-blocks", "primary-crashloop"]


def test_an_older_pod_has_its_cause_when_the_new_one_is_fine() -> None:
    site = Site(per_host=1)
    node = site.node("lab/a")
    old = site.pod(node, 900, primary=waiting("CrashLoopBackOff"), gate="passed")
    terminate(old, 500)
    site.run(node, made=400, again="new", gate="passed")
    site.queue(site.node("lab/b"), made=5000)
    found = report(site)
    found.expect("primary-crashloop", "H", POD, state="stuck")
    assert found.codes == ["primary-crashloop"]


def test_an_image_that_a_device_lost_counts_since_its_containers_are_not_ready() -> None:
    site, pod = site_of(9000, primary=waiting("ImagePullBackOff"))
    put(pod["status"]["conditions"], condition("ContainersReady", "False", 70))
    check(site, "image-pull", "slow", since=ago(70))


def test_two_pods_that_boot_have_each_their_cause() -> None:
    site = Site(per_host=1)
    node = site.node("lab/a")
    old = site.pod(node, 900, primary=waiting("CrashLoopBackOff"), gate="passed")
    terminate(old, 500)
    site.pod(node, 400, "worker-2", again="new", gate="passed", primary=waiting("InvalidImageName"))
    found = report(site)
    found.expect("primary-crashloop", "I", POD, state="stuck")
    found.expect("image-pull", "I", "Pod lab/a-5d9f-new", state="stuck")
