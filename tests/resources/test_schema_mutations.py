"""Every change that makes an object illegal is found, at its place: all places of many objects are tried."""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from kube_samples import expected_objects, samples

from kubectl_c9s.resources import schema

if TYPE_CHECKING:
    from collections.abc import Iterator

Path = tuple[str | int, ...]


class Place(NamedTuple):
    path: Path
    value: Any
    schema: dict[str, Any]


def places(value: Any, part: dict[str, Any], path: Path) -> Iterator[Place]:
    """Give all places of an object that the schema gives a type, with their schemas."""
    yield Place(path, value, part)
    if isinstance(value, dict):
        for key, item in value.items():
            inner = part.get("properties", {}).get(key) or part.get("additionalProperties")
            if inner and "x-kubernetes-preserve-unknown-fields" not in inner:
                yield from places(item, inner, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from places(item, part["items"], (*path, index))


def spec_places(kind: str, obj: dict[str, Any]) -> Iterator[Place]:
    return places(obj["spec"], schema.spec_schema(kind), ("spec",))


def changed(obj: dict[str, Any], path: Path, value: Any) -> dict[str, Any]:
    out = copy.deepcopy(obj)
    part: Any = out
    for step in path[:-1]:
        part = part[step]
    part[path[-1]] = value
    return out


def without(obj: dict[str, Any], path: Path) -> dict[str, Any]:
    out = copy.deepcopy(obj)
    part: Any = out
    for step in path[:-1]:
        part = part[step]
    del part[path[-1]]
    return out


def shape(value: Any) -> Any:
    """Reduce an object to its fields: objects of one shape are tried once."""
    if isinstance(value, dict):
        return {key: shape(item) for key, item in value.items()}
    return [shape(item) for item in value] if isinstance(value, list) else type(value).__name__


def objects() -> dict[str, tuple[str, dict[str, Any]]]:
    found = {f"sample {kind}": (kind, obj) for kind, obj in samples().items()}
    by_shape = {
        json.dumps([kind, shape(obj["spec"])]): (kind, obj) for kind, obj in expected_objects()
    }
    return found | {
        f"case {kind} {obj['metadata']['name']}": (kind, obj) for kind, obj in by_shape.values()
    }


OBJECTS = objects()


@pytest.fixture(params=OBJECTS, ids=list(OBJECTS))
def kind_and_object(request: pytest.FixtureRequest) -> tuple[str, dict[str, Any]]:
    return OBJECTS[request.param]


def found_at(kind: str, obj: dict[str, Any], path: Path) -> bool:
    """Tell whether both answers refuse the object, the full one at this place only."""
    return not schema.is_valid(kind, obj) and {v.path for v in schema.violations(kind, obj)} == {
        path
    }


def test_an_unknown_field_is_found_at_every_level(
    kind_and_object: tuple[str, dict[str, Any]],
) -> None:
    kind, obj = kind_and_object
    for place in spec_places(kind, obj):
        if isinstance(place.value, dict) and "additionalProperties" not in place.schema:
            path = (*place.path, "no-such-field")
            assert found_at(kind, changed(obj, path, "x"), path)


def test_a_value_of_a_wrong_type_is_found_everywhere(
    kind_and_object: tuple[str, dict[str, Any]],
) -> None:
    kind, obj = kind_and_object
    for place in spec_places(kind, obj):
        wrong: Any = [] if isinstance(place.value, dict) else {}
        assert found_at(kind, changed(obj, place.path, wrong), place.path)


def test_a_missing_field_is_found_where_it_is_required(
    kind_and_object: tuple[str, dict[str, Any]],
) -> None:
    kind, obj = kind_and_object
    for place in spec_places(kind, obj):
        for name in place.schema.get("required", ()):
            path = (*place.path, name)
            assert found_at(kind, without(obj, path), path)
            assert found_at(kind, changed(obj, path, None), path)


def test_a_word_outside_an_enum_or_a_pattern_is_found(
    kind_and_object: tuple[str, dict[str, Any]],
) -> None:
    kind, obj = kind_and_object
    for place in spec_places(kind, obj):
        if place.schema.keys() & {"enum", "pattern", "allOf", "x-kubernetes-validations"}:
            assert found_at(kind, changed(obj, place.path, "no such word\n"), place.path)


def test_a_number_out_of_bounds_is_found(kind_and_object: tuple[str, dict[str, Any]]) -> None:
    kind, obj = kind_and_object
    for place in spec_places(kind, obj):
        if place.schema.get("type") in {"integer", "number"}:
            below = place.schema.get("minimum", -(2**64)) - 1
            assert found_at(kind, changed(obj, place.path, below), place.path)
