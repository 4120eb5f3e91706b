"""Offline validation of whole objects of our kinds, as strict field validation does it.

What the answer covers: types, bounds, enums, patterns, required and unknown fields at every level,
list types, CEL rules, and of ``metadata`` the names, label and annotation rules. What it leaves to
the server: anything that needs the stored object or the cluster. As on the server a field that is
null counts as absent. One thing the server lets pass is refused: a quantity like ``1e1.5`` that has
the form the CRD asks for but that no client of the object can read.
"""

from __future__ import annotations

import copy
import functools
from typing import TYPE_CHECKING, Any, Final

from kubectl_c9s.resources import quantity
from kubectl_c9s.resources.json_values import json_problems, without_nulls
from kubectl_c9s.resources.metadata_rules import metadata_is_legal, metadata_violations
from kubectl_c9s.resources.schema_source import GROUPS, KINDS, TOOLKIT_KINDS, Schema, definition
from kubectl_c9s.resources.schema_strict import (
    AMOUNT,
    DURATION,
    DURATION_ORDER,
    FREE_FORM,
    MAP_KEYS,
    ORDER,
    strict_root,
)
from kubectl_c9s.resources.schema_words import (
    Path,
    Violation,
    is_disordered,
    is_longer,
    is_no_span,
    repeats,
    violations_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kubectl_c9s.resources.objects import KubeObject

__all__ = ["GROUPS", "KINDS", "TOOLKIT_KINDS", "Validator", "Violation", "is_valid", "spec_schema",
           "validator", "violations"]  # fmt: skip

_EVERY: Final = "*"  # stands for all keys or items in a path of the schema


def spec_schema(kind: str) -> Schema:
    """Give a copy of the CRD schema of ``spec``; :class:`KeyError` for a kind that is not ours."""
    return copy.deepcopy(definition(kind)["spec"])


@functools.cache
def validator(kind: str) -> Validator:
    """Give the validator of a kind, compiled once; KeyError for a kind that is not ours."""
    return Validator(kind)


def violations(kind: str, obj: object) -> list[Violation]:
    """List all ways in which an object breaks its kind's schema, by place; empty if it is valid."""
    return validator(kind).violations(obj)


def is_valid(kind: str, obj: object) -> bool:
    """Tell whether :func:`violations` is empty, much faster."""
    return validator(kind).is_valid(obj)


class Validator:
    """Validates whole objects of one kind, from ``apiVersion`` to ``status``."""

    def __init__(self, kind: str) -> None:
        from jsonschema_rs import Draft202012Validator, RegexOptions  # noqa: PLC0415 - loads only when used

        self._schema = strict_root(kind, definition(kind))
        self._engine = Draft202012Validator(
            self._schema,
            validate_formats=True,
            pattern_options=RegexOptions(),  # linear time on any text
            keywords=_KEYWORDS,
        )
        self._free_form = tuple(_free_form_paths(self._schema))

    def is_valid(self, obj: Any) -> bool:
        """Tell whether an object has no violations."""
        try:
            passed = self._engine.is_valid(obj)
        except ValueError:  # a key, text or type that JSON does not have
            return False
        if not passed:
            return not self.violations(obj)  # null fields may have been all
        return metadata_is_legal(obj["metadata"]) and self._is_json(obj)

    def violations(self, obj: object) -> list[Violation]:
        """List all violations by place, each once.

        Of an object with parts that JSON cannot carry only these parts are named.
        """
        unfit = {Violation(path, reason) for path, reason in json_problems(obj)}
        return sorted(unfit or set(self._found(obj)), key=_by_place)

    def _is_json(self, obj: KubeObject) -> bool:
        """Tell whether free-form values, which the engine passes unseen, are values of JSON."""
        for top, field, *rest in self._free_form:
            part = obj.get(top)
            if part and field in part:  # mostly not; what follows is slow
                for path, value in _parts(part[field], rest, (top, field)):
                    if any(json_problems(value, path)):
                        return False
        return True

    def _found(self, obj: object) -> Iterator[Violation]:
        present = without_nulls(obj, self._schema)
        for error in self._engine.iter_errors(present):
            yield from violations_of(error, self._schema)
        metadata = present.get("metadata") if isinstance(present, dict) else None
        if isinstance(metadata, dict):
            yield from metadata_violations(metadata)


class _Amount:
    """The engine's keyword for quantities."""

    def __init__(self, _parent: Schema, _value: object, _path: list[str | int]) -> None:
        pass

    def validate(self, instance: object) -> None:
        quantity.parse(instance)


class _MapKeys:
    """The engine's keyword for lists keyed by fields."""

    def __init__(self, _parent: Schema, keys: list[str], _path: list[str | int]) -> None:
        self._keys = keys

    def validate(self, instance: object) -> None:
        if repeats(instance, self._keys):
            raise ValueError(MAP_KEYS)


class _Order:
    """The engine's keyword for two numbers of which the first is not above the second."""

    def __init__(self, _parent: Schema, fields: list[str], _path: list[str | int]) -> None:
        self._fields = fields

    def validate(self, instance: object) -> None:
        if is_disordered(instance, self._fields):
            raise ValueError(ORDER)


class _Duration:
    """The engine's keyword for durations above 0."""

    def __init__(self, _parent: Schema, _value: object, _path: list[str | int]) -> None:
        pass

    def validate(self, instance: object) -> None:
        if is_no_span(instance):
            raise ValueError(DURATION)


class _DurationOrder:
    """The engine's keyword for two durations of which the first is not longer than the second."""

    def __init__(
        self, _parent: Schema, fields: list[tuple[str, str]], _path: list[str | int]
    ) -> None:
        self._fields = fields

    def validate(self, instance: object) -> None:
        if is_longer(instance, self._fields):
            raise ValueError(DURATION_ORDER)


_KEYWORDS: Final = {
    MAP_KEYS: _MapKeys, AMOUNT: _Amount, ORDER: _Order,
    DURATION: _Duration, DURATION_ORDER: _DurationOrder,
}  # fmt: skip


def _by_place(violation: Violation) -> tuple[list[tuple[bool, int, str]], str]:
    steps = [
        (True, step, "") if isinstance(step, int) else (False, 0, step) for step in violation.path
    ]
    return steps, violation.message


def _free_form_paths(schema: Schema, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    if schema.get(FREE_FORM):
        yield path
    for name, part in schema.get("properties", {}).items():
        yield from _free_form_paths(part, (*path, name))
    for part in (schema.get("additionalProperties"), schema.get("items")):
        if part:
            yield from _free_form_paths(part, (*path, _EVERY))


def _parts(value: Any, steps: Sequence[str], path: Path) -> Iterator[tuple[Path, object]]:
    """Give the values that ``steps`` lead to, of a value the engine has passed."""
    if not steps:
        yield path, value
    elif steps[0] == _EVERY:
        for step, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _parts(item, steps[1:], (*path, step))
    elif steps[0] in value:
        yield from _parts(value[steps[0]], steps[1:], (*path, steps[0]))
