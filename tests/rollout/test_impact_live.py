"""What ``rollout set`` says that a change does is what the manager then does: on a real API server, by seeds.

A seed makes a situation, and it stands in the message of a failure (impact_situations.py). While the state is brought
about and the command runs no manager leads; then the stand-in does, and nobody but it changes anything.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

import bed_own
import bed_sources
import pytest
from bed_components import NEEDED
from bed_own import Wish
from bed_plugin import may_build, using
from impact_plans import LabPlan, NodePlan, PodPlan, Situation
from impact_play import Played
from impact_site import installed, make_namespace
from impact_situations import KINDS, SPACES, config_situation, topology_situation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bed_own import OwnBed
    from impact_site import Site

LABS = tuple(f"t{number}" for number in range(9))
"""Namespaces of Topologies that are changed at one time; each has hosts of its own."""
SITES = {"clabernetes": 0, "acme": len(KINDS)}
"""Names of installations, and the first seed that is played in each."""
CAP = "maxConcurrentPerHost"


def _start_still(name: str, *, build: bool) -> OwnBed:
    tools = bed_sources.find_tools(NEEDED, may_build=build)
    return bed_own.up(name, {tool: tools[tool] for tool in NEEDED}, Wish(nodes=0))


@pytest.fixture(scope="module")
def still_bed() -> Iterator[OwnBed]:
    """Give a bed that is an API server and nothing else, with the namespaces of all situations."""
    name = f"{bed_sources.PRIVATE}still-{secrets.token_hex(3)}"
    build = may_build()
    with using(name, lambda: _start_still(name, build=build)) as bed, bed.client() as client:
        for space in (*SPACES, *LABS):
            make_namespace(client, space)
        yield bed


@pytest.fixture(scope="module", params=list(SITES))
def site(
    request: pytest.FixtureRequest, still_bed: OwnBed, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Site]:
    """Give an installation, whose name is that of its application."""
    app: str = request.param
    with installed(still_bed, tmp_path_factory.mktemp(app), f"{app}-system", app) as site:
        yield site


def test_a_change_of_the_config_does_what_was_printed_and_nothing_else(site: Site) -> None:
    played = Played()
    for seed in range(SITES[site.app], SITES[site.app] + len(KINDS)):
        situation = config_situation(seed)
        played.play(site, situation.before, [situation])
    assert played.situations == len(KINDS)
    played.check(
        *("batchSize off: released", "batchSize first: adopted", "batchSize first: starts"),
        *("batchSize raised: starts", "batchSize lowered: blocking"),
        *(f"{CAP} off: released", f"{CAP} first: booting", f"{CAP} first: hosts"),
        *(f"{CAP} raised: starts", f"{CAP} lowered: waiting"),
    )


def test_a_change_of_a_topology_does_what_was_printed_and_nothing_else(site: Site) -> None:
    played = Played()
    first = SITES[site.app]
    for number, block in enumerate(({}, {"batchSize": 2, CAP: 2})):
        situations = [
            # Behind a workload that is stuck nobody whom a Topology releases is planned at once.
            topology_situation(first + 9 * number + index, space, stuck=bool(block))
            for index, space in enumerate(LABS)
        ]
        played.play(site, block, situations)
    assert played.situations == len(KINDS)
    played.check(
        *("batchSize off: released", "batchSize first: waiting", "batchSize raised: waiting"),
        *(f"{CAP} off: released", f"{CAP} raised: starts"),
    )


def test_a_pod_without_its_node_keeps_the_grants_back_that_a_topology_would_give(
    site: Site,
) -> None:
    played = Played()
    first = 5 + SITES[site.app]  # kinds of seeds that change the limit per host
    played.play(
        site,
        {CAP: 1},
        [topology_situation(first + index, space, ghost=True) for index, space in enumerate(LABS)],
    )
    played.check(f"{CAP} off: orphans", f"{CAP} first: orphans")


def test_a_slot_that_another_namespace_takes_is_not_given_to_a_topology(site: Site) -> None:
    queued = NodePlan("t0", "k0", "lab", pods=(PodPlan("h0", gated=True),))
    boots = [
        NodePlan("t0", "k1", "lab", pods=(PodPlan("h1"),)),
        NodePlan("a", "p0", pods=(PodPlan("h0"),)),
    ]
    played = Played()
    played.play(
        site,
        {CAP: 1},
        [
            Situation(
                seed=-1,
                target="topology/lab",
                space="t0",
                before={CAP: 2},
                after={CAP: 1},
                flags=("--max-concurrent-per-host", "1"),
                labs=(LabPlan("t0", "lab", {CAP: 2}),),
                nodes=(queued, *boots),
                settled=frozenset("GHT"),
            )
        ],
    )
    played.check(f"{CAP} lowered: waiting")
