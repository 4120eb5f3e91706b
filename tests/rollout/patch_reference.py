"""What an API server makes of a patch: JSON merge patch (RFC 7386) and JSON patch (RFC 6902), as far as ours need.

Two things are the API server's own (config-and-chart.md §3): a resourceVersion in a merge patch is a precondition, and
a test of an absent path against null passes.
"""

from __future__ import annotations

import copy
from typing import Any


class Refused(Exception):
    """The patch does not fit the object as it is now: 409 for a merge patch, 422 for a JSON patch."""


def merged(obj: dict[str, Any], patch: dict[str, Any]) -> dict[str, Any]:
    """Apply a merge patch to an object."""
    wanted = (patch.get("metadata") or {}).get("resourceVersion")
    if wanted not in {None, obj["metadata"]["resourceVersion"]}:
        raise Refused(f"resourceVersion {wanted}")
    found = _merge(obj, patch)
    assert isinstance(found, dict), "an object stays one"
    return found


def _merge(target: Any, patch: Any) -> Any:
    if not isinstance(patch, dict):
        return copy.deepcopy(patch)
    found = dict(target) if isinstance(target, dict) else {}
    for key, value in patch.items():
        if value is None:
            found.pop(key, None)
        else:
            found[key] = _merge(found.get(key), value)
    return found


def patched(obj: dict[str, Any], operations: list[dict[str, Any]]) -> dict[str, Any]:
    """Apply a JSON patch to an object, all of it or nothing."""
    found = copy.deepcopy(obj)
    for one in operations:
        _operate(found, one)
    return found


def _operate(obj: dict[str, Any], one: dict[str, Any]) -> None:
    *parents, key = one["path"].removeprefix("/").split("/")
    place: Any = obj
    for parent in parents:
        place = place.get(parent) if isinstance(place, dict) else None
    if one["op"] == "test":
        if (place or {}).get(key) != one["value"]:
            raise Refused(one["path"])
        return
    if not isinstance(place, dict) or (one["op"] != "add" and key not in place):
        raise Refused(f"{one['op']} {one['path']}")
    if one["op"] == "remove":
        del place[key]
    else:
        assert one["op"] in {"add", "replace"}, one["op"]
        place[key] = copy.deepcopy(one["value"])
