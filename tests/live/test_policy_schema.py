"""The definition of RolloutPolicy on a real API server: it is taken, and judges as the offline check does."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import pytest
from bed_client import path_of
from policy_served import CRDS, KIND, served_alone

from kubectl_c9s.resources import schema
from kubectl_c9s.resources.crd import crd
from kubectl_c9s.rollout.owners import YIELD_TO

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bed_base import Bed
    from bed_client import ApiClient, Json

API = "toolkit.c9s.run/v1alpha1"
# Every order of three bounds, with and without each of them.
SIZES: list[Json] = [
    {name: number for name, number in zip(("min", "default", "max"), given, strict=True) if number is not None}
    for given in itertools.product((None, 0, 3), (None, 2, 5), (None, 0, 2, 4))
]  # fmt: skip
SPECS: list[Json] = [
    {"config": {"batchSize": -1}},
    {"config": {"batchSize": 2147483648}},
    {"config": {"batchSize": 2147483647, "maxConcurrentPerHost": 0}},
    {"config": {"batchSize": 1.0}},
    {"config": {"batchSize": 1.5}},
    {"config": {"batchSize": "5"}},
    {"config": {"batch": 5}},
    {"config": None},
    {"topologies": [{"batchSize": {"max": 5}}]},
    {"topologies": [{"match": None}]},
    {"topologies": [{"match": {}, "batchSize": {"max": -1, "min": 5}}]},
    {"topologies": [{"match": {}, "batchSize": 5}]},
    {"topologies": [{"match": {"namespaces": []}}]},
    {"topologies": [{"match": {"namespaces": ["ci-*", "a?b", "lab"]}}]},
    {"topologies": [{"match": {"namespaces": ["[a]"]}}]},
    {"topologies": [{"match": {"namespaces": [""]}}]},
    {"topologies": [{"match": {"namespaces": ["a\n"]}}]},
    {"topologies": [{"match": {"namespaces": ["a" * 254]}}]},
    {"topologies": [{"match": {"labels": {"tier": "ci", "x": None}}}]},
    {"topologies": [{"match": {"labels": {"tier": 1}}}]},
    {"topologies": {}},
    {"guards": {"allowRelease": "yes"}},
    {"guards": {"yieldTo": ["a", "a"]}},
    {"guards": {"yieldTo": [""]}},
    {"guards": {"yieldTo": []}},
    {"mode": "Report"},
    {"mode": "Enforce"},
    {"mode": "enforce"},
    {"mode": ""},
    {"mode": None},
    {"suspend": True},
    {"suspend": "true"},
    {"stall": None},
    {"stall": {}},
    {"stall": {"slow": "1s"}},
    {"pacing": {}},
    {"remediation": {}},
]
DURATIONS: list[Any] = [
    "60s", "1m", "+90s", "1h30m", "300.000001s", ".5s", "5.s", "1s1s", "0.1ns", "7ns", "3us", "3\u00b5s", "3\u03bcs",
    "0", "0s", "-1s", "-0s", "", " 1s", "1s\n", "1 s", "1", "1d", "1.5.s", ".s", "s", "1S", "P1D", "2 days",
    "2562047h47m16.854775807s", "2562047h47m16.854775808s", "9" * 40 + "h", "1s" * 32, "1s" * 33, 60, 1.5, None, [],
]  # fmt: skip
STALLS: list[Json] = [
    {"slowAfter": "61s"},
    {"slowAfter": "300s"},
    {"slowAfter": "300.1s"},
    {"slowAfter": "1h"},
    {"stalledAfter": "60s"},
    {"stalledAfter": "59.999s"},
    {"stalledAfter": "1m"},
    {"slowAfter": "2m", "stalledAfter": "120s"},
    {"slowAfter": "2m1ns", "stalledAfter": "120s"},
    {"slowAfter": "0s", "stalledAfter": "0s"},
    {"slowAfter": None, "stalledAfter": "1s"},
]


def policy(spec: Json) -> Json:
    return {"apiVersion": API, "kind": KIND, "metadata": {"name": "p"}, "spec": spec}


@pytest.fixture(scope="module")
def served(bed: Bed) -> Iterator[tuple[ApiClient, str]]:
    """Serve the definition in a group of this run alone; give a client and the path of a collection."""
    with served_alone(bed) as (client, collection):
        yield client, collection


def created(client: ApiClient, collection: str, obj: Json) -> Json:
    """Create an object without keeping it; give the server's answer."""
    group_version = collection.removeprefix("/apis/").partition("/namespaces/")[0]
    body = obj | {"apiVersion": group_version}
    return client.create(collection, body, fieldValidation="Strict", dryRun="All").json()


def test_the_server_takes_the_definition_with_its_rules(bed: Bed) -> None:
    with bed.client() as client:
        answer = client.create(path_of(*CRDS), crd(KIND), dryRun="All", fieldValidation="Strict")
    (version,) = answer.ok()["spec"]["versions"]
    rule = version["schema"]["openAPIV3Schema"]["properties"]["spec"]["properties"]["topologies"]
    rules = rule["items"]["properties"]["batchSize"]["x-kubernetes-validations"]
    assert len(rules) == 3


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_an_order_of_bounds_is_refused_by_both_at_the_same_fields_or_by_none(
    served: tuple[ApiClient, str], size: Json
) -> None:
    obj = policy({"topologies": [{"match": {}, "batchSize": size}]})
    answer = created(*served, obj)
    assert fields(answer) == {one.place for one in schema.violations(KIND, obj)}


def fields(answer: Json) -> set[str]:
    """Give the fields that the server names; none for an object that it takes."""
    if answer["kind"] == KIND:
        return set()
    causes: list[dict[str, Any]] = answer["details"]["causes"]
    return {one["field"] for one in causes}


@pytest.mark.parametrize("field", ["slowAfter", "stalledAfter"])
@pytest.mark.parametrize("written", DURATIONS, ids=ascii)
def test_a_duration_is_one_for_both_or_for_none(
    served: tuple[ApiClient, str], field: str, written: object
) -> None:
    # The other one is out of the way: the order of both is another rule.
    other = {"slowAfter": "1ns"} if field == "stalledAfter" else {"stalledAfter": "2562047h"}
    obj = policy({"stall": other | {field: written}})
    answer = created(*served, obj)
    # Of a duration that it cannot read the server also says that the order could not be looked at.
    said = fields(answer) - {"spec.stall", "<nil>"}
    assert said == {one.place for one in schema.violations(KIND, obj)}, answer.get("message")


@pytest.mark.parametrize("stall", STALLS, ids=str)
def test_an_order_of_durations_is_refused_by_both_at_the_same_fields_or_by_none(
    served: tuple[ApiClient, str], stall: Json
) -> None:
    obj = policy({"stall": stall})
    answer = created(*served, obj)
    assert fields(answer) == {one.place for one in schema.violations(KIND, obj)}


@pytest.mark.parametrize("spec", SPECS, ids=str)
def test_the_server_refuses_what_the_offline_check_refuses(
    served: tuple[ApiClient, str], spec: Json
) -> None:
    obj = policy(spec)
    answer = created(*served, obj)
    assert (answer["kind"] == KIND) == schema.is_valid(KIND, obj), answer.get("message")


def test_the_server_fills_in_the_guards_that_a_file_leaves_out(
    served: tuple[ApiClient, str],
) -> None:
    answer = created(*served, policy({"guards": {}}))
    assert answer["spec"]["guards"] == {"allowRelease": False, "yieldTo": list(YIELD_TO)}


def test_the_server_fills_in_what_a_file_leaves_to_the_reconciler(
    served: tuple[ApiClient, str],
) -> None:
    answer = created(*served, policy({"stall": {"slowAfter": "1m30s"}}))
    stall = {"slowAfter": "1m30s", "stalledAfter": "300s"}
    assert answer["spec"] == {"mode": "Report", "suspend": False, "stall": stall}
