"""The stand-in on a real control plane: labs start in batches, slots are kept, a restart forgets nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import standin_witness as witness
from bed_client import path_of
from standin_lab_tools import LINUX
from standin_run import fail_host, heal_host
from standin_witness import Witness

if TYPE_CHECKING:
    from bed_own import OwnBed
    from standin_lab_tools import Labs

TWELVE = [f"n{number:02}" for number in range(12)]


def test_a_lab_of_twelve_starts_in_batches_of_four(device_bed: OwnBed, labs: Labs) -> None:
    labs.standin.start()
    with Witness(device_bed.access, labs.client, labs.namespace) as seen:
        labs.topology("t", dict.fromkeys(TWELVE, LINUX), batchSize=4)
        labs.wait("the lab is ready", lambda: labs.ready() == set(TWELVE))
        seen.catch_up()
    # A batch may follow the last sandbox of the one before, so four is the most and more than one batch was needed.
    assert seen.worst(witness.released_without_sandbox) == 4
    labs.wait("it says so", lambda: labs.status("topologies", "t").get("topologyReady"))
    status = labs.status("topologies", "t")
    counts = {key: status[key] for key in ("nodeCount", "readyNodeCount", "topologyState")}
    assert counts == {"nodeCount": 12, "readyNodeCount": 12, "topologyState": "running"}


def test_standalone_nodes_are_admitted_in_batches(device_bed: OwnBed, labs: Labs) -> None:
    labs.limit(batchSize=4)
    labs.standin.start()
    with Witness(device_bed.access, labs.client, labs.namespace) as seen:
        for name in TWELVE:
            labs.node(name)
        labs.wait("all are ready", lambda: labs.ready() == set(TWELVE))
        seen.catch_up()
    assert 1 < seen.worst(witness.admitted_without_sandbox) <= 4
    assert all(node.mark == node.uid for node in labs.nodes().values())


def test_a_host_boots_no_more_than_its_cap(device_bed: OwnBed, labs: Labs) -> None:
    labs.limit(maxConcurrentPerHost=1)
    labs.standin.start()
    with Witness(device_bed.access, labs.client, labs.namespace) as seen:
        labs.topology("t", dict.fromkeys(TWELVE[:8], LINUX))
        labs.wait("the lab is ready", lambda: labs.ready() == set(TWELVE[:8]))
        seen.catch_up()
    assert all(pod.gated for pod in labs.pods().values())
    assert seen.worst(witness.booting_on_a_host) == 1
    assert seen.worst(witness.started_without_grant) == 0


def test_a_stuck_pod_blocks_across_a_restart_and_nothing_more_is_admitted(labs: Labs) -> None:
    labs.limit(batchSize=2)
    labs.standin.start()
    labs.node("a", fail="sandbox")
    labs.wait("a is admitted", lambda: labs.nodes()["a"].mark)
    for name in "bcde":
        labs.node(name)
    labs.passes()
    assert [name for name, node in labs.nodes().items() if node.mark] == ["a"]
    labs.standin.kill()
    labs.standin.start()
    labs.passes()
    tally = labs.standin.state()["tally"]
    assert (tally["marks"], tally["blocked"]) == (0, [f"{labs.namespace}/a"])
    assert len(tally["pending"]) == 4
    labs.fail("a", None)
    labs.wait("all are ready", lambda: len(labs.ready()) == 5)


def test_a_secondary_runs_in_its_primarys_pod(labs: Labs) -> None:
    labs.standin.start()
    shared = {"kind": "linux", "network-mode": "container:p"}
    labs.topology("t", {"p": LINUX, "s": shared}, batchSize=1)
    labs.wait("both are ready", lambda: labs.ready() == {"p", "s"})
    assert list(labs.pods()) == ["p"]


def test_a_name_that_is_taken_keeps_a_whole_lab_back(labs: Labs) -> None:
    labs.node("a", {"image": ""})
    labs.standin.start()
    labs.topology("t", dict.fromkeys("ab", LINUX))
    labs.wait("it fails", lambda: labs.status("topologies", "t").get("error"))
    status = labs.status("topologies", "t")
    assert status["topologyState"] == "deployfailed"
    assert status["conditions"][0]["reason"] == "ChildResourceConflict"
    assert status["error"].endswith("namespace: node/a")
    assert list(labs.nodes()) == ["a"]
    labs.client.delete(labs.path("nodes", "a")).ok()
    labs.wait("the lab is ready", lambda: labs.ready() == {"a", "b"})


def test_another_manager_pod_leads_when_the_leaders_goes_and_a_clean_end_frees_the_lease(
    labs: Labs,
) -> None:
    labs.standin.start()
    holder = labs.standin.state()["holder"]
    leader = holder.removeprefix("clabernetes-").rpartition("-")[0]
    labs.client.delete(path_of("v1", "pods", labs.standin.namespace, leader)).ok()
    labs.wait("somebody else leads", lambda: labs.standin.state()["holder"] not in ("", holder))
    lease = path_of(
        "coordination.k8s.io/v1", "leases", labs.standin.namespace, "clabernetes-manager"
    )
    assert labs.client.get(lease).ok()["spec"]["holderIdentity"] == labs.standin.state()["holder"]


def test_a_lost_host_keeps_its_pods_as_they_were(device_bed: OwnBed, labs: Labs) -> None:
    labs.standin.start()
    labs.node("a")
    labs.wait("a is ready", lambda: labs.ready() == {"a"})
    pod = labs.pods()["a"]
    path = path_of("v1", "pods", labs.namespace, pod.name)
    fail_host(labs.client, pod.host)
    try:
        labs.client.delete(path, gracePeriodSeconds="30").ok()
        labs.wait("a is not ready", lambda: labs.ready() == set())
        assert labs.client.get(path).ok()["metadata"]["uid"] == pod.uid
    finally:
        heal_host(labs.client, pod.host)
    labs.wait("the Pod goes", lambda: labs.client.get(path).status == 404)
    labs.wait("a is ready again", lambda: labs.ready() == {"a"})
    assert device_bed.daemon("kwok").pid() is not None
