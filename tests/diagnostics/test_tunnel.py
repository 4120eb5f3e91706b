"""One connection of port-forward against a kubelet that does as it is told."""

from __future__ import annotations

import itertools
import socket
import threading
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kubelet_wire import BINARY, CLOSE, CONT, PING, PONG, PORT, Got, Kubelet, frame

if TYPE_CHECKING:
    from collections.abc import Callable

PIECES = st.lists(st.binary(max_size=300), max_size=6)


@settings(max_examples=40)
@given(pieces=PIECES, cuts=st.lists(st.integers(0, 400), max_size=4))
def test_bytes_arrive_as_they_were_however_they_are_framed(
    pieces: list[bytes], cuts: list[int]
) -> None:
    """The port stands before the bytes of a channel, in a message of its own or not."""
    whole = b"".join(pieces)
    stream = PORT + whole
    edges = sorted({0, len(stream), *(min(cut, len(stream)) for cut in cuts)})
    parts = [stream[a:b] for a, b in itertools.pairwise(edges)]
    first, *rest = parts
    message = frame(BINARY, b"\0" + first, last=not rest)
    for index, part in enumerate(rest):
        message += frame(CONT, part, last=index == len(rest) - 1)
    with Kubelet() as kubelet:
        kubelet.sock.sendall(frame(BINARY, b"\1" + PORT) + message + frame(CLOSE, b"\x03\xe8"))
        assert kubelet.received() == whole
        kubelet.client.close()
        assert kubelet.ended() == ""


def test_each_side_may_talk_first_and_long() -> None:
    data = bytes(range(256)) * 4096
    with Kubelet() as kubelet:
        kubelet.begin()
        sender = threading.Thread(target=kubelet.client.sendall, args=(data,))
        sender.start()
        got = b""
        for one in kubelet.frames():
            assert one.data[0] == 0
            got += one.data[1:]
            if len(got) == len(data):
                break
        sender.join()
        assert got == data


def test_words_on_the_channel_of_errors_end_it_with_a_reset() -> None:
    words = "error forwarding port 9090 to pod m-0, uid : connection refused"
    with Kubelet() as kubelet:
        kubelet.begin()
        kubelet.sock.sendall(frame(BINARY, b"\1" + words.encode()))
        with pytest.raises(ConnectionResetError):
            kubelet.received()
        assert kubelet.ended() == words
        assert not kubelet.tunnel.heard


def test_an_orderly_end_of_the_pod_is_an_end_for_the_program() -> None:
    with Kubelet() as kubelet:
        kubelet.begin()
        kubelet.sock.sendall(frame(BINARY, b"\0hello") + frame(CLOSE, b"\x03\xe8"))
        assert kubelet.received() == b"hello"
        kubelet.client.close()
        assert kubelet.ended() == ""
        assert kubelet.tunnel.heard


@pytest.mark.parametrize("cut", [b"", b"\x82", frame(BINARY, b"\0more")[:4]])
def test_a_connection_that_breaks_is_a_break_for_the_program(cut: bytes) -> None:
    """What was cut off must not look whole."""
    with Kubelet() as kubelet:
        kubelet.begin()
        kubelet.sock.sendall(frame(BINARY, b"\0hello") + cut)
        kubelet.sock.close()
        with pytest.raises(ConnectionResetError):
            kubelet.received()
        assert kubelet.ended().startswith("the connection to the API server broke: ")


def test_a_program_that_ends_is_heard_to_its_last_byte() -> None:
    """The kubelet does not end by itself: the client's end must reach it, after all that was sent."""
    with Kubelet() as kubelet:
        kubelet.begin()
        kubelet.client.sendall(b"x" * 200_000)
        kubelet.client.close()
        frames = list(kubelet.frames_until_close())
        assert b"".join(one.data[1:] for one in frames[:-1]) == b"x" * 200_000
        assert frames[-1] == Got(CLOSE, b"\x03\xe8")
        kubelet.sock.sendall(frame(CLOSE, b"\x03\xe8"))
        assert kubelet.ended() == ""


def test_half_an_end_leaves_time_for_the_answer() -> None:
    with Kubelet() as kubelet:
        kubelet.begin()
        kubelet.client.sendall(b"question")
        kubelet.client.shutdown(socket.SHUT_WR)
        frames = kubelet.frames()
        assert next(frames) == Got(BINARY, b"\0question")
        kubelet.sock.sendall(frame(BINARY, b"\0answer"))
        assert next(frames).opcode == CLOSE  # after a while, since nothing more comes
        kubelet.sock.sendall(frame(CLOSE, b"\x03\xe8"))
        assert kubelet.received() == b"answer"
        assert kubelet.ended() == ""


def test_a_ping_is_answered() -> None:
    with Kubelet() as kubelet:
        kubelet.begin()
        kubelet.sock.sendall(frame(PING, b"are you there"))
        assert next(kubelet.frames()) == Got(PONG, b"are you there")


def test_a_kubelet_that_takes_nothing_slows_the_program_down() -> None:
    with Kubelet() as kubelet:
        kubelet.begin()
        kubelet.client.settimeout(1.0)
        sent = taken_of(lambda: kubelet.client.sendall(bytes(65536)))
    assert sent < 64 << 20


def test_a_program_that_takes_nothing_slows_the_kubelet_down() -> None:
    with Kubelet() as kubelet:
        kubelet.begin()
        kubelet.sock.settimeout(1.0)
        sent = taken_of(lambda: kubelet.sock.sendall(frame(BINARY, bytes(65537))))
    assert sent < 64 << 20


def taken_of(send: Callable[[], None]) -> int:
    """Send until nothing more is taken; give how much was."""
    for count in range(4096):
        try:
            send()
        except TimeoutError:
            return count * 65536
    return 4096 * 65536
