"""Events of a run: occurrences by reporter, and what the images were like."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_c9s.measurement.eventcounts import EventCounts, count_events
from kubectl_c9s.resources.moments import text_of
from kubectl_c9s.resources.surroundings import RawEvent

BEGAN = 1_700_000_000.0


def event(  # noqa: PLR0913 - what an Event says, each with a default
    first: float = 1,
    last: float | None = None,
    *,
    reporter: str = "kubelet",
    reason: str = "Started",
    message: str = "Started container r1",
    host: str = "h1",
    kind: str = "Pod",
    **more: Any,
) -> RawEvent:
    """Give an Event of the older kind; times are seconds after the beginning of the run."""
    fields = {
        "metadata": {"name": "e", "creationTimestamp": text_of(BEGAN + first)},
        "involvedObject": {"kind": kind, "name": "r1"},
        "reason": reason,
        "message": message,
        "firstTimestamp": text_of(BEGAN + first),
        "lastTimestamp": text_of(BEGAN + (first if last is None else last)),
        "source": {"component": reporter, "host": host},
        **more,
    }
    return msgspec.convert(fields, RawEvent)


def new_event(first: float, reporter: str = "default-scheduler", **series: Any) -> RawEvent:
    """Give an Event of the newer kind, as the older API shows it."""
    stamp = text_of(BEGAN + first).replace("Z", ".123456Z")
    return event(
        first, reporter="", reportingComponent=reporter, eventTime=stamp, firstTimestamp=None,
        lastTimestamp=None, source={}, series=series or None,
    )  # fmt: skip


def pull(image: str, *, present: bool, host: str = "h1", **more: Any) -> RawEvent:
    """Give what a kubelet says when it needs an image."""
    said = (
        f'Container image "{image}" already present on machine'
        if present
        else f'Successfully pulled image "{image}" in 2.1s (2.1s including waiting)'
    )
    return event(reason="Pulled", message=said, host=host, **more)


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["kubelet", "default-scheduler", "manager"]),
            st.integers(-50, 50),
            st.integers(0, 60),
            st.integers(1, 9),
        )
    )
)
def test_occurrences_since_the_beginning_are_counted_once_each(
    drawn: list[tuple[str, int, int, int]],
) -> None:
    events = [
        event(first, first + lasting, reporter=reporter, count=count)
        for reporter, first, lasting, count in drawn
    ]
    wanted: Counter[str] = Counter()
    for reporter, first, lasting, count in drawn:
        if first >= 0:
            wanted[reporter] += count
        elif first + lasting >= 0:
            wanted[reporter] += 1
    counts = count_events(events, BEGAN)
    assert counts.reporters == dict(wanted)
    assert counts.earlier == sum(first < 0 <= first + lasting for _, first, lasting, _ in drawn)


def test_a_series_says_how_often_and_until_when() -> None:
    until = text_of(BEGAN + 20)
    inside = new_event(2, count=7, lastObservedTime=until)
    over = new_event(-30, count=4, lastObservedTime=until)
    before = new_event(-30, count=4, lastObservedTime=text_of(BEGAN - 1))
    assert count_events([inside], BEGAN).reporters == {"default-scheduler": 7}
    assert count_events([over, before], BEGAN) == EventCounts({"default-scheduler": 1}, 1)


def test_an_event_of_the_second_of_the_anchor_belongs_to_the_run() -> None:
    assert count_events([new_event(0), event(0)], BEGAN).reporters == {
        "default-scheduler": 1,
        "kubelet": 1,
    }


def test_an_event_without_a_reporter_is_counted_all_the_same() -> None:
    assert count_events([event(reporter="")], BEGAN).reporters == {"unknown": 1}


def test_an_event_whose_times_cannot_be_read_is_passed_over() -> None:
    broken = event(lastTimestamp="yesterday")
    assert count_events([broken], BEGAN) == EventCounts({})


@pytest.mark.parametrize(
    ("events", "state"),
    [
        ([], ""),
        ([event()], ""),
        ([pull("a", present=True), pull("b", present=True)], "warm"),
        ([pull("a", present=False)], "cold"),
        ([pull("a", present=False), pull("a", present=True)], "cold"),
        ([pull("a", present=False), pull("a", present=True, host="h2")], "mixed"),
        ([pull("a", present=False), pull("b", present=True)], "mixed"),
        ([event(reason="Pulling", message='Pulling image "a"')], "cold"),
        ([pull("a", present=False, first=-5), pull("a", present=True)], "warm"),
        ([pull("a", present=False, kind="Node")], ""),
        ([event(reason="Pulled", message="without a name")], ""),
    ],
    ids=[
        "no Events", "others", "all there", "pulled", "first of a host", "one host had it", "one image was there",
        "being pulled", "pulled before the run", "not of a Pod", "unreadable",
    ],
)  # fmt: skip
def test_images_are_warm_cold_or_mixed_by_host(events: list[RawEvent], state: str) -> None:
    assert count_events(events, BEGAN).images == state
