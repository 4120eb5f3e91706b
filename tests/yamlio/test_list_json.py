"""What the JSON writer promises: one v1 List that any reader takes and any terminal can show."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from yaml_values import objects, same

from kubectl_c9s.resources.characters import has_hidden
from kubectl_c9s.yamlio.writer import dump, dump_list_json


def shape(line: str) -> tuple[int, bool, str]:
    """Give what layout there is to a line; how a number or text is spelt does not count."""
    return (
        len(line) - len(line.lstrip()),
        line.endswith(","),
        line.rstrip(",")[-1:].strip("0123456789"),
    )


def keys_in_order(value: Any) -> Any:
    if isinstance(value, dict):
        return [(key, keys_in_order(item)) for key, item in value.items()]
    return [keys_in_order(item) for item in value] if isinstance(value, list) else None


@given(objs=st.lists(objects, max_size=5))
def test_a_list_is_read_back_unchanged(objs: list[dict[str, Any]]) -> None:
    text = "".join(dump_list_json(objs))
    read = json.loads(text)
    assert list(read) == ["apiVersion", "kind", "items"]
    assert (read["apiVersion"], read["kind"]) == ("v1", "List")
    assert same(objs, read["items"])


@given(objs=st.lists(objects, max_size=5))
def test_it_is_laid_out_as_kubectl_does(objs: list[dict[str, Any]]) -> None:
    text = "".join(dump_list_json(objs))
    assert not has_hidden(text)
    again = json.dumps(json.loads(text), indent=2) + "\n"
    assert [shape(line) for line in text.splitlines()] == [
        shape(line) for line in again.splitlines()
    ]


@given(obj=objects)
def test_keys_stand_in_the_order_of_the_yaml(obj: dict[str, Any]) -> None:
    (item,) = json.loads("".join(dump_list_json([obj])))["items"]
    assert keys_in_order(item) == keys_in_order(yaml.load(dump(obj), Loader=yaml.CSafeLoader))


def test_a_small_list_looks_like_this() -> None:
    obj = {
        "spec": {"b": ["é\x1b\x9b\u202e\U000e0001", {}, []], "a": 2.0},
        "metadata": {"uid": "1", "name": "n"},
    }
    assert "".join(dump_list_json([obj, {}])) == (
        '{\n  "apiVersion": "v1",\n  "kind": "List",\n  "items": [\n'
        '    {\n      "metadata": {\n        "name": "n",\n        "uid": "1"\n      },\n'
        '      "spec": {\n        "a": 2,\n        "b": [\n'
        '          "é\\u001b\\u009b\\u202e\\udb40\\udc01",\n          {},\n          []\n'
        "        ]\n      }\n    },\n"
        "    {}\n  ]\n}\n"
    )


def test_no_objects_are_an_empty_list() -> None:
    assert json.loads("".join(dump_list_json([])))["items"] == []


@pytest.mark.parametrize("value", [float("nan"), float("inf"), "\ud800"])
def test_what_json_cannot_hold_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match=r"surrogate|cannot be written"):
        list(dump_list_json([{"k": [value]}]))


@pytest.mark.parametrize("obj", [{"k": b"x"}, {1: "x"}])
def test_types_json_has_no_form_for_are_refused(obj: dict[Any, Any]) -> None:
    with pytest.raises(TypeError):
        list(dump_list_json([obj]))


def test_a_circle_is_refused() -> None:
    circle: dict[str, Any] = {}
    circle["again"] = [circle]
    with pytest.raises(ValueError, match="deeper"):
        list(dump_list_json([circle]))
