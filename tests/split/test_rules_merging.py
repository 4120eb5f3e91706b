"""What layers add up to: maps, lists, binds, config.vars, certificate (split.md §§4, 17b)."""

from __future__ import annotations

import pytest
from split_lab import accepted, node, refused


def merged(defaults: str, kind: str, group: str, own: str) -> dict[str, object]:
    """Give the spec of a node with all four layers, less kind and group."""
    text = f"""
        topology:
          defaults: {{{defaults}}}
          kinds: {{k: {{{kind}}}}}
          groups: {{g: {{{group}}}}}
          nodes: {{n: {{kind: k, group: g{", " if own else ""}{own}}}}}
    """
    spec = accepted(text).node("n")
    return {key: value for key, value in spec.items() if key not in {"kind", "group"}}


@pytest.mark.parametrize("field", ["env", "sysctls", "tmpfs"])
def test_maps_are_merged_per_key_and_the_most_specific_wins(field: str) -> None:
    layers = ["{a: d, b: d, c: d, e: d}", "{b: k, c: k, e: k}", "{c: g, e: g}", "{e: n, f: n}"]
    got = merged(*(f"{field}: {layer}" for layer in layers))
    assert got == {field: {"a": "d", "b": "k", "c": "g", "e": "n", "f": "n"}}


def test_an_empty_text_of_a_specific_layer_wins() -> None:
    assert merged("env: {A: d}", "", "env: {A: ~}", "") == {"env": {"A": ""}}


@pytest.mark.parametrize("empty", ["{}", "~"])
def test_an_empty_map_hides_nothing(empty: str) -> None:
    assert merged("env: {A: d}", "", f"env: {empty}", f"env: {empty}") == {"env": {"A": "d"}}


def test_labels_are_merged_per_key() -> None:
    text = """
        topology:
          defaults: {labels: {a: d, b: d}}
          groups: {g: {labels: {b: g}}}
          nodes: {n: {group: g, labels: {c: n}}}
    """
    labels = accepted(text).of("Node")["n"]["metadata"]["labels"]
    own = {k: v for k, v in labels.items() if not k.startswith("c9s.run/")}
    assert own == {"a": "d", "b": "g", "c": "n"}


LISTS = ["exec", "env-files", "devices", "cap-add", "security-opts"]


@pytest.mark.parametrize("field", LISTS)
def test_lists_are_concatenated_from_the_least_specific_layer_on(field: str) -> None:
    layers = [f"{field}: [d, x]", f"{field}: [k, x]", f"{field}: [x, g, d]", f"{field}: [n, k]"]
    assert merged(*layers) == {field: ["d", "x", "k", "g", "n"]}


@pytest.mark.parametrize("field", LISTS)
@pytest.mark.parametrize("layer", range(4))
def test_a_repeat_within_one_layer_is_dropped_too(field: str, layer: int) -> None:
    layers = [f"{field}: [a, b, a, b]" if at == layer else "" for at in range(4)]
    assert merged(*layers) == {field: ["a", "b"]}


@pytest.mark.parametrize("field", LISTS)
def test_an_empty_list_hides_nothing(field: str) -> None:
    assert merged(f"{field}: [d]", f"{field}: []", "", f"{field}: ~") == {field: ["d"]}


def test_one_bind_per_destination_sorted_as_texts() -> None:
    got = merged(
        "binds: [z:/a, d:/b, d:/B]", "binds: [k:/b]", "binds: [g:/c:ro]", "binds: [n:/a, 'm:/c']"
    )
    assert got == {"binds": ["d:/B", "k:/b", "m:/c", "n:/a"]}


def test_binds_of_one_node_follow_the_same_rule() -> None:
    assert node("{binds: [b:/x, a:/x:ro, c:/y]}") == {"binds": ["a:/x:ro", "c:/y"]}


def test_destinations_of_binds_are_compared_as_written() -> None:
    assert node("{binds: ['a:/x', 'b:/x/', 'c:/./x']}") == {"binds": ["a:/x", "b:/x/", "c:/./x"]}


@pytest.mark.parametrize("bind", ["/only", "a:b:c:d", "''"])
def test_another_form_of_a_bind_is_an_error(bind: str) -> None:
    codes = refused(f"topology: {{nodes: {{n: {{binds: ['ok:/ok', {bind}]}}}}}}")
    assert [code for code, _ in codes] == ["malformed-bind"]


def test_config_vars_are_merged_deeply() -> None:
    got = merged(
        "config: {vars: {a: 1, m: {x: 1, y: {p: 1}}, l: [1, 2], s: {t: 1}}}",
        "config: {vars: {m: {y: {q: 2}}}}",
        "config: {vars: {l: [3], s: text}}",
        "config: {vars: {m: {x: n, z: 3}, new: {k: v}}}",
    )
    variables = {
        "a": 1,
        "m": {"x": "n", "y": {"p": 1, "q": 2}, "z": 3},
        "l": [3],
        "s": "text",
        "new": {"k": "v"},
    }
    assert got == {"config": {"vars": variables}}


def test_a_mapping_replaces_a_value_that_is_none() -> None:
    got = merged("config: {vars: {a: 1, b: ~}}", "", "", "config: {vars: {a: {x: 1}, b: {y: 2}}}")
    assert got == {"config": {"vars": {"a": {"x": 1}, "b": {"y": 2}}}}


@pytest.mark.parametrize("empty", ["{}", "{vars: {}}", "~"])
def test_an_empty_config_hides_nothing(empty: str) -> None:
    assert merged("config: {vars: {a: 1}}", "", "", f"config: {empty}") == {
        "config": {"vars": {"a": 1}}
    }


def test_the_certificate_is_merged_per_key() -> None:
    got = merged(
        "certificate: {issue: true, key-size: 2048, validity-duration: 24h, sans: [d]}",
        "certificate: {key-size: 4096}",
        "certificate: {sans: [g, h]}",
        "certificate: {issue: false, validity-duration: 90m}",
    )
    assert got == {
        "certificate": {
            "issue": False,
            "key-size": 4096,
            "validity-duration": "1h30m0s",
            "sans": ["g", "h"],
        }
    }


def test_what_is_empty_in_a_certificate_does_not_replace() -> None:
    own = "certificate: {issue: ~, key-size: 0, validity-duration: 0s, sans: []}"
    got = merged(
        "certificate: {issue: true, key-size: 2048, validity-duration: 24h, sans: [d]}", "", "", own
    )
    assert got == {
        "certificate": {
            "issue": True,
            "key-size": 2048,
            "validity-duration": "24h0m0s",
            "sans": ["d"],
        }
    }


@pytest.mark.parametrize("layer", range(4))
@pytest.mark.parametrize(
    ("block", "wanted"),
    [("{}", {"issue": False}), ("{key-size: 1024}", {"issue": False, "key-size": 1024})],
)
def test_issue_is_written_as_false_when_nobody_sets_it(
    layer: int, block: str, wanted: dict[str, object]
) -> None:
    layers = [f"certificate: {block}" if at == layer else "" for at in range(4)]
    assert merged(*layers) == {"certificate": wanted}


def test_without_any_certificate_block_there_is_none() -> None:
    assert merged("certificate: ~", "", "", "cmd: c") == {"cmd": "c"}


@pytest.mark.parametrize(
    ("written", "wanted"),
    [
        *(("24h", "24h0m0s"), ("90m", "1h30m0s"), ('"1.5h"', "1h30m0s"), ("1h1m1s", "1h1m1s")),
        *(("8760h0m0s", "8760h0m0s"), ("90s", "1m30s"), ("1000ms", "1s")),
    ],
)
def test_durations_are_written_as_go_writes_them(written: str, wanted: str) -> None:
    got = node(f"{{certificate: {{validity-duration: {written}}}}}")
    assert got == {"certificate": {"issue": False, "validity-duration": wanted}}


@pytest.mark.parametrize("written", ["24", "0", "1.5", '""', "1d", "forever", "24 h", "[24h]"])
def test_what_is_no_duration_is_refused(written: str) -> None:
    text = f"topology: {{nodes: {{n: {{certificate: {{validity-duration: {written}}}}}}}}}"
    assert refused(text) == [("invalid-type", "topology.nodes.n.certificate.validity-duration")]


def test_the_worked_example_of_merging() -> None:
    text = """
        topology:
          defaults:
            exec: [a, b]
            binds: [x:/etc/app, y:/etc/log]
            env: {A: "1", B: "1"}
          kinds:
            linux: {exec: [b, c], env: {B: "2"}}
          nodes:
            n: {kind: linux, binds: [z:/etc/app:ro], env: {C: 3}}
    """
    assert accepted(text).node("n") == {
        "kind": "linux",
        "exec": ["a", "b", "c"],
        "binds": ["y:/etc/log", "z:/etc/app:ro"],
        "env": {"A": "1", "B": "2", "C": "3"},
    }
