"""``rollout set`` on a real API server changes the limits it was told to, and nothing else in the whole object."""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any

import pytest
from rollout_live_tools import CONFIG, EDITS, LAB, TARGETS, THEIRS, flags_for, merged, still

if TYPE_CHECKING:
    from bed_client import Json
    from rollout_live_tools import Place

OURS = "kubectl-c9s"


ODD: Json = {
    "metadata": {
        "labels": {"c9s.run/app": "clabernetes", "tier": "a_b-c.D", "empty": ""},
        "annotations": {
            "a.b/c_d": 'text: "ü" \u202e{}\n# no comment\t',
            "empty": "",
            "rollout": "batchSize: 1",
        },
        "finalizers": ["c9s.run/test"],
    },
}


SPECS: dict[str, Json] = {
    CONFIG: {
        "metadata": {"labels": {"rollout": "0"}, "annotations": {"n": "ü\n"}},
        "imagePull": {"pullSecrets": ["b", "a"], "registryMetadataTrust": [{"registry": "r:5000", "plainHTTP": True}]},
        "deployment": {"resourcesDefault": {"limits": {"cpu": "0.50", "memory": "1e3"}}},
    },
    LAB: {
        "definition": {"containerlab": "name: lab\n# ü \u200b\ntopology:\n  nodes: {r1: {kind: linux}}\n\n\n"},
        "deployment": {"persistence": {"enabled": True}, "resources": {"r1": {"requests": {"cpu": "1m"}}}},
        "expose": {"disableAutoExpose": False},
        "imagePull": {"pullSecrets": []},
        "statusProbes": {"enabled": False, "excludedNodes": ["r1"]},
    },
}  # fmt: skip


STATUS: Json = {
    "kind": "containerlab",
    "topologyReady": False,
    "topologyState": "deploying",
    "nodeCount": 1,
    "conditions": [
        {"type": "TopologyReady", "status": "False", "reason": "x", "message": "ü"}
        | {"lastTransitionTime": "2026-01-01T00:00:00Z"}
    ],
}  # fmt: skip


BLOCKS: tuple[Any, ...] = (
    None, {}, {"batchSize": 0}, {"batchSize": 7}, {"maxConcurrentPerHost": 2},
    {"batchSize": 3, "maxConcurrentPerHost": 0},
)  # fmt: skip


def odd(place: Place, target: str, rollout: Json | None) -> Json:
    """Make an object with all that might get lost, written by several managers."""
    meta = copy.deepcopy(ODD["metadata"])
    place.make(target, rollout, spec=SPECS[target], metadata=meta)
    place.patch(target, {"metadata": {"annotations": {"by": "somebody"}}}, "somebody")
    if target == LAB:
        body = {"status": STATUS}
        place.client.patch(f"{place.path(target)}/status", body, fieldManager="manager").ok()
    return place.read(target)


def without(entry: Json, fields: set[str]) -> Json:
    """Give an entry of managedFields without fields of the block; one that is owned without any is written empty."""
    rest = copy.deepcopy(entry)
    owned = rest["fieldsV1"].get("f:spec", {}).get("f:rollout", {})
    for field in fields:
        owned.pop(f"f:{field}", None)
    if owned == {".": {}}:
        owned.clear()
    return rest


def expected_owners(before: Json, changed: Json | None, *, absent: bool) -> list[Json]:
    """Give managedFields after fields have changed, without the time of ours; ``absent``: there was no block."""
    entries: list[Json] = before["metadata"]["managedFields"]
    if not changed:
        return entries
    theirs = [without(entry, set(changed)) for entry in entries]
    fields: Json = {f"f:{field}": {} for field, value in changed.items() if value is not None}
    if not fields:
        return theirs
    block = {".": {}} | fields if absent else fields
    ours = {
        "manager": OURS,
        "operation": "Update",
        "apiVersion": "c9s.run/v1alpha1",
        "fieldsType": "FieldsV1",
        "fieldsV1": {"f:spec": {"f:rollout": block}},
    }
    return [*theirs, ours]


def owners(obj: Json) -> list[str]:
    """Give the entries of managedFields as they stand there, ours without its time, sorted."""
    entries = copy.deepcopy(obj["metadata"]["managedFields"])
    for entry in entries:
        if entry["manager"] == OURS:
            del entry["time"]
    return texts(entries)


def texts(entries: list[Json]) -> list[str]:
    return sorted(json.dumps(entry, sort_keys=True) for entry in entries)


@pytest.mark.parametrize("block", BLOCKS, ids=json.dumps)
@pytest.mark.parametrize("target", TARGETS)
def test_of_the_whole_object_only_the_limits_change(
    place: Place, target: str, block: Json | None
) -> None:
    for edit in EDITS:
        before = odd(place, target, block)
        asked = place.asked()
        place.set(target, *flags_for(edit))
        after = place.read(target)
        wanted, old = still(before), block or {}
        changed = {key: value for key, value in edit.items() if old.get(key) != value}
        if changed:
            wanted["spec"]["rollout"] = merged(block, changed)
        assert still(after) == wanted, edit
        entries = expected_owners(before, changed, absent=block is None)
        assert owners(after) == texts(entries), edit
        moved = [
            key for key in ("generation", "resourceVersion")
            if after["metadata"][key] != before["metadata"][key]
        ]  # fmt: skip
        assert moved == (["generation", "resourceVersion"] if changed else [])
        name = place.path(target).rpartition("/")[2]
        assert asked.patches() == ([(name, True, 200), (name, False, 200)] if changed else [])
        place.patch(target, {"metadata": {"finalizers": None}})
        place.client.delete(place.path(target)).ok()


def test_our_entry_stays_one_and_grows_by_what_is_set(place: Place) -> None:
    place.make(CONFIG, {"batchSize": 1})
    place.set(CONFIG, "--max-concurrent-per-host=3")
    place.set(CONFIG, "--batch-size=4")
    entries = place.read(CONFIG)["metadata"]["managedFields"]
    (ours,) = (one for one in entries if one["manager"] == OURS)
    owned: Json = {"f:batchSize": {}, "f:maxConcurrentPerHost": {}}
    assert (ours["operation"], ours["fieldsV1"]) == ("Update", {"f:spec": {"f:rollout": owned}})


def test_another_field_manager_can_be_named(place: Place) -> None:
    place.make(LAB)
    place.set(LAB, "--batch-size=3", "--field-manager=night-shift")
    managers = {one["manager"] for one in place.read(LAB)["metadata"]["managedFields"]}
    assert managers == {THEIRS, "night-shift"}
