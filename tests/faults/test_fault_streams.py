"""Bodies in any framing come through whole, and what disturbs a stream does so at the right place."""

from __future__ import annotations

import asyncio
import json
import time
from typing import TYPE_CHECKING, Any

import pytest
from fault_decide import Decision, Fault
from fault_http import END, Broken, Head, chunk, lines, pieces, read_body, read_head
from fault_stream import Cut, disturbed, lagged
from hypothesis import given
from hypothesis import strategies as st

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

CHUNKED = Head("HTTP/1.1 200 OK", [("Transfer-Encoding", "chunked")])
UNTIL_END = Head("HTTP/1.1 200 OK", [])


def counted(length: int) -> Head:
    return Head("HTTP/1.1 200 OK", [("Content-Length", str(length))])


def reading(data: bytes, work: Callable[[asyncio.StreamReader], Awaitable[Any]]) -> Any:
    """Give what comes of reading these bytes, after which the other side has ended."""

    async def run() -> Any:
        reader = asyncio.StreamReader()
        reader.feed_data(data)
        reader.feed_eof()
        return await work(reader)

    return asyncio.run(run())


def body_of(data: bytes, head: Head) -> bytes:
    async def work(reader: asyncio.StreamReader) -> bytes:
        return b"".join([piece async for piece in pieces(reader, head)])

    found: bytes = reading(data, work)
    return found


@given(st.lists(st.binary(min_size=1, max_size=300), max_size=5))
def test_a_body_comes_through_in_any_framing(parts: list[bytes]) -> None:
    whole = b"".join(parts)
    assert body_of(b"".join(map(chunk, parts)) + END, CHUNKED) == whole
    assert body_of(whole + b"more", counted(len(whole))) == whole
    assert body_of(whole, UNTIL_END) == whole


@pytest.mark.parametrize(
    ("data", "head"),
    [
        (b"", CHUNKED),
        (b"5\r\nab", CHUNKED),
        (b"5\r\nabcde\r\n", CHUNKED),
        (b"0\r\n", CHUNKED),
        (b"zz\r\n", CHUNKED),
        (b"abc", counted(4)),
        (b"", Head("HTTP/1.1 200 OK", [("Content-Length", "-4")])),
    ],
)
def test_a_body_that_ends_too_early_is_not_taken_for_a_whole_one(data: bytes, head: Head) -> None:
    with pytest.raises(Broken):
        body_of(data, head)


def test_a_head_is_given_on_as_it_came() -> None:
    raw = b"GET /a?b=c HTTP/1.1\r\nHost: x\r\nX-Two: 1\r\nX-Two: 2\r\nEmpty:\r\n\r\n"
    head = reading(raw, read_head)
    assert head.encode() == raw.replace(b"Empty:", b"Empty: ")
    assert head.get("x-two") == "1"
    assert not head.closes


def test_a_head_that_is_cut_is_no_end() -> None:
    assert reading(b"", read_head) is None
    with pytest.raises(Broken):
        reading(b"GET / HT", read_head)


def test_a_request_without_a_length_has_no_body() -> None:
    head = Head("GET / HTTP/1.1", [])
    assert reading(b"GET /next", lambda reader: read_body(reader, head)) == b""


async def stream(*parts: bytes, error: Exception | None = None) -> AsyncIterator[bytes]:
    for part in parts:
        yield part
    if error:
        raise error


def outcome(body: AsyncIterator[bytes], seconds: float = 10) -> tuple[list[bytes], str]:
    """Give what comes out, and how it ends: done, silent, broken, or how it is cut."""

    async def run() -> tuple[list[bytes], str]:
        found = []
        try:
            async with asyncio.timeout(seconds):
                async for piece in body:
                    found.append(piece)  # noqa: PERF401 - what came before an error counts
        except Cut as cut:
            return found, cut.how
        except TimeoutError:
            return found, "silent"
        except Broken:
            return found, "broken"
        return found, "done"

    return asyncio.run(run())


@given(st.lists(st.binary(max_size=20)))
def test_lines_are_whole_and_nothing_is_lost(parts: list[bytes]) -> None:
    found, _ = outcome(lines(stream(*parts)))
    assert b"".join(found) == b"".join(parts)
    assert all(line.endswith(b"\n") and line.count(b"\n") == 1 for line in found[:-1])


def fault(do: str, **settings: Any) -> Decision:
    drop = {"events": None, "bytes": None, "seconds": None, "how": "close"} if do == "drop" else {}
    return Decision(1, fault=Fault(do, {**drop, **settings}))


THREE = (b"one\n", b"two\n", b"three\n")


@pytest.mark.parametrize(
    ("decision", "expected"),
    [
        (Decision(1), (list(THREE), "done")),
        (fault("drop", events=2), ([b"one\n", b"two\n"], "close")),
        (fault("drop", events=0, how="reset"), ([], "reset")),
        (fault("drop", events=4, how="end"), (list(THREE), "done")),
        (fault("drop", bytes=6), ([b"one\n", b"tw"], "close")),
        (fault("drop", bytes=8), ([b"one\n", b"two\n"], "close")),
        (fault("drop", bytes=0), ([], "close")),
        (fault("drop", events=1, bytes=6), ([b"one\n"], "close")),
    ],
)
def test_a_stream_is_dropped_where_the_rule_says(
    decision: Decision, expected: tuple[list[bytes], str]
) -> None:
    assert outcome(disturbed(stream(*THREE), decision)) == expected


def test_a_drop_by_time_also_ends_a_stream_where_nothing_comes() -> None:
    async def nothing() -> AsyncIterator[bytes]:
        yield b"one\n"
        await asyncio.Event().wait()

    assert outcome(disturbed(nothing(), fault("drop", seconds=0.05))) == ([b"one\n"], "close")


def test_a_silent_stream_stays_open() -> None:
    assert outcome(disturbed(stream(*THREE), fault("silent", events=1)), 0.1) == (
        [b"one\n"],
        "silent",
    )
    assert outcome(disturbed(stream(), fault("silent", events=1)), 0.1) == ([], "silent")


def test_a_watch_that_expires_says_so_as_its_last_word() -> None:
    found, how = outcome(disturbed(stream(*THREE), fault("expire", events=1)))
    assert (found[0], how, len(found)) == (b"one\n", "end", 2)
    event = json.loads(found[1])
    assert (event["type"], event["object"]["code"]) == ("ERROR", 410)
    assert event["object"]["reason"] == "Expired"


@given(st.lists(st.binary(min_size=1, max_size=5), max_size=20))
def test_lag_keeps_everything_in_order(parts: list[bytes]) -> None:
    assert outcome(lagged(stream(*parts), 0.001)) == (parts, "done")


def test_lag_comes_after_every_event_and_before_the_break() -> None:
    began = time.monotonic()
    found = outcome(lagged(stream(*THREE, error=Broken()), 0.2))
    assert found == (list(THREE), "broken")
    assert time.monotonic() - began >= 0.2
