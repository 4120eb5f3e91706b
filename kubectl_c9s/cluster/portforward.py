"""Ports of this machine that lead to ports of the manager that leads, whichever that is when a connection comes."""

from __future__ import annotations

import contextlib
import errno
import socket
import threading
import time
from typing import TYPE_CHECKING, Final, NamedTuple, Self

from kubectl_c9s.cluster.activepod import refusal
from kubectl_c9s.cluster.tunnel import Tunnel, dial, reset
from kubectl_c9s.resources.errors import C9sError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from kubectl_c9s.cluster.activepod import Active
    from kubectl_c9s.cluster.connection import Connection
    from kubectl_c9s.cluster.leadership import Leadership

MOST: Final = 256
"""Connections at once; further ones wait until one of them has ended."""
_BACKLOG: Final = 128
_PATIENCE: Final = 15.0  # seconds a new connection waits for a leader
_DOUBT: Final = 5.0
_AGAIN: Final = 10.0  # seconds until the same words may be said again
_FAREWELL: Final = 3.0


class Wish(NamedTuple):
    """A port of the Pod, the local one (0 for any that is free), and the flag that the local one came with."""

    port: int
    local: int
    flag: str


def bound(address: str, wish: Wish) -> socket.socket:
    """Listen on a local port; raises UsageError with the flag that asked for it."""
    try:
        family = socket.getaddrinfo(address, wish.local, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((address, wish.local), family=family, backlog=_BACKLOG)
    except socket.gaierror as error:
        raise UsageError(f"--address {address!r}: {error.strerror}") from None
    except OSError as error:
        if error.errno == errno.EADDRNOTAVAIL:
            raise UsageError(f"--address {address!r} is no address of this machine") from None
        why = (
            "is in use" if error.errno == errno.EADDRINUSE else f"cannot be used: {error.strerror}"
        )
        hint = f"{wish.flag} 0 takes one that is free"
        raise UsageError(
            f"{wish.flag} {wish.local}: port {wish.local} of {address} {why}", hint=hint
        ) from None


class Forwarder:
    """Listens on local ports until it is closed; ``say`` is told in words what went wrong with a connection."""

    def __init__(
        self, connection: Connection, leadership: Leadership, say: Callable[[str], None]
    ) -> None:
        self._connection, self._leadership, self._say = connection, leadership, say
        self._listeners: list[socket.socket] = []
        self._tunnels: set[Tunnel] = set()
        self._threads: set[threading.Thread] = set()
        self._lock = threading.Lock()
        self._room = threading.Semaphore(MOST)
        self._closed = threading.Event()
        self._said: dict[str, float] = {}

    def listen(self, address: str, wishes: Sequence[Wish]) -> list[int]:
        """Listen for all or for none of the ports; give the local ones. Raises UsageError."""
        self._listeners = []
        try:
            for wish in wishes:
                self._listeners.append(bound(address, wish))
        except UsageError:
            self.close()
            raise
        for listener, wish in zip(self._listeners, wishes, strict=True):
            self._spawn(self._accept, listener, wish.port)
        return [listener.getsockname()[1] for listener in self._listeners]

    def _spawn(self, target: Callable[..., None], *args: object) -> None:
        def work() -> None:
            try:
                target(*args)
            finally:
                with self._lock:
                    self._threads.discard(threading.current_thread())

        thread = threading.Thread(target=work, name="c9s-forward", daemon=True)
        with self._lock:
            self._threads.add(thread)
        thread.start()

    def _accept(self, listener: socket.socket, port: int) -> None:
        while not self._closed.is_set():
            if not self._room.acquire(blocking=False):
                self._complain(f"{MOST} connections are open: further ones wait")
                self._room.acquire()
            try:
                local, _ = listener.accept()
            except OSError as error:
                self._room.release()
                if self._closed.is_set() or error.errno in {errno.EBADF, errno.EINVAL}:
                    return
                self._complain(f"no connection can be taken: {error.strerror}")
                self._closed.wait(1.0)
                continue
            self._spawn(self._serve, local, port)

    def _serve(self, local: socket.socket, port: int) -> None:
        """Serve one connection to its end; one that cannot be served is reset."""
        try:
            local.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._carry(local, port)
        except C9sError as error:
            if not self._leadership.stopped:
                self._complain(error.message)
        except OSError as error:
            self._complain(f"a connection was lost: {error}")
        finally:
            with contextlib.suppress(OSError):
                reset(local)
            self._room.release()

    def _carry(self, local: socket.socket, port: int) -> None:
        active, web = self._dial(port)
        tunnel = Tunnel(local, web)
        with self._lock:
            self._tunnels.add(tunnel)
        if self._closed.is_set():
            tunnel.stop()
        try:
            tunnel.run()
        finally:
            with self._lock:
                self._tunnels.discard(tunnel)
        if tunnel.trouble and not self._closed.is_set():
            self._leadership.doubt(_DOUBT)
            error = refusal(active, port, tunnel.trouble)
            self._complain(f"{error.message}; {error.hint}" if error.hint else error.message)

    def _dial(self, port: int) -> tuple[Active, object]:
        """Connect to the leader; when that fails, ask who leads, and try another one once."""
        active = self._leadership.current(_PATIENCE)
        try:
            return active, dial(self._connection, active.namespace, active.name, port)
        except C9sError:
            self._leadership.doubt(_DOUBT)
            other = self._leadership.current(_PATIENCE)
            if other.uid == active.uid:
                raise
        return other, dial(self._connection, other.namespace, other.name, port)

    def _complain(self, text: str) -> None:
        """Say something, but the same only now and then: a hundred connections fail in the same way."""
        now = time.monotonic()
        with self._lock:
            again = now - self._said.get(text, -_AGAIN) < _AGAIN
            self._said = {one: at for one, at in self._said.items() if now - at < _AGAIN}
            self._said.setdefault(text, now)
        if not (again or self._closed.is_set()):
            self._say(text)

    def close(self) -> None:
        """End all connections and listen no more; waits a little for the threads."""
        self._closed.set()
        for listener in self._listeners:
            with contextlib.suppress(OSError):
                listener.shutdown(socket.SHUT_RDWR)
            listener.close()
        with self._lock:
            tunnels, threads = list(self._tunnels), list(self._threads)
        for tunnel in tunnels:
            tunnel.stop()
        end = time.monotonic() + _FAREWELL
        for thread in threads:
            thread.join(max(0.0, end - time.monotonic()))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()
