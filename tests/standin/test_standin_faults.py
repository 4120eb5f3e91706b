"""Every fault of the stand-in shows the symptom that it is for."""

from __future__ import annotations

import datetime as dt
from functools import partial
from typing import TYPE_CHECKING

import pytest
from bed_client import path_of
from standin_faults import FAILURES
from standin_lab_tools import LINUX

if TYPE_CHECKING:
    from standin_lab_tools import Labs
    from standin_views import Json


def _lease(labs: Labs) -> Json:
    version, namespace = "coordination.k8s.io/v1", labs.standin.namespace
    path = path_of(version, "leases", namespace, "clabernetes-manager")
    spec: Json = labs.client.get(path).ok()["spec"]
    return spec


def _available_planners(labs: Labs) -> int:
    name = "clabernetes-planner-pool"
    path = path_of("apps/v1", "deployments", labs.standin.namespace, name)
    return int(labs.client.get(path).ok()["status"].get("availableReplicas", 0))


def test_without_a_leader_the_lease_is_free(labs: Labs) -> None:
    labs.standin.start()
    labs.standin.faults(no_leader=True)
    labs.wait("the Lease is released", lambda: _lease(labs)["holderIdentity"] == "")
    labs.node("a")
    labs.standin.faults()
    labs.wait("a is ready", lambda: labs.ready() == {"a"})
    assert labs.standin.state()["terms"] == 2


def test_a_stale_lease_has_a_holder_and_an_old_time(labs: Labs) -> None:
    labs.standin.start()
    holder = labs.standin.state()["holder"]
    labs.standin.faults(stale_lease=True)
    labs.wait("nobody works", lambda: not labs.standin.state()["leading"])
    lease = _lease(labs)
    renewed = dt.datetime.fromisoformat(lease["renewTime"])
    assert lease["holderIdentity"] == holder
    assert dt.datetime.now(dt.UTC) - renewed > dt.timedelta(seconds=lease["leaseDurationSeconds"])
    labs.standin.faults()
    labs.wait("somebody leads", lambda: labs.standin.state()["leading"])
    assert _lease(labs)["holderIdentity"] != holder


def test_starved_planners_leave_an_admitted_node_without_any_status(labs: Labs) -> None:
    labs.limit(batchSize=1)
    labs.standin.start()
    labs.standin.faults(planner_starved=True)
    labs.wait("no planner is there", lambda: _available_planners(labs) == 0)
    labs.node("a")
    labs.wait("a is admitted", lambda: labs.nodes()["a"].mark)
    labs.passes(2)
    assert (labs.status("nodes", "a"), labs.pods()) == ({}, {})
    labs.standin.faults()
    labs.wait("a is ready", lambda: labs.ready() == {"a"})
    labs.wait("the planners are back", lambda: _available_planners(labs) == 4)


def test_a_deaf_leader_keeps_to_the_limits_it_has_seen(labs: Labs) -> None:
    labs.limit(batchSize=1)
    labs.standin.start()
    labs.standin.faults(config_deaf=True)
    labs.node("a", fail="sandbox")
    labs.wait("a is admitted", lambda: labs.nodes()["a"].mark)
    labs.node("b")
    labs.limit(batchSize=0)
    labs.passes(2)
    assert labs.standin.state()["limits"] == [1, 0]
    assert list(labs.pods()) == ["a"]
    labs.standin.faults()
    labs.wait("b is ready", lambda: labs.ready() == {"b"})


def test_a_foreign_hold_stops_its_topology(labs: Labs) -> None:
    labs.standin.start()
    labs.standin.faults(foreign_hold=["*/b"])
    labs.topology("t", dict.fromkeys("abc", LINUX), batchSize=3)
    labs.wait("a is ready", lambda: labs.ready() == {"a"})
    nodes = labs.nodes()
    owner = nodes["b"].topology
    assert nodes["c"].hold == owner
    assert nodes["b"].hold not in ("", owner)
    assert "belongs to a different Topology UID" in labs.standin.log()
    assert "error" not in labs.status("topologies", "t")


def test_a_refused_plan_has_its_reason_and_an_event(labs: Labs) -> None:
    labs.standin.start()
    labs.standin.faults(plan_refused={"*/a": "OCIMetadataResolveManifest"})
    labs.node("a")
    labs.wait("it is refused", lambda: labs.reason("a") == "OCIMetadataResolveManifest")
    status = labs.status("nodes", "a")
    assert status["readiness"] == "notready"
    assert "manifest unknown" in status["conditions"][1]["message"]
    path = path_of("events.k8s.io/v1", "events", labs.namespace)
    labs.wait("an Event tells of it", lambda: labs.client.get(path).ok()["items"])
    event = labs.client.get(path).ok()["items"][0]
    assert (event["reason"], event["type"]) == ("OCIMetadataResolveManifest", "Warning")
    labs.standin.faults()
    labs.wait("a is ready", lambda: labs.ready() == {"a"})


def test_slow_planning_keeps_an_admitted_node_without_workload(labs: Labs) -> None:
    labs.limit(batchSize=1)
    labs.standin.start()
    labs.standin.faults(slow_planning=10_000)
    labs.node("a")
    labs.wait("a is admitted", lambda: labs.nodes()["a"].mark)
    labs.passes(2)
    assert (labs.status("nodes", "a"), labs.pods()) == ({}, {})


def test_an_unknown_fault_is_refused(labs: Labs) -> None:
    labs.standin.start(leads=False)
    with pytest.raises(AssertionError, match="no such fault: leaderless"):
        labs.standin.faults(leaderless=True)


def _signs(labs: Labs, node: str) -> set[str]:
    """Give what can be seen of a device: reasons of its containers, of its Node, and of its Events."""
    pod = labs.pods().get(node)
    if pod is None:
        return set()
    path = path_of("v1", "pods", labs.namespace, pod.name)
    status = labs.client.get(path).ok()["status"]
    containers = status.get("containerStatuses", []) + status.get("initContainerStatuses", [])
    signs = {one["state"].get("waiting", {}).get("reason", "") for one in containers}
    signs |= {one["reason"] for one in labs.status("nodes", node).get("conditions", [])}
    events = labs.client.get(
        path_of("v1", "events", labs.namespace), fieldSelector=f"involvedObject.uid={pod.uid}"
    )
    return signs | {one["reason"] for one in events.ok()["items"]}


def _shows(labs: Labs, node: str, wanted: set[str]) -> bool:
    return wanted <= _signs(labs, node)


def test_each_failure_of_a_device_has_its_sign_and_heals(labs: Labs) -> None:
    signs = {
        "sandbox": {"FailedCreatePodSandBox"},
        "mount": {"FailedMount"},
        "no-condition": {"ContainersReady"},
        "preparation": {"CrashLoopBackOff", "HelperNotReady"},
        "connectivity": {"PreparationCompleted", "HelperNotReady"},
        "image-pull": {"ImagePullBackOff", "Failed"},
        "config": {"CreateContainerConfigError", "Failed"},
        "crash-loop": {"CrashLoopBackOff", "BackOff"},
        "probe": {"Unhealthy", "ConnectivityReady", "DirectContainersNotReady"},
    }
    assert set(signs) == set(FAILURES)
    labs.standin.start()
    for how in signs:
        labs.node(how, fail=how, fail_delay="500ms")
    for how, wanted in signs.items():
        labs.wait(f"{how} shows {wanted}", partial(_shows, labs, how, wanted))
    conditions = {how: labs.pod_condition(how, "PodReadyToStartContainers") for how in signs}
    assert {how: conditions[how] for how in ("sandbox", "mount", "no-condition")} == {
        "sandbox": "False",
        "mount": "False",
        "no-condition": None,
    }
    for how in signs:
        labs.fail(how, None)
    labs.wait("all are ready", lambda: labs.ready() == set(signs))
