"""From YAML nodes to the values of typed fields, as Go decodes them (split.md §§2, 4).

A scalar in a text field keeps the text it was written with; a null is the empty text. Each converter gives None
for a value that counts as not stated (null, and after a type error, which it reports).
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any, Final

from kubectl_c9s.resources import duration as go_duration
from kubectl_c9s.topology.context import is_null
from kubectl_c9s.yamlio.nodes import Mapping, Scalar, Sequence
from kubectl_c9s.yamlio.scalars import NotFinite, engine_number, json_number, resolve

if TYPE_CHECKING:
    from kubectl_c9s.topology.context import Context
    from kubectl_c9s.yamlio.nodes import Node

# Words go-yaml v3 takes for a field of type bool: its own when plain, those of YAML 1.1 also in quotes.
_BOOLEAN_WORDS: Final = {
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_OLD_BOOLEAN_WORDS: Final = {
    **dict.fromkeys(("y", "Y", "yes", "Yes", "YES", "on", "On", "ON"), True),
    **dict.fromkeys(("n", "N", "no", "No", "NO", "off", "Off", "OFF"), False),
}


def text(context: Context, path: str, node: Node) -> str | None:
    """Give the text of a scalar; null gives None."""
    if node.__class__ is not Scalar:
        context.wrong_type(path, "a text", node)
        return None
    scalar: Scalar = node
    return None if scalar.plain and is_null(scalar) else scalar.text


def boolean(context: Context, path: str, node: Node) -> bool | None:
    """Give true or false; ``yes``, ``on`` and their like count for a field of this type, ``"true"`` does not."""
    if isinstance(node, Scalar):
        if is_null(node):
            return None
        if node.plain and node.text in _BOOLEAN_WORDS:
            return _BOOLEAN_WORDS[node.text]
        if node.text in _OLD_BOOLEAN_WORDS:
            return _OLD_BOOLEAN_WORDS[node.text]
    context.wrong_type(path, "true or false", node)
    return None


def integer(context: Context, path: str, node: Node) -> int | None:
    """Give a whole number; Go's prefixes count, a quoted number does not, a float is cut as Go cuts it."""
    value = _number(node)
    if value is None and is_null(node):
        return None
    if value is None:
        context.wrong_type(path, "a whole number", node)
        return None
    return int(value)


def unsigned(context: Context, path: str, node: Node) -> int | None:
    """Give a whole number of at least 0."""
    value = integer(context, path, node)
    if value is not None and value < 0:
        context.wrong_type(path, "a whole number of at least 0", node)
        return None
    return value


def floating(context: Context, path: str, node: Node) -> int | float | None:
    """Give a number."""
    value = _number(node)
    if value is None and not is_null(node):
        context.wrong_type(path, "a number", node)
        return None
    return None if value is None else json_number(float(value))


def _number(node: Node) -> int | float | None:
    if not isinstance(node, Scalar) or not node.plain:
        return None
    try:
        value = resolve(node.text, "engine")
    except NotFinite:
        return None
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def text_list(context: Context, path: str, node: Node) -> list[str] | None:
    """Give a list of texts; a null item is the empty text."""
    if is_null(node):
        return None
    if not isinstance(node, Sequence):
        context.wrong_type(path, "a list of texts", node)
        return None
    return [text(context, f"{path}[{index}]", item) or "" for index, item in enumerate(node.items)]


def unique_texts(context: Context, path: str, node: Node) -> list[str] | None:
    """Give a list of texts without later repeats."""
    found = text_list(context, path, node)
    return list(dict.fromkeys(found)) if found else found


def text_map(context: Context, path: str, node: Node) -> dict[str, str] | None:
    """Give a mapping of texts; a null value is the empty text."""
    if is_null(node):
        return None
    if not isinstance(node, Mapping):
        context.wrong_type(path, "a mapping of texts", node)
        return None
    return {
        key: text(context, f"{path}.{key}", value) or "" for key, (_, value) in node.entries.items()
    }


def anything(context: Context, path: str, node: Node) -> Any:
    """Give JSON data of any shape, as the engine's round trip leaves it."""
    if isinstance(node, Scalar):
        return _any_scalar(context, path, node)
    if isinstance(node, Sequence):
        return [
            anything(context, f"{path}[{index}]", item) for index, item in enumerate(node.items)
        ]
    return {
        key: anything(context, checked_key(context, f"{path}.{key}", key_node), value)
        for key, (key_node, value) in node.entries.items()
    }


def _any_scalar(context: Context, path: str, node: Scalar) -> Any:
    if not node.plain:
        return node.text
    try:
        value = resolve(node.text, "engine")
    except NotFinite:
        context.wrong_type(path, "a finite number", node)
        return None
    return (
        engine_number(value)
        if isinstance(value, int | float) and not isinstance(value, bool)
        else value
    )


def checked_key(context: Context, path: str, key: Scalar) -> str:
    """Report a key that the engine's JSON cannot carry, such as a number or a truth value; give its path."""
    if key.plain and _quiet(key.text) != key.text:
        context.wrong_type(path, "a key that is a text (put it in quotes)", key)
    return path


def _quiet(plain: str) -> Any:
    try:
        return resolve(plain, "engine")
    except NotFinite:
        return None


def any_map(context: Context, path: str, node: Node) -> dict[str, Any] | None:
    """Give a mapping of JSON data."""
    if is_null(node):
        return None
    if not isinstance(node, Mapping):
        context.wrong_type(path, "a mapping", node)
        return None
    return {
        key: anything(context, f"{path}.{key}", value) for key, (_, value) in node.entries.items()
    }


def structure(
    context: Context, path: str, node: Node, fields: dict[str, Any]
) -> dict[str, Any] | None:
    """Give a mapping with the given fields only; what is null, empty or 0 counts as not stated."""
    if is_null(node):
        return None
    if not isinstance(node, Mapping):
        context.wrong_type(path, "a mapping", node)
        return None
    found: dict[str, Any] = {}
    for key, (key_node, value) in node.entries.items():
        if key not in fields:
            message = f"{path.rsplit('.', 1)[-1]} has no field {key!r}"
            context.error("unsupported-field", key, message, key_node)
        elif (converted := fields[key](context, f"{path}.{key}", value)) or converted is False:
            found[key] = converted
    return found


def duration(context: Context, path: str, node: Node) -> str | None:
    """Give a duration in Go's spelling, nothing unless above 0; a number without a unit is none."""
    if is_null(node):
        return None
    value = None
    if isinstance(node, Scalar) and _number(node) is None:
        with contextlib.suppress(go_duration.DurationError):
            value = go_duration.parse(node.text)
    if value is None:
        context.wrong_type(path, "a duration such as 24h or 90m", node)
        return None
    return go_duration.text(value) if value > 0 else None


_DNS: Final = {"servers": text_list, "search": text_list, "options": text_list}
_HEALTHCHECK: Final = {
    "test": text_list, "start-period": integer, "interval": integer, "timeout": integer, "retries": integer,
}  # fmt: skip
_CERTIFICATE: Final = {
    "issue": boolean,
    "key-size": integer,
    "validity-duration": duration,
    "sans": text_list,
}
_CONFIG: Final = {"vars": any_map}


def _structured(fields: dict[str, Any]) -> Any:
    def convert(context: Context, path: str, node: Node) -> dict[str, Any] | None:
        return structure(context, path, node, fields)

    return convert


CONVERTERS: Final[dict[str, Any]] = {
    "text": text,
    "integer": integer,
    "unsigned": unsigned,
    "float": floating,
    "boolean": boolean,
    "text-list": text_list,
    "unique-texts": unique_texts,
    "text-map": text_map,
    "dns": _structured(_DNS),
    "healthcheck": _structured(_HEALTHCHECK),
    "certificate": _structured(_CERTIFICATE),
    "config": _structured(_CONFIG),
}
