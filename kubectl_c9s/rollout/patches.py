"""Patches that change ``spec.rollout`` and nothing else (config-and-chart.md §3).

Each turns the block that was read into the wanted one, and fails when somebody has changed it in between: the merge
patch by the resourceVersion it carries (409), JSON patches by testing the old values (422), server-side apply by the
ownership of fields (409).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from kubectl_c9s.rollout.limits import FIELDS

if TYPE_CHECKING:
    from kubectl_c9s.resources.objects import KubeObject
    from kubectl_c9s.rollout.limits import Block

_SPEC: Final = "/spec"
_ROLLOUT: Final = "/spec/rollout"
_UID: Final = "/metadata/uid"


def block_of(obj: KubeObject) -> Block:
    """Give the block of a Config or Topology."""
    spec = obj.get("spec") or {}
    block: Block = spec.get("rollout")
    return block


def merge_patch(obj: KubeObject, after: Block, *, drop_spec: bool = False) -> dict[str, Any]:
    """Give the JSON merge patch (RFC 7386) with the resourceVersion that was read.

    ``drop_spec`` takes a spec that holds nothing but the block away with it, to restore an object that had none.
    """
    before = block_of(obj) or {}
    body: dict[str, Any] = {"metadata": {"resourceVersion": obj["metadata"]["resourceVersion"]}}
    if after is None:
        empty = drop_spec and set(obj.get("spec") or ()) <= {"rollout"}
        return body | {"spec": None if empty else {"rollout": None}}
    removed = dict.fromkeys(field for field in before if field not in after)
    changed = {field: value for field, value in after.items() if before.get(field) != value}
    return body | {"spec": {"rollout": removed | changed}}


def json_patch(obj: KubeObject, after: Block) -> list[dict[str, Any]]:
    """Give the JSON patch (RFC 6902): tests of what was read, then the change; fields that stay are not named.

    A test of an absent path against null passes on the API server.
    """
    before = block_of(obj)
    if after is None:
        return (
            [_op("test", _ROLLOUT, before), _op("remove", _ROLLOUT)] if before is not None else []
        )
    if before is None:
        block = dict(after)
        if obj.get("spec") is None:
            return [_op("test", _SPEC, None), _op("add", _SPEC, {"rollout": block})]
        return [_op("test", _ROLLOUT, None), _op("add", _ROLLOUT, block)]
    tests, changes = [], []
    for field in FIELDS:
        path, old, new = f"{_ROLLOUT}/{field}", before.get(field), after.get(field)
        if old == new:
            continue
        tests.append(_op("test", path, old))
        if new is None:
            changes.append(_op("remove", path))
        else:
            changes.append(_op("add" if old is None else "replace", path, new))
    return tests + changes


def guarded_patch(
    obj: KubeObject, after: Block, *, drop_spec: bool = False
) -> list[dict[str, Any]]:
    """Give the JSON patch that fails unless this very object still has the whole block that was read.

    Other writes to the object do not matter to it, so it gets through where somebody else writes all the time.
    ``drop_spec`` as in :func:`merge_patch`.
    """
    before, spec = block_of(obj), obj.get("spec")
    same = _op("test", _UID, obj["metadata"]["uid"])
    if after is None and drop_spec and set(spec or ()) <= {"rollout"}:
        return [same, _op("test", _SPEC, spec), _op("remove", _SPEC)]
    if after is None:
        return [same, _op("test", _ROLLOUT, before), _op("remove", _ROLLOUT)]
    block = dict(after)
    if spec is None:
        return [same, _op("test", _SPEC, None), _op("add", _SPEC, {"rollout": block})]
    return [same, _op("test", _ROLLOUT, before), _op("add", _ROLLOUT, block)]


def _op(op: str, path: str, *value: Any) -> dict[str, Any]:
    return {"op": op, "path": path} | ({"value": value[0]} if value else {})


def apply_object(obj: KubeObject, after: Block) -> KubeObject:
    """Give the object for server-side apply: all fields of the block, because those left out would be given up."""
    metadata = {key: obj["metadata"][key] for key in ("name", "namespace")}
    body: KubeObject = {"apiVersion": obj["apiVersion"], "kind": obj["kind"], "metadata": metadata}
    return body | {"spec": {"rollout": dict(after or {})}}


def undo_patch(before: Block, after: Block) -> dict[str, Any]:
    """Give the merge patch that turns the written block back, without a precondition, for a user to keep."""
    if before is None:
        return {"spec": {"rollout": None}}
    removed = dict.fromkeys(field for field in after or {} if field not in before)
    restored = {
        field: value for field, value in before.items() if (after or {}).get(field) != value
    }
    return {"spec": {"rollout": removed | restored}}
