"""Reads the schemas of our kinds from ``schemas/*.json`` and expands their short form.

Short form, wherever a schema stands:

- a string is the name of a fragment, of the kind's own file or of ``common.json``
- ``{"use": NAME, …}`` is a fragment with more keys laid over it
- ``{"fields": {NAME: schema}}`` is an object; ``NAME!`` marks a required field
- ``{"list": schema, "unique": HOW}`` is an array; HOW is ``atomic``, ``set`` or a list of map keys
- ``{"map": schema}`` is an object with free keys
- ``says`` is our wording when a value breaks the pattern; it never reaches a CRD

All else is the vocabulary of OpenAPI v3 schemas as CustomResourceDefinitions have it.
"""

from __future__ import annotations

import functools
import json
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from kubectl_c9s.resources.objects import API_VERSION, TOOLKIT_API_VERSION

if TYPE_CHECKING:
    from collections.abc import Mapping

Schema: TypeAlias = dict[str, Any]
"""An expanded schema, in the vocabulary of CRDs plus ``says``."""

KINDS: Final = ("Config", "Topology", "Node", "Link", "NodeProfile")
"""The kinds of clabernetes, by name."""

TOOLKIT_KINDS: Final = ("RolloutPolicy",)
"""The toolkit's own kinds, by name: no release of clabernetes has them."""

_VERSIONS: Final = dict.fromkeys(KINDS, API_VERSION) | dict.fromkeys(
    TOOLKIT_KINDS, TOOLKIT_API_VERSION
)

GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    API_VERSION.partition("/")[0]: KINDS,
    TOOLKIT_API_VERSION.partition("/")[0]: TOOLKIT_KINDS,
}
"""The API groups we know, each with its kinds."""


def api_version(kind: str) -> str:
    """Give the ``apiVersion`` of a kind; :class:`KeyError` for a kind that we do not know."""
    return _VERSIONS[kind]


@functools.cache
def definition(kind: str) -> Schema:
    """Give a kind's file, expanded: ``names``, ``spec``, ``status``, ``columns``, ``rules``.

    ``metadata`` is added: what the API server holds the metadata of all objects to. The answer is
    shared: read it, never change it. :class:`KeyError` for a kind that is not ours.
    """
    if kind not in _VERSIONS:
        raise KeyError(kind)
    own, common = _load(kind.lower()), _load("common")
    fragments = common | own.pop("fragments", {})
    for part in ("spec", "status"):
        own[part] = _expand(own[part], fragments)
    return own | {"metadata": _expand("objectMeta", fragments)}


def _load(name: str) -> Schema:
    from pkgutil import get_data  # noqa: PLC0415 - only validation needs it, start-up does not

    data = get_data("kubectl_c9s.resources", f"schemas/{name}.json")
    schema: Schema = json.loads(data or b"{}")
    return schema


def _expand(part: Schema | str, fragments: Schema) -> Schema:
    if isinstance(part, str):
        return _expand(fragments[part], fragments)
    out: Schema = {}
    for key, value in part.items():
        out |= _expand_key(key, value, fragments)
    return out


def _expand_key(key: str, value: Any, fragments: Schema) -> Schema:
    match key:
        case "use":
            out = _expand(value, fragments)
        case "fields":
            out = _object(value, fragments)
        case "list":
            out = {"type": "array", "items": _expand(value, fragments)}
        case "map":
            out = {"type": "object", "additionalProperties": _expand(value, fragments)}
        case "unique":
            out = _uniqueness(value)
        case "anyOf" | "allOf":
            out = {key: [_expand(item, fragments) for item in value]}
        case _:
            out = {key: value}
    return out


def _object(fields: Schema, fragments: Schema) -> Schema:
    out: Schema = {"type": "object"}
    if fields:
        out["properties"] = {
            name.removesuffix("!"): _expand(field, fragments) for name, field in fields.items()
        }
    required = [name.removesuffix("!") for name in fields if name.endswith("!")]
    return out | {"required": required} if required else out


def _uniqueness(how: str | list[str]) -> Schema:
    if isinstance(how, str):
        return {"x-kubernetes-list-type": how}
    return {"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": how}
