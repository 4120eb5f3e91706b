"""Keys that belong to the node's kind, and components: split.md §5."""

from __future__ import annotations

import pytest
from split_lab import accepted, lab, node, refused

WRAPPER = "kind-specific-config"


def owned(defaults: str = "", kind: str = "", group: str = "", own: str = "") -> dict[str, object]:
    text = f"""
        topology:
          defaults: {{{defaults}}}
          kinds: {{k: {{{kind}}}}}
          groups: {{g: {{{group}}}}}
          nodes: {{n: {{kind: k, group: g{", " if own else ""}{own}}}}}
    """
    spec = accepted(text).node("n")
    return {key: value for key, value in spec.items() if key not in {"kind", "group"}}


def test_keys_are_merged_one_by_one_and_not_inside() -> None:
    got = owned("a: d, b: d, c: d, m: {x: 1}", "b: k, c: k", "c: g", "e: n, m: {y: 2}")
    assert got == {WRAPPER: {"a": "d", "b": "k", "c": "g", "e": "n", "m": {"y": 2}}}


@pytest.mark.parametrize("value", ["~", "[]", "{}", "''", "0", "false"])
def test_an_empty_value_of_a_specific_layer_wins(value: str) -> None:
    wanted: dict[str, object] = {"~": None, "[]": [], "{}": {}, "''": "", "0": 0, "false": False}
    assert owned("a: d", own=f"a: {value}") == {WRAPPER: {"a": wanted[value]}}


def test_extras_is_such_a_key() -> None:
    assert node("{extras: {srl-agents: [a]}}") == {WRAPPER: {"extras": {"srl-agents": ["a"]}}}


def test_a_wrapper_is_unpacked_per_block_before_merging() -> None:
    got = owned(
        f"a: d, {WRAPPER}: {{b: d}}", f"{WRAPPER}: {{a: k}}", "b: g", f"{WRAPPER}: {{c: n}}"
    )
    assert got == {WRAPPER: {"a": "k", "b": "g", "c": "n"}}


@pytest.mark.parametrize(
    ("block", "name"),
    [
        ("defaults: {%s}, nodes: {n: {}}", "defaults"),
        ("kinds: {unused: {%s}}, nodes: {n: {}}", "kinds.unused"),
        ("groups: {unused: {%s}}, nodes: {n: {}}", "groups.unused"),
        ("nodes: {n: {%s}}", "nodes.n"),
    ],
)
def test_a_key_beside_and_inside_the_wrapper_is_refused(block: str, name: str) -> None:
    text = f"topology: {{{block % f'some: 1, {WRAPPER}: {{some: 1}}'}}}"
    assert refused(text) == [("duplicate-kind-config", f"topology.{name}.some")]


def test_a_key_in_the_wrapper_of_another_block_is_no_repeat() -> None:
    assert owned("some: 1", own=f"{WRAPPER}: {{some: 2}}") == {WRAPPER: {"some": 2}}


@pytest.mark.parametrize("value", ["~", "x", "[a]", "5"])
def test_a_wrapper_that_is_no_mapping_is_refused(value: str) -> None:
    codes = refused(f"topology: {{nodes: {{n: {{{WRAPPER}: {value}}}}}}}")
    assert codes == [("invalid-kind-config", f"topology.nodes.n.{WRAPPER}")]


def test_a_key_of_the_wrapper_has_to_be_a_text() -> None:
    codes = refused(f"topology: {{nodes: {{n: {{{WRAPPER}: {{1: x}}}}}}}}")
    assert [code for code, _ in codes] == ["invalid-type"]


def test_an_empty_wrapper_says_nothing() -> None:
    assert node(f"{{{WRAPPER}: {{}}}}") == {}


@pytest.mark.parametrize("field", ["image", "stages", "env", "hostname", "runtime", "kind"])
def test_a_field_of_containerlab_inside_the_wrapper_is_refused(field: str) -> None:
    text = f"topology: {{groups: {{unused: {{{WRAPPER}: {{{field}: x}}}}}}, nodes: {{n: {{}}}}}}"
    assert refused(text) == [("unsupported-field", field)]


@pytest.mark.parametrize(
    ("key", "field"),
    [
        *(("startup_config", "startup-config"), ("imag", "image"), ("mgmt_ipv4", "mgmt-ipv4")),
        *(("Image", "image"), ("enviroment", None), ("env_files", "env-files"), ("port", "ports")),
        *(("licence", "license"), ("extras", None), ("port-count", None), ("lables", "labels")),
    ],
)
def test_a_key_that_looks_like_a_misspelt_field_is_warned_about(
    key: str, field: str | None
) -> None:
    answer = accepted(f"topology: {{nodes: {{n: {{{key}: x}}}}}}")
    assert answer.node("n") == {WRAPPER: {key: "x"}}
    if field is None:
        assert answer.warned() == []
    else:
        assert answer.warned() == [("misspelt-field", f"topology.nodes.n.{key}")]
        assert f"'{field}'" in answer.warnings[0]["message"]


@pytest.mark.parametrize(
    "field", ["startup-config", "image", "network-mode", "healthcheck", "sysctls", "mgmt-ipv4"]
)
def test_any_one_slip_in_a_field_is_noticed(field: str) -> None:
    slips = {
        made
        for at in range(len(field))
        for made in (
            field[:at] + field[at + 1 :],
            field[:at] + "q" + field[at:],
            field[:at] + "q" + field[at + 1 :],
            field[:at] + field[at : at + 2][::-1] + field[at + 2 :],
        )
    } - {field}
    keys = ", ".join(f"{key}: x" for key in slips)
    answer = accepted(f"topology: {{nodes: {{n: {{{keys}}}}}}}")
    assert dict(answer.node("n")[WRAPPER]).keys() == slips
    assert {path for _, path in answer.warned()} == {f"topology.nodes.n.{key}" for key in slips}


def test_mgmt_net_is_carried_and_warned_about() -> None:
    answer = accepted("topology: {defaults: {mgmt-net: oob}, nodes: {a: {}, b: {mgmt-net: own}}}")
    assert (answer.node("a"), answer.node("b")) == ({"mgmt-net": "oob"}, {"mgmt-net": "own"})
    assert answer.warned() == [
        ("ignored-node-field", "topology.nodes.a.mgmt-net"),
        ("ignored-node-field", "topology.nodes.b.mgmt-net"),
    ]


def test_components_are_typed_and_no_key_of_the_kind() -> None:
    body = (
        "{components: [{slot: A, type: cpm, env: {X: 010, Y: ~}, cpu: 2, ram: 4, max-nics: 8}, "
        "{slot: 1, mda: [{slot: 1, type: m}, {slot: 2, type: m}], "
        "xiom: [{slot: 1, type: x, mda: [{slot: 1, type: 5}]}]}]}"
    )
    assert node(body) == {
        "components": [
            {
                "slot": "A",
                "type": "cpm",
                "env": {"X": "010", "Y": ""},
                "cpu": 2,
                "ram": 4,
                "max-nics": 8,
            },
            {
                "slot": "1",
                "mda": [{"slot": 1, "type": "m"}, {"slot": 2, "type": "m"}],
                "xiom": [{"slot": 1, "type": "x", "mda": [{"slot": 1, "type": "5"}]}],
            },
        ]
    }


def test_components_come_whole_from_the_most_specific_layer() -> None:
    assert owned(kind="components: [{slot: A}, {slot: B}]", own="components: [{slot: C}]") == {
        "components": [{"slot": "C"}]
    }


@pytest.mark.parametrize(
    "own", ["components: []", "components: ~", f"{WRAPPER}: {{components: []}}"]
)
def test_an_empty_list_clears_inherited_components(own: str) -> None:
    assert owned(kind="components: [{slot: A}]", own=own) == {}


def test_components_may_stand_in_the_wrapper() -> None:
    assert node(f"{{{WRAPPER}: {{components: [{{slot: A}}]}}}}") == {"components": [{"slot": "A"}]}
    text = f"topology: {{nodes: {{n: {{components: [], {WRAPPER}: {{components: []}}}}}}}}"
    assert refused(text) == [("duplicate-kind-config", "topology.nodes.n.components")]


@pytest.mark.parametrize(
    ("value", "path"),
    [
        *(("x", ""), ("{slot: A}", ""), ("[A]", "[0]"), ("[{slot: A, sfm: x}]", "[0].sfm")),
        *(("[{slot: A}, {slot: A}]", "[1].slot"), ('[{slot: 1}, {slot: "1"}]', "[1].slot")),
        ("[{slot: A, mda: [{slot: 1}]}]", "[0].mda[0].type"),
        ("[{slot: A, mda: [{type: m}]}]", "[0].mda[0].slot"),
        ("[{slot: A, mda: [{slot: 0, type: m}]}]", "[0].mda[0].slot"),
        ("[{slot: A, mda: [{slot: 1, type: m}, {slot: 1, type: n}]}]", "[0].mda[1].slot"),
        ("[{slot: A, xiom: [{slot: 1}]}]", "[0].xiom[0].type"),
        ("[{slot: A, xiom: [{slot: 1, type: x, mda: [{slot: 1}]}]}]", "[0].xiom[0].mda[0].type"),
        ("[{slot: A, xiom: [{slot: 1, type: x}, {slot: 1, type: x}]}]", "[0].xiom[1].slot"),
        ("[{slot: A, mda: {slot: 1}}]", "[0].mda"),
    ],
)
def test_bad_components_are_refused(value: str, path: str) -> None:
    text = f"topology: {{kinds: {{unused: {{components: {value}}}}}, nodes: {{n: {{}}}}}}"
    codes = refused(text)
    assert codes == [("invalid-components", f"topology.kinds.unused.components{path}")]


@pytest.mark.parametrize("slot", ["-1", "x", '"1"', "[1]"])
def test_the_slot_of_a_card_is_a_whole_number_above_zero(slot: str) -> None:
    text = f"topology: {{nodes: {{n: {{components: [{{slot: A, mda: [{{slot: {slot}, type: m}}]}}]}}}}}}"
    answer = lab(text)
    assert answer.code == 1
    assert {path for _, path in answer.codes()} == {"topology.nodes.n.components[0].mda[0].slot"}
