"""Nodes that share the network of another: split.md §7."""

from __future__ import annotations

import pytest
from split_lab import accepted, lab, refused


def path(name: str) -> str:
    return f"topology.nodes.{name}.network-mode"


@pytest.mark.parametrize(
    "mode", ["host", "none", "bridge", "container:", "container", "Container:b", "'container:--'"]
)
def test_only_the_network_of_another_node_is_possible(mode: str) -> None:
    text = f"topology: {{nodes: {{a: {{network-mode: '{mode.strip(chr(39))}'}}, b: {{}}}}}}"
    assert refused(text) == [("unsupported-network-mode", path("a"))]


@pytest.mark.parametrize("name", ["c", "B", "host", "' b'"])
def test_the_other_node_has_to_be_one_of_this_definition(name: str) -> None:
    text = (
        f"topology: {{nodes: {{a: {{network-mode: 'container:{name.strip(chr(39))}'}}, b: {{}}}}}}"
    )
    assert refused(text) == [("unknown-network-mode-primary", path("a"))]


def test_chains_are_kept_as_written_and_not_on_a_profile() -> None:
    answer = accepted(
        "topology: {nodes: {a: {}, b: {network-mode: 'container:a'}, c: {network-mode: 'container:b'}}}"
    )
    assert answer.node("b") == {"network-mode": "container:a"}
    assert answer.node("c") == {"network-mode": "container:b"}
    assert answer.node("a") == {}
    assert "network-mode" not in str(answer.specs("NodeProfile"))


def test_a_renamed_node_is_replaced_by_its_new_name() -> None:
    answer = accepted("topology: {nodes: {PE_1: {}, b: {network-mode: 'container:PE_1'}}}")
    assert answer.node("b") == {"network-mode": "container:pe-1"}


def test_the_new_name_of_a_node_does_not_name_it() -> None:
    text = "topology: {nodes: {PE_1: {}, b: {network-mode: 'container:pe-1'}}}"
    assert refused(text) == [("unknown-network-mode-primary", path("b"))]


@pytest.mark.parametrize(
    ("modes", "circular"),
    [
        ({"a": "a"}, "a"),
        ({"a": "b", "b": "a"}, "ab"),
        ({"a": "b", "b": "c", "c": "a"}, "abc"),
        ({"a": "b", "b": "c", "c": "b"}, "abc"),
        ({"a": "b", "b": "c", "c": "c", "d": "e", "e": ""}, "abc"),
        ({"z": "y", "y": "z", "a": "y", "b": "c", "c": ""}, "ayz"),
    ],
)
def test_a_circle_is_reported_for_each_node_whose_chain_runs_into_it(
    modes: dict[str, str], circular: str
) -> None:
    nodes = ", ".join(
        f"{name}: {{network-mode: 'container:{other}'}}" if other else f"{name}: {{}}"
        for name, other in modes.items()
    )
    assert refused(f"topology: {{nodes: {{{nodes}}}}}") == [
        ("network-mode-cycle", path(name)) for name in sorted(circular)
    ]


def test_a_chain_that_ends_at_an_unknown_node_is_reported_at_its_end_only() -> None:
    text = "topology: {nodes: {a: {network-mode: 'container:b'}, b: {network-mode: 'container:z'}}}"
    assert refused(text) == [("unknown-network-mode-primary", path("b"))]


def test_an_inherited_mode_is_checked_for_each_node() -> None:
    answer = lab(
        "topology: {kinds: {k: {network-mode: host}}, nodes: {a: {kind: k}, b: {kind: k}}}"
    )
    assert answer.codes() == [("unsupported-network-mode", path(name)) for name in "ab"]
    assert {one["line"] for one in answer.errors} == {7}


def test_a_chain_of_ten_thousand_nodes_is_followed() -> None:
    count = 10_000
    nodes = "".join(f"    n{i}: {{network-mode: 'container:n{i + 1}'}}\n" for i in range(count))
    answer = accepted(f"topology:\n  nodes:\n{nodes}    n{count}: {{}}\n")
    assert answer.node("n0") == {"network-mode": "container:n1"}
