"""A replay is judged by when it asked, when Pods came, where they are and what addresses they have."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from replay_tools import BEGIN, HOSTS, device, schedule_of

from kubectl_c9s.measurement.replayanalysis import Outcome, Submission, Wish, family_of, judge

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kubectl_c9s.measurement.run import Device, Replayed

COUNT = 10
SCHEDULE = schedule_of(COUNT, 1.0)
ERRORS = st.floats(-1000, 1000, allow_nan=False)


def asked(late: Sequence[float] | None = None) -> list[Submission]:
    errors = late if late is not None else [0.0] * COUNT
    return [
        Submission(one.name, one.offset, one.offset + error, one.offset + error + 0.01)
        for one, error in zip(SCHEDULE.entries, errors, strict=True)
    ]


def there(off: Sequence[float] | None = None, **hosts: str) -> list[Device]:
    errors = off if off is not None else [0.0] * COUNT
    return [
        device(
            one.name,
            BEGIN + one.offset + error,
            hosts.get(one.name, one.host),
            f"10.0.0.{number + 1}",
        )
        for number, (one, error) in enumerate(zip(SCHEDULE.entries, errors, strict=True))
    ]


def judged(
    submissions: list[Submission] | None = None,
    devices: list[Device] | None = None,
    families: Wish = "ipv4",
    **more: Any,
) -> Replayed:
    submissions = asked() if submissions is None else submissions
    devices = there() if devices is None else devices
    return judge(Outcome(SCHEDULE, submissions, devices, BEGIN, families, **more))


def test_a_replay_that_kept_everything_counts() -> None:
    found = judged()
    assert found.invalid == ()
    assert found.submission_error.count == found.arrival_error.count == COUNT
    assert found.source == SCHEDULE.source


@given(st.lists(ERRORS, min_size=COUNT, max_size=COUNT))
def test_lateness_is_judged_by_its_tail_in_either_direction(late: list[float]) -> None:
    found = judged(asked(late))
    # Of ten, rank ceil(0.99 * 10) is the worst.
    worst = max(abs(one.request_started - one.offset) for one in asked(late))
    assert bool(found.invalid) == (worst > 0.25)
    assert found.submission_error.max == pytest.approx(max(late), abs=1e-9)


def test_one_in_a_hundred_may_be_late() -> None:
    schedule = schedule_of(200, 1.0)
    late = [3.0, 2.0] + [0.0] * 198
    submissions = [
        Submission(one.name, one.offset, one.offset + error, one.offset + error)
        for one, error in zip(schedule.entries, late, strict=True)
    ]
    devices = [
        device(one.name, BEGIN + one.offset, one.host, f"10.0.{number // 250}.{number % 250}")
        for number, one in enumerate(schedule.entries)
    ]
    assert judge(Outcome(schedule, submissions, devices, BEGIN, "ipv4")).invalid == ()
    submissions[2].request_started += 1.0
    (reason,) = judge(Outcome(schedule, submissions, devices, BEGIN, "ipv4")).invalid
    assert reason == "requests began off their time: p99 is 1.000 s, and 0.25 s is the most"


@given(st.lists(st.integers(-5, 5), min_size=COUNT, max_size=COUNT))
def test_stamps_may_be_two_seconds_off_and_no_more(off: list[int]) -> None:
    found = judged(devices=there(off))
    bad = sum(abs(one) > 2 for one in off)
    assert found.arrival_error.min == min(off)
    assert found.arrival_error.mean == pytest.approx(math.fsum(off) / COUNT)
    assert (len(found.invalid) == 1) == (bad > 0)
    assert not bad or found.invalid[0].startswith(f"{bad} of 10 Pods were created more than 2 s")


def test_arrivals_count_from_the_anchor_and_not_from_the_recorded_origin() -> None:
    outcome = Outcome(SCHEDULE, asked(), there([100.0] * COUNT), BEGIN + 100, "ipv4")
    assert judge(outcome).invalid == ()


def test_each_fault_is_a_line_of_its_own() -> None:
    devices = there(d000=HOSTS[1], d002=HOSTS[0])
    devices[3].addresses = ("10.0.0.5",)  # that of the fifth
    devices[5].addresses = ("10.0.0.6", "fd00::6")
    devices[6].addresses = ()
    devices[7].addresses = ("ten", "10.0.0.8")
    devices[8].replaced = 1
    found = judged(asked()[:9], devices[:9], strangers=["x", "y"])
    assert list(found.invalid) == [
        "1 of 10 Pods were not asked for: d009",
        "1 of 10 Pods are missing: d009",
        "1 Pods were replaced by others: d008",
        "2 Pods are not of the schedule: x, y",
        f"2 Pods are on another host: d000 ({HOSTS[1]} and not {HOSTS[0]}), d002 ({HOSTS[0]} and not {HOSTS[2]})",
        "3 Pods have not exactly the addresses IPv4: d005 (IPv4 and IPv6), d006 (none), d007 (unreadable and IPv4)",
        "1 addresses are given twice: 10.0.0.5 (d003, d004)",
    ]


def test_a_pod_that_was_refused_was_not_asked_for() -> None:
    submissions = asked()
    submissions[0].error = "no"
    assert judged(submissions).invalid == ("1 of 10 Pods were not asked for: d000",)


@pytest.mark.parametrize(
    ("families", "good"),
    [
        ("ipv4", ["10.0.0.1"]),
        ("ipv6", ["fd00::1"]),
        ("dual", ["10.0.0.1", "fd00::1"]),
        ("dual", ["fd00::1", "10.0.0.1"]),
    ],
)
def test_families_are_wanted_exactly(families: Wish, good: list[str]) -> None:
    schedule = schedule_of(1)
    submissions = [Submission("d000", 0.0, 0.0, 0.0)]
    candidates: list[list[str]] = [
        [],
        ["10.0.0.1"],
        ["fd00::1"],
        ["10.0.0.1", "fd00::1"],
        ["fd00::1", "10.0.0.1"],
        ["10.0.0.1", "10.0.0.2"],
        ["fd00::1", "fd00::2"],
        ["10.0.0.1", "10.0.0.2", "fd00::1"],
    ]
    for addresses in candidates:
        devices = [device("d000", BEGIN, HOSTS[0], *addresses)]
        invalid = judge(Outcome(schedule, submissions, devices, BEGIN, families)).invalid
        assert (invalid == ()) == (sorted(addresses) == sorted(good))


def test_two_spellings_of_an_address_are_one() -> None:
    schedule = schedule_of(2)
    submissions = [Submission(name, 0.0, 0.0, 0.0) for name in ("d000", "d001")]
    devices = [
        device("d000", BEGIN, HOSTS[0], "fd00::1"),
        device("d001", BEGIN, HOSTS[1], "FD00:0:0::1"),
    ]
    (reason,) = judge(Outcome(schedule, submissions, devices, BEGIN, "ipv6")).invalid
    assert reason == "1 addresses are given twice: fd00::1 (d000, d001)"


@given(st.lists(st.one_of(st.ip_addresses(v=4), st.ip_addresses(v=6))))
def test_families_are_those_of_the_addresses(found: list[Any]) -> None:
    assert family_of(map(str, found)) == tuple(sorted(one.version for one in found))


def test_without_anything_a_replay_says_what_is_missing() -> None:
    found = judged([], [])
    assert found.submission_error.count == found.arrival_error.count == 0
    assert len(found.invalid) == 2
