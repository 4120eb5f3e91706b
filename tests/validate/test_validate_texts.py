"""Rules for the text of objects: scalars readers disagree about, Flux, sizes."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from checking import API, check, config_map, node, place, stream, topology

NODE = f"apiVersion: {API}\nkind: Node\nmetadata: {{name: a}}\nspec:\n  kind: linux\n"


@pytest.mark.parametrize("scalar", ["017", "0b11", "1_000", "yes", "off", "08"])
def test_a_value_that_readers_take_differently_is_a_warning_at_its_place(scalar: str) -> None:
    text = NODE + f"  kind-specific-config:\n    odd: {scalar}\n"
    answer = check(text)
    found = answer.only()
    assert (answer.code, found["severity"], found["code"]) == (0, "warning", "ambiguous-scalar")
    assert (found["line"], found["column"]) == place(text, scalar)


def test_a_key_that_readers_take_differently_is_a_warning_too() -> None:
    text = NODE + "  env:\n    on: x\n"
    found = check(text).only()
    assert (found["code"], found["line"], found["column"]) == (
        "ambiguous-scalar",
        *place(text, "on: x"),
    )


def test_a_value_in_quotes_is_clear() -> None:
    assert check(NODE + '  env:\n    "on": "yes"\n    octal: "017"\n').findings == []


def test_keys_are_those_that_kubectl_reads() -> None:
    found = check(NODE + "  env:\n    on: x\n    yes: z\n")
    assert found.codes("error") == ["not-admissible"]
    assert "'true' is given twice" in next(
        one["message"] for one in found.findings if one["severity"] == "error"
    )


@pytest.mark.parametrize("key", ["null", "~", ".nan"])
def test_a_key_that_kubectl_cannot_read_is_an_error(key: str) -> None:
    text = NODE + f"  env:\n    {key}: x\n"
    found = check(text).only()
    assert (found["code"], found["line"], found["column"]) == ("not-admissible", *place(text, key))


def test_a_value_that_json_cannot_carry_is_an_error() -> None:
    found = check(NODE + "  kind-specific-config: {a: .inf}\n").only()
    assert (found["code"], found["line"]) == ("not-admissible", 6)


def test_a_topology_is_warned_about_its_scalars_once() -> None:
    text = stream(topology("lab")).replace("spec:\n", "spec:\n  disableManagement: off\n")
    assert check(text).codes() == ["ambiguous-scalar"]


@pytest.mark.parametrize("one", [
    node("a", env={"PS1": "${HOST}"}), node("a", env={"${X}": "y"}), config_map("m", file="line\n${x}"),
    topology("lab", {"topology": {"nodes": {"n": {"env": {"A": "${B}"}}}}}),
])  # fmt: skip
def test_text_that_flux_would_replace_is_a_warning_at_its_place(one: dict[str, Any]) -> None:
    answer = check(stream(one))
    found = answer.only()
    assert (answer.code, found["severity"], found["code"]) == (0, "warning", "flux-substitution")
    assert "kustomize.toolkit.fluxcd.io/substitute: disabled" in found["message"]
    assert found["line"] > 1


def test_flux_is_one_warning_an_object_at_the_first_text() -> None:
    text = stream(config_map("m", a="${x}", b="${y}"))
    found = check(text).only()
    assert (found["line"], found["column"]) == place(text, '"${x}"')
    assert found["message"].startswith("2 text(s)")


@pytest.mark.parametrize("part", ["annotations", "labels"])
def test_an_object_that_is_protected_may_hold_variables(part: str) -> None:
    one = config_map("m", a="${x}")
    one["metadata"][part] = {"kustomize.toolkit.fluxcd.io/substitute": "disabled"}
    assert check(stream(one)).findings == []


@pytest.mark.parametrize("text", ["$x", "$${x}", "{x}", "$ {x}", "$$$"])
def test_text_that_flux_leaves_alone_is_no_warning(text: str) -> None:
    assert check(stream(config_map("m", a=text))).findings == []


def test_an_escaped_dollar_does_not_protect_the_next_one() -> None:
    assert check(stream(config_map("m", a="$$${x}"))).codes() == ["flux-substitution"]


def test_an_object_over_the_budget_is_an_error() -> None:
    found = check(stream(node("a", env={"x": "y" * 60_000})), "--max-object-bytes", "50000").only()
    assert (found["severity"], found["code"]) == ("error", "object-too-large")
    assert check(stream(node("a", env={"x": "y" * 60_000}))).findings == []


def test_an_object_that_client_side_apply_cannot_take_is_a_warning() -> None:
    found = check(stream(node("a", env={"x": "y" * 262_144}))).only()
    assert (found["severity"], found["code"]) == ("warning", "large-object")
    assert check(stream(node("a", env={"x": "y" * 261_000}))).findings == []


def test_sizes_are_those_of_the_json_that_go_writes() -> None:
    assert check(stream(node("a", env={"x": "<" * 43_600}))).codes() == []
    assert check(stream(node("a", env={"x": "<" * 43_700}))).codes() == ["large-object"]


def test_annotations_count_with_the_copy() -> None:
    one = node("a", env={"x": "y" * 200_000}, metadata={"annotations": {"a/b": "z" * 31_000}})
    assert check(stream(one)).codes() == ["large-object"]
    one["metadata"]["annotations"]["a/b"] = "z" * 30_000
    assert check(stream(one)).codes() == []


def test_a_config_map_has_budgets_of_its_own() -> None:
    assert check(stream(config_map("m", a="x" * 262_144))).codes() == ["large-config-map"]
    found = check(stream(config_map("m", a="x" * (1 << 20)))).only()
    assert (found["severity"], found["code"]) == ("error", "object-too-large")


def test_binary_data_counts_decoded() -> None:
    fits = {**config_map("m"), "binaryData": {"a": base64.b64encode(b"\0" * 950_000).decode()}}
    assert check(stream(fits)).codes() == ["large-config-map"]
    over = {**config_map("m"), "binaryData": {"a": base64.b64encode(b"\0" * 1_050_000).decode()}}
    assert check(stream(over)).codes() == ["object-too-large"]


def test_a_large_topology_is_a_warning_because_its_objects_may_fit() -> None:
    nodes = {f"n{index}": {"kind": "linux", "env": {"x": "y" * 200}} for index in range(100)}
    lab = topology("lab", {"topology": {"nodes": nodes}})
    answer = check(stream(lab), "--max-object-bytes", "20000")
    assert (answer.code, answer.codes()) == (0, [])
    nodes |= {f"m{index}": {"kind": "linux", "env": {"x": "y" * 2000}} for index in range(100)}
    answer = check(
        stream(topology("lab", {"topology": {"nodes": nodes}})), "--max-object-bytes", "20000"
    )
    assert (answer.code, answer.codes()) == (0, ["large-object"])
