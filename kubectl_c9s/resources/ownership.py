"""Field ownership (``metadata.managedFields``): whether a live object already says what would be applied.

Server-side apply of an unchanged object would still be a request. ``is_applied`` answers from what was read: every
value is there, and the manager owns these fields and no others, so that applying again would change nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from kubectl_c9s.resources.objects import KubeObject

_APPLY: Final = "Apply"
_IDENTITY: Final = frozenset({"apiVersion", "kind"})
_METADATA_IDENTITY: Final = frozenset({"name", "namespace"})


def is_applied(desired: KubeObject, live: KubeObject, manager: str) -> bool:
    """Tell whether applying ``desired`` as ``manager`` would change nothing about ``live``."""
    owned = owned_fields(live, manager)
    if owned is None:
        return False
    wanted = {key: value for key, value in desired.items() if key not in _IDENTITY}
    wanted["metadata"] = {
        k: v for k, v in desired["metadata"].items() if k not in _METADATA_IDENTITY
    }
    if not wanted["metadata"]:
        del wanted["metadata"]
    return _contains(live, wanted) and _same_fields(wanted, owned)


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


def _contains(live: Any, wanted: Any) -> bool:
    if isinstance(wanted, dict):
        return isinstance(live, dict) and all(
            key in live and _contains(live[key], wanted[key]) for key in wanted
        )
    if isinstance(wanted, list):
        return (
            isinstance(live, list)
            and len(live) == len(wanted)
            and all(map(_contains, live, wanted))
        )
    return bool(live == wanted) and isinstance(live, bool) == isinstance(wanted, bool)


def _same_fields(wanted: Any, owned: dict[str, Any]) -> bool:
    """Tell whether the owned field set names exactly the fields that are wanted.

    ``f:x`` is a key; ``k:{…}``, ``v:…`` and ``i:…`` are members of lists, ``.`` is the field itself. A field without
    members is owned as a whole (atomic), whatever it holds.
    """
    keys = {key[2:] for key in owned if key.startswith("f:")}
    if not keys:
        return True
    if not isinstance(wanted, dict) or keys != wanted.keys():
        return False
    return all(_same_fields(wanted[key], owned[f"f:{key}"]) for key in keys)
