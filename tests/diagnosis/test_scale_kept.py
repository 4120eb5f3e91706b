"""What the reconciler keeps of objects is all that a diagnosis reads, and no more of it than need be."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import msgspec
import pytest
from diagnosis_chance import Chance
from diagnosis_fault_table import FAULTS
from diagnosis_more_faults import LABS, SLOTS
from diagnosis_objects import NOW
from hypothesis import given, settings
from hypothesis import strategies as st
from scale_world import Json, by_kind, kept, look_at, plain

from kubectl_c9s.reconciler.kept import KeptNode, KeptPod
from kubectl_c9s.reconciler.sharing import Shared
from kubectl_c9s.reconciler.stamps import stamps
from kubectl_c9s.resources.labels import STARTUP_ADMITTED
from kubectl_c9s.resources.moments import seconds_of
from kubectl_c9s.resources.observed import ObservedMeta

ROOT = Path(__file__).parents[2]
CASES = sorted((ROOT / "tests/cases/diagnose").glob("*/dump.json"))
AT = NOW.timestamp()
seeds = st.integers(0, 10**6)


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.parent.name)
def test_a_recorded_case_is_diagnosed_as_if_it_were_whole(path: Path) -> None:
    dump = json.loads(path.read_text("utf-8"))
    now = seconds_of(json.loads((path.parent / "expected.json").read_text("utf-8"))["at"])
    assert now is not None
    kinds = by_kind(dump["items"])
    assert kept(kinds, now) == plain(kinds, now)


@pytest.mark.parametrize("name", sorted(FAULTS))
@settings(max_examples=4)
@given(seeds, st.sampled_from((30, 90, 900)))
def test_a_fault_in_any_site_is_found_as_if_it_were_whole(name: str, seed: int, age: int) -> None:
    chance = Chance(seed)
    lab = chance.labs[0] if chance.labs else None
    place = lab["metadata"]["namespace"] if lab else "alone"
    FAULTS[name].plant(chance.site, f"{place}/bad", lab, age)
    same(chance.site.objects)


@pytest.mark.parametrize("code", sorted(SLOTS))
@settings(max_examples=4)
@given(seeds)
def test_a_fault_of_slots_is_found_as_if_it_were_whole(code: str, seed: int) -> None:
    site = Chance(seed).site
    SLOTS[code](site)
    same(site.objects)


@pytest.mark.parametrize("code", sorted(LABS))
@settings(max_examples=4)
@given(seeds)
def test_a_fault_of_a_topology_is_found_as_if_it_were_whole(code: str, seed: int) -> None:
    site = Chance(seed).site
    LABS[code](site, site.topology("more/t", made=90000))
    same(site.objects)


@given(seeds)
def test_any_site_is_diagnosed_as_if_it_were_whole(seed: int) -> None:
    same(Chance(seed).site.objects)


def same(objects: list[Json]) -> None:
    """Compare what is said of whole and of kept objects."""
    kinds = by_kind(objects)
    assert kept(kinds, AT) == plain(kinds, AT)
    for kind in ("deployments.apps", "pods", "links.c9s.run"):
        some = {name: items for name, items in kinds.items() if name != kind}
        assert kept(some, AT) == plain(some, AT)


def pod(name: str) -> KeptPod:
    """Read a Pod with much that nobody asks for, and with a state that changes with the second only."""
    meta = {
        "name": name,
        "namespace": "lab",
        "uid": f"uid-{name}",
        "labels": {"c9s.run/direct-workload": name, "c9s.run/app": "clabernetes", "hash": name},
        "annotations": {
            "kubectl.kubernetes.io/default-container": f"device-{name}",
            "big": "x" * 999,
        },
        "managedFields": [{"manager": "kubelet", "fieldsV1": {"f:status": {}}}],
    }
    at = {"startedAt": "2026-09-21T10:00:00Z"}
    probe = {"exec": {"command": ["true"]}, "failureThreshold": 90}
    status = {
        "conditions": [
            {"type": "Ready", "status": "False", "message": f"unready: {name}"},
            {"type": "PodScheduled", "status": "False", "message": "0/3 nodes"},
        ],
        "initContainerStatuses": [
            {"name": "planner", "state": {"terminated": at | {"containerID": name}}}
        ],
        "containerStatuses": [{"name": f"device-{name}", "state": {"running": dict(at)}}],
    }
    containers = [{"name": f"device-{name}", "image": "busybox", "startupProbe": probe}]
    body = {"metadata": meta, "spec": {"containers": containers}, "status": status}
    return msgspec.json.decode(json.dumps(body), type=KeptPod)


def test_equal_parts_of_pods_are_kept_once() -> None:
    one, other = pod("a"), pod("b")
    assert one.spec.containers
    assert other.spec.containers
    assert one.spec.containers[0].startup_probe is other.spec.containers[0].startup_probe
    assert one.status.conditions
    assert other.status.conditions
    pairs = zip(one.status.conditions, other.status.conditions, strict=True)
    assert all(a is b for a, b in pairs)
    assert one.status.init_container_statuses
    assert other.status.init_container_statuses
    assert one.status.init_container_statuses[0] is other.status.init_container_statuses[0]
    assert one.status.container_statuses
    assert other.status.container_statuses
    assert one.status.container_statuses[0].state is other.status.container_statuses[0].state


def test_of_a_pod_only_what_is_read_stays() -> None:
    found = pod("a")
    assert found.metadata.labels == {"c9s.run/direct-workload": "a", "c9s.run/app": "clabernetes"}
    assert found.metadata.annotations == {"kubectl.kubernetes.io/default-container": "device-a"}
    assert bytes(found.metadata.managed_fields) == b""
    assert [one.message for one in found.status.conditions or ()] == [None, "0/3 nodes"]
    assert found.view is not None
    assert (found.view.full_name, found.view.uid) == ("lab/a", "uid-a")


def test_when_a_mark_was_written_is_kept_and_nothing_else_of_the_owners() -> None:
    fields: Json = {f"f:{STARTUP_ADMITTED}": {}, "f:other": {}}
    owner = {
        "f:metadata": {"f:annotations": fields, "f:labels": {"f:x": {}}},
        "f:spec": {"f:y": {}},
    }
    entries = [
        {"manager": "a", "time": "2026-09-21T10:00:00Z", "fieldsV1": owner},
        {"manager": "b", "time": "2026-09-21T10:09:00Z", "fieldsV1": {"f:status": {}}},
        {"manager": "c", "fieldsV1": None},
    ]
    raw = msgspec.Raw(json.dumps(entries).encode())
    small: Json = {"f:metadata": {"f:annotations": {f"f:{STARTUP_ADMITTED}": {}}}}
    kept_part = stamps(raw)
    assert json.loads(bytes(kept_part)) == [{"time": "2026-09-21T10:00:00Z", "fieldsV1": small}]
    assert stamps(msgspec.Raw(bytes(raw))) is kept_part


def test_owners_in_a_form_that_is_not_known_stay_as_they_are() -> None:
    raw = msgspec.Raw(b'[{"time": 7, "note": "c9s.run/startup-admitted"}]')
    assert bytes(stamps(raw)) == bytes(raw)


def test_a_full_table_is_emptied_and_what_is_in_use_stays_right() -> None:
    table = Shared(size=3)
    texts = [table.text(f"text {number}") for number in range(10)]
    assert texts == [f"text {number}" for number in range(10)]
    assert table.text(f"text {len(texts) - 1}") is texts[9]


def test_kept_objects_are_small() -> None:
    """A Pod and a Node of their own parts: what they share with others is not counted."""
    one = pod("a")
    own: list[object] = [one, one.metadata, one.spec, one.status, *(one.spec.containers or ())]
    own += [*(one.status.container_statuses or ()), one.view, one.metadata.labels]
    own += [one.metadata.annotations, one.status.conditions, one.spec.containers]
    assert sum(map(sys.getsizeof, own)) < 1600
    assert KeptNode.__struct_config__.gc is KeptPod.__struct_config__.gc is False
    assert ObservedMeta.__struct_config__.gc is not False


def test_an_object_that_changes_is_seen_anew() -> None:
    site = Chance(3).site
    kinds = by_kind(site.objects)
    some = kinds["nodes.c9s.run"][0]
    before = look_at(kinds).objects["nodes.c9s.run"][some["metadata"]["uid"]].view
    some["metadata"].setdefault("annotations", {})["c9s.run/startup-hold"] = "someone"
    after = look_at(kinds).objects["nodes.c9s.run"][some["metadata"]["uid"]].view
    assert before != after
    assert after.hold == "someone"
