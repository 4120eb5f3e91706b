from __future__ import annotations

import tracemalloc
from typing import TYPE_CHECKING

import pytest
from cni_texts import Event, at_once, line, log, read, same, stamp

from kubectl_c9s.measurement.cni import BUILT_IN
from kubectl_c9s.measurement.cni.reader import LONGEST_LINE, Lines

if TYPE_CHECKING:
    from collections.abc import Iterable


def test_waits_and_holds_of_our_calls_are_told() -> None:
    events = at_once(7, 0, 100, 400) + at_once(8, 50, 800, 400) + at_once(9, 60, 3000, 500, "other")
    found = read([log(sorted(events))])
    same(found, (2, [100, 800], [400, 400]))
    assert found.span == 1.25
    assert (found.lines, found.odd) == (12, 0)
    assert (found.first, found.last) == ("2026-12-31 23:59:50", "2026-12-31 23:59:53")


def test_the_order_of_assigning_and_asking_for_the_lock_does_not_matter() -> None:
    before = [
        Event(0, 7, "about"),
        Event(5, 7, "acquired"),
        Event(6, 7, "ours"),
        Event(9, 7, "released"),
    ]
    same(read([log(before)]), (1, [5], [4]))


def test_the_turn_of_the_year_is_a_second_like_others() -> None:
    same(read([log(at_once(7, 9_900, 200, 700))]), (1, [200], [700]))


def test_a_release_of_an_address_uses_the_lock_and_is_not_counted() -> None:
    release = [Event(0, 7, "about"), Event(5, 7, "acquired"), Event(9, 7, "released")]
    same(read([log(release)]), (0, [], []))


def test_a_process_number_that_recurs_is_another_call() -> None:
    twice = at_once(7, 0, 10, 20) + at_once(7, 9000, 30, 40) + at_once(7, 12_000, 500, 600, "other")
    release = [
        Event(15_000, 7, "about"),
        Event(15_700, 7, "acquired"),
        Event(16_000, 7, "released"),
    ]
    same(read([log(twice + release)]), (2, [10, 30], [20, 40]))


def test_a_call_that_was_killed_leaves_no_times_to_the_next() -> None:
    killed = [Event(0, 7, "other"), Event(0, 7, "about"), Event(10, 7, "acquired")]
    same(read([log(killed + at_once(7, 5000, 30, 40))]), (1, [30], [40]))
    again = [
        Event(0, 7, "ours"),
        Event(0, 7, "about"),
        Event(10, 7, "acquired"),
        Event(5000, 7, "about"),
    ]
    same(read([log(again)]), (1, [], []))


def test_a_lock_that_was_had_before_asking_anew_is_not_held() -> None:
    words = ("ours", "about", "acquired", "about", "released")
    found = read([log([Event(at, 7, what) for at, what in enumerate(words)])])
    same(found, (1, [], []))
    assert found.odd == 0


def test_half_a_pair_of_lines_gives_no_time() -> None:
    same(read([log(at_once(7, 0, 100, 400)[:2])]), (1, [], []))
    same(read([log(at_once(7, 0, 100, 400)[:3])]), (1, [100], []))
    same(
        read([log([Event(0, 7, "ours"), Event(1, 7, "acquired"), Event(4, 7, "released")])]),
        (1, [], [3]),
    )


def test_lines_count_from_the_anchors_second_on() -> None:
    events = at_once(7, 0, 100, 400) + at_once(8, 3000, 10, 20)
    same(read([log(events)], stamp(3900)), (1, [10], [20]))
    same(read([log(events)], stamp(2999)), (1, [10], [20]))
    same(read([log(events)], stamp(4000)), (0, [], []))
    assert read([log(events)], stamp(3900)).complete
    assert read([log(events)], stamp(500)).complete


def test_a_log_that_does_not_reach_back_says_so() -> None:
    events = at_once(7, 3000, 100, 400)
    assert not read([log(events)], stamp(2000)).complete
    assert not read([b""], stamp(2000)).complete
    assert read([log(events)]).complete


def test_a_clock_that_was_set_back_gives_no_negative_time() -> None:
    events = [
        Event(5000, 7, "ours"),
        Event(5000, 7, "about"),
        Event(100, 7, "acquired"),
        Event(300, 7, "released"),
    ]
    found = read([log(events)])
    same(found, (1, [], [200]))
    assert found.odd == 1


@pytest.mark.parametrize(
    "wrong",
    [
        b"host-wide IPAM lock",
        b"2026-13-41 10:00:00.000 [INFO][9] x.go 1: Acquired host-wide IPAM lock.",
        b"2026-01-31 10:00:00.000 [INFO][9] x.go 1: Lost host-wide IPAM lock.",
        b"31 10:00:00.000 [INFO][9] x.go 1: Acquired host-wide IPAM lock.",
        b"2026-01-31 10:00:00.000 [INFO][] x.go 1: Auto assigning IP",
        b"\xff\xfe Auto assigning IP",
    ],
)
def test_cut_and_foreign_lines_are_counted_and_change_nothing(wrong: bytes) -> None:
    found = read([wrong + b"\n" + log(at_once(7, 0, 100, 400))])
    same(found, (1, [100], [400]))
    assert found.odd == 1


def test_other_lines_are_of_no_interest() -> None:
    text = b"\x80\x81 goroutine 1 [running]:\n\n" + log(
        [Event(0, 7, "noise"), *at_once(7, 0, 100, 400)]
    )
    found = read([text])
    same(found, (1, [100], [400]))
    assert found.odd == 0


def test_levels_and_longer_fractions_are_read() -> None:
    text = "\n".join(line(one, "DEBUG").replace(".", ".000", 1) for one in at_once(7, 500, 0, 0))
    found = read([text.encode()])
    assert (found.allocations, found.waits.max) == (1, 0.0)


def test_a_line_without_an_end_is_cut_and_the_next_is_read() -> None:
    endless = (
        b"2026-12-31 23:59:50.000 [INFO][7] x: "
        + b"y" * (3 * LONGEST_LINE)
        + b" host-wide IPAM lock\n"
    )
    size = 4096
    whole = endless + log(at_once(7, 0, 100, 400))
    pieces = [whole[start : start + size] for start in range(0, len(whole), size)]
    same(read(pieces), (1, [100], [400]))


def test_of_a_line_no_more_is_kept_than_its_bound() -> None:
    lines, long = Lines(), b"x" * (LONGEST_LINE + 5)
    assert [len(one) for one in lines.feed(long + b"\nab\n" + long)] == [LONGEST_LINE, 2]
    assert [len(one) for one in lines.feed(long + b"\n" + b"abc")] == [LONGEST_LINE]
    assert list(lines.end()) == [b"abc"]
    assert list(lines.end()) == []


def test_memory_does_not_grow_with_the_log() -> None:
    def long_log() -> Iterable[bytes]:
        for number in range(1_500):
            yield log(
                [
                    Event(number, number % 100, "noise"),
                    *at_once(number % 100, number, 1, 2, "other"),
                ]
            )

    tracemalloc.start()
    found = read(long_log())
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found.lines == 7_500
    assert peak < 256 * 1024  # of about 1 MB


def test_calico_is_the_reader_that_comes_with_the_tool() -> None:
    (reader,) = BUILT_IN
    assert (reader.name, reader.source.namespaces[0]) == ("calico", "kube-system")
    assert reader.source.command == ("cat", "/var/log/calico/cni/cni.log")
