"""The file of a schedule: what is written is read again, and what cannot be followed is refused with all its faults."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from replay_tools import BEGIN, SCHEMA, schedule_of

from kubectl_c9s.measurement.schedule import (
    LONGEST,
    Entry,
    Origin,
    Schedule,
    Unusable,
    in_order,
    read_schedule,
    write_schedule,
)
from kubectl_c9s.resources.errors import RefusedInput

if TYPE_CHECKING:
    from collections.abc import Callable

NAMES = st.from_regex(r"[a-z0-9]([-a-z0-9]{0,10}[a-z0-9])?", fullmatch=True)
OFFSETS = st.floats(0, LONGEST, allow_nan=False)
ENTRIES = st.lists(
    st.builds(Entry, NAMES, NAMES, OFFSETS, st.just("busybox:1.37"), NAMES),
    min_size=1,
    max_size=20,
    unique_by=lambda one: one.name,
)


def made(entries: list[Entry]) -> Schedule:
    return Schedule(
        source="a test", origin=Origin("Pod", "lab/a", BEGIN), entries=in_order(entries)
    )


@given(ENTRIES, st.randoms())
def test_a_schedule_is_read_as_it_was_written_in_whatever_order(
    entries: list[Entry], chance: Any
) -> None:
    schedule = made(entries)
    whole = json.loads(write_schedule(schedule))
    jsonschema_rs.validator_for(json.loads(Path(SCHEMA).read_text("utf-8"))).validate(whole)
    chance.shuffle(whole["entries"])
    again = read_schedule(json.dumps(whole).encode(), "x")
    assert again == schedule
    assert again.digest == schedule.digest
    assert list(again.entries) == sorted(again.entries, key=lambda one: (one.offset, one.name))


@given(ENTRIES, st.data())
def test_a_file_that_is_cut_off_is_refused(entries: list[Entry], data: st.DataObject) -> None:
    whole = write_schedule(made(entries)).rstrip()
    cut = data.draw(st.integers(0, len(whole) - 1))
    with pytest.raises(RefusedInput):
        read_schedule(whole[:cut], "x")


@given(st.binary(max_size=200))
def test_any_bytes_are_a_schedule_or_refused(data: bytes) -> None:
    with pytest.raises(RefusedInput, match="no schedule"):
        read_schedule(data, "x")


def changed(change: Callable[[dict[str, Any]], object]) -> bytes:
    whole = json.loads(write_schedule(schedule_of(3, 1.0)))
    change(whole)
    return json.dumps(whole).encode()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda one: one.update(kind="StartupRun"), "its kind is 'StartupRun'"),
        (lambda one: one.update(format=2), "format 2"),
        (lambda one: one.update(more=1), "unknown field `more`"),
        (lambda one: one["entries"][0].update(offest=1), "unknown field `offest`"),
        (lambda one: one["entries"][0].pop("host"), "missing required field `host`"),
        (lambda one: one.pop("origin"), "missing required field `origin`"),
        (lambda one: one["entries"][0].update(offset="1"), "Expected `float`"),
    ],
)
def test_what_is_no_schedule_is_refused_with_the_reason(
    change: Callable[[dict[str, Any]], object], words: str
) -> None:
    with pytest.raises(RefusedInput, match=words):
        read_schedule(changed(change), "x")


def test_all_that_is_wrong_is_named_at_once() -> None:
    def spoil(whole: dict[str, Any]) -> None:
        first, second, third = whole["entries"]
        first.update(offset=-1.0, image=" ")
        second.update(name="d000", host="")
        third.update(name="Not A Name", host="a b", offset=1e300)

    with pytest.raises(Unusable) as caught:
        read_schedule(changed(spoil), "x")
    assert list(caught.value.problems) == [
        "'d000' has no image",
        "'d000': -1.0 is no offset from 0 to 604800 seconds",
        "'d000' is there twice",
        "'d000' has no host",
        "'Not A Name' is no name that a Pod can have",
        "'Not A Name': 'a b' is no host",
        "'Not A Name': 1e+300 is no offset from 0 to 604800 seconds",
    ]


def test_a_schedule_without_entries_is_refused() -> None:
    with pytest.raises(Unusable) as caught:
        read_schedule(changed(lambda whole: whole.update(entries=[])), "x")
    assert caught.value.problems == ("there is no entry in it",)


def test_one_device_is_enough() -> None:
    schedule = schedule_of(1)
    assert read_schedule(write_schedule(schedule), "x") == schedule


def test_the_digest_is_that_of_what_is_asked_for() -> None:
    one, other = schedule_of(3, 1.0), schedule_of(3, 1.5)
    moved = Schedule(source="elsewhere", origin=Origin("Pod", "x/y", 5.0), entries=one.entries)
    assert one.digest == moved.digest != other.digest
