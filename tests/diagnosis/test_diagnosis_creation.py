"""From a plan to a Pod: rows 15 to 19 of the table of causes."""

from __future__ import annotations

import pytest
from diagnosis_dump import Site
from diagnosis_faults import DENIED, QUOTA, SECURITY, WEBHOOK
from diagnosis_objects import Json, ago, condition
from diagnosis_report import report
from diagnosis_stages import running


def deployment(site: Site, name: str) -> Json:
    found: Json = next(
        one
        for one in site.objects
        if (one["kind"], one["metadata"]["name"]) == ("Deployment", name)
    )
    return found


@pytest.mark.parametrize("new_api", [False, True])
@pytest.mark.parametrize(
    ("message", "code"),
    [(QUOTA, "quota-exceeded"), (SECURITY, "pod-rejected"), (DENIED, "pod-rejected")],
)
def test_an_event_on_the_replica_set_tells_why_it_has_no_pod(
    message: str, code: str, *, new_api: bool
) -> None:
    site = Site(batch=1)
    owner = site.replica_set(site.node("lab/a"), 500)
    site.event(owner, "FailedCreate", f"Error creating: {message}", new_api=new_api)
    found = report(site)
    found.expect(code, "G", "Node lab/a", state="stuck")
    assert message in found.text(code)


def test_the_deployment_alone_tells_as_well() -> None:
    site = Site(batch=1)
    site.replica_set(site.node("lab/a"), 500)
    said = condition("ReplicaFailure", "True", 400, "FailedCreate", QUOTA)
    deployment(site, "a")["status"]["conditions"] = [said]
    report(site).expect("quota-exceeded", "G", "Node lab/a")


def test_the_last_refusal_is_the_one_that_counts() -> None:
    site = Site(batch=1)
    owner = site.replica_set(site.node("lab/a"), 5000)
    site.event(owner, "FailedCreate", f"Error creating: {QUOTA}", 3000)
    site.event(owner, "FailedCreate", f"Error creating: {SECURITY}", 30)
    assert report(site).codes == ["pod-rejected"]
    site.refuse(owner, QUOTA, 10)
    assert report(site).codes == ["quota-exceeded"]


def test_events_of_an_older_replica_set_or_of_before_its_creation_do_not_count() -> None:
    site = Site(batch=1)
    owner = site.replica_set(site.node("lab/a"), 500)
    older = {**owner, "metadata": {**owner["metadata"], "uid": "older"}}
    site.event(older, "FailedCreate", QUOTA)
    site.event(owner, "FailedCreate", QUOTA, 501)
    report(site).expect("no-pod-unknown", "G", "Node lab/a", sub="no-pod")


def test_a_refusal_is_history_once_there_is_a_pod() -> None:
    site = Site(batch=1)
    node = site.node("lab/a")
    site.blocked(node)
    owner = next(one for one in site.objects if one["kind"] == "ReplicaSet")
    site.event(owner, "FailedCreate", QUOTA)
    report(site).expect("sandbox-failed", "G", "Node lab/a")


def test_a_refusal_that_no_row_knows_is_quoted() -> None:
    site = Site(batch=1)
    site.refuse(site.replica_set(site.node("lab/a"), 500), "serviceaccount not found by anybody")
    found = report(site)
    found.expect("no-pod-unknown", "G", "Node lab/a", sub="no-pod")
    assert "serviceaccount not found by anybody" in found.text("no-pod-unknown")


def test_a_webhook_may_come_back_and_a_denial_does_not() -> None:
    site = Site(batch=2)
    site.refuse(site.replica_set(site.node("lab/a"), 70), WEBHOOK)
    report(site).expect("pod-rejected", "I", "Node lab/a", state="slow", remedies=["fix-policy"])
    site.refuse(site.replica_set(site.node("lab/b"), 1), DENIED)
    report(site).expect("pod-rejected", "G", "Node lab/b", state="stuck")


def test_a_refusal_is_found_without_deployments() -> None:
    site = Site(batch=1)
    site.refuse(site.replica_set(site.node("lab/a"), 500), QUOTA)
    assert report(site, without=["Deployment"]).codes == ["quota-exceeded"]


@pytest.mark.parametrize(("age", "lags"), [(0, True), (59, True), (60, False), (300, False)])
def test_a_replica_set_is_waited_for_a_minute(age: float, *, lags: bool) -> None:
    site = Site(batch=2)
    site.run(site.node("lab/fine"))
    site.deployment(site.node("lab/a"), age)
    found = report(site)
    if lags:
        found.expect(
            "deployment-controller-lag", "I", "Node lab/a", state="waits", remedies=["wait"]
        )
        assert (found.verdict, found.primary) == ("healthy", "deployment-controller-lag")
    else:
        state, scope = ("slow", "I") if age < 300 else ("stuck", "G")
        remedies = ["repair-control-plane"]
        found.expect(
            "no-pod-unknown",
            scope,
            "Node lab/a",
            sub="no-replicaset",
            state=state,
            remedies=remedies,
        )


@pytest.mark.parametrize(("age", "lags"), [(299, True), (300, False)])
def test_it_is_waited_for_longer_while_others_are_served(age: float, *, lags: bool) -> None:
    site = Site(batch=2)
    site.pod(site.node("lab/comes"), made=20, primary=running(10, started=True))
    site.deployment(site.node("lab/a"), age)
    found = report(site)
    code, state = ("deployment-controller-lag", "waits") if lags else ("no-pod-unknown", "slow")
    found.expect(code, "I", "Node lab/a", state=state)


def test_a_pod_that_is_gone_for_a_second_is_not_missing_since_the_first_start() -> None:
    site = Site(batch=1)
    site.replica_set(site.node("lab/a", made=90000), 80000)
    assert report(site).verdict == "stalled"
    said = condition("Available", "False", 2, "MinimumReplicasUnavailable")
    deployment(site, "a")["status"]["conditions"] = [said]
    assert report(site).codes == []


def test_no_replicas_go_before_what_is_unknown() -> None:
    site = Site(batch=1)
    owner = site.replica_set(site.node("lab/a"), 500)
    deployment(site, "a")["spec"]["replicas"] = 0
    assert report(site).codes == ["scaled-to-zero"]
    site.refuse(owner, QUOTA)
    assert report(site).codes == ["quota-exceeded"]


@pytest.mark.parametrize("without", ["ReplicaSet", "Deployment"])
def test_what_was_not_collected_is_not_said_to_be_missing(without: str) -> None:
    site = Site(batch=1)
    site.replica_set(site.node("lab/a"), 500)
    deployment(site, "a")["status"]["conditions"] = [condition("Available", "False", 499)]
    found = report(site, without=[without])
    found.expect("no-pod-unknown", "G", "Node lab/a", sub="no-pod")


def test_without_pods_only_a_failure_is_told() -> None:
    site = Site(batch=5)
    site.node("lab/a")
    site.run(site.node("lab/b"))
    site.say(site.node("lab/c"), "PlanApplied", "False", "PlanInvalidInput", 500)
    site.refuse(site.replica_set(site.node("lab/d"), 500), QUOTA)
    found = report(site, without=["Pod"], manager="c9s")
    found.expect("plan-failed", "I", "Node lab/c", state="stuck")
    found.expect("quota-exceeded", "I", "Node lab/d", state="stuck")
    assert found.codes == ["plan-failed", "quota-exceeded"]


def test_a_replica_set_that_is_late_says_what_bounds_it() -> None:
    site = Site(batch=2)
    site.run(site.node("lab/fine"))
    site.deployment(site.node("lab/a"), 500)
    found = report(site)
    assert "--kube-api-qps" in found.text("no-pod-unknown")
    assert found.cause("no-pod-unknown")["evidence"][0]["time"] == ago(500)


def test_without_pods_a_device_that_runs_is_not_blamed_for_its_next_plan() -> None:
    site = Site(batch=5)
    node = site.node("lab/a")
    site.run(node)
    site.say(node, "PlanApplied", "False", "PlanInvalidInput", 500)
    assert report(site, without=["Pod"], manager="c9s").codes == []


def test_the_newest_replica_set_is_the_one_that_counts() -> None:
    site = Site(batch=1)
    older = site.replica_set(site.node("lab/a"), 5000)
    site.refuse(older, SECURITY)
    newer = {
        **older,
        "metadata": {**older["metadata"], "uid": "newer", "creationTimestamp": ago(400)},
    }
    site.add(newer | {"status": {"replicas": 0}})
    site.refuse(site.objects[-1], QUOTA)
    assert report(site).codes == ["quota-exceeded"]


def test_an_event_that_a_row_knows_goes_before_a_condition_that_none_does() -> None:
    site = Site(batch=1)
    owner = site.replica_set(site.node("lab/a"), 500)
    site.refuse(owner, "context deadline exceeded")
    site.event(owner, "FailedCreate", f"Error creating: {QUOTA}")
    report(site).expect("quota-exceeded", "G", "Node lab/a", state="stuck")
