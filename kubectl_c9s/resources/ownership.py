"""Field ownership (``metadata.managedFields``): whether a live object already says what would be applied.

Server-side apply of an unchanged object would still be a request. ``is_applied`` answers from what was read: every
value is there, and the manager owns these fields and no others, so that applying again would change nothing. Where
it cannot be sure it says no: a request too many changes nothing, one too few would lose a change.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from kubectl_c9s.resources.objects import KubeObject

_APPLY: Final = "Apply"
_IDENTITY: Final = frozenset({"apiVersion", "kind"})
_METADATA_IDENTITY: Final = frozenset({"name", "namespace"})
_FIELD, _MEMBERS = "f:", ("k:", "v:")
LIST_DEFAULTS: Final = {"mode": "read"}
"""What the schemas of our kinds fill in inside lists that are owned as a whole; a test compares with the schemas."""


def is_applied(desired: KubeObject, live: KubeObject, manager: str) -> bool:
    """Tell whether applying ``desired`` as ``manager`` would change nothing about ``live``."""
    owned = owned_fields(live, manager)
    if owned is None:
        return False
    wanted = {key: value for key, value in desired.items() if key not in _IDENTITY}
    wanted["metadata"] = {
        key: value
        for key, value in desired["metadata"].items()
        if key not in _METADATA_IDENTITY and value is not None
    }
    if not wanted["metadata"]:
        del wanted["metadata"]
    return _agrees(wanted, live, owned)


def owned_fields(live: KubeObject, manager: str) -> dict[str, Any] | None:
    """Give the ``fieldsV1`` that a manager owns by apply; None if it never applied the object."""
    for entry in live.get("metadata", {}).get("managedFields") or ():
        if (entry.get("manager"), entry.get("operation"), entry.get("subresource", "")) == (
            manager,
            _APPLY,
            "",
        ):
            fields: dict[str, Any] = entry.get("fieldsV1") or {}
            return fields
    return None


def _agrees(wanted: Any, live: Any, owned: dict[str, Any]) -> bool:
    """Tell whether a value is there, and the owned set names exactly the fields it has.

    ``f:x`` is a key, ``k:{…}`` and ``v:…`` are members of lists, ``.`` is the field itself. A field without members
    is owned as a whole, whatever it holds.
    """
    fields = {key[2:]: below for key, below in owned.items() if key.startswith(_FIELD)}
    if fields:
        return (
            isinstance(wanted, dict)
            and isinstance(live, dict)
            and fields.keys() == wanted.keys()
            and all(key in live and _agrees(wanted[key], live[key], fields[key]) for key in fields)
        )
    members = {key: below for key, below in owned.items() if key.startswith(_MEMBERS)}
    if members:
        return _same(wanted, live) and _are_members(wanted, members)
    # An empty map is no more than a map: what others have put into it is theirs.
    return isinstance(live, dict) if wanted == {} else _same(wanted, live)


def _are_members(wanted: Any, members: dict[str, Any]) -> bool:
    """Tell whether the members of a list that are owned are all it has, each with all its fields."""
    if not isinstance(wanted, list) or len(wanted) != len(members):
        return False
    for key, below in members.items():
        mark = json.loads(key[2:])
        if key.startswith("v:"):
            if mark not in wanted:
                return False
            continue
        fields = {name[2:] for name in below if name.startswith(_FIELD)}
        found = [one for one in wanted if isinstance(one, dict) and mark.items() <= one.items()]
        if len(found) != 1 or found[0].keys() != fields:
            return False
    return True


def _same(wanted: Any, live: Any) -> bool:
    """Compare whole values, apart from defaults inside lists; ``true`` is not 1."""
    if isinstance(wanted, dict):
        return isinstance(live, dict) and _same_maps(wanted, live)
    if isinstance(wanted, list):
        return isinstance(live, list) and len(live) == len(wanted) and all(map(_same, wanted, live))
    return bool(live == wanted) and isinstance(live, bool) == isinstance(wanted, bool)


def _same_maps(wanted: dict[str, Any], live: dict[str, Any]) -> bool:
    added = live.keys() - wanted.keys()
    return (
        wanted.keys() <= live.keys()
        and all(key in LIST_DEFAULTS and live[key] == LIST_DEFAULTS[key] for key in added)
        and all(_same(value, live[key]) for key, value in wanted.items())
    )
