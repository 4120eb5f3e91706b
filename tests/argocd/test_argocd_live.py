"""Health of labs that really start, at many moments: what Argo CD says is what ``status`` and ``diagnose`` say."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from argocd_lab import Site
from argocd_table import DEGRADED, HEALTHY, PROGRESSING
from standin_lab_tools import LINUX

if TYPE_CHECKING:
    from argocd_harness import ArgoCd
    from bed_own import OwnBed
    from standin_lab_tools import Labs

SIX = ("a", "b", "c", "d", "e", "f")


@pytest.fixture
def site(argocd: ArgoCd, rules: dict[str, str], device_bed: OwnBed, labs: Labs) -> Site:
    return Site(argocd, rules, device_bed, labs)


def stuck(site: Site) -> dict[str, str]:
    """Name the Nodes that ``diagnose`` takes for stuck, and why."""
    causes = [one for one in site.diagnosis()["causes"] if one["state"] == "stuck"]
    return {
        ref["name"]: cause["code"]
        for cause in causes
        for ref in cause["objects"]
        if ref["kind"] in ("Node", "Pod")
    }


def test_a_lab_that_starts_in_batches_progresses_until_each_device_is_ready(site: Site) -> None:
    site.labs.limit(batchSize=2, maxConcurrentPerHost=1)
    site.labs.standin.start()
    site.labs.topology("t", dict.fromkeys(SIX, LINUX), batchSize=2)
    said: set[str] = set()

    def all_is_ready() -> bool:
        found = site.health("Node")
        for node, one in found.values():
            ready = (node.get("status") or {}).get("readiness") == "ready"
            assert one.status == (HEALTHY if ready else PROGRESSING), (node, one)
            said.add(one.message)
        return len(found) == len(SIX) and all(one.status == HEALTHY for _, one in found.values())

    site.wait("all are ready", all_is_ready)
    assert any(text.startswith("held: ") for text in said)
    assert any(text.startswith("starts: ") for text in said)
    assert site.diagnosis()["verdict"] == "healthy"
    site.wait("it says so", lambda: site.health("Topology")["t"][1].status == HEALTHY)
    assert site.health("Topology")["t"][1].message == "6 of 6 devices are ready"


def test_a_device_that_cannot_be_planned_degrades_with_the_planners_words(site: Site) -> None:
    site.labs.standin.start()
    site.labs.standin.faults(
        plan_refused={f"{site.labs.namespace}/b": "OCIMetadataResolveManifest"}
    )
    for name in ("a", "b"):
        site.labs.node(name)
    site.wait("a is ready", lambda: site.labs.ready() == {"a"})
    site.wait("b is refused", lambda: site.labs.reason("b") == "OCIMetadataResolveManifest")
    found = {name: one for name, (_, one) in site.health("Node").items()}
    assert (found["a"].status, found["b"].status) == (HEALTHY, DEGRADED)
    assert "manifest unknown" in found["b"].message
    assert site.diagnosis()["verdict"] == "stalled"
    assert stuck(site) == {"b": "plan-failed"}
    site.labs.standin.faults()
    site.wait("b is healthy", lambda: site.health("Node")["b"][1].status == HEALTHY)


def test_a_device_that_ends_again_and_again_degrades(site: Site) -> None:
    site.labs.standin.start()
    site.labs.node("a", fail="crash-loop")
    site.wait("it is stalled", lambda: site.diagnosis()["verdict"] == "stalled")
    assert set(stuck(site).values()) == {"primary-crashloop"}
    site.wait("it says so", lambda: site.health("Node")["a"][1].status == DEGRADED)
    assert "has been restarted" in site.health("Node")["a"][1].message


def test_a_device_that_keeps_others_waiting_degrades_none_of_them(site: Site) -> None:
    """What keeps it is not in the Node's status: the policy and ``diagnose`` name it."""
    site.labs.limit(batchSize=1)
    site.labs.standin.start()
    site.labs.node("a", fail="sandbox")
    site.wait("a is admitted", lambda: site.labs.nodes()["a"].mark)
    site.labs.node("b")
    site.labs.passes()
    found = {name: one for name, (_, one) in site.health("Node").items()}
    assert {one.status for one in found.values()} == {PROGRESSING}
    assert "waits for its batch" in found["b"].message


def test_a_topology_whose_names_are_taken_degrades_and_names_them(site: Site) -> None:
    site.labs.node("a", {"image": ""})
    site.labs.standin.start()
    site.labs.topology("t", dict.fromkeys("ab", LINUX))
    site.wait("it fails", lambda: site.labs.status("topologies", "t").get("error"))
    found = site.health("Topology")["t"][1]
    assert found.status == DEGRADED
    assert found.message.endswith("namespace: node/a")
    assert "inventory-incomplete" in [one["code"] for one in site.diagnosis()["causes"]]
    site.delete("Node", "a")
    site.wait("it is healthy", lambda: site.health("Topology")["t"][1].status == HEALTHY)
