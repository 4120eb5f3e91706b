"""Size budgets of objects: the API server's, and that of client-side apply (staging.md D).

Client-side apply keeps a copy of the whole object in an annotation, and all annotations of an object
together may have 262,144 bytes.
"""

from __future__ import annotations

import base64
import binascii
import json
from typing import TYPE_CHECKING, Any, Final

from kubectl_c9s.resources.metadata_rules import MAX_ANNOTATIONS
from kubectl_c9s.validation.things import mapping

if TYPE_CHECKING:
    from kubectl_c9s.resources.objects import KubeObject
    from kubectl_c9s.validation.things import Thing

MAX_CONFIG_MAP: Final = 1 << 20
"""Most bytes that keys and decoded values of a ConfigMap may have together."""

_COPY: Final = "kubectl.kubernetes.io/last-applied-configuration"
_WORST: Final = (
    6  # bytes that a character may have in Go's JSON, for one in Python's text of a value
)
_ESCAPED: Final = (("<", 5), (">", 5), ("&", 5), ("\u2028", 3), ("\u2029", 3))


def check_size(thing: Thing, limit: int) -> None:
    """Report an object over the budget of ``limit`` bytes, and one only server-side apply can take."""
    if len(repr(thing.obj)) * _WORST <= MAX_ANNOTATIONS:
        return
    size = json_bytes(thing.obj)
    if thing.is_config_map:
        held = _held(thing.obj)
        if held > MAX_CONFIG_MAP:
            message = f"the ConfigMap holds {held} bytes, at most {MAX_CONFIG_MAP} are allowed"
            thing.error("object-too-large", (), message)
            return
    elif size > limit:
        _too_large(thing, size, limit)
        return
    copied = size + len(_COPY) + _annotations(thing.obj)
    if copied > MAX_ANNOTATIONS:
        message = (
            f"{thing.kind} of {size} bytes: client-side apply would keep a copy in an annotation, which may have "
            f"{MAX_ANNOTATIONS}; use server-side apply"
        )
        thing.warning("large-config-map" if thing.is_config_map else "large-object", (), message)


def _too_large(thing: Thing, size: int, limit: int) -> None:
    if thing.kind == "Topology":
        message = f"the Topology has {size} bytes, more than {limit}: a cluster may not take it, its split objects fit"
        thing.warning("large-object", (), message)
    else:
        message = f"the {thing.kind} has {size} bytes, the budget is {limit}; move texts and files into ConfigMaps"
        thing.error("object-too-large", (), message)


def json_bytes(value: object) -> int:
    """Give the length of a value as the compact JSON that Go writes."""
    written = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    more = sum(written.count(character) * extra for character, extra in _ESCAPED)
    return len(written.encode("utf-8", "surrogatepass")) + more


def _annotations(obj: KubeObject) -> int:
    """Count the bytes of all annotations but the copy itself."""
    own = mapping(mapping(obj.get("metadata")).get("annotations"))
    return sum(_length(key) + _length(value) for key, value in own.items() if key != _COPY)


def _held(obj: KubeObject) -> int:
    plain, binary = mapping(obj.get("data")), mapping(obj.get("binaryData"))
    keys = sum(map(_length, (*plain, *binary)))
    return keys + sum(map(_length, plain.values())) + sum(map(_decoded, binary.values()))


def _length(value: Any) -> int:
    return len(value.encode("utf-8", "surrogatepass")) if isinstance(value, str) else 0


def _decoded(value: Any) -> int:
    try:
        return len(base64.b64decode(value, validate=True))
    except (binascii.Error, TypeError, ValueError):
        return _length(value)
