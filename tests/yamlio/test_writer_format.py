"""What the YAML writer's text looks like to those who review it."""

from __future__ import annotations

import enum
from typing import Any

import pytest

from kubectl_c9s.yamlio.writer import dump

MISTAKEN = "y Y No oN OFF True nUll ~ = << 0 7up +x -x .x a: #a &a *a !a @a `a %a |a >a ?a"
PLAIN = (
    "Node c9s.run/v1alpha1 ghcr.io/nokia/srlinux:25.10.1 leaf1:e1-1 /etc/app:ro container:pe-1 "
    "nowhere yesterday nullify _x a::b ixr-d2l FOO=bar"
)


@pytest.mark.parametrize("text", ["", " a", "a ", "a: b", "a #b", *MISTAKEN.split()])
def test_text_some_reader_would_mistake_is_quoted(text: str) -> None:
    assert dump({"k": text}) == f'k: "{text}"\n'
    assert dump({text: "v"}) == f'"{text}": v\n'


@pytest.mark.parametrize("text", ["sleep infinity", *PLAIN.split()])
def test_ordinary_text_is_plain(text: str) -> None:
    assert dump({"k": text}) == f"k: {text}\n"


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("a\nb\n", "|\n  a\n  b\n"),
        ("a\nb", "|-\n  a\n  b\n"),
        ("a\n\nb\n\n", "|+\n  a\n\n  b\n\n"),
        ("a\n  b \n", "|\n  a\n    b \n"),
        ("\n\na\n", "|\n\n\n  a\n"),
        ("# é\n--- x\ta\n", "|\n  # é\n  --- x\ta\n"),
        (" a\nb\n", '" a\\nb\\n"\n'),
        ("\n a\n", '"\\n a\\n"\n'),
        ("a\n\tb\n", '"a\\n\\tb\\n"\n'),
        ("a\r\nb\r\n", '"a\\r\\nb\\r\\n"\n'),
        ("a\n\x1b[1m", '"a\\n\\u001b[1m"\n'),
        ("\n", '"\\n"\n'),
    ],
)
def test_text_of_several_lines_is_a_block_where_it_survives(text: str, written: str) -> None:
    assert dump({"k": text}) == f"k: {written}"


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("\x00\x07\x08\t\x0c\x1b\x7f", r"\u0000\u0007\b\t\f\u001b\u007f"),
        ("\x85\x9b\xad", r"\u0085\u009b\u00ad"),
        (
            "\u200b\u202e\u2028\u2029\u2066\ufeff\uffff",
            r"\u200b\u202e\u2028\u2029\u2066\ufeff\uffff",
        ),
        ("\U000e0001\U0010ffff", r"\U000e0001\U0010ffff"),
        ('"\\', r"\"\\"),
        ("é中\U0001f600", "é中\U0001f600"),
    ],
)
def test_what_does_not_show_is_escaped(text: str, written: str) -> None:
    assert dump({"k": text}) == f'k: "{written}"\n'


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (None, "null"),
        (True, "true"),
        (False, "false"),
        (0, "0"),
        (-7, "-7"),
        (2**63, "9223372036854775808"),
        (2.0, "2"),
        (-3.0, "-3"),
        (-0.0, "0"),
        (0.5, "0.5"),
        (1e16, "1.0e+16"),
        (1e-5, "1.0e-05"),
        (1.5e-7, "1.5e-07"),
        ({}, "{}"),
        ([], "[]"),
        ((), "[]"),
    ],
)
def test_values_other_than_text_have_one_form(value: object, written: str) -> None:
    assert dump({"k": value}) == f"k: {written}\n"


def test_keys_stand_in_the_fixed_order() -> None:
    obj = {
        "status": 1,
        "spec": {"b": {}, "a": []},
        "binaryData": {},
        "data": {},
        "type": "t",
        "zz": 1,
        "metadata": {
            "uid": "u",
            "annotations": {},
            "labels": {"b": "c", "a": "b"},
            "namespace": "s",
            "name": "m",
        },
        "kind": "Node",
        "apiVersion": "c9s.run/v1alpha1",
    }
    assert dump(obj) == (
        "apiVersion: c9s.run/v1alpha1\nkind: Node\n"
        "metadata:\n  name: m\n  namespace: s\n  labels:\n    a: b\n    b: c\n  annotations: {}\n"
        "  uid: u\n"
        "type: t\ndata: {}\nbinaryData: {}\nspec:\n  a: []\n  b: {}\nstatus: 1\nzz: 1\n"
    )


def test_sequences_stand_as_deep_as_their_key() -> None:
    obj = {"a": [{"n": {"x": "1"}, "l": ["p"]}, ["q", ["r"]], [], {}, "t"]}
    assert dump(obj) == ('a:\n- l:\n  - p\n  "n":\n    x: "1"\n- - q\n  - - r\n- []\n- {}\n- t\n')


def test_a_key_too_long_for_readers_to_look_ahead_is_marked_as_a_key() -> None:
    key = "k" * 2000
    assert dump({key: ["v"]}) == f"? {key}\n:\n- v\n"


def test_a_member_of_an_enumeration_is_written_as_its_text() -> None:
    class Mode(str, enum.Enum):  # noqa: UP042 - the kind whose format shows the member's name
        READ = "read"

    assert dump({Mode.READ: Mode.READ}) == "read: read\n"


def test_an_empty_object_is_a_document() -> None:
    assert dump({}) == "{}\n"


@pytest.mark.parametrize(
    "value", [float("nan"), float("inf"), float("-inf"), "\ud800", "a\n\udfff"]
)
def test_what_no_reader_could_take_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match=r"surrogate|cannot be written"):
        dump({"spec": {"k": [value]}})


@pytest.mark.parametrize(
    "obj", [{"k": b"x"}, {"k": {1, 2}}, {1: "x"}, {"k": {None: 1}}, {"k": object()}]
)
def test_types_yaml_has_no_form_for_are_refused(obj: dict[Any, Any]) -> None:
    with pytest.raises(TypeError):
        dump(obj)


def test_a_circle_is_refused() -> None:
    circle: dict[str, Any] = {}
    circle["again"] = [circle]
    with pytest.raises(ValueError, match="deeper"):
        dump(circle)
