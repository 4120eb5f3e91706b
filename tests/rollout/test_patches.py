"""Every patch makes of what was read what is wanted, touches nothing else, and fails when somebody was faster."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from patch_reference import Refused, merged, patched

from kubectl_c9s.rollout.limits import FIELDS
from kubectl_c9s.rollout.patches import (
    apply_object,
    block_of,
    guarded_patch,
    json_patch,
    merge_patch,
    undo_patch,
)

if TYPE_CHECKING:
    from kubectl_c9s.rollout.limits import Block

whole = st.dictionaries(st.sampled_from(FIELDS), st.integers(0, 3))
blocks = st.none() | whole
specs = st.sampled_from([None, {}, {"imagePull": {"policy": "Always"}, "deployment": {}}])


def made(block: Block, spec: dict[str, Any] | None = None) -> dict[str, Any]:
    """Make a Config; without block and spec it has no spec at all."""
    meta = {"name": "clabernetes", "namespace": "c9s", "uid": "u", "resourceVersion": "7"}
    obj: dict[str, Any] = {"apiVersion": "c9s.run/v1alpha1", "kind": "Config", "metadata": meta}
    if block is not None:
        return obj | {"spec": (spec or {}) | {"rollout": dict(block)}}
    return obj if spec is None else obj | {"spec": dict(spec)}


objects = st.builds(made, blocks, specs)


def rest(obj: dict[str, Any]) -> dict[str, Any]:
    """Give everything but the block; a spec that holds nothing else counts as none."""
    spec = {key: value for key, value in (obj.get("spec") or {}).items() if key != "rollout"}
    return {key: value for key, value in obj.items() if key != "spec"} | {"spec": spec}


def newer(obj: dict[str, Any], block: Block) -> dict[str, Any]:
    """Give what somebody else has made of an object."""
    found = copy.deepcopy(obj)
    found["metadata"]["resourceVersion"] = "8"
    found["spec"] = {
        key: value for key, value in (obj.get("spec") or {}).items() if key != "rollout"
    }
    if block is not None:
        found["spec"]["rollout"] = dict(block)
    return found


@given(objects, blocks)
def test_every_patch_gives_the_wanted_block_and_keeps_all_else(
    obj: dict[str, Any], after: Block
) -> None:
    before = copy.deepcopy(obj)
    assume(block_of(obj) != after)
    results = [
        merged(obj, merge_patch(obj, after)),
        patched(obj, json_patch(obj, after)),
        patched(obj, guarded_patch(obj, after)),
    ]
    for result in results:
        assert block_of(result) == after
        assert rest(result) == rest(obj)
    assert obj == before


@given(objects)
def test_a_block_that_is_as_wanted_is_not_changed(obj: dict[str, Any]) -> None:
    assert json_patch(obj, block_of(obj)) == []
    assert block_of(merged(obj, merge_patch(obj, block_of(obj)))) == block_of(obj)


@given(objects, whole)
def test_patches_name_only_the_fields_that_change(obj: dict[str, Any], after: Block) -> None:
    before = block_of(obj) or {}
    assert after is not None
    same = {field for field in FIELDS if before.get(field) == after.get(field)}
    assert not same & merge_patch(obj, after)["spec"]["rollout"].keys()
    if block_of(obj) is not None:
        named = {one["path"].rpartition("/")[2] for one in json_patch(obj, after)}
        assert named == set(FIELDS) - same


@given(objects, blocks)
def test_a_merge_patch_fails_as_soon_as_anything_was_written(
    obj: dict[str, Any], after: Block
) -> None:
    with pytest.raises(Refused):
        merged(newer(obj, block_of(obj)), merge_patch(obj, after))


@given(objects, blocks, blocks)
def test_a_json_patch_fails_when_a_field_it_touches_was_changed(
    obj: dict[str, Any], after: Block, meanwhile: Block
) -> None:
    before = block_of(obj)
    assume(before != after)
    touched = [one for one in FIELDS if (before or {}).get(one) != (after or {}).get(one)]
    taken = [one for one in touched if (meanwhile or {}).get(one) != (before or {}).get(one)]
    gone = before is None or after is None or meanwhile is None
    changed = newer(obj, meanwhile)
    if taken or (gone and meanwhile != before):
        with pytest.raises(Refused):
            patched(changed, json_patch(obj, after))
    elif before is not None and after is not None:
        expected = {key: value for key, value in (meanwhile or {}).items() if key not in touched}
        expected |= {key: value for key, value in after.items() if key in touched}
        assert block_of(patched(changed, json_patch(obj, after))) == expected


@given(objects, blocks, blocks)
def test_a_guarded_patch_fails_when_the_block_was_changed_and_only_then(
    obj: dict[str, Any], after: Block, meanwhile: Block
) -> None:
    before = block_of(obj)
    assume(before != after)
    changed = newer(obj, meanwhile)
    changed["metadata"]["labels"] = {"by": "somebody"}
    patch = guarded_patch(obj, after)
    if before != meanwhile or "spec" not in obj:
        with pytest.raises(Refused):
            patched(changed, patch)
    else:
        assert block_of(patched(changed, patch)) == after
    other = copy.deepcopy(obj)
    other["metadata"]["uid"] = "made-again"
    with pytest.raises(Refused):
        patched(other, patch)


@given(specs, whole)
def test_an_object_that_had_no_spec_has_none_again(
    spec: dict[str, Any] | None, after: Block
) -> None:
    obj = made(None, spec)
    written = merged(obj, merge_patch(obj, after))
    for back in (
        merged(written, merge_patch(written, None, drop_spec=spec is None)),
        patched(written, guarded_patch(written, None, drop_spec=spec is None)),
    ):
        assert back == obj


def test_a_spec_that_others_write_to_meanwhile_is_not_dropped() -> None:
    written = made({"batchSize": 2}, {"imagePull": {}})
    for back in (
        merged(written, merge_patch(written, None, drop_spec=True)),
        patched(written, guarded_patch(written, None, drop_spec=True)),
    ):
        assert back["spec"] == {"imagePull": {}}
    alone = made({"batchSize": 2})
    with pytest.raises(Refused):
        patched(written, guarded_patch(alone, None, drop_spec=True))


@given(objects, blocks)
def test_the_undo_patch_brings_the_block_back(obj: dict[str, Any], after: Block) -> None:
    before = block_of(obj)
    assume(before != after)
    written = merged(obj, merge_patch(obj, after))
    patch = undo_patch(before, after)
    assert patch.keys() == {"spec"}
    back = merged(written, patch)
    assert block_of(back) == before
    assert rest(back) == rest(obj)


@given(objects, blocks)
def test_what_is_applied_is_the_whole_block_and_nothing_else(
    obj: dict[str, Any], after: Block
) -> None:
    assert apply_object(obj, after) == {
        "apiVersion": "c9s.run/v1alpha1",
        "kind": "Config",
        "metadata": {"name": "clabernetes", "namespace": "c9s"},
        "spec": {"rollout": dict(after or {})},
    }


@pytest.mark.parametrize(
    ("obj", "after", "expected"),
    [
        (
            made({"batchSize": 10}),
            {"batchSize": 25},
            [
                {"op": "test", "path": "/spec/rollout/batchSize", "value": 10},
                {"op": "replace", "path": "/spec/rollout/batchSize", "value": 25},
            ],
        ),
        (
            made({"batchSize": 10}),
            {"batchSize": 10, "maxConcurrentPerHost": 0},
            [
                {"op": "test", "path": "/spec/rollout/maxConcurrentPerHost", "value": None},
                {"op": "add", "path": "/spec/rollout/maxConcurrentPerHost", "value": 0},
            ],
        ),
        (
            made({"batchSize": 10, "maxConcurrentPerHost": 2}),
            {"batchSize": 10},
            [
                {"op": "test", "path": "/spec/rollout/maxConcurrentPerHost", "value": 2},
                {"op": "remove", "path": "/spec/rollout/maxConcurrentPerHost"},
            ],
        ),
        (
            made(None, {}),
            {"batchSize": 1},
            [
                {"op": "test", "path": "/spec/rollout", "value": None},
                {"op": "add", "path": "/spec/rollout", "value": {"batchSize": 1}},
            ],
        ),
    ],
)
def test_a_json_patch_tests_what_was_read_before_it_changes_it(
    obj: dict[str, Any], after: Block, expected: list[dict[str, Any]]
) -> None:
    assert json_patch(obj, after) == expected


def test_a_merge_patch_has_the_version_that_was_read_and_explicit_zeros() -> None:
    obj = made({"batchSize": 10, "maxConcurrentPerHost": 2})
    assert merge_patch(obj, {"batchSize": 0}) == {
        "metadata": {"resourceVersion": "7"},
        "spec": {"rollout": {"batchSize": 0, "maxConcurrentPerHost": None}},
    }
    assert merge_patch(obj, None)["spec"] == {"rollout": None}
    assert merge_patch(made({"batchSize": 1}), {})["spec"] == {"rollout": {"batchSize": None}}
