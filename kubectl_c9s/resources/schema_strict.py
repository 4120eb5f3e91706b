"""Makes JSON Schemas for validation out of CRD schemas.

Under strict field validation unknown fields are errors at every level; integers have 64 bits unless
their format says 32; CEL rules and list types hold. Each is put into words of JSON Schema here, but
for lists keyed by a field, rules that compare two fields, and durations, which get keywords of their own
(:data:`MAP_KEYS`, :data:`ORDER`, :data:`DURATION`, :data:`DURATION_ORDER`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kubectl_c9s.resources.schema_source import api_version

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kubectl_c9s.resources.schema_source import Schema

MAP_KEYS: Final = "x-kubernetes-list-map-keys"
"""Keyword of a list in which no two items may agree in all of these fields."""

FREE_FORM: Final = "x-kubernetes-preserve-unknown-fields"
"""Keyword of a value that may be anything JSON can say."""

AMOUNT: Final = "x-kubernetes-int-or-string"
"""Keyword of a quantity: of our kinds' fields only quantities are integers or strings."""

ORDER: Final = "x-c9s-order"
"""Keyword of an object in which the first of two fields may not be a greater number than the second."""

DURATION: Final = "x-c9s-duration"
"""Keyword of a duration that has to be above 0."""

DURATION_ORDER: Final = "x-c9s-duration-order"
"""Keyword of an object in which the first of two durations may not be longer than the second.

Each is a field and what the server puts in place of an absent one.
"""

RULES: Final[dict[str, Schema]] = {
    "(self.metadata.name == 'clabernetes')": {
        "properties": {"metadata": {"properties": {"name": {"const": "clabernetes"}}}}
    },
    "self.matches('^container:[a-z0-9]([-a-z0-9]*[a-z0-9])?$')": {
        "pattern": "^container:[a-z0-9]([-a-z0-9]*[a-z0-9])?$"
    },
    "!has(self.min) || !has(self.max) || self.min <= self.max": {ORDER: ["min", "max"]},
    "!has(self.min) || !has(self.default) || self.min <= self.default": {ORDER: ["min", "default"]},
    "!has(self.default) || !has(self.max) || self.default <= self.max": {ORDER: ["default", "max"]},
    "duration(self) > duration('0s')": {DURATION: True},
    "duration(self.slowAfter) <= duration(self.stalledAfter)": {
        DURATION_ORDER: [["slowAfter", "60s"], ["stalledAfter", "300s"]]
    },
}
"""The CEL rules of the schemas, each with a JSON Schema of the same meaning."""

NUMBER_GUARD: Final[Schema] = {"type": "number"}
"""Laid over integers: one of 4,300 digits passes the engine's bounds, but not as a number."""

_COPIED: Final = (
    *("type", "enum", "required", "minimum", "maximum", "minLength", "maxLength", "pattern"),
    *("minItems", "maxItems", "anyOf", "allOf", MAP_KEYS, FREE_FORM, AMOUNT, "says"),
)


def strict_root(kind: str, parts: Schema) -> Schema:
    """Give the JSON Schema of whole objects of a kind from its expanded definition."""
    properties: Schema = {"apiVersion": {"const": api_version(kind)}, "kind": {"const": kind}}
    for name in ("metadata", "spec", "status"):
        properties[name] = strict(parts[name])
    root: Schema = {
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
        "required": ["apiVersion", "kind", "metadata"],
    }
    return root | _rules(parts.get("rules", ()))


def strict(schema: Schema) -> Schema:
    """Give the JSON Schema of one value from its CRD schema."""
    out: Schema = {key: schema[key] for key in _COPIED if key in schema}
    if "enum" in schema:
        del out["type"]  # one finding for a number where a word is expected, not two
    if schema.get("type") == "integer":
        out |= _integer(schema)
    if schema.get("type") == "string":
        out.setdefault("pattern", "")  # fits all; without one the engine takes half a pair
    if schema.get("format") == "date-time":
        out["format"] = "date-time"
    if schema.get("x-kubernetes-list-type") == "set":
        out["uniqueItems"] = True
    if "items" in schema:
        out["items"] = strict(schema["items"])
    if schema.get("type") == "object":
        out |= _object(schema)
    return out | _rules(schema.get("x-kubernetes-validations", ()))


def _object(schema: Schema) -> Schema:
    free = schema.get("additionalProperties")
    return {
        "properties": {name: strict(field) for name, field in schema.get("properties", {}).items()},
        "additionalProperties": strict(free) if free is not None else False,
    }


def _integer(schema: Schema) -> Schema:
    half = 1 << (31 if schema.get("format") == "int32" else 63)
    return {
        "minimum": max(schema.get("minimum", -half), -half),
        "maximum": min(schema.get("maximum", half - 1), half - 1),
        "allOf": [NUMBER_GUARD],
    }


def _rules(rules: Iterable[Schema]) -> Schema:
    said = [
        RULES[rule["rule"]]
        | {"says": rule["message"], "at": rule.get("fieldPath", "").removeprefix(".")}
        for rule in rules
    ]
    return {"allOf": said} if said else {}
