"""The definition of RolloutPolicy on a real API server: it is taken, and judges as the offline check does."""

from __future__ import annotations

import contextlib
import functools
import itertools
import secrets
from typing import TYPE_CHECKING, Any

import pytest
from bed_client import path_of
from bed_objects import until

from kubectl_c9s.resources import schema
from kubectl_c9s.resources.crd import crd
from kubectl_c9s.rollout.owners import YIELD_TO

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bed_base import Bed
    from bed_client import ApiClient, Json

KIND = "RolloutPolicy"
API = "toolkit.c9s.run/v1alpha1"
CRDS = "apiextensions.k8s.io/v1", "customresourcedefinitions"
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
]


def policy(spec: Json) -> Json:
    return {"apiVersion": API, "kind": KIND, "metadata": {"name": "p"}, "spec": spec}


@pytest.fixture(scope="module")
def served(bed: Bed) -> Iterator[tuple[ApiClient, str]]:
    """Serve the definition in a group of this run alone; give a client and the path of a collection.

    The bed is shared: nobody else is to find the toolkit's own group there.
    """
    group = f"t{secrets.token_hex(4)}.example.com"
    made = crd(KIND)
    made["metadata"]["name"] = f"{made['spec']['names']['plural']}.{group}"
    made["spec"]["group"] = group
    path = path_of(*CRDS, name=made["metadata"]["name"])
    collection = path_of(f"{group}/v1alpha1", made["spec"]["names"]["plural"], "default")
    with bed.client() as client:
        client.create(path_of(*CRDS), made).ok()
        with contextlib.ExitStack() as stack:
            stack.callback(client.delete, path)
            until("the kind is served", functools.partial(is_served, client, collection))
            yield client, collection


def is_served(client: ApiClient, collection: str) -> bool:
    return client.get(collection).status == 200


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
    assert answer["spec"] == {"guards": {"allowRelease": False, "yieldTo": list(YIELD_TO)}}
