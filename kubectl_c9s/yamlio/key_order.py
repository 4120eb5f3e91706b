"""The order of keys in everything we write (conventions.md §8), one for YAML and JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

_OBJECT: Final = ("apiVersion", "kind", "metadata", "type", "data", "binaryData", "spec")
_METADATA: Final = ("name", "namespace", "labels", "annotations")


def object_keys(keys: Iterable[Any]) -> list[str]:
    """Order the top level of an object: what it is, who it is, what it holds, then the rest."""
    return _first(_OBJECT, keys)


def metadata_keys(keys: Iterable[Any]) -> list[str]:
    """Order ``metadata``: name, namespace, labels, annotations, then the rest."""
    return _first(_METADATA, keys)


def plain_keys(keys: Iterable[Any]) -> list[str]:
    """Order any other mapping: by code point. A key that is no string is a TypeError."""
    found = list(keys)
    for key in found:
        if not isinstance(key, str):
            raise TypeError(f"a key has to be text, not {key!r}")
    return sorted(found)


def _first(leading: tuple[str, ...], keys: Iterable[Any]) -> list[str]:
    found = plain_keys(keys)
    ahead = [key for key in leading if key in found]
    return ahead + [key for key in found if key not in leading]
