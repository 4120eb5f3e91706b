"""Commands in containers, over a WebSocket through the API server: small answers whole, logs as a stream.

Nothing is sent to a command. What it prints is untrusted and bounded; how it ended stands in a Status on a channel of
its own. An API server wants the right to ``get`` and, in newer versions, to ``create`` ``pods/exec``.
"""

from __future__ import annotations

import contextlib
import threading
import time
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import quote

import msgspec

from kubectl_c9s.cluster.errors import ClusterError, Status, Unreachable
from kubectl_c9s.cluster.websockets import open_socket

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kubectl_c9s.cluster.connection import Connection

LIMIT: Final = 30.0
MOST: Final = 1 << 20
_PROTOCOLS: Final = ("v5.channel.k8s.io", "v4.channel.k8s.io")
_STDOUT, _STDERR, _STATUS = 1, 2, 3
_MOST_WORDS: Final = 4096
_UNKNOWN: Final = "the command failed"


class CommandFailed(ClusterError):
    """A command ended badly; ``code`` is None where the kubelet did not tell, ``stderr`` is cut after 4 KiB."""

    def __init__(self, message: str, code: int | None, stderr: str) -> None:
        super().__init__(message)
        self.code = code
        self.stderr = stderr


class TimedOut(ClusterError):
    """A command was not done in time, or was cancelled."""


class Target(NamedTuple):
    """A container of a Pod; an empty name is the one container of a Pod that has no other."""

    namespace: str
    pod: str
    container: str = ""

    @property
    def full_name(self) -> str:
        """Give ``namespace/pod``."""
        return f"{self.namespace}/{self.pod}"

    @property
    def path(self) -> str:
        """Where the API server takes commands for it."""
        return f"/api/v1/namespaces/{quote(self.namespace, safe='')}/pods/{quote(self.pod, safe='')}/exec"


class Ran(NamedTuple):
    """What came of a command.

    ``code`` is 0 for success and None when it is not known: then ``message`` says why. ``stdout`` and ``stderr`` end
    where they were cut (``cut``) or where time ran out (``timed_out``).
    """

    code: int | None
    stdout: bytes
    stderr: bytes
    message: str = ""
    timed_out: bool = False
    cut: bool = False


class Cancel:
    """Lets another thread end commands that run: their sockets are shut, and those to come do not begin."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._sockets: set[Any] = set()
        self._done = threading.Event()

    @property
    def cancelled(self) -> bool:
        """Tell whether it was done."""
        return self._done.is_set()

    def cancel(self) -> None:
        """End all."""
        self._done.set()
        with self._lock:
            for socket in self._sockets:
                with contextlib.suppress(OSError):  # it may just have been closed
                    socket.abort()

    def wait(self, seconds: float) -> None:
        """Wait, at most until it is done."""
        self._done.wait(seconds)

    @contextlib.contextmanager
    def holding(self, socket: Any) -> Iterator[None]:
        """Have a socket among those that are to be shut."""
        with self._lock:
            self._sockets.add(socket)
        if self.cancelled:
            self.cancel()
        try:
            yield
        finally:
            with self._lock:
                self._sockets.discard(socket)


class _Ended(Status):
    status: str = ""


def run(
    connection: Connection,
    target: Target,
    command: Sequence[str],
    *,
    limit: float = LIMIT,
    most: int = MOST,
    cancel: Cancel | None = None,
) -> Ran:
    """Run a command and give what it printed, of either stream at most ``most`` bytes.

    ``limit`` bounds everything, in seconds; a command that is not done then goes on in the container, and what it
    printed so far is given. May be called by several threads at once. Raises Forbidden, NotFound for a Pod that is
    gone, another ApiError for a container that cannot be entered, and Unreachable.
    """
    kept = {_STDOUT: bytearray(), _STDERR: bytearray()}
    cut = False
    code, message, timed_out = None, "", False
    try:
        for channel, data in _messages(connection, target, command, limit, cancel or Cancel()):
            if channel == _STATUS:
                code, message = _ending(data)
            elif channel in kept:
                room = most - len(kept[channel])
                cut = cut or len(data) > room
                kept[channel] += data[:room]
    except TimedOut as error:
        message, timed_out = error.message, True
    return Ran(code, bytes(kept[_STDOUT]), bytes(kept[_STDERR]), message, timed_out, cut)


def stream(
    connection: Connection,
    target: Target,
    command: Sequence[str],
    *,
    limit: float = LIMIT,
    cancel: Cancel | None = None,
) -> Iterator[bytes]:
    """Run a command and give its standard output piece by piece, of any length.

    Raises what :func:`run` raises, and at the end CommandFailed or TimedOut.
    """
    words = bytearray()
    code, message = None, ""
    for channel, data in _messages(connection, target, command, limit, cancel or Cancel()):
        if channel == _STDOUT and data:
            yield bytes(data)
        elif channel == _STDERR:
            words += data[: _MOST_WORDS - len(words)]
        elif channel == _STATUS:
            code, message = _ending(data)
    if code != 0:
        said = words.decode("utf-8", "replace").strip()
        text = f"command in {target.full_name}: {said or message or _UNKNOWN}"
        raise CommandFailed(text, code, said)


def _messages(
    connection: Connection, target: Target, command: Sequence[str], limit: float, cancel: Cancel
) -> Iterator[tuple[int, memoryview]]:
    """Give channel and bytes of each message up to the status; raises Unreachable when that does not come."""
    end = time.monotonic() + limit
    query = [("command", word) for word in command]
    query += [("container", target.container)] if target.container else []
    query += [("stdout", "true"), ("stderr", "true")]
    what = f"command in {target.full_name}"
    asked = f"create pods/exec in {target.full_name}"
    socket = open_socket(connection, target.path, query, asked, _PROTOCOLS, max(limit, 0.001))
    try:
        with cancel.holding(socket):
            while True:
                data = _received(socket, end, limit, what, cancel)
                if data is None:
                    raise Unreachable(
                        f"{what}: the connection ended before the command did", sent=True
                    )
                if not data:
                    continue
                yield data[0], memoryview(data)[1:]
                if data[0] == _STATUS:
                    return
    finally:
        socket.shutdown()


def _received(socket: Any, end: float, limit: float, what: str, cancel: Cancel) -> bytes | None:
    """Wait for a message; None when the other side has closed."""
    import websocket  # noqa: PLC0415 - comes with the client

    left = end - time.monotonic()
    late = TimedOut(f"{what}: not done within {limit:.0f} s")
    if left <= 0:
        raise late
    socket.settimeout(left)
    try:
        opcode, data = socket.recv_data()
    except websocket.WebSocketTimeoutException:
        raise late from None
    except (websocket.WebSocketException, OSError, ValueError) as error:
        if cancel.cancelled:
            raise TimedOut(f"{what}: cancelled") from None
        raise Unreachable(f"{what}: the connection broke: {error}", sent=True) from None
    return None if opcode == websocket.ABNF.OPCODE_CLOSE else bytes(data)


def _ending(data: memoryview) -> tuple[int | None, str]:
    """Read how a command ended: its code (None when not told), and words for a failure."""
    try:
        ended = msgspec.json.decode(data, type=_Ended)
    except (msgspec.DecodeError, msgspec.ValidationError, UnicodeDecodeError):
        return None, _UNKNOWN
    if ended.status == "Success":
        return 0, ""
    causes = ended.details.causes if ended.details else []
    codes = [one.message for one in causes if one.reason == "ExitCode"]
    code = int(codes[0]) if codes and codes[0].isascii() and codes[0].isdigit() else None
    return code or None, ended.message or _UNKNOWN
