"""Each right of the manifests that is taken away is named: in a condition, or by ``/readyz`` and in the log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest
from manifests_tools import printed

if TYPE_CHECKING:
    from fault_handle import FaultProxy
    from reconcile_site import Site

C9S, TOOLKIT, LEASES, EVENTS = "c9s.run", "toolkit.c9s.run", "coordination.k8s.io", "events.k8s.io"
Right = tuple[str, str, str]  # group, resource and verb, as the server names them when it refuses
# Without these nothing is written; a policy can say so.
NEEDED: Final[list[Right]] = [
    (C9S, "configs", "watch"),
    (C9S, "topologies", "watch"),
    (C9S, "nodes", "watch"),
    ("", "pods", "watch"),
    (LEASES, "leases", "watch"),
]
OTHERS: Final[list[Right]] = [
    (TOOLKIT, "rolloutpolicies", "watch"),
    (TOOLKIT, "rolloutpolicies/status", "patch"),
    (EVENTS, "events", "create"),
    (LEASES, "leases", "get"),
    (LEASES, "leases", "create"),
    (LEASES, "leases", "patch"),
    (C9S, "links", "watch"),
    ("", "nodes", "watch"),
    ("", "events", "watch"),
    ("apps", "deployments", "watch"),
    ("apps", "replicasets", "watch"),
]
LIMITS: Final[list[Right]] = [(C9S, "configs", "patch"), (C9S, "topologies", "patch")]
READ_BACK: Final[list[Right]] = [(C9S, "configs", "get"), (C9S, "topologies", "get")]


@pytest.fixture
def drifted(site: Site) -> Site:
    """Give a site with a Config and a Topology that are not as their policy wants them."""
    site.config(batchSize=9)
    site.topology(batchSize=9)
    rules = [{"match": {"namespaces": [site.lab]}, "batchSize": {"max": 4}}]
    site.policy(config={"batchSize": 5}, topologies=rules)
    site.mark()
    return site


def without(site: Site, right: Right) -> str:
    """Make an account that lacks a right; give its token."""
    token = site.account("one")
    group, resource, verb = right
    # What may be watched may be listed, and the other way round.
    site.take_right("one", resource, {"list", "watch"} if verb == "watch" else {verb}, group)
    return token


def words(right: Right) -> str:
    """Give what the server says about it."""
    group, resource, verb = right
    return f'cannot {verb} resource "{resource}" in API group "{group}"'


def named(rights: list[Right]) -> list[str]:
    return [" ".join(one).strip() for one in rights]


@pytest.mark.parametrize("right", NEEDED, ids=named(NEEDED))
def test_a_right_to_see_what_is_needed_is_named_in_a_condition(drifted: Site, right: Right) -> None:
    way = drifted.kubeconfig(without(drifted, right))
    with drifted.managed(), drifted.running(way) as one:
        assert words(right) in drifted.until("StaleView")["message"]
        one.unready(words(right))
    assert not drifted.writes(resource={"configs.c9s.run", "topologies.c9s.run"})


@pytest.mark.parametrize("right", OTHERS, ids=named(OTHERS))
def test_any_other_right_is_named_by_the_process(drifted: Site, right: Right) -> None:
    way = drifted.kubeconfig(without(drifted, right))
    with drifted.managed(), drifted.running(way) as one:
        one.unready(words(right))
        reasons = [line.get("reason", "") for line in one.warnings()]
    assert any(words(right) in reason for reason in reasons)


@pytest.mark.parametrize("right", LIMITS, ids=named(LIMITS))
def test_a_right_to_write_limits_is_named_in_a_condition(drifted: Site, right: Right) -> None:
    way = drifted.kubeconfig(without(drifted, right))
    with drifted.managed(), drifted.running(way):
        found = drifted.until("Forbidden")
        assert found["status"] == "False"
        assert words(right) in found["message"]
    blocks = [drifted.block(one) for one in (drifted.config_path, drifted.topology_path())]
    assert blocks[LIMITS.index(right)] == {"batchSize": 9}, "it was not allowed"
    assert blocks[1 - LIMITS.index(right)] != {"batchSize": 9}, "the other one goes on"


@pytest.mark.parametrize("right", READ_BACK, ids=named(READ_BACK))
def test_a_right_to_read_back_a_lost_write_is_named_in_a_condition(
    drifted: Site, faults: FaultProxy, right: Right
) -> None:
    match = {"resource": f"{right[1]}.{right[0]}", "verb": "patch", "agent": "kubectl-c9s/.*"}
    faults.rules({"match": match, "do": "lost-request"})
    way = drifted.kubeconfig(without(drifted, right), faults.access)
    with drifted.managed(), drifted.running(way):
        assert words(right) in drifted.until("Forbidden")["message"]


def test_there_is_no_right_beside_these() -> None:
    given = {
        (group, resource, verb)
        for obj in printed("--mode", "enforce")
        for rule in obj.get("rules") or ()
        for group in rule["apiGroups"]
        for resource in rule["resources"]
        for verb in rule["verbs"]
    }
    taken = {*NEEDED, *OTHERS, *LIMITS, *READ_BACK}
    watched = {one[:2] for one in taken if one[2] == "watch"}
    # Get and list go with watch, as everywhere.
    assert taken | {(*one, verb) for one in watched for verb in ("get", "list")} == given
