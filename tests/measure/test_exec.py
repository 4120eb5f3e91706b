"""How an exec's messages are read; the real path is in test_exec_live.py."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, cast

import pytest
import websocket
from exec_sockets import Scripted, ended

from kubectl_c9s.cluster import podexec
from kubectl_c9s.cluster.errors import Unreachable
from kubectl_c9s.cluster.podexec import Cancel, CommandFailed, Ran, Target, TimedOut, run, stream

if TYPE_CHECKING:
    from collections.abc import Callable

    from kubectl_c9s.cluster.connection import Connection

    Serve = Callable[..., Scripted]

TARGET = Target("lab", "r1", "primary")
NOBODY = cast("Connection", None)
ASKED: list[Any] = []


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Serve:
    """Give a maker of the next socket's messages."""

    def make(*messages: bytes | Exception | None) -> Scripted:
        socket = Scripted(messages)
        ASKED.clear()

        def opened(*args: Any) -> Scripted:
            ASKED.extend(args)
            return socket

        monkeypatch.setattr(podexec, "open_socket", opened)
        return socket

    return make


def test_both_streams_and_the_code_are_given(serve: Serve) -> None:
    socket = serve(
        b"\x01a", b"\x02wrong", b"\x01", b"\x01b", b"\x04odd", ended("Failure", 3, "it failed")
    )
    assert run(NOBODY, TARGET, ["ls", "-l"]) == Ran(3, b"ab", b"wrong", "it failed")
    assert socket.closed
    assert ASKED[1] == "/api/v1/namespaces/lab/pods/r1/exec"
    assert ASKED[2] == [
        ("command", "ls"), ("command", "-l"), ("container", "primary"), ("stdout", "true"), ("stderr", "true"),
    ]  # fmt: skip


def test_success_is_the_code_zero(serve: Serve) -> None:
    serve(ended())
    assert run(NOBODY, Target("lab", "r1"), ["true"]) == Ran(0, b"", b"")
    assert ("container", "") not in ASKED[2]


@pytest.mark.parametrize(
    "status",
    [ended("Failure", None, "exit status 3"), b"\x03{", b"\x03", ended("Failure", 0), b"\x03\xff"],
    ids=["words", "cut", "empty", "zero", "bytes"],
)
def test_a_failure_of_unknown_code_is_still_a_failure(serve: Serve, status: bytes) -> None:
    serve(b"\x01some", status)
    ran = run(NOBODY, TARGET, ["false"])
    assert (ran.code, ran.stdout) == (None, b"some")
    assert ran.message


def test_each_stream_is_cut_at_the_bound(serve: Serve) -> None:
    serve(b"\x01abc", b"\x01def", b"\x02xyz", ended())
    assert run(NOBODY, TARGET, ["cat"], most=4) == Ran(0, b"abcd", b"xyz", cut=True)
    serve(b"\x01abcd", ended())
    assert run(NOBODY, TARGET, ["cat"], most=4) == Ran(0, b"abcd", b"")


@pytest.mark.parametrize("end", [b"", OSError("reset"), websocket.WebSocketException("bad frame")])
def test_a_connection_that_ends_before_the_command_is_an_error(
    serve: Serve, end: bytes | Exception
) -> None:
    socket = serve(b"\x01half", end)
    with pytest.raises(Unreachable, match="lab/r1"):
        run(NOBODY, TARGET, ["cat"])
    assert socket.closed


def test_what_was_printed_in_time_is_kept(serve: Serve) -> None:
    serve(b"\x01half", None)
    ran = run(NOBODY, TARGET, ["cat"], limit=0.05)
    assert (ran.code, ran.stdout, ran.timed_out) == (None, b"half", True)


def test_another_thread_can_end_a_command(serve: Serve) -> None:
    serve(b"\x01half", None)
    cancel = Cancel()
    timer = threading.Timer(0.05, cancel.cancel)
    timer.start()
    ran = run(NOBODY, TARGET, ["cat"], limit=600, cancel=cancel)
    timer.join()
    assert (ran.timed_out, ran.message) == (True, "command in lab/r1: cancelled")
    serve(None)
    assert run(NOBODY, TARGET, ["cat"], limit=600, cancel=cancel).timed_out


def test_a_stream_comes_in_pieces_and_fails_at_its_end(serve: Serve) -> None:
    serve(b"\x01a", b"\x02cat: no such", b"\x01b", b"\x02 file\n", ended("Failure", 1))
    pieces: list[bytes] = []
    with pytest.raises(CommandFailed, match="lab/r1: cat: no such file") as raised:
        pieces.extend(stream(NOBODY, TARGET, ["cat"]))
    assert pieces == [b"a", b"b"]
    assert (raised.value.code, raised.value.stderr) == (1, "cat: no such file")


def test_a_stream_that_is_late_or_breaks_says_so(serve: Serve) -> None:
    serve(b"\x01a", None)
    with pytest.raises(TimedOut, match="not done within"):
        list(stream(NOBODY, TARGET, ["cat"], limit=0.05))
    serve(b"\x01a")
    with pytest.raises(Unreachable, match="ended before the command did"):
        list(stream(NOBODY, TARGET, ["cat"]))


def test_a_stream_that_is_left_closes_its_socket(serve: Serve) -> None:
    socket = serve(b"\x01a", b"\x01b", ended())
    pieces = stream(NOBODY, TARGET, ["cat"])
    assert next(pieces) == b"a"
    del pieces
    assert socket.closed
