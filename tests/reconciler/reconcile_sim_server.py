"""An API server in memory: objects with versions, what has happened to each kind, patches with preconditions."""

from __future__ import annotations

import copy
import itertools
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from kubectl_c9s.cluster import kinds
from kubectl_c9s.cluster.errors import api_error
from kubectl_c9s.reconciler.feeds import POLICIES

if TYPE_CHECKING:
    from collections.abc import Callable

Json = dict[str, Any]
Key = tuple[str, str]
RESOURCES: Final = {
    one.full_name: one
    for one in (POLICIES, kinds.CONFIGS, kinds.TOPOLOGIES, kinds.NODES, kinds.PODS, kinds.LEASES)
}
FIELDS: Final = ("batchSize", "maxConcurrentPerHost")
NEVER: Final = "other"


class Change(NamedTuple):
    """Something that happened to an object; ``type`` as in a watch."""

    version: int
    type: str
    obj: Json


class SimServer:
    """Keeps the objects of the kinds in :data:`RESOURCES`; ``on_patch`` is told of each write that was accepted."""

    def __init__(self) -> None:
        self.version = 100
        self.objects: dict[str, dict[Key, Json]] = {name: {} for name in RESOURCES}
        self.logs: dict[str, list[Change]] = {name: [] for name in RESOURCES}
        self.events: list[Json] = []
        self.gone: set[str] = set()
        self.without_rollout: set[str] = set()
        self.on_patch: Callable[[str, Json, Json, str], None] = lambda *_: None
        self._births = itertools.count(1)

    def put(self, name: str, obj: Json, manager: str = "user") -> Json:
        """Let somebody else make or replace an object."""
        key = key_of(obj)
        before = self.objects[name].get(key)
        return self._keep(name, before, copy.deepcopy(obj), manager)

    def edit(
        self, name: str, key: Key, change: Callable[[Json], None], manager: str = "user"
    ) -> None:
        """Let somebody else change an object, if it is there."""
        before = self.objects[name].get(key)
        if before is not None and name not in self.gone:
            after = copy.deepcopy(before)
            change(after)
            if after != before:
                self._keep(name, before, after, manager)

    def remove(self, name: str, key: Key) -> None:
        """Take an object away."""
        found = self.objects[name].pop(key, None)
        if found is not None:
            self.version += 1
            meta = found["metadata"] | {"resourceVersion": str(self.version)}
            self.logs[name].append(Change(self.version, "DELETED", found | {"metadata": meta}))

    def drop_kind(self, name: str) -> None:
        """Take a definition away, and all objects with it."""
        for key in list(self.objects[name]):
            self.remove(name, key)
        self.gone.add(name)

    def create(self, name: str, obj: Json) -> Json:
        """Make an object; raises a conflict when there is one."""
        if name == "events.events.k8s.io":
            self.events.append(obj)
            return obj | {"metadata": obj["metadata"] | {"resourceVersion": "1"}}
        if key_of(obj) in self.objects[name]:
            raise api_error(409, b"", "create")
        return self._keep(name, None, copy.deepcopy(obj), NEVER)

    def read(self, name: str, key: Key) -> Json:
        """Give an object; raises NotFound."""
        if name in self.gone or key not in self.objects[name]:
            raise api_error(404, b"", f"get {name}")
        return copy.deepcopy(self.objects[name][key])

    def patch(self, name: str, key: Key, body: Json, sub: str, manager: str) -> Json:
        """Carry out a merge patch; raises what the server would say."""
        before = self.read(name, key)
        expected = body.get("metadata", {}).get("resourceVersion")
        if expected not in (None, before["metadata"]["resourceVersion"]):
            raise api_error(409, b"", f"patch {name}")
        if name in self.without_rollout and "rollout" in (body.get("spec") or {}):
            text = b'{"message": "strict decoding error: unknown field \\"spec.rollout\\""}'
            raise api_error(400, text, f"patch {name}")
        part = {"status"} if sub else {"metadata", "spec"}
        after = merged(before, {key: value for key, value in body.items() if key in part})
        after["metadata"] |= {"resourceVersion": before["metadata"]["resourceVersion"]}
        kept = self._keep(name, before, after, manager) if after != before else before
        self.on_patch(name, before, kept, manager)
        return copy.deepcopy(kept)

    def _keep(self, name: str, before: Json | None, after: Json, manager: str) -> Json:
        self.version += 1
        meta = after.setdefault("metadata", {})
        if before is None:
            number = next(self._births)
            meta |= {
                "uid": f"uid-{number}",
                "creationTimestamp": f"2026-01-01T{number // 3600:02}:{number // 60 % 60:02}:{number % 60:02}Z",
                "generation": 0,
            }
        if before is None or before.get("spec") != after.get("spec"):
            meta["generation"] = meta["generation"] + 1
        meta["resourceVersion"] = str(self.version)
        _own(before or {}, after, manager)
        self.objects[name][key_of(after)] = after
        kind = "ADDED" if before is None else "MODIFIED"
        self.logs[name].append(Change(self.version, kind, copy.deepcopy(after)))
        return after


def _own(before: Json, after: Json, manager: str) -> None:
    """Note who has written the fields of the block, as ``metadata.managedFields`` does."""
    old, new = block(before), block(after)
    changed = {field for field in FIELDS if old.get(field) != new.get(field)}
    owners: dict[str, set[str]] = {}
    for entry in after["metadata"].get("managedFields") or ():
        fields = entry["fieldsV1"]["f:spec"]["f:rollout"]
        owners[entry["manager"]] = {one[2:] for one in fields} - changed
    owners.setdefault(manager, set()).update(changed & new.keys())
    entries = [
        {
            "manager": name,
            "operation": "Update",
            "time": "2026-01-01T00:00:00Z",
            "fieldsV1": {"f:spec": {"f:rollout": {f"f:{field}": {} for field in sorted(fields)}}},
        }
        for name, fields in owners.items()
        if fields
    ]
    if entries or "managedFields" in after["metadata"]:
        after["metadata"]["managedFields"] = entries


def block(obj: Json) -> Json:
    """Give what stands under ``spec.rollout``."""
    return (obj.get("spec") or {}).get("rollout") or {}


def key_of(obj: Json) -> Key:
    """Give namespace and name."""
    return obj["metadata"].get("namespace", ""), obj["metadata"]["name"]


def merged(target: Any, patch: Any) -> Any:
    """Carry out a JSON merge patch (RFC 7386)."""
    if not isinstance(patch, dict):
        return patch
    found = dict(target) if isinstance(target, dict) else {}
    for key, value in patch.items():
        if value is None:
            found.pop(key, None)
        else:
            found[key] = merged(found.get(key), value)
    return found
