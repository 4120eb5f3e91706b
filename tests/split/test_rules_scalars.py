"""Scalars keep their text or are read as Go reads them: split.md §2, on the type of the field."""

from __future__ import annotations

import pytest
from split_lab import lab, node, refused

WRITTEN = [
    *(
        "yes",
        "no",
        "on",
        "y",
        "true",
        "False",
        "0x1F",
        "0o17",
        "017",
        "0b11",
        "1.50",
        "010",
        "1_000",
    ),
    *("1e3", ".5", "+1", "2001-01-01", "1:30", ".inf", ".nan", "18446744073709551616", "9" * 6000),
    *("a b", "a:b", "${VAR}", "__clabDir__", "./x", "=", "-1", "0", "00"),
]


@pytest.mark.parametrize("field", ["env", "sysctls", "tmpfs"])
@pytest.mark.parametrize("text", WRITTEN)
def test_a_plain_scalar_in_a_map_of_texts_keeps_what_was_written(field: str, text: str) -> None:
    assert node(f"\n      {field}:\n        A: {text}\n") == {field: {"A": text}}


@pytest.mark.parametrize("text", WRITTEN)
def test_a_plain_scalar_in_a_list_of_texts_keeps_what_was_written(text: str) -> None:
    assert node(f"\n      exec:\n        - {text}\n") == {"exec": [text]}


@pytest.mark.parametrize("text", ["0x1F", "1.50", "yes", "017", "2001-01-01", "1e3", "5"])
def test_a_plain_scalar_in_a_text_field_keeps_what_was_written(text: str) -> None:
    assert node(f"{{image: {text}, cmd: {text}}}") == {"image": text, "cmd": text}


@pytest.mark.parametrize("null", ["", "~", "null", "Null", "NULL"])
def test_null_is_the_empty_text_in_maps(null: str) -> None:
    assert node(f"\n      env:\n        A: {null}\n        B: b\n") == {"env": {"A": "", "B": "b"}}


@pytest.mark.parametrize("null", ["~", "null"])
def test_null_leaves_a_text_field_unset(null: str) -> None:
    assert node(f"{{image: {null}, cmd: c}}", above="defaults: {image: d}") == {
        "image": "d",
        "cmd": "c",
    }


def test_labels_keep_what_was_written() -> None:
    answer = lab("topology: {nodes: {n: {labels: {a: 010, b: yes, c: ~, d: 1.50}}}}")
    labels = answer.of("Node")["n"]["metadata"]["labels"]
    assert labels == {"a": "010", "b": "yes", "c": "", "d": "1.50", "c9s.run/topologyOwner": "lab"}


def test_keys_of_maps_keep_what_was_written() -> None:
    assert node("{env: {1: a, yes: b, 0x1F: c}}") == {"env": {"1": "a", "yes": "b", "0x1F": "c"}}


TRUE = [
    "true",
    "True",
    "TRUE",
    "y",
    "Y",
    "yes",
    "Yes",
    "YES",
    "on",
    "On",
    "ON",
    '"yes"',
    "'on'",
    "!!bool true",
]
FALSE = ["false", "False", "FALSE", "n", "N", "no", "No", "NO", "off", "Off", "OFF", '"no"']


@pytest.mark.parametrize("text", TRUE)
def test_words_for_true(text: str) -> None:
    assert node(f"{{privileged: {text}}}") == {"privileged": True}


@pytest.mark.parametrize("text", FALSE)
def test_words_for_false(text: str) -> None:
    assert node(f"{{privileged: {text}}}") == {"privileged": False}


@pytest.mark.parametrize("text", ['"true"', "'false'", "1", "0", "yEs", "t", "[true]", "enabled"])
def test_what_is_no_truth_value(text: str) -> None:
    path = "topology.nodes.n.privileged"
    assert refused(f"topology: {{nodes: {{n: {{privileged: {text}}}}}}}") == [
        ("invalid-type", path)
    ]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *(
            ("7", 7),
            ("+5", 5),
            ("0x10", 16),
            ("0o17", 15),
            ("017", 15),
            ("0b11", 3),
            ("1_000", 1000),
        ),
        *(("1e3", 1000), ("1.9", 1), ('!!int "5"', 5)),
    ],
)
def test_whole_numbers(text: str, value: int) -> None:
    assert node(f"{{startup-delay: {text}}}") == {"startup-delay": value}


@pytest.mark.parametrize(
    "text", ['"5"', "-1", "true", "x", "2001-01-01", "1:30", "9" * 6000, ".inf"]
)
def test_what_is_no_whole_number(text: str) -> None:
    path = "topology.nodes.n.startup-delay"
    assert refused(f"topology: {{nodes: {{n: {{startup-delay: {text}}}}}}}") == [
        ("invalid-type", path)
    ]


@pytest.mark.parametrize(
    ("text", "value"),
    [("1.5", 1.5), (".5", 0.5), ("2", 2), ("2.0", 2), ("1e2", 100), ("0x10", 16), ("1_0.5", 10.5)],
)
def test_numbers(text: str, value: float) -> None:
    assert node(f"{{cpu: {text}}}") == {"cpu": value}


@pytest.mark.parametrize("text", ['"1"', "true", "x", ".inf", ".nan", "1e400", "[1]"])
def test_what_is_no_number(text: str) -> None:
    assert refused(f"topology: {{nodes: {{n: {{cpu: {text}}}}}}}") == [
        ("invalid-type", "topology.nodes.n.cpu")
    ]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *(("image", "[a]"), ("image", "{a: b}"), ("env", "[a]"), ("env", "x"), ("env", "{A: [b]}")),
        *(("exec", "x"), ("exec", "{a: b}"), ("exec", "[[a]]"), ("binds", "a:b"), ("ports", "80")),
        *(("dns", "[a]"), ("config", "x"), ("certificate", "yes"), ("healthcheck", "[a]")),
    ],
)
def test_a_known_key_of_the_wrong_type_is_refused(field: str, value: str) -> None:
    codes = refused(f"topology: {{nodes: {{n: {{{field}: {value}}}}}}}")
    assert [code for code, _ in codes] == ["invalid-type"]
    assert codes[0][1].startswith(f"topology.nodes.n.{field}")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *(
            ("1", 1),
            ("1.0", 1),
            ("0x1F", 31),
            ("017", 15),
            ("true", True),
            ("yes", "yes"),
            ("~", None),
        ),
        *(('"5"', "5"), ("1.5", 1.5), ("2001-01-01", "2001-01-01T00:00:00Z"), ("1:30", "1:30")),
        ("2001-12-14 21:59:43.10", "2001-12-14T21:59:43.1Z"),
        ("2001-12-14t21:59:43.10-05:00", "2001-12-14T21:59:43.1-05:00"),
        ("2001-1-2T3:4:5.1234567891+05:30", "2001-01-02T03:04:05.123456789+05:30"),
        *(
            ("18446744073709551615", 18446744073709552000),
            ("-9223372036854775808", -9223372036854776000),
        ),
        *(("2001-12-14T21:59:43", "2001-12-14T21:59:43"), ('"2001-01-01"', "2001-01-01")),
        *(("[1, [a]]", [1, ["a"]]), ("{a: {b: 1}}", {"a": {"b": 1}}), ("9" * 6000, "9" * 6000)),
        ("9007199254740993", 9007199254740992),
    ],
)
def test_untyped_values_are_what_go_makes_of_them(text: str, value: object) -> None:
    read = node(f"\n      some-key: {text}\n")["kind-specific-config"]
    assert read == {"some-key": value}
    assert type(read["some-key"]) is type(value)


def test_a_number_that_json_does_not_have_is_refused() -> None:
    assert refused("topology: {nodes: {n: {some-key: [.inf]}}}") == [
        ("invalid-type", "topology.nodes.n.some-key[0]")
    ]


@pytest.mark.parametrize("key", ["1", "true", "2001-01-01", "~"])
def test_a_nested_key_that_is_no_text_is_refused(key: str) -> None:
    codes = refused(f"topology: {{nodes: {{n: {{some-key: {{{key}: x}}}}}}}}")
    assert codes == [("invalid-type", f"topology.nodes.n.some-key.{key}")]
