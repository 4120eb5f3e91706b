"""The kubelet's end of a port-forward over a socket pair, frame by frame, and a real WebSocket client on the other."""

from __future__ import annotations

import contextlib
import socket
import struct
import threading
from typing import TYPE_CHECKING, Final, NamedTuple, Self

import websocket

from kubectl_c9s.cluster.tunnel import Tunnel

if TYPE_CHECKING:
    from collections.abc import Iterator

CONT: Final = 0x0
BINARY: Final = 0x2
CLOSE: Final = 0x8
PING: Final = 0x9
PONG: Final = 0xA
PORT: Final = struct.pack("<H", 9090)


def frame(opcode: int, data: bytes, *, last: bool = True) -> bytes:
    """Give a frame as a server sends it."""
    head = bytes([(0x80 if last else 0) | opcode])
    if len(data) < 126:
        return head + bytes([len(data)]) + data
    if len(data) < 1 << 16:
        return head + b"\x7e" + struct.pack("!H", len(data)) + data
    return head + b"\x7f" + struct.pack("!Q", len(data)) + data


class Got(NamedTuple):
    """A frame of the client."""

    opcode: int
    data: bytes


class Kubelet:
    """Runs a tunnel; ``sock`` is the kubelet's end of it, ``client`` a program's."""

    def __init__(self) -> None:
        self.sock, wire = socket.socketpair()
        web = websocket.WebSocket(enable_multithread=True)
        web.sock, web.connected = wire, True
        # TCP, since a reset is told apart from an end.
        with socket.create_server(("127.0.0.1", 0)) as server:
            self.client = socket.create_connection(server.getsockname(), 30)
            local, _ = server.accept()
        self.tunnel = Tunnel(local, web)
        self._thread = threading.Thread(target=self.tunnel.run, daemon=True)
        self.sock.settimeout(30)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.tunnel.stop()
        self.ended()
        for one in (self.sock, self.client):
            one.close()

    def ended(self) -> str:
        """Wait for the end; give the trouble."""
        self._thread.join(30)
        assert not self._thread.is_alive()
        return self.tunnel.trouble

    def begin(self) -> None:
        """Say the port on both channels, as a kubelet does first."""
        self.sock.sendall(frame(BINARY, b"\0" + PORT) + frame(BINARY, b"\1" + PORT))

    def frames(self) -> Iterator[Got]:
        """Give what the client sends, up to its end."""
        with self.sock.makefile("rb") as stream:
            while len(head := stream.read(2)) == 2:
                size = head[1] & 0x7F
                if size == 126:
                    (size,) = struct.unpack("!H", stream.read(2))
                elif size == 127:
                    (size,) = struct.unpack("!Q", stream.read(8))
                mask = stream.read(4)
                whole = mask * (size // 4 + 1)
                masked = stream.read(size)
                data = int.from_bytes(masked, "big") ^ int.from_bytes(whole[:size], "big")
                yield Got(head[0] & 0xF, data.to_bytes(size, "big"))

    def frames_until_close(self) -> Iterator[Got]:
        """Give what the client sends, up to its frame that says the end."""
        for one in self.frames():
            yield one
            if one.opcode == CLOSE:
                return

    def received(self) -> bytes:
        """Give what the program gets, up to the end; ConnectionResetError when it was no orderly one."""
        found = bytearray()
        with contextlib.suppress(TimeoutError):
            while piece := self.client.recv(65536):
                found += piece
        return bytes(found)
