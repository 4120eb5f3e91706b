"""A Config and Topologies on a test bed, the product's commands on them, and what the server then has."""

from __future__ import annotations

import copy
import dataclasses
import json
import os
from typing import TYPE_CHECKING, Any
from unittest import mock

from audit_reader import AuditLog
from bed_client import path_of
from bed_objects import until
from live_tools import AGENT, C9S
from split_lab import command

if TYPE_CHECKING:
    from pathlib import Path

    from audit_reader import Entry
    from bed_client import ApiClient, Json
    from bed_own import OwnBed
    from split_lab import Answer

CONFIG = "config"
LAB = "topology/lab"
TARGETS = (CONFIG, LAB)
DEFINITION = "name: lab\ntopology: {nodes: {r1: {kind: linux, image: 'alpine:3'}}}\n"
THEIRS = "kubectl-patch"
# What labs and managers consist of, owners first: API version, plural, labels.
LEFT = (
    ("apps/v1", "deployments", "c9s.run/app"),
    ("apps/v1", "replicasets", "c9s.run/app"),
    (C9S, "topologies", ""),
    (C9S, "nodes", ""),
    (C9S, "configs", ""),
    (C9S, "nodeprofiles", ""),
    ("v1", "pods", "c9s.run/app"),
)
MOVING = ("resourceVersion", "generation", "managedFields")


EDITS: tuple[Json, ...] = (
    {"batchSize": 9},
    {"batchSize": 0},
    {"maxConcurrentPerHost": 0},
    {"batchSize": 2147483647, "maxConcurrentPerHost": 1},
    {"batchSize": None},
    {"batchSize": None, "maxConcurrentPerHost": 5},
    {"batchSize": None, "maxConcurrentPerHost": None},
)


@dataclasses.dataclass(frozen=True)
class Place:
    """Two namespaces, one for labs and the manager's ``own``; ``state`` is where records of changes are kept."""

    bed: OwnBed
    client: ApiClient
    lab: str
    own: str
    state: Path

    def run(self, *args: str, kubeconfig: Path | None = None) -> Answer:
        """Run a command of ``rollout`` inside this process, as administrator or by another kubeconfig."""
        # For the command alone: the bed has things in the state directory, too.
        with mock.patch.dict(os.environ, self.environment()):
            answer = command("rollout", *self.flags(kubeconfig), *args)
        assert "internal fault" not in answer.err, answer.err
        return answer

    def flags(self, kubeconfig: Path | None = None) -> list[str]:
        """Give the flags that say where; without a namespace of its own the manager has to be found."""
        own = [f"--manager-namespace={self.own}"] if self.own else []
        path = kubeconfig or self.bed.kubeconfig
        return [f"--kubeconfig={path}", f"--namespace={self.lab}", *own]

    def environment(self) -> dict[str, str]:
        """Give what the environment has to say."""
        return {"XDG_STATE_HOME": str(self.state)}

    def set(self, target: str, *args: str) -> Answer:
        """Set limits; it must be done."""
        answer = self.run("set", target, *args)
        assert answer.code == 0, answer.err
        return answer

    def path(self, target: str) -> str:
        """Give the path of a target."""
        if target == CONFIG:
            return path_of(C9S, "configs", self.own, "clabernetes")
        return path_of(C9S, "topologies", self.lab, target.removeprefix("topology/"))

    def make(self, target: str, rollout: Json | None = None, **parts: Json) -> Json:
        """Create a target with a block, None for none; ``spec`` and ``metadata`` are added to it."""
        body: Json = {"apiVersion": C9S, "kind": "Config" if target == CONFIG else "Topology"}
        path, _, name = self.path(target).rpartition("/")
        body["metadata"] = {"name": name, **parts.get("metadata", {})}
        spec = {} if target == CONFIG else {"definition": {"containerlab": DEFINITION}}
        block = {} if rollout is None else {"rollout": rollout}
        body["spec"] = spec | parts.get("spec", {}) | block
        return self.client.create(path, body, fieldManager=THEIRS).ok()

    def read(self, target: str) -> Json:
        """Read a target."""
        return self.client.get(self.path(target)).ok()

    def block(self, target: str) -> Json | None:
        """Give the block that a target has."""
        found: Json | None = block_of(self.read(target))
        return found

    def patch(self, target: str, body: Any, manager: str = THEIRS) -> Json:
        """Let somebody else change a target by a merge patch without a precondition."""
        return self.client.patch(self.path(target), body, fieldManager=manager).ok()

    def records(self) -> dict[str, Json]:
        """Give the records of changes by their files' names."""
        files = (path for path in self.state.rglob("*") if path.is_file())
        return {path.name: json.loads(path.read_bytes()) for path in files}

    def asked(self) -> Asked:
        """Begin to look at what the product asks of the server."""
        return Asked(AuditLog(self.bed.audit_log), self.client)

    def wait_alone(self) -> None:
        """Wait until nothing is left of others: what a Config's limits do depends on all labs there are."""
        until("the bed is empty", lambda: not self.clear())

    def clear(self) -> bool:
        """Take away what there is, owners first; tell whether there was anything."""
        left = self._left()
        for path, obj in left:
            if obj["metadata"].get("finalizers"):
                self.client.patch(path, {"metadata": {"finalizers": None}})
            self.client.delete(path, gracePeriodSeconds="0")
        return bool(left)

    def _left(self) -> list[tuple[str, Json]]:
        """Give what others, and we, have left in the whole bed, with paths."""
        found = []
        for version, plural, selector in LEFT:
            items = self.client.get(path_of(version, plural), labelSelector=selector).ok()["items"]
            for one in items:
                meta = one["metadata"]
                found.append((path_of(version, plural, meta["namespace"], meta["name"]), one))
        return found


class Asked:
    """What the audit log says the product has asked for since this was made."""

    def __init__(self, log: AuditLog, client: ApiClient) -> None:
        self._log, self._client = log, client

    def entries(self, **wanted: Any) -> list[Entry]:
        """Give the requests that were answered."""
        self._log.catch_up(self._client)
        found = [one for one in self._log.entries() if one.agent.startswith(AGENT)]
        return [one for one in found if all(getattr(one, key) == wanted[key] for key in wanted)]

    def patches(self) -> list[tuple[str, bool, int]]:
        """Give name, whether it was a dry run, and status of each request that is no read."""
        others = (one for one in self.entries() if one.verb not in {"get", "list", "watch"})
        return [(one.name, one.dry_run, one.code) for one in others]


def block_of(obj: Json) -> Any:
    """Give ``spec.rollout``; None for an absent one."""
    return obj.get("spec", {}).get("rollout")


def still(obj: Json) -> Json:
    """Give an object without what the server moves with every write."""
    rest = copy.deepcopy(obj)
    for key in MOVING:
        rest["metadata"].pop(key, None)
    return rest


def rest_of(obj: Json) -> Json:
    """Give what a change of limits must leave alone; a spec that held nothing else counts as none."""
    rest = still(obj)
    rest.get("spec", {}).pop("rollout", None)
    if not rest.get("spec"):
        rest.pop("spec", None)
    return rest


def flags_for(edit: Json) -> list[str]:
    """Give the flags of ``set`` for fields, None to remove one."""
    names = {"batchSize": "--batch-size", "maxConcurrentPerHost": "--max-concurrent-per-host"}
    return [
        f"--unset={field}" if value is None else f"{names[field]}={value}"
        for field, value in edit.items()
    ]


def merged(block: Json | None, patch: Json | None) -> Json | None:
    """Merge a block and a patch of it, as RFC 7386 says."""
    if patch is None:
        return None
    both = (block or {}) | patch
    return {key: value for key, value in both.items() if value is not None}


def written_policy(folder: Path, **spec: Any) -> str:
    """Write a policy and give its path."""
    meta = {"name": "pace"}
    body = {
        "apiVersion": "toolkit.c9s.run/v1alpha1",
        "kind": "RolloutPolicy",
        "metadata": meta,
        "spec": spec,
    }
    path = folder / "policy.json"
    path.write_text(json.dumps(body), encoding="utf-8")
    return str(path)
