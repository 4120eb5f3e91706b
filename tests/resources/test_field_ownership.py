"""What server-side apply has stored for an object is recognised, and every change of it is noticed."""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_c9s.resources.crd import crd
from kubectl_c9s.resources.ownership import LIST_DEFAULTS, is_applied

if TYPE_CHECKING:
    from collections.abc import Iterator

ME = "kubectl-c9s"
KEYS = st.sampled_from(["a", "b", "c", "f:a", "k.v/w", "mode"])
LEAVES = st.none() | st.booleans() | st.integers(0, 3) | st.sampled_from(["", "x", "1", "true"])
ITEMS = st.lists(LEAVES | st.dictionaries(KEYS, LEAVES, max_size=3), max_size=3)
VALUES = st.recursive(
    LEAVES | ITEMS, lambda below: st.dictionaries(KEYS, below, max_size=3), max_leaves=8
)
SPECS = st.dictionaries(KEYS, VALUES, max_size=4)
LABELS = st.dictionaries(KEYS, st.sampled_from(["x", "y"]), max_size=3)


def wanted(spec: dict[str, Any], labels: dict[str, str]) -> dict[str, Any]:
    metadata: dict[str, Any] = {"name": "n", "namespace": "ns"}
    if labels:
        metadata["labels"] = labels
    return {"apiVersion": "c9s.run/v1alpha1", "kind": "Node", "metadata": metadata, "spec": spec}


def fields(value: Any) -> dict[str, Any]:
    """Give the field set of a value: maps by key, lists as a whole, as in the schemas of our kinds."""
    if not isinstance(value, dict):
        return {}
    return {f"f:{key}": fields(below) for key, below in value.items()}


def stored(obj: dict[str, Any]) -> dict[str, Any]:
    """Give what the server has after an apply: the values, the owner, and what it adds itself."""
    live: dict[str, Any] = copy.deepcopy(obj)
    owned = fields({key: obj[key] for key in obj if key not in {"apiVersion", "kind", "metadata"}})
    inner = {
        key: obj["metadata"][key] for key in obj["metadata"] if key not in {"name", "namespace"}
    }
    if inner:
        owned["f:metadata"] = fields(inner)
    entry = {"manager": ME, "operation": "Apply", "fieldsType": "FieldsV1", "fieldsV1": owned}
    live["metadata"] |= {"uid": "1", "resourceVersion": "2", "managedFields": [entry]}
    return live


@given(SPECS, LABELS)
def test_what_was_stored_is_recognised(spec: dict[str, Any], labels: dict[str, str]) -> None:
    obj = wanted(spec, labels)
    assert is_applied(obj, stored(obj), ME)
    assert not is_applied(obj, stored(obj), "another")


@given(SPECS, LABELS, st.sampled_from(["status", "spec", "labels", "annotations"]))
def test_what_others_have_added_beside_does_not_matter(
    spec: dict[str, Any], labels: dict[str, str], place: str
) -> None:
    obj = wanted(spec, labels)
    live = stored(obj)
    part = live if place in {"status", "spec"} else live["metadata"]
    part.setdefault(place, {})["theirs"] = "x"
    live["metadata"]["managedFields"].append(
        {"manager": "they", "operation": "Update", "fieldsV1": {"f:spec": {"f:theirs": {}}}}
    )
    assert is_applied(obj, live, ME)


@given(SPECS, SPECS, LABELS, LABELS)
def test_any_other_object_is_noticed(
    spec: dict[str, Any], other: dict[str, Any], labels: dict[str, str], others: dict[str, str]
) -> None:
    before, after = wanted(spec, labels), wanted(other, others)
    assert is_applied(after, stored(before), ME) == (exact(before) == exact(after))


def exact(value: Any) -> str:
    """Write a value so that 1, true and "1" stay apart, with the schemas' defaults inside lists filled in."""
    return json.dumps(defaulted(value, inside=False), sort_keys=True)


def defaulted(value: Any, *, inside: bool) -> Any:
    if isinstance(value, list):
        return [defaulted(one, inside=True) for one in value]
    if not isinstance(value, dict):
        return value
    filled = {**LIST_DEFAULTS, **value} if inside else value
    return {key: defaulted(below, inside=inside) for key, below in filled.items()}


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Give the paths of all that can be changed in a value."""
    pairs = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, below in pairs:
        yield (*path, key)
        yield from places(below, (*path, key))


@given(SPECS.filter(bool), st.data())
def test_any_mutation_of_the_live_object_is_noticed(
    spec: dict[str, Any], data: st.DataObject
) -> None:
    obj = wanted(spec, {})
    live = stored(obj)
    path = data.draw(st.sampled_from(list(places(spec))))
    holder: Any = live["spec"]
    for key in path[:-1]:
        holder = holder[key]
    if data.draw(st.booleans()):
        del holder[path[-1]]
    else:
        holder[path[-1]] = ["changed"]
    assert not is_applied(obj, live, ME) or holder_has_default(path, spec)


def holder_has_default(path: tuple[Any, ...], spec: dict[str, Any]) -> bool:
    """Tell whether what was taken away is a default inside a list, which the server puts back."""
    return path[-1] in LIST_DEFAULTS and any(isinstance(key, int) for key in path) and bool(spec)


def owned_list(owned: dict[str, Any], items: list[Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    obj = wanted({"list": items}, {})
    live = stored(obj)
    live["metadata"]["managedFields"][0]["fieldsV1"]["f:spec"]["f:list"] = owned
    return obj, live


PORT = {"port": 80, "name": "web"}
PORT_KEY = 'k:{"port":80}'
WHOLE: dict[str, Any] = {".": {}, "f:port": {}, "f:name": {}}


@pytest.mark.parametrize(
    ("owned", "items", "same"),
    [
        ({PORT_KEY: WHOLE}, [PORT], True),
        ({PORT_KEY: {".": {}, "f:port": {}}}, [PORT], False),
        ({PORT_KEY: WHOLE}, [PORT, {"port": 81, "name": "more"}], False),
        ({'k:{"port":81}': WHOLE}, [PORT], False),
        ({'v:"a"': {}, 'v:"b"': {}}, ["a", "b"], True),
        ({'v:"a"': {}}, ["a", "b"], False),
        ({'v:"c"': {}, 'v:"b"': {}}, ["a", "b"], False),
    ],
)
def test_members_of_lists_must_all_be_owned(
    owned: dict[str, Any], items: list[Any], *, same: bool
) -> None:
    assert is_applied(*owned_list(owned, items), ME) is same


def test_a_list_that_others_have_added_to_is_applied_again() -> None:
    obj, live = owned_list({'v:"a"': {}}, ["a"])
    live["spec"]["list"].append("theirs")
    assert not is_applied(obj, live, ME)


def test_ownership_by_update_or_of_a_subresource_does_not_count() -> None:
    obj = wanted({"a": 1}, {})
    for change in ({"operation": "Update"}, {"subresource": "status"}):
        live = stored(obj)
        live["metadata"]["managedFields"][0] |= change
        assert not is_applied(obj, live, ME)


def test_an_object_without_owners_is_not_applied() -> None:
    obj = wanted({"a": 1}, {})
    assert not is_applied(obj, obj, ME)


@pytest.mark.parametrize("kind", ["Node", "Link", "NodeProfile"])
def test_the_defaults_inside_lists_are_those_of_the_schemas(kind: str) -> None:
    schema = crd(kind)["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"]
    found = dict(defaults_in_lists(schema, inside=False))
    assert found == (LIST_DEFAULTS if kind == "Node" else {})


def defaults_in_lists(schema: Any, *, inside: bool) -> Iterator[tuple[str, Any]]:
    for name, below in schema.get("properties", {}).items():
        if inside and "default" in below:
            yield name, below["default"]
        yield from defaults_in_lists(below, inside=inside)
    for part in ("items", "additionalProperties"):
        if isinstance(schema.get(part), dict):
            yield from defaults_in_lists(schema[part], inside=inside or part == "items")
