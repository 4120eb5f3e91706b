"""One TCP connection to a port of a Pod: a local socket, a WebSocket through the API server, a pump each way.

Each message of the WebSocket is a channel and bytes: data on 0, the words of an error on 1; each channel begins with
the port (config-and-chart.md §5). Neither pump reads more than it has written, so a slow side slows the other down.
"""

from __future__ import annotations

import contextlib
import socket
import struct
import threading
import time
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from kubectl_c9s.cluster.sharedsocket import SharedSocket
from kubectl_c9s.cluster.websockets import open_socket

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubectl_c9s.cluster.connection import Connection

_PROTOCOL: Final = "v4.channel.k8s.io"
_DATA: Final = 0
_ERROR: Final = 1
_PORT_BYTES: Final = 2
_PIECE: Final = 64 * 1024
_MOST_WORDS: Final = 4096
_LINGER: Final = 2.0
_ANSWERED: Final = 0.5
"""Seconds of silence after which a connection whose client sends no more is ended; fewer when it got an answer.

The protocol has no word for "I send no more", so the Pod cannot be told; and a client that has gone looks the same. An
HTTP server written in Go gives a request up when its client ends its direction, so little is lost by not waiting long.
"""

_GOODBYE: Final = 5.0  # seconds for the other side to end what we have ended


def dial(connection: Connection, namespace: str, pod: str, port: int) -> Any:
    """Open a WebSocket to a port of a Pod; raises Unreachable, Forbidden, NotFound or another ApiError.

    That nobody listens on the port is said later, on the channel of errors.
    """
    path = f"/api/v1/namespaces/{quote(namespace, safe='')}/pods/{quote(pod, safe='')}/portforward"
    what = f"forward to port {port} of {pod}"
    return open_socket(connection, path, [("ports", str(port))], what, [_PROTOCOL])


def reset(local: socket.socket) -> None:
    """Close a socket so that the other side learns of a break, not of an end. Raises OSError."""
    local.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    local.close()


class Tunnel:
    """Carries bytes between a local socket and an opened WebSocket until either side ends; takes both over.

    ``trouble`` says afterwards, in the kubelet's words or ours, what has ended it other than a side that was done;
    ``heard`` tells whether the Pod has said anything.
    """

    def __init__(self, local: socket.socket, web: Any) -> None:
        local.settimeout(None)
        self._local = local
        self._web = web
        self._wire = SharedSocket(web.sock)
        web.sock = self._wire
        self._ended = threading.Event()  # the WebSocket says nothing more
        self._left = False  # the client takes nothing more
        self._answered = False  # who spoke last was the Pod
        self._over = False  # we have ended the WebSocket ourselves
        self._last = time.monotonic()
        self.heard = False
        self.trouble = ""

    def run(self) -> None:
        """Carry until the end; both sockets are closed then."""
        upwards = threading.Thread(target=self._upwards, name="c9s-upwards", daemon=True)
        upwards.start()
        whole = self._downwards()
        self._ended.set()
        self._end_local(whole=whole)
        # A socket that is closed with bytes unread loses what it still has to send.
        upwards.join(_LINGER if whole else 0.0)
        with contextlib.suppress(OSError):
            self._local.shutdown(socket.SHUT_RD)
        self._wire.shutdown()
        upwards.join()
        self._local.close()
        self._wire.release()

    def stop(self) -> None:
        """Let ``run`` end soon; any thread may call it."""
        self._over = True
        self._wire.shutdown()
        with contextlib.suppress(OSError):
            self._local.shutdown(socket.SHUT_RDWR)

    def _end_local(self, *, whole: bool) -> None:
        """End the local side as the other side ended: what was cut off must not look complete."""
        with contextlib.suppress(OSError):
            if whole:
                self._local.shutdown(socket.SHUT_WR)
            else:
                self._local.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    def _downwards(self) -> bool:
        """Carry from the Pod; tell whether its side came to an orderly end."""
        skip = {_DATA: _PORT_BYTES, _ERROR: _PORT_BYTES}
        for channel, data in self._messages():
            left = skip.get(channel, 0)
            skip[channel] = max(0, left - len(data))
            if not (rest := data[left:]):
                continue
            if channel == _ERROR:
                self.trouble = rest[:_MOST_WORDS].decode("utf-8", "replace").strip()
                return False
            if channel == _DATA:
                self._give(rest)
        return not self.trouble

    def _give(self, data: bytes) -> None:
        """Give bytes to the client; one that has gone may have sent something that is still on its way."""
        self.heard = True
        self._answered = True
        self._last = time.monotonic()
        if not self._left:
            try:
                self._local.sendall(data)
            except OSError:
                self._left = True

    def _messages(self) -> Iterator[tuple[int, bytes]]:
        """Give channel and bytes of each frame up to the end; a connection that breaks by itself is trouble."""
        import websocket  # noqa: PLC0415 - comes with the client

        kinds = websocket.ABNF
        channel = -1
        try:
            while True:
                frame = self._web.recv_frame()
                if frame.opcode == kinds.OPCODE_CLOSE:
                    return
                if frame.opcode == kinds.OPCODE_PING:
                    self._web.pong(frame.data)
                elif frame.opcode == kinds.OPCODE_CONT:
                    yield channel, frame.data
                elif frame.opcode in {kinds.OPCODE_BINARY, kinds.OPCODE_TEXT} and frame.data:
                    channel = frame.data[0]
                    yield channel, frame.data[1:]
        except (websocket.WebSocketException, OSError) as error:
            if not self._over:
                self.trouble = f"the connection to the API server broke: {error}"

    def _upwards(self) -> None:
        """Carry to the Pod until the local side sends no more, and end the connection when that is done."""
        import websocket  # noqa: PLC0415 - comes with the client

        # Whatever is wrong with the WebSocket, who reads it learns it, too, and says so.
        with contextlib.suppress(websocket.WebSocketException, OSError):
            while data := self._sent():
                self._answered = False
                self._web.send_bytes(bytes([_DATA]) + data)
            self._linger()
            if not self._ended.is_set():
                self._over = True
                self._web.send_close()
        if not self._ended.wait(_GOODBYE):
            self._over = True
            self._wire.shutdown()
        while self._sent():
            pass

    def _sent(self) -> bytes:
        """Give what the client sends next; nothing when it has ended or gone."""
        try:
            return self._local.recv(_PIECE)
        except OSError:
            self._left = True
            return b""

    def _linger(self) -> None:
        """Wait for what may still come for a client that has ended its own direction only."""
        begun = time.monotonic()
        while not (self._left or self._ended.wait(0.05)):
            silence = time.monotonic() - max(self._last, begun)
            if silence >= (_ANSWERED if self._answered else _LINGER):
                return
