"""Argo CD's own sync, wave by wave, with the shipped health: no wave waits for a later one.

Each way in which a wave could hold back what it waits for is played, and played again with rules that would do it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from argocd_lab import WAVE, Site, rendered
from argocd_mutants import LINK
from argocd_table import DEGRADED, HEALTHY

if TYPE_CHECKING:
    from argocd_harness import ArgoCd
    from argocd_lab import Json
    from bed_own import OwnBed
    from standin_lab_tools import Labs

DONE, FAILED, RUNS = "Succeeded", "Failed", "Running"
TOLD = '{status = "Healthy", message = told}'


@pytest.fixture
def site(argocd: ArgoCd, rules: dict[str, str], device_bed: OwnBed, labs: Labs) -> Site:
    labs.standin.start()
    return Site(argocd, rules, device_bed, labs)


def with_links(site: Site, status: str) -> dict[str, str]:
    """Give rules by which a Link that is not accepted is so."""
    assert TOLD in site.rules[LINK]
    verdict = f'{{status = (one.status == "True") and "Healthy" or "{status}", message = told}}'
    return site.rules | {LINK: site.rules[LINK].replace(TOLD, verdict)}


def accepted(site: Site) -> dict[str, str]:
    conditions = {
        name: one.get("status", {}).get("conditions") or [{}]
        for name, one in site.live("Link").items()
    }
    return {name: one[0].get("reason", "") for name, one in conditions.items()}


def test_profiles_links_and_nodes_go_in_this_order(site: Site) -> None:
    objects = rendered(site.labs.namespace, ("a", "b"), "a:eth1-b:eth1")
    waves = {one["kind"]: int(one["metadata"]["annotations"][WAVE]) for one in objects}
    assert waves == {"NodeProfile": 0, "Link": 1, "Node": 2}
    done = site.sync(objects)
    assert (done["phase"], len(done["results"])) == (DONE, len(objects)), done
    site.wait("all are ready", lambda: site.labs.ready() == {"a", "b"})
    assert {one.status for kind in ("Link", "Node") for _, one in site.health(kind).values()} == {
        HEALTHY
    }


@pytest.mark.parametrize("status", ["Progressing", "Degraded"])
def test_links_that_waited_for_their_nodes_would_hold_these_back_for_ever(
    site: Site, status: str
) -> None:
    objects = rendered(site.labs.namespace, ("a", "b"), "a:eth1-b:eth1")
    # Links are there from a commit before, and the manager has looked at them.
    assert site.sync([one for one in objects if one["kind"] != "Node"])["phase"] == DONE
    site.wait("it is unresolved", lambda: set(accepted(site).values()) == {"EndpointsUnresolved"})
    held = site.sync(objects, rules=with_links(site, status), seconds=8)
    assert held["phase"] == (FAILED if status == "Degraded" else RUNS)
    assert site.live("Node") == {}
    assert site.sync(objects)["phase"] == DONE
    site.wait("all are ready", lambda: site.labs.ready() == {"a", "b"})


def recabled(site: Site) -> tuple[list[Json], list[Json]]:
    """Give a lab that runs, and the next commit: ``b`` goes, and its wire at ``a`` goes to ``c``."""
    before = rendered(site.labs.namespace, ("a", "b", "c"), "a:eth1-b:eth1")
    assert site.sync(before)["phase"] == DONE
    site.wait("all are ready", lambda: site.labs.ready() == {"a", "b", "c"})
    return before, rendered(site.labs.namespace, ("a", "c"), "a:eth1-c:eth1")


def test_a_wire_that_moves_from_a_device_that_goes_does_not_hold_its_own_pruning_back(
    site: Site,
) -> None:
    """Argo CD prunes in the opposite order of waves: the old wire goes with the Nodes' wave, after the new one."""
    before, after = recabled(site)
    done = site.sync(after, before=before)
    assert done["phase"] == DONE, done
    site.wait("the new wire is taken", lambda: accepted(site) == {"a-eth1-c-eth1": "Accepted"})
    site.wait("b has gone", lambda: site.labs.ready() == {"a", "c"})


def test_a_conflict_that_degraded_a_wire_would_keep_the_old_one_for_ever(site: Site) -> None:
    before, after = recabled(site)
    wires = [one for one in after if one["kind"] == "Link"]
    assert site.sync(wires)["phase"] == DONE
    site.wait("they conflict", lambda: "EndpointConflict" in accepted(site).values())
    held = site.sync(after, before=before, rules=with_links(site, "Degraded"), seconds=8)
    assert held["phase"] == FAILED
    assert "a-eth1-b-eth1" in site.live("Link")
    assert site.sync(after, before=before)["phase"] == DONE
    site.wait("the new wire is taken", lambda: accepted(site) == {"a-eth1-c-eth1": "Accepted"})


def test_a_device_that_is_refused_does_not_keep_the_sync_running(site: Site) -> None:
    """The last wave is not waited for, so that a commit that mends it can be synced."""
    site.labs.standin.faults(plan_refused={f"{site.labs.namespace}/a": "PlanInvalidInput"})
    objects = rendered(site.labs.namespace, ("a", "b"), "a:eth1-b:eth1")
    assert site.sync(objects)["phase"] == DONE
    site.wait("it degrades", lambda: site.health("Node")["a"][1].status == DEGRADED)
    assert site.sync(objects)["phase"] == DONE


def test_pruning_last_would_wait_for_every_device(site: Site) -> None:
    """It makes a wave behind that of the Nodes, and one that is stuck keeps it waiting."""
    stuck = {"testbed.c9s.run/fail": "sandbox"}
    before = rendered(site.labs.namespace, ("a", "b"), **stuck)
    after = rendered(site.labs.namespace, ("a",), **stuck)
    assert site.sync(before)["phase"] == DONE
    held = site.sync(after, before=before, pruneLast=True, seconds=8)
    assert held["phase"] == RUNS
    assert set(site.live("Node")) == {"a", "b"}
    assert site.sync(after, before=before)["phase"] == DONE
    site.wait("b has gone", lambda: set(site.live("Node")) == {"a"})
