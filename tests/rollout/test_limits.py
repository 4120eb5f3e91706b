"""Blocks, the limits in them, and edits that keep what they do not name (config-and-chart.md §1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_c9s.rollout.limits import FIELDS, Edit, Limits, edit_to, limits_of

if TYPE_CHECKING:
    from kubectl_c9s.rollout.limits import Block

whole = st.dictionaries(st.sampled_from([*FIELDS, "future"]), st.integers(0, 3))
blocks = st.none() | whole
numbers = st.none() | st.integers(0, 3)
wanted = st.builds(Limits, numbers, numbers)


@st.composite
def edits(draw: st.DrawFn) -> Edit:
    """Draw an edit that sets and removes, never the same field both."""
    values = draw(st.dictionaries(st.sampled_from(FIELDS), st.integers(0, 3)))
    removed = draw(st.lists(st.sampled_from(FIELDS), unique=True))
    return Edit(tuple(values.items()), tuple(one for one in removed if one not in values))


@pytest.mark.parametrize(
    ("block", "limits", "batch", "per_host"),
    [
        (None, Limits(), 0, 0),
        ({}, Limits(), 0, 0),
        ({"batchSize": 0}, Limits(0, None), 0, 0),
        ({"maxConcurrentPerHost": 2}, Limits(None, 2), 0, 2),
        ({"batchSize": 7, "maxConcurrentPerHost": 0}, Limits(7, 0), 7, 0),
    ],
)
def test_absent_and_zero_are_both_off_and_yet_not_the_same(
    block: Block, limits: Limits, batch: int, per_host: int
) -> None:
    found = limits_of(block)
    assert found == limits
    assert (found.batch, found.per_host) == (batch, per_host)


@given(blocks, edits())
def test_an_edit_does_what_it_says_and_keeps_the_rest(block: Block, edit: Edit) -> None:
    before = dict(block) if block is not None else None
    after = edit.on(block)
    assert block == before
    named = {*dict(edit.values), *edit.removed}
    assert {key: value for key, value in (after or {}).items() if key in named} == dict(edit.values)
    kept = {key: value for key, value in (block or {}).items() if key not in named}
    assert {key: value for key, value in (after or {}).items() if key not in named} == kept
    assert (after is None) == (block is None and not edit.values)
    assert edit.on(after) == after


def test_a_block_that_is_emptied_stays_there() -> None:
    assert Edit(removed=("batchSize",)).on({"batchSize": 3}) == {}
    assert Edit(removed=("batchSize",)).on({}) == {}
    assert Edit(removed=("batchSize",)).on(None) is None
    assert Edit().on(None) is None


def test_an_explicit_zero_where_the_field_is_absent_is_a_change() -> None:
    assert Edit((("batchSize", 0),)).on(None) == {"batchSize": 0}
    assert Edit((("batchSize", 0),)).on({"maxConcurrentPerHost": 1}) == {
        "maxConcurrentPerHost": 1,
        "batchSize": 0,
    }


@given(blocks, wanted)
def test_an_edit_to_limits_reaches_them_by_no_more_than_it_needs(
    block: Block, limits: Limits
) -> None:
    present = limits_of(block)
    edit = edit_to(block, limits)
    expected = Limits(
        *(old if new is None else new for old, new in zip(present, limits, strict=True))
    )
    assert limits_of(edit.on(block)) == expected
    changed = {one for one, old, new in zip(FIELDS, present, expected, strict=True) if old != new}
    assert set(dict(edit.values)) == changed
    assert edit.removed == ()
    assert edit_to(edit.on(block), limits) == Edit()
