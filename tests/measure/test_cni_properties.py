"""The reader of Calico's log against another one, on random logs in random pieces."""

from __future__ import annotations

import itertools

from cni_texts import Event, at_once, log, naive, read, same, stamp
from hypothesis import given
from hypothesis import strategies as st

PROCESSES = st.integers(1, 4)
WHATS = st.sampled_from(["about", "acquired", "released", "ours", "other", "noise"])
EVENTS = st.lists(st.tuples(st.integers(0, 30_000), PROCESSES, WHATS), max_size=60).map(
    lambda found: [Event(*one) for one in sorted(found, key=lambda one: one[0])]
)
CALLS = st.lists(
    st.builds(
        at_once,
        PROCESSES,
        st.integers(0, 20_000),
        st.integers(0, 5000),
        st.integers(0, 5000),
        st.sampled_from(["ours", "other"]),
    ),
    max_size=12,
).map(lambda calls: sorted(itertools.chain(*calls), key=lambda one: one.at))


@given(EVENTS | CALLS, st.integers(-2000, 32_000))
def test_any_order_of_lines_is_read_as_by_another_reader(events: list[Event], since: int) -> None:
    same(read([log(events)], stamp(since)), naive(events, since))


@given(CALLS, st.lists(st.integers(0, 4000), max_size=20), st.text(max_size=20))
def test_pieces_of_a_stream_may_end_anywhere(
    events: list[Event], cuts: list[int], text: str
) -> None:
    odd = text.encode("utf-8", "surrogatepass").replace(b"\n", b"")
    whole = log(events) + odd + "ü€𝄞\n".encode() + log(events[:3])
    places = sorted({0, *(cut for cut in cuts if cut < len(whole)), len(whole)})
    pieces = [whole[a:b] for a, b in itertools.pairwise(places)]
    assert read(pieces) == read([whole])
    assert read(whole[n : n + 1] for n in range(len(whole))) == read([whole])


@given(st.lists(st.binary(max_size=60)))
def test_no_bytes_make_the_reader_fail(pieces: list[bytes]) -> None:
    found = read(pieces)
    assert found.lines <= b"".join(pieces).count(b"\n") + 1
