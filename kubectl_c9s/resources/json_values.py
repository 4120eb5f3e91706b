"""What JSON can say: checks and clean-up of plain values before a schema looks at them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubectl_c9s.resources.schema_source import Schema
    from kubectl_c9s.resources.schema_words import Path

MAX_DEPTH: Final = 128
"""Deepest nesting that is looked at; a value that contains itself ends here, too."""

_FLOAT_LIMIT: Final = 1 << 1024


def json_problems(value: object, path: Path = ()) -> Iterator[tuple[Path, str]]:
    """Give place and reason for each part of a value that JSON cannot carry to the API server."""
    match value:
        case dict() | list() | tuple() if len(path) >= MAX_DEPTH:
            yield path, "is nested too deeply"
        case dict():
            for key, item in value.items():
                if not isinstance(key, str):
                    yield path, "has a key that is not a string"
                elif not _is_text(key):
                    yield path, "has a key that is not valid Unicode"
                else:
                    yield from json_problems(item, (*path, key))
        case list() | tuple():
            for index, item in enumerate(value):
                yield from json_problems(item, (*path, index))
        case _:
            reason = _scalar_problem(value)
            if reason:
                yield path, reason


def _scalar_problem(value: object) -> str:
    match value:
        case None | bool():
            return ""
        case str():
            return "" if _is_text(value) else "is not valid Unicode"
        case int():
            return "" if abs(value) < _FLOAT_LIMIT else "is a number too large for JSON"
        case float():
            return "" if math.isfinite(value) else "is not a finite number"
        case _:
            return "is not a value of JSON"


def _is_text(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def without_nulls(value: Any, schema: Schema) -> Any:
    """Leave out fields that are null, as the API server does before it validates.

    ``schema`` is a JSON Schema. Only fields it knows are left out; items of lists stay, and so does
    everything inside free-form values. The value itself is not changed.
    """
    if isinstance(value, list | tuple) and "items" in schema:
        return [without_nulls(item, schema["items"]) for item in value]
    if not isinstance(value, dict):
        return value
    fields = {}
    for key, item in value.items():
        part = schema.get("properties", {}).get(key) or schema.get("additionalProperties")
        if not part:
            fields[key] = item
        elif item is not None:
            fields[key] = without_nulls(item, part)
    return fields
