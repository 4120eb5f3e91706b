"""NodeProfiles: split.md §10."""

from __future__ import annotations

from typing import Any

import pytest
from split_lab import accepted, lab

AB = "topology: {nodes: {a: {}, b: {}}}"
EXPOSE = {
    "disableAutoExpose": False,
    "useNodeMgmtIpv4Address": False,
    "useNodeMgmtIpv6Address": False,
}


def profiles(resources: dict[str, Any], text: str = AB) -> dict[str, Any]:
    """Give ``resources`` of the profile each node refers to, and the names of all profiles under ``""``."""
    answer = accepted(text, deployment={"resources": resources})
    specs = answer.specs("NodeProfile")
    used = {
        name: specs[one["profileRef"]["name"]].get("resources")
        for name, one in answer.specs("Node").items()
    }
    return {**used, "": list(specs)}


def amount(cpu: Any) -> dict[str, Any]:
    return {"limits": {"cpu": cpu}}


def test_without_an_entry_of_its_own_a_node_uses_the_shared_profile() -> None:
    assert profiles({}) == {"a": None, "b": None, "": ["lab"]}
    shared = amount("1")
    assert profiles({"default": shared}) == {"a": shared, "b": shared, "": ["lab"]}


def test_an_entry_unlike_the_default_makes_a_profile() -> None:
    found = profiles({"default": amount("1"), "a": amount("2")})
    assert found == {"a": amount("2"), "b": amount("1"), "": ["lab", "lab-a"]}


@pytest.mark.parametrize("same", ["1", "1000m", "1.0", "1e0", 1])
def test_quantities_are_compared_by_value(same: object) -> None:
    assert profiles({"default": amount("1"), "a": amount(same)})[""] == ["lab"]


@pytest.mark.parametrize(
    ("one", "two"), [("4Gi", "4096Mi"), ("1G", "1000M"), ("1Ki", "1024"), ("0.5", "500m")]
)
def test_suffixes_are_compared_by_value(one: str, two: str) -> None:
    entry = {"requests": {"memory": one}}
    assert profiles({"default": entry, "a": {"requests": {"memory": two}}})[""] == ["lab"]


@pytest.mark.parametrize(
    "other",
    [{}, {"requests": {"cpu": "1"}}, {"limits": {"cpu": "1", "memory": "1Gi"}}, amount("999m")],
)
def test_entries_that_say_something_else_are_not_equal(other: dict[str, Any]) -> None:
    assert profiles({"default": amount("1"), "a": other})[""] == ["lab", "lab-a"]


def test_without_a_default_any_entry_counts_even_an_empty_one() -> None:
    assert profiles({"a": {}}) == {"a": {}, "b": None, "": ["lab", "lab-a"]}


def test_an_empty_default_gives_an_empty_field_and_equals_an_empty_entry() -> None:
    assert profiles({"default": {}, "a": {}}) == {"a": {}, "b": {}, "": ["lab"]}


def test_the_shared_profile_is_written_only_if_it_is_used() -> None:
    same = amount("2")
    assert profiles({"a": same, "b": same}) == {"a": same, "b": same, "": ["lab-a", "lab-b"]}


def test_a_node_called_default_uses_the_default_entry() -> None:
    text = "topology: {nodes: {default: {}, a: {}}}"
    entry = amount("1")
    assert profiles({"default": entry}, text) == {"default": entry, "a": entry, "": ["lab"]}


def test_dedicated_profiles_follow_the_shared_one_by_name() -> None:
    text = "topology: {nodes: {z: {}, Y: {}, c: {}, a: {}}}"
    assert profiles({"z": {}, "Y": {}, "a": {}}, text)[""] == ["lab", "lab-a", "lab-y", "lab-z"]


def test_entries_for_unknown_nodes_are_ignored_with_a_warning() -> None:
    answer = accepted(AB, deployment={"resources": {"zz": amount("1"), "default": amount("1")}})
    assert list(answer.of("NodeProfile")) == ["lab"]
    assert answer.warned() == [("unused-entry", "spec.deployment.resources.zz")]


def test_a_dedicated_profile_is_the_full_shared_one_with_other_resources() -> None:
    answer = accepted(
        AB,
        expose={"exposeType": "ClusterIP"},
        imagePull={"policy": "Never"},
        deployment={"resources": {"default": amount("1"), "a": amount("2")}},
    )
    shared = {
        "expose": {**EXPOSE, "exposeType": "ClusterIP"},
        "imagePull": {"policy": "Never"},
        "statusProbes": {"enabled": False},
    }
    assert answer.profile() == {**shared, "resources": amount("1")}
    assert answer.profile("lab-a") == {**shared, "resources": amount("2")}


@pytest.mark.parametrize("bad", ["", "1x", "1 Gi", "0x10", True, [1]])
def test_what_is_no_quantity_is_refused(bad: object) -> None:
    answer = lab(AB, deployment={"resources": {"a": amount(bad)}})
    assert answer.codes() == [("invalid-topology-field", "spec.deployment.resources.a.limits.cpu")]


def test_quantities_given_as_numbers_are_written_as_the_server_stores_them() -> None:
    assert profiles({"a": amount(2)})["a"] == amount("2")
