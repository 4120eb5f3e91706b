"""Objects as an API server gives them, cut to what a diagnosis may look at; ages are seconds before the capture."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

Json = dict[str, Any]
NOW = datetime(2026, 9, 21, 10, 10, tzinfo=UTC)
C9S = "c9s.run/v1alpha1"
DAY = 86400.0
IMAGE = "registry.example/c9s/manager:0.10.0"


def ago(seconds: float) -> str:
    """Give a moment before the capture."""
    return (NOW - timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%SZ")


def uid(*words: str) -> str:
    """Give the same UID for the same words."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, "/".join(words)))


def split(full: str) -> tuple[str, str]:
    """Take ``namespace/name`` apart."""
    namespace, _, name = full.rpartition("/")
    return namespace, name


def new(version: str, kind: str, full: str, made: float, **more: Any) -> Json:
    """Make an object: metadata with what ``labels``, ``annotations`` and ``owner`` say; the rest as given."""
    namespace, name = split(full)
    meta: Json = {"name": name, "uid": uid(version, kind, full), "creationTimestamp": ago(made)}
    meta |= {"resourceVersion": "4100037", "generation": 1}
    if namespace:
        meta["namespace"] = namespace
    owner = more.pop("owner", None)
    if owner is not None:
        meta["ownerReferences"] = [reference(owner)]
    for key in ("labels", "annotations"):
        meta[key] = dict(more.pop(key, {}))
    return {"apiVersion": version, "kind": kind, "metadata": meta, **more}


def reference(owner: Json) -> Json:
    """Make a controlling owner reference."""
    meta = owner["metadata"]
    return {
        "apiVersion": owner["apiVersion"],
        "kind": owner["kind"],
        "name": meta["name"],
        "uid": meta["uid"],
        "controller": True,
        "blockOwnerDeletion": True,
    }


def name_of(obj: Json) -> str:
    """Give ``namespace/name``, or the name."""
    meta = obj["metadata"]
    return f"{meta['namespace']}/{meta['name']}" if meta.get("namespace") else str(meta["name"])


def condition(kind: str, status: str, since: float, reason: str = "", message: str = "") -> Json:
    """Make a condition."""
    found = {"type": kind, "status": status, "lastTransitionTime": ago(since)}
    found |= {"reason": reason} if reason else {}
    return found | ({"message": message} if message else {})


def put(conditions: list[Json], found: Json) -> None:
    """Put a condition in the place of the one of its type."""
    conditions[:] = [one for one in conditions if one["type"] != found["type"]] + [found]


def written(annotation: str, since: float, manager: str = "manager") -> Json:
    """Make an entry of managedFields for an annotation."""
    fields: Json = {"f:metadata": {"f:annotations": {f"f:{annotation}": {}}}}
    return {"manager": manager, "operation": "Update", "time": ago(since), "fieldsV1": fields}


def event(about: Json, reason: str, message: str, last: float, *, new_api: bool = False) -> Json:
    """Make a Warning in one of the two Event APIs."""
    meta = about["metadata"]
    place = {key: meta[key] for key in ("name", "namespace", "uid") if key in meta}
    place |= {"apiVersion": about["apiVersion"], "kind": about["kind"]}
    full = f"{meta.get('namespace', 'default')}/{meta['name']}.{uid(reason, message)[:16]}"
    version = "events.k8s.io/v1" if new_api else "v1"
    found = new(version, "Event", full, last + 30, reason=reason, type="Warning")
    if new_api:
        series = {"count": 7, "lastObservedTime": ago(last).replace("Z", ".000000Z")}
        return found | {"regarding": place, "note": message, "series": series, "eventTime": ago(last + 30)}  # fmt: skip
    times = {"count": 3, "firstTimestamp": ago(last + 30), "lastTimestamp": ago(last)}
    return found | {"involvedObject": place, "message": message, "eventTime": None} | times
