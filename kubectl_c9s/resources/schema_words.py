"""Turns what the schema engine reports into findings in our own words."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias, TypeGuard, cast

from kubectl_c9s.resources import duration
from kubectl_c9s.resources.schema_strict import (
    AMOUNT,
    DURATION,
    DURATION_ORDER,
    MAP_KEYS,
    NUMBER_GUARD,
    ORDER,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from jsonschema_rs import ValidationError

    from kubectl_c9s.resources.schema_source import Schema

Path: TypeAlias = tuple[str | int, ...]
"""A place in an object: field names and list indices from 0."""


class Violation(NamedTuple):
    """One way in which an object breaks its kind's schema, and where."""

    path: Path
    message: str

    @property
    def place(self) -> str:
        """The path as text: ``spec.ports[0]``; empty for the object itself."""
        steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in self.path)
        return "".join(steps).removeprefix(".")


_TYPES: Final = {
    "array": "a list",
    "boolean": "true or false",
    "integer": "an integer",
    "number": "a number",
    "object": "a mapping",
    "string": "a string",
}
_WORDS: Final = {
    "type": "must be {}",
    "enum": "must be one of {}",
    "const": "must be {}",
    "pattern": "must match {}",
    "maxItems": "must have at most {} items",
    "minItems": "must have at least {} items",
    "minLength": "must have at least {} characters",
    "maxLength": "must have at most {} characters",
    "minimum": "must be at least {}",
    "maximum": "must be at most {}",
    "format": "must be a time such as 2026-01-31T12:00:00Z",
}
# Keywords whose wording a schema may bring along.
_SPOKEN_FOR: Final = ("anyOf", "const", "pattern", AMOUNT, DURATION)


def violations_of(error: ValidationError, schema: Schema) -> Iterator[Violation]:
    """Put one error of the engine into words; ``schema`` is the one it was found with."""
    keyword = str(error.schema_path[-1])
    path = tuple(error.instance_path)
    node = _at(schema, error.schema_path[:-1])
    match keyword:
        case "required":
            yield Violation((*path, error.kind.value), "is required")
        case "additionalProperties":
            yield from (Violation((*path, name), "unknown field") for name in error.kind.value)
        case "uniqueItems":
            yield from _repeated(error, (), "repeats an earlier item")
        case _ if keyword == MAP_KEYS:
            yield from _repeated(
                error, node[MAP_KEYS], f"repeats the {node[MAP_KEYS][0]} of an earlier item"
            )
        case _ if keyword in {ORDER, DURATION_ORDER}:
            yield Violation((*path, node["at"]), node["says"])
        case _ if node is not NUMBER_GUARD:
            yield Violation(path, _message(keyword, node))


def _at(schema: Any, steps: Iterable[str | int]) -> Schema:
    for step in steps:
        schema = schema[step]
    found: Schema = schema
    return found


def _message(keyword: str, node: Schema) -> str:
    if keyword in _SPOKEN_FOR and "says" in node:
        return str(node["says"])
    value = node[keyword]
    if keyword in {"minItems", "minLength"} and value == 1:
        return "must not be empty"
    shown = ", ".join(value) if keyword == "enum" else _TYPES[value] if keyword == "type" else value
    return _WORDS[keyword].format(shown)


def _repeated(error: ValidationError, keys: Sequence[str], message: str) -> Iterator[Violation]:
    for index in repeats(error.instance, keys):
        yield Violation((*error.instance_path, index), message)


def repeats(items: object, keys: Sequence[str]) -> list[int]:
    """Give the indices of items that agree with an earlier one in all ``keys``, or as a whole.

    Items that lack a key are passed over: that is an error of its own.
    """
    seen: set[str] = set()
    found = []
    for index, item in enumerate(items if isinstance(items, list) else []):
        if keys and not (isinstance(item, dict) and all(key in item for key in keys)):
            continue
        identity = json.dumps([item[key] for key in keys] if keys else item, sort_keys=True)
        if identity in seen:
            found.append(index)
        seen.add(identity)
    return found


def is_disordered(part: object, fields: Sequence[str]) -> bool:
    """Tell whether of two fields that are there the first is a greater number than the second.

    A value that breaks the bounds of the fields is not compared, as on the server: that is an error of its own.
    """
    if not isinstance(part, dict):
        return False
    low, high = (part.get(field) for field in fields)
    return _is_natural32(low) and _is_natural32(high) and low > high


def is_no_span(value: object) -> bool:
    """Tell whether a text has the form of a duration and is none above 0, or none that Go can hold.

    Another form breaks the pattern: that is an error of its own.
    """
    if not isinstance(value, str):
        return False
    try:
        return duration.parse(value) <= 0
    except duration.DurationTooLong:
        return True
    except duration.DurationError:
        return False


def is_longer(part: object, fields: Sequence[tuple[str, str]]) -> bool:
    """Tell whether the first of two durations is longer than the second; absent ones have their defaults.

    One that breaks its own rules is not compared, as on the server.
    """
    if not isinstance(part, dict):
        return False
    first, second = (part.get(field, default) for field, default in fields)
    if not (isinstance(first, str) and isinstance(second, str)):
        return False
    try:
        return duration.parse(first) > duration.parse(second)
    except duration.DurationError:
        return False


def _is_natural32(value: object) -> TypeGuard[float]:
    """JSON has one kind of numbers: 5.0 is an integer, too."""
    whole = value.is_integer() if isinstance(value, float) else isinstance(value, int)
    return whole and not isinstance(value, bool) and 0 <= cast("float", value) < 1 << 31
