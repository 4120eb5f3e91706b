"""Rules for objects of one name: repeated, in conflict, or of two labs."""

from __future__ import annotations

from typing import Any

import pytest
from checking import check, config_map, link, node, place, profile, stream, topology


def test_two_labs_with_one_name_in_a_namespace_collide() -> None:
    text = stream(node("r1", lab="x"), node("r1", lab="y"))
    answer = check(text)
    found = answer.only()
    assert (answer.code, found["severity"], found["code"]) == (1, "error", "duplicate-object-name")
    assert "'x'" in found["message"]
    assert "'y'" in found["message"]
    assert (found["line"], found["column"]) == place(text, "name: r1", 2)


def test_labs_in_two_namespaces_do_not_collide() -> None:
    one = node("r1", lab="x", metadata={"namespace": "one"})
    assert check(stream(one, node("r1", lab="y", metadata={"namespace": "two"}))).findings == []
    assert check(stream(one, node("r1", lab="y")), "-n", "one").codes() == ["duplicate-object-name"]
    assert check(stream(one, node("r1", lab="y")), "-n", "two").codes() == []


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (profile("p", lab="x"), profile("p", lab="z")),
        (link("l", "a:e", "b:e", lab="x"), link("l", "a:e", "b:e", lab="z")),
        (config_map("m", lab="x"), config_map("m", lab="z")),
    ],
)
def test_labs_collide_over_objects_of_each_kind(one: dict[str, Any], two: dict[str, Any]) -> None:
    assert check(stream(one, two)).codes() == ["duplicate-object-name"]


def test_the_same_object_twice_is_a_warning() -> None:
    answer = check(stream(node("a", image="x"), node("a", image="x")))
    assert answer.code == 0
    assert (answer.only()["severity"], answer.only()["code"]) == ("warning", "repeated-object")


def test_one_object_twice_with_other_content_is_an_error() -> None:
    answer = check(stream(node("a", image="x"), node("a", image="y")))
    found = answer.only()
    assert (answer.code, found["code"], found["path"]) == (1, "conflicting-object", "metadata.name")
    assert "<stdin>:1" in found["message"]
    assert "policies" not in found["message"]


def test_a_node_given_twice_with_two_profiles_is_under_two_policies() -> None:
    found = check(
        stream(profile("p"), profile("q"), node("a", profile="p"), node("a", profile="q"))
    ).only()
    assert found["code"] == "conflicting-object"
    assert "under two policies, 'p' and 'q'" in found["message"]


def test_a_profile_given_twice_puts_its_nodes_under_two_policies() -> None:
    on, off = profile("p"), profile("p", statusProbes={"enabled": False})
    found = check(stream(on, off, node("a", profile="p"))).only()
    assert found["code"] == "conflicting-object"
    assert "two policies" in found["message"]


def test_two_topologies_that_make_one_object_collide() -> None:
    found = check(stream(topology("x"), topology("y"))).only()
    assert (found["code"], found["object"]["name"]) == ("duplicate-object-name", "y")
    assert "Node 'n'" in found["message"]


def test_a_topology_and_an_object_of_another_lab_collide() -> None:
    answer = check(stream(topology("x"), node("n", lab="y")))
    assert (answer.code, answer.codes()) == (1, ["duplicate-object-name"])


def test_a_topology_given_twice_is_said_once() -> None:
    assert check(stream(topology("x"), topology("x"))).codes() == ["repeated-object"]
    other = {"topology": {"nodes": {"n": {"kind": "linux"}, "m": {}}}}
    assert check(stream(topology("x"), topology("x", other))).codes() == ["conflicting-object"]


def test_a_topology_beside_its_own_objects_is_one_warning() -> None:
    answer = check(stream(topology("x"), profile("x", lab="x"), node("n", lab="x", profile="x")))
    found = answer.only()
    assert (answer.code, found["code"], found["object"]["kind"]) == (
        0,
        "topology-beside-objects",
        "Topology",
    )
    assert "2 of the objects" in found["message"]


@pytest.mark.parametrize("lab", ["x", None])
def test_objects_without_a_name_are_not_compared(lab: str | None) -> None:
    assert set(check(stream(node("", lab=lab), node("", lab="y"))).codes()) == {"not-admissible"}
