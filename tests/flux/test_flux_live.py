"""Flux's controllers apply what we render: in order, ready when the devices are, with the cause when they are not."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from bed_client import path_of
from door_tools import ROOT
from flux_fleet import CONFIG, STAGES, WITHOUT_CPE
from flux_run import wait

if TYPE_CHECKING:
    from flux_fleet import Fleet
    from standin_lab_tools import Labs


def created(labs: Labs, plural: str) -> list[str]:
    """Give when the objects of a kind were created."""
    found = labs.client.get(labs.path(plural)).ok()["items"]
    return sorted(one["metadata"]["creationTimestamp"] for one in found)


def versions(labs: Labs) -> dict[str, Any]:
    """Give the resourceVersion of every object of the lab."""
    kinds = {plural: labs.path(plural) for plural in ("nodeprofiles", "links", "nodes")}
    kinds["configmaps"] = path_of("v1", "configmaps", labs.namespace)
    return {
        f"{plural}/{one['metadata']['name']}": one["metadata"]["resourceVersion"]
        for plural, path in kinds.items()
        for one in labs.client.get(path).ok()["items"]
    }


def has_failed(fleet: Fleet) -> bool:
    """Tell whether the devices are not ready for Flux; before, it waits for the kinds that come first."""
    return fleet.flux.ready("metro-nodes")[:2] == ("False", "HealthCheckFailed")


def at_rest(labs: Labs) -> dict[str, Any]:
    """Wait until the manager has written all it has to say, and give the versions then."""
    seen = versions(labs)
    quiet = 0
    while quiet < 3:
        time.sleep(1)
        before, seen = seen, versions(labs)
        quiet = quiet + 1 if before == seen else 0
    return seen


def test_a_lab_comes_up_in_order_rests_and_loses_what_git_loses(fleet: Fleet, labs: Labs) -> None:
    labs.standin.start()
    fleet.write()
    fleet.render()
    fleet.push()
    assert fleet.objects() == STAGES
    wait("the lab is ready", lambda: fleet.flux.ready("metro-nodes")[0] == "True")
    assert labs.ready() == {"pe1", "pe2", "cpe"}
    assert [fleet.flux.ready(name)[0] for name in STAGES] == ["True"] * 4
    assert max(created(labs, "nodeprofiles")) <= min(created(labs, "links"))
    assert max(created(labs, "links")) <= min(created(labs, "nodes"))

    before = at_rest(labs)
    for name in STAGES:
        fleet.flux.reconciled(name)
    assert versions(labs) == before

    fleet.write(WITHOUT_CPE)
    fleet.render()
    fleet.push()
    fleet.update()
    wait("the device has gone", lambda: set(labs.nodes()) == {"pe1", "pe2"})
    wait("the lab is ready again", lambda: fleet.flux.ready("metro-nodes")[0] == "True")
    assert not [one for one in versions(labs) if "cpe" in one]


def test_a_device_that_is_stuck_makes_the_lab_fail_with_the_cause(fleet: Fleet, labs: Labs) -> None:
    labs.standin.start()
    labs.standin.faults(plan_refused={f"{labs.namespace}/pe2": "PlanInvalidInput"})
    fleet.write()
    fleet.render()
    fleet.push()
    fleet.objects("--timeout", "20s")
    wait("the lab has failed", lambda: has_failed(fleet))
    message = fleet.flux.ready("metro-nodes")[2]
    assert f"Node/{labs.namespace}/pe2 status: 'Unknown'" in message
    assert "no such key: PlanInvalidInput: planner refused the Node" in message
    assert f"Node/{labs.namespace}/pe1" not in message
    labs.standin.faults()
    wait("the lab is ready", lambda: fleet.flux.ready("metro-nodes")[0] == "True")


def test_flux_can_fail_fast(fleet: Fleet, labs: Labs) -> None:
    labs.standin.start()
    labs.standin.faults(plan_refused={f"{labs.namespace}/pe2": "PlanInvalidInput"})
    fleet.write()
    fleet.render()
    fleet.push()
    fleet.objects("--fail-fast", "--timeout", "1h")
    wait("the lab has failed", lambda: has_failed(fleet))
    message = fleet.flux.ready("metro-nodes")[2]
    assert (
        f"failed early due to stalled resources: [Node/{labs.namespace}/pe2 status: 'Failed']"
        in message
    )


def test_without_a_manager_links_do_not_hold_back_their_nodes(fleet: Fleet, labs: Labs) -> None:
    fleet.write()
    fleet.render()
    fleet.push()
    fleet.objects("--timeout", "5s")
    wait("the nodes are there", lambda: set(labs.nodes()) == {"pe1", "pe2", "cpe"})
    wait("it is said", lambda: has_failed(fleet))
    assert f"Node/{labs.namespace}/pe1 status: 'InProgress'" in fleet.flux.ready("metro-nodes")[2]


def test_the_least_rights_of_the_example_are_enough(fleet: Fleet, labs: Labs) -> None:
    rights = (ROOT / "examples/fleet/clusters/lab-a/platform/metro-rights.yaml").read_text("utf-8")
    here = rights.replace("flux-system", fleet.flux.namespace)
    fleet.flux.apply(here.replace("c9s-metro", labs.namespace))
    labs.standin.start()
    fleet.write()
    fleet.render()
    fleet.push()
    fleet.objects("--service-account", "metro")
    wait("the lab is ready", lambda: fleet.flux.ready("metro-nodes")[0] == "True")
    fleet.write(WITHOUT_CPE)
    fleet.render()
    fleet.push()
    fleet.update()
    wait("the device has gone", lambda: set(labs.nodes()) == {"pe1", "pe2"})


def test_texts_survive_substitution_with_the_mark_alone(fleet: Fleet, labs: Labs) -> None:
    fleet.write()
    fleet.render()
    fleet.push()
    fleet.objects("--no-wait")
    build = {"spec": {"postBuild": {"substitute": {"HOST": "other"}}}}
    for name in STAGES:
        fleet.flux.client.patch(fleet.flux.path(name), build).ok()
    wanted = CONFIG.replace("${HOST}", "other").replace("$$", "$")
    wait("Flux has changed the text", lambda: texts(labs) == [wanted])

    fleet.render("--flux-no-substitute")
    fleet.push()
    fleet.update()
    wait("the text is the device's own", lambda: texts(labs) == [CONFIG])


def texts(labs: Labs) -> list[str]:
    """Give the texts of the lab's files."""
    found = labs.client.get(path_of("v1", "configmaps", labs.namespace)).ok()["items"]
    ours = [one for one in found if one["metadata"]["name"].startswith("metro-")]
    return [text for one in ours for text in one.get("data", {}).values()]
