"""Changes that must take a document out of its schema: a field less, a field more, a value of another type."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any, NamedTuple

import jsonschema_rs

if TYPE_CHECKING:
    from collections.abc import Iterator

MORE = "zzUnknown"
_ITEMS = 5  # of a list that are changed; the others are alike
_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "boolean": (bool,),
    "null": (type(None),),
    "integer": (int,),
    "number": (int, float),
}


class Change(NamedTuple):
    """What is done where; ``way`` leads to the value, ``key`` is the field, ``value`` what it becomes."""

    what: str
    way: tuple[str | int, ...]
    key: str = ""
    value: Any = None

    def on(self, document: Any) -> Any:
        """Give the document changed."""
        whole = [copy.deepcopy(document)]
        holder: Any = whole
        last: str | int = 0
        for step in self.way:
            holder, last = holder[last], step
        if self.what == "type":
            holder[last] = self.value
        elif self.what == "less":
            del holder[last][self.key]
        else:
            holder[last][self.key] = self.value
        return whole[0]


def rules(root: dict[str, Any], schema: Any, value: Any) -> Iterator[dict[str, Any]]:
    """Give the schemas that speak about a value, of alternatives those that it keeps."""
    if not isinstance(schema, dict):
        return
    yield schema
    if "$ref" in schema:
        yield from rules(root, root["$defs"][schema["$ref"].removeprefix("#/$defs/")], value)
    for one in (*schema.get("oneOf", ()), *schema.get("anyOf", ()), *schema.get("allOf", ())):
        alone = one if one is True else {"$defs": root.get("$defs", {}), **one}
        if jsonschema_rs.is_valid(alone, value):
            yield from rules(root, one, value)


def changes(root: dict[str, Any], document: Any) -> Iterator[Change]:
    """Give every change that the schema ``root`` forbids for a document that keeps it."""
    yield from _changes(root, [root], document, ())


def _changes(
    root: dict[str, Any], schemas: list[Any], value: Any, way: tuple[str | int, ...]
) -> Iterator[Change]:
    found = [one for schema in schemas for one in rules(root, schema, value)]
    yield from (Change("type", way, value=other) for other in _others(root, schemas))
    if isinstance(value, dict):
        for key in {key for one in found for key in one.get("required", ())}:
            yield Change("less", way, key)
        if any(
            one.get("additionalProperties", one.get("unevaluatedProperties")) is False
            for one in found
        ):
            yield Change("more", way, MORE, 1)
        for key, inner in value.items():
            yield from _changes(root, _below(found, key), inner, (*way, key))
    if isinstance(value, list):
        for place, inner in enumerate(value[:_ITEMS]):
            below = [one["items"] for one in found if "items" in one]
            yield from _changes(root, below, inner, (*way, place))


def _below(found: list[dict[str, Any]], key: str) -> list[Any]:
    """Give the schemas of a field: by its name, and where nobody names it those of all others."""
    named = [one["properties"][key] for one in found if key in one.get("properties", {})]
    return named or [one["additionalProperties"] for one in found if "additionalProperties" in one]


def _others(root: dict[str, Any], schemas: list[Any]) -> Iterator[Any]:
    """Give values of types that none of the schemas allows; none where nothing is said about the type."""
    allowed = {name for schema in schemas for name in _types(root, schema)}
    if not allowed:
        return
    if allowed & {"number", "integer"}:
        allowed |= {"number", "integer"}
    samples = {
        "object": {MORE: 1},
        "array": [MORE],
        "string": MORE,
        "boolean": True,
        "null": None,
        "number": -0.5,
    }
    yield from (value for name, value in samples.items() if name not in allowed)


def _types(root: dict[str, Any], schema: Any) -> Iterator[str]:
    """Give the types that a schema and its alternatives name."""
    if not isinstance(schema, dict):
        return
    said = schema.get("type", [])
    yield from [said] if isinstance(said, str) else said
    for exact in (*schema.get("enum", ()), *([schema["const"]] if "const" in schema else ())):
        yield from (name for name, kind in _TYPES.items() if isinstance(exact, kind))
    if "$ref" in schema:
        yield from _types(root, root["$defs"][schema["$ref"].removeprefix("#/$defs/")])
    for one in (*schema.get("oneOf", ()), *schema.get("anyOf", ()), *schema.get("allOf", ())):
        yield from _types(root, one)
